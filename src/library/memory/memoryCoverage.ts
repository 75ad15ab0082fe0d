import { statesTwoYears } from '../../api/schemas/reportTypes.ts';
import { sortName } from '../companyQuery.ts';
import { CoverageBuilder, type CoverageMatrix, yearColumns } from '../coverage.ts';
import type { MemoryCompany, MemoryReport, MemoryTables } from './memoryTables.ts';

/** The matrix over these reports, of the companies of the keys given or else of those that have one of them. */
export function memoryCoverage(
  tables: MemoryTables,
  reports: readonly MemoryReport[],
  keys?: readonly string[],
): CoverageMatrix {
  const rows = keys?.map((key) => tables.findCompany(key)) ?? byName(new Set(reports.map(({ company }) => company)));
  const lines = new Map(rows.map((company, index) => [company, index]));
  const mine = reports.filter(({ company }) => lines.has(company));
  const cells = new CoverageBuilder(rows.length, yearColumns(mine.map(({ fy }) => fy)));
  for (const { company, fy, state, report } of mine) {
    const at = cells.offset(fy, report.report_type);
    if (at === undefined) continue;
    const place = at + (lines.get(company) ?? 0) * cells.stride;
    cells.add(place, state === 'listed', report.has_file !== false);
    if (state === 'listed' && statesTwoYears(report.report_fcyear)) cells.split(place);
  }
  return {
    keys: keys ?? rows.map((company) => company?.described.company_key ?? ''),
    names: rows.map((company) => company?.described.company_name ?? null),
    countries: rows.map((company) => company?.described.country ?? null),
    years: cells.years,
    counts: cells.counts,
    marks: cells.marks,
  };
}

function byName(companies: ReadonlySet<MemoryCompany>): MemoryCompany[] {
  const named = [...companies].map((company) => {
    const { company_name, company_key } = company.described;
    return { company, name: sortName(company_name ?? company_key), key: company_key };
  });
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.key < b.key ? -1 : 1));
  return named.map(({ company }) => company);
}
