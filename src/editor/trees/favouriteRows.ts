import { readCompany } from '../../api/schemas/company.ts';
import type { Favourite } from '../../favourites/list.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import type { ReportNode } from '../common/reportNode.ts';

export interface CompanyNode {
  readonly kind: 'company';
  /** As the library knows it now. */
  company: LibraryCompany;
  readonly isFavourite?: boolean | undefined;
  /** A favourite that the licence no longer includes. */
  readonly isMissing?: boolean | undefined;
}

type Known = Pick<LibraryCalls, 'summaries' | 'company' | 'syncRecord'>;

/**
 * Favourites as rows, as the library knows them now. One that it does not know is shown by its key: as gone, unless the
 * library is still being loaded.
 */
export async function favouriteRows(
  library: Known,
  items: readonly Favourite[],
): Promise<(CompanyNode | ReportNode)[]> {
  const ids = items.flatMap(({ report_id }) => report_id ?? []);
  const keys = items.flatMap(({ report_id, company_key }) => (report_id === null ? [company_key] : []));
  const [{ phase }, reports, companies] = await Promise.all([
    library.syncRecord(),
    library.summaries(ids),
    Promise.all(keys.map((key) => library.company(key))),
  ]);
  const isWhole = phase === 'following';
  const byId = new Map(reports.map((report) => [report.report_id, report]));
  const byKey = new Map(keys.map((key, index) => [key, companies[index]]));
  return items.map((item): CompanyNode | ReportNode => {
    if (item.report_id !== null) {
      const report = byId.get(item.report_id) ?? unknownReport(item, item.report_id, isWhole);
      return { kind: 'report', report, isFavourite: true, isAlone: true };
    }
    const known = byKey.get(item.company_key);
    const isMissing = isWhole && !known?.watched && !known?.listed;
    return { kind: 'company', company: known ?? unknownCompany(item.company_key), isFavourite: true, isMissing };
  });
}

function unknownReport({ company_key, report_key }: Favourite, report_id: number, isWhole: boolean): ReportSummary {
  const unsaid = { company_name: null, type: null, class: null, fiscal_year: null, fiscal_year_label: null };
  const unknown = { year: null, language: null, pages: null, filesize: null, published: null, period_end: null };
  const key = report_key ?? String(report_id);
  return {
    ...{ report_id, report_key: key, company_key, title: key, ...unsaid, ...unknown, has_file: null, sha256: null },
    state: isWhole ? 'removed' : 'listed',
  };
}

function unknownCompany(company_key: string): LibraryCompany {
  const read = readCompany({ company_key });
  if (!read.ok) throw new Error(read.reason);
  return { ...read.value, watched: false, listed: 0, gone: 0, newest: null };
}
