import { languagesOf } from '../languages.ts';
import { readPosition, writePosition } from '../positions.ts';
import type { GroupBy, GroupCount, Listing, ReportQuery, ReportSummary } from '../reportQuery.ts';
import type { StoredReport } from '../store.ts';
import { summarise } from '../summarise.ts';
import { matches, wordsOf } from './matches.ts';
import type { MemoryReport, MemoryTables } from './memoryTables.ts';

/** Questions about reports in memory: each looks at every report, in the order of every list. */
export class MemoryReports {
  readonly #tables: MemoryTables;

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  one(idOrKey: number | string): StoredReport | null {
    const { reports, idAliases, keyAliases } = this.#tables;
    if (typeof idOrKey === 'number') {
      const held = reports.get(idOrKey);
      if (held) return stored(held, null);
      const survivor = reports.get(idAliases.get(idOrKey) ?? 0);
      return survivor ? stored(survivor, idOrKey) : null;
    }
    for (const held of reports.values()) if (held.report.report_key === idOrKey) return stored(held, null);
    const renamed = reports.get(keyAliases.get(idOrKey) ?? 0);
    return renamed ? stored(renamed, idOrKey) : null;
  }

  /** Without looking for retired ids. */
  held(id: number): StoredReport | null {
    const held = this.#tables.reports.get(id);
    return held ? stored(held, null) : null;
  }

  matching(query: ReportQuery): MemoryReport[] {
    const text = query.text?.trim() ? wordsOf(query.text) : null;
    if (text?.length === 0) return [];
    const found: MemoryReport[] = [];
    for (const held of this.#tables.reports.values()) {
      const { country, sector, industry, isin, company_key } = held.company.described;
      const candidate = { ...held, country, sector, industry, isin, companyKey: company_key };
      const keys = query.company_key?.map((key) => this.#tables.findCompany(key)?.described.company_key ?? key);
      if (matches(keys ? { ...query, company_key: keys } : query, candidate, text)) found.push(held);
    }
    return found.sort((a, b) => b.fy - a.fy || b.report.report_id - a.report.report_id);
  }

  list(query: ReportQuery, after: string | undefined, limit: number): Listing<ReportSummary> {
    const from = after === undefined ? null : readPosition(after);
    const rest = this.matching(query).filter(
      ({ fy, report }) => !from || fy < from.fy || (fy === from.fy && report.report_id < from.report_id),
    );
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    return {
      items: page.map((held) => summarise(held.report, held.fy, held.state)),
      next: page.length === limit && last ? writePosition({ fy: last.fy, report_id: last.report.report_id }) : null,
    };
  }

  groups(query: ReportQuery, by: GroupBy): GroupCount[] {
    const counts = new Map<string | number | null, number>();
    for (const held of this.matching(query)) {
      for (const value of valuesOf(held, by)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
  }
}

function valuesOf(held: MemoryReport, by: GroupBy): readonly (string | number | null)[] {
  const { report, company } = held;
  switch (by) {
    case 'type':
      return [report.report_type];
    case 'class':
      return [report.report_class];
    case 'fcyear':
      return [held.fy === 0 ? null : held.fy];
    case 'language':
      return report.report_lang === null ? [null] : languagesOf(report.report_lang);
    case 'company':
      return [company.described.company_key];
    default:
      return [company.described[by]];
  }
}

function stored(held: MemoryReport, askedFor: number | string | null): StoredReport {
  return { report: held.report, state: held.state, fiscal_year: held.fy === 0 ? null : held.fy, askedFor };
}
