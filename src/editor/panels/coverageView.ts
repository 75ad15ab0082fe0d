import { familyIndex, typeFamilies } from '../../api/schemas/reportTypes.ts';
import type { CoverageMatrix } from '../../library/coverage.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import type { CoverageScope, CoverageView } from '../../protocol/coverage.ts';
import { localMark } from '../../protocol/coverageLocal.ts';
import { visibleText } from '../../protocol/format/visibleText.ts';

/** Turns a matrix of the library, and what is known of the files here, into what the panel shows. */
export function coverageView(
  matrix: CoverageMatrix,
  local: { readonly reports: readonly ReportSummary[]; readonly files: ReadonlyMap<number, string | null> },
  shown: { readonly scope: CoverageScope; readonly filterWords: string | null },
): CoverageView {
  const { keys, years, counts, marks } = matrix;
  const lines = new Map(keys.map((key, line) => [key, line]));
  const columns = new Map(years.map((year, column) => [year, column]));
  for (const report of local.reports) {
    const line = lines.get(report.company_key);
    const column = columns.get(report.fiscal_year ?? 0);
    if (line === undefined || column === undefined) continue;
    const at = (line * years.length + column) * typeFamilies.length + familyIndex(report.type);
    // A filter may have left this report out: nothing is marked where nothing is shown.
    if ((marks[at] ?? 0) === 0) continue;
    const sha256 = local.files.get(report.report_id) ?? null;
    marks[at] = (marks[at] ?? 0) | localMark({ isListed: report.state === 'listed', sha256: report.sha256 }, sha256);
  }
  return {
    scope: shown.scope,
    filterWords: shown.filterWords === null ? null : visibleText(shown.filterWords),
    names: matrix.names.map((name, line) => visibleText(name ?? keys[line] ?? '')),
    keys: keys.map(visibleText),
    countries: matrix.countries.map((country) => (country === null ? null : visibleText(country))),
    years: [...years],
    counts,
    marks,
  };
}
