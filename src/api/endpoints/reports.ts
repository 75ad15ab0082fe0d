import { l10n } from '../../base/l10n.ts';
import { fields, type TriStateField } from '../schemas/fields.ts';
import { type LookupResult, readLookupResults } from '../schemas/lookup.ts';
import { type CallOptions, type ListOptions, objectItem, type Page, type RawPage } from '../schemas/page.ts';
import {
  type Change,
  type ChangesFrom,
  type DownloadLink,
  type Report,
  readChange,
  readDownloadLink,
  readReport,
} from '../schemas/report.ts';
import { type List, pages, type Query, rawPage, readAnswer, type Service } from '../transport/answers.ts';
import { badRequest } from '../transport/errors.ts';
import { checkInputs, inBatches } from '../transport/inputs.ts';

/** Filters of `GET /reports` (REP-1): different ones AND, repeated values OR, repeated frameworks AND. */
export interface ReportFilter {
  readonly company_key?: string | undefined;
  readonly type?: readonly string[] | undefined;
  readonly fcyear?: readonly number[] | undefined;
  readonly isin?: string | undefined;
  readonly language?: string | undefined;
  /** Its name in the query is left open by the interface. */
  readonly framework?: readonly string[] | undefined;
}

export const reportsPageLimit = 200;
/** The service takes at most this many filter values in one request. */
export const filterValuesLimit = 500;

/** The service takes at most this many report keys in one call. */
export const lookupLimit = 1000;

export function reportEndpoints(service: Service) {
  return {
    /** `GET /reports` (REP-1). A service may not know the framework filter, so facts are checked here too (CNV-2). */
    async *reports(filter: ReportFilter = {}, options: ListOptions = {}): AsyncGenerator<Page<Report>> {
      const wanted = (filter.framework ?? []).flatMap(frameworkField);
      for await (const page of pages(service, reportsList(filter), options)) {
        const data = page.data.filter((report) => wanted.every((field) => report[field] === true));
        yield data.length === page.data.length ? page : { ...page, data, count: null };
      }
    },
    /** One page of `GET /reports`, unread: the library's worker reads it. */
    reportsPage: async (filter: ReportFilter = {}, options: ListOptions = {}): Promise<RawPage> =>
      rawPage(service, reportsList(filter), options),
    /** `GET /reports/{report_id}`: one report, also by an id that a merge or rename retired (ONE-1, RID-1). */
    async report(reportId: number, options?: CallOptions): Promise<Report> {
      const request = { method: 'GET', route: '/reports/{report_id}', path: reportPath(reportId) } as const;
      return readAnswer(await service.ask(request, options), objectItem(readReport));
    },
    /** `GET /reports/{report_id}/download` (DL-1). Each link counts, so request it right before the fetch. */
    async downloadLink(reportId: number, options?: CallOptions): Promise<DownloadLink> {
      const [route, path] = ['/reports/{report_id}/download', `${reportPath(reportId)}/download`];
      const answer = await service.ask({ method: 'GET', route, path, isForLink: true }, options);
      return readAnswer(
        answer,
        objectItem((raw) => readDownloadLink(raw, reportId)),
      );
    },
    /** `GET /reports/changes` (CHG-1). Every page carries the cursor to store, even an empty one. */
    changes(from: ChangesFrom, options: ListOptions = {}): AsyncIterable<Page<Change>> {
      const { list, cursor } = changesList(from, options);
      return pages(service, list, { ...options, cursor });
    },
    /** One page of `GET /reports/changes`, unread. */
    async changesPage(from: ChangesFrom, options: ListOptions = {}): Promise<RawPage> {
      const { list, cursor } = changesList(from, options);
      return rawPage(service, list, { ...options, cursor });
    },
    /** `POST /reports/lookup` (LKP-1): one result per key, in order; more than 1,000 keys go in several calls. */
    async lookup(reportKeys: readonly string[], options?: CallOptions): Promise<readonly LookupResult[]> {
      checkInputs(reportKeys);
      const ask = async (report_keys: readonly string[]) => {
        const answer = await service.ask({ method: 'POST', route: '/reports/lookup', body: { report_keys } }, options);
        return readAnswer(answer, (raw) => readLookupResults(raw, report_keys));
      };
      return inBatches(reportKeys, lookupLimit, (key) => key, ask);
    },
  };
}

/** The field that a framework's code is about; none for a code that has no field of its own. */
function frameworkField(code: string): TriStateField[] {
  const name = `standards_${code
    .toLowerCase()
    .replace(/^(standards|std)_/, '')
    .replaceAll(/[^a-z0-9]+/g, '_')}`;
  return fields.flatMap(({ apiField, type }) =>
    type === 'boolean' && apiField === name ? [apiField as TriStateField] : [],
  );
}

function reportsList(filter: ReportFilter): List<Report> {
  const query: Query = { ...filter };
  const values = Object.values(query).flatMap((value) => value ?? []).length;
  if (values > filterValuesLimit)
    throw badRequest(
      l10n.t('The filter has {0} values, and the service takes at most {1}.', values, filterValuesLimit),
      l10n.t('Filter by fewer values.'),
    );
  return { route: '/reports', query, largest: reportsPageLimit, read: objectItem(readReport) };
}

/** The path of one report. Throws `invalid` for what can't be a report_id: it would name another path. */
export function reportPath(reportId: number): string {
  if (Number.isSafeInteger(reportId) && reportId > 0) return `/reports/${reportId}`;
  throw badRequest(l10n.t('This is not a report ID.'), l10n.t('A report ID is a whole number above 0.'));
}

function changesList(from: ChangesFrom, options: ListOptions): { list: List<Change>; cursor: string | undefined } {
  const cursor = options.cursor ?? ('cursor' in from ? from.cursor : undefined);
  const query = cursor === undefined && 'since' in from ? { since: from.since } : {};
  return { list: { route: '/reports/changes', query, read: objectItem(readChange) }, cursor };
}
