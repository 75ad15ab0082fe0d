import { l10n } from '../../base/l10n.ts';
import { objectItem, type Page } from '../schemas/page.ts';
import { type Report, readReport } from '../schemas/report.ts';
import type { ListOptions, Query, Service } from '../transport/call.ts';
import { type List, pages, type RawPage, rawPage, readRawPage } from '../transport/pages.ts';
import { badRequest } from '../transport/problems.ts';

/** Filters of `GET /reports` (REP-1): different ones AND, repeated values OR, repeated frameworks AND. */
export interface ReportFilter {
  readonly company_key?: string | undefined;
  readonly type?: readonly string[] | undefined;
  readonly fcyear?: readonly number[] | undefined;
  readonly isin?: string | undefined;
  readonly language?: string | undefined;
  readonly framework?: readonly string[] | undefined;
}

/** The largest page of `GET /reports`. */
export const reportsPageLimit = 200;
/** The service takes at most this many filter values in one request. */
export const filterValuesLimit = 500;

/** The name of the framework filter, which the interface leaves open. */
const frameworkParameter = 'framework';

/** `GET /reports`: the entitled reports by report_id, page by page (REP-1). Throws `invalid` for too many filter values. */
export async function* listReports(
  service: Service,
  filter: ReportFilter = {},
  options: ListOptions = {},
): AsyncGenerator<Page<Report>> {
  yield* pages(service, listOf(filter), options);
}

/** One page of `GET /reports`, unread. */
export async function getReportsPage(service: Service, filter: ReportFilter, options: ListOptions): Promise<RawPage> {
  return rawPage(service, listOf(filter), options);
}

/** Reads a page of `GET /reports`; needs nothing of the client, so that a worker can do it. */
export function readReportsPage(page: RawPage): Page<Report> {
  return readRawPage(page, readItem);
}

const readItem = objectItem(readReport);

function listOf(filter: ReportFilter): List<Report> {
  const query: Query = {
    company_key: filter.company_key,
    type: filter.type,
    fcyear: filter.fcyear,
    isin: filter.isin,
    language: filter.language,
    [frameworkParameter]: filter.framework,
  };
  const values = Object.values(query)
    .flat()
    .filter((value) => value !== undefined).length;
  if (values > filterValuesLimit) {
    throw badRequest(
      l10n.t('The filter has {0} values, and the service takes at most {1}.', values, filterValuesLimit),
      l10n.t('Filter by fewer values.'),
    );
  }
  return { route: '/reports', query, largest: reportsPageLimit, read: readItem };
}
