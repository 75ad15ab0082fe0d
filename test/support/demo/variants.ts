import type { FieldProblem } from '../../../src/demo/requests.ts';
import type { DemoMiddleware } from '../../../src/demo/state.ts';
import type { wireCompany } from '../../../src/demo/wire.ts';

type WireCompany = ReturnType<typeof wireCompany>;

/** What became of one key of a lookup (LKP-1), before a variant gives it a shape. */
interface LookupOutcome {
  readonly asked: string;
  /** Null when no entitled report has or had the key. */
  readonly found: { readonly report_id: number; readonly report_key: string } | null;
}

/** One field of the dictionary, before a variant gives it a shape. */
interface DictionaryEntry {
  readonly number: number;
  readonly column: string;
  readonly apiField: string;
  readonly type: string;
  readonly group: string;
  readonly meaning: string;
  readonly values: readonly string[] | null;
}

/**
 * One way to read the places that the interface leaves open, where it differs from how the demo reads them. A client that
 * keeps to the interface works with every variant.
 */
export interface Variant {
  health?(version: string): unknown;
  watchlistItem?(company: WireCompany): unknown;
  schema?(version: string, entries: readonly DictionaryEntry[]): unknown;
  frameworks?(list: readonly { readonly code: string; readonly name: string }[]): unknown;
  usage?(month: string, requests: number, downloads: number): unknown;
  fieldErrors?(fields: readonly FieldProblem[]): unknown;
  lookup?(outcomes: readonly LookupOutcome[]): unknown;
  /** `identifier_type` of a resolve list; an ISIN is always `isin`. */
  identifierType?(list: string): string;
  /** What stands between the two codes of a bilingual report. */
  readonly languageSeparator?: string;
  formats?(hasFile: boolean): unknown;
  downloadPath?(reportId: number, hasFile: boolean): unknown;
  reportHash?(hex: string): unknown;
  documentScope?(scope: string): unknown;
  reportPeriod?(start: string | null, end: string | null): unknown;
  /** `next_cursor` of `page_info` on the last page of a list that has an end; undefined leaves it out. */
  readonly lastCursor?: string | undefined;
  /** Status for a report that exists outside the license. */
  readonly outsideStatus?: 404;
  /** Fields of a report without a value are not sent at all. */
  readonly leavesOutUnknown?: true;
}

const plain: Variant = {};

type EntryNames = Readonly<Partial<Record<keyof DictionaryEntry, string>>>;

/** A dictionary entry under other names; what has none is left out. */
function named(entry: DictionaryEntry, names: EntryNames): Record<string, unknown> {
  return Object.fromEntries(Object.entries(names).map(([name, as]) => [as, entry[name as keyof DictionaryEntry]]));
}

/** A variant that says as little as it can: bare keys, bare lists, one string per error, and nothing that is null. */
const terse: Variant = {
  health: () => 'ok',
  watchlistItem: (company) => company.company_key,
  schema: (_version, entries) =>
    entries.map((each) => named(each, { column: 'name', apiField: 'api_field', type: 'type', meaning: 'meaning' })),
  frameworks: (list) => list.map(({ code }) => code),
  usage: (_month, requests, downloads) => ({ request_count: requests, download_count: downloads }),
  fieldErrors: (fields) => fields.map(({ field, message }) => `${field}: ${message}`),
  lookup: (outcomes) => Object.fromEntries(outcomes.map(({ asked, found }) => [asked, found?.report_id ?? null])),
  identifierType: (list) => list.slice(0, -1).toUpperCase().replace('ISIN', 'isin'),
  languageSeparator: '/',
  formats: () => 'pdf',
  downloadPath: () => null,
  reportHash: () => null,
  documentScope: (scope) => (scope === 'full' ? null : scope),
  reportPeriod: (_start, end) => end?.slice(0, 4) ?? null,
  lastCursor: '',
  outsideStatus: 404,
  leavesOutUnknown: true,
};

/** A variant with names of another house: short ones, numbers as text, one object for each group of facts. */
const foreign: Variant = {
  health: (version) => ({ status: 'pass', releaseId: version, checks: [] }),
  watchlistItem: ({ company_key, company_name, isin, lei, figi, cik, mic, ticker, exchange, ...rest }) => ({
    ...{ key: company_key, name: company_name, added_at: '2024-01-01T00:00:00Z' },
    identifiers: { isin, lei, figi, cik },
    listing: { mic, ticker, exchange },
    ...rest,
  }),
  schema: (version, entries) => ({
    data: {
      version,
      columns: Object.fromEntries(
        entries.map((each) => [
          each.column,
          named(each, { apiField: 'source', type: 'type', meaning: 'description', values: 'enum', group: 'category' }),
        ]),
      ),
    },
  }),
  frameworks: (list) => ({ items: Object.fromEntries(list.map(({ code, name }) => [code, { label: name }])) }),
  usage: (month, requests, downloads) => ({
    data: { period: month, requests: String(requests), downloads: String(downloads) },
    history: [{ period: '2020-01', requests: '90001', downloads: '9001' }],
    quota: { requests: 600 },
  }),
  fieldErrors: (problems) =>
    problems.map(({ field, message }) => ({ loc: ['query', field], msg: message, type: 'value' })),
  lookup: (outcomes) => ({
    items: outcomes.map(({ asked, found }) => ({
      ...{ query: asked, status: found ? 'found' : 'not_found' },
      report: found && { report_id: String(found.report_id), report_key: found.report_key },
    })),
  }),
  identifierType: (list) => (list === 'tickers' ? 'mic_ticker' : list.slice(0, -1)),
  languageSeparator: '|',
  formats: (hasFile) => ({ pdf: hasFile }),
  downloadPath: (reportId) => `/api/v2/reports/${reportId}/download`,
  reportHash: (hex) => ({ algorithm: 'sha256', value: hex }),
  documentScope: (scope) => ({ code: scope, partial: scope !== 'full' }),
  reportPeriod: (start, end) => ({ start, end }),
  lastCursor: undefined,
};

/** Every variant of the open places that the demo can serve, by name. */
export const variants = { plain, terse, foreign } as const satisfies Readonly<Record<string, Variant>>;
export type VariantName = keyof typeof variants;

export const variantNames = Object.keys(variants) as readonly VariantName[];

type Json = Record<string, unknown>;

/** Gives the demo's answers the shape of a variant. */
export function shapedBy(variant: Variant): DemoMiddleware {
  return async (c, next) => {
    await next();
    if (!/json/.test(c.res.headers.get('content-type') ?? '')) return;
    const { headers } = c.res;
    const given = (await c.res.json()) as Json;
    const isOutside = c.res.status === 403 && /not in the license/.test(String(given.detail));
    const status = isOutside ? (variant.outsideStatus ?? 403) : c.res.status;
    const body = JSON.stringify(status < 400 ? answerOf(variant, c.req.path, given) : problemOf(variant, given));
    c.res = undefined;
    c.res = new Response(body, { status, headers });
  };
}

function problemOf({ fieldErrors }: Variant, problem: Json): Json {
  return problem.errors && fieldErrors
    ? { ...problem, errors: fieldErrors(problem.errors as FieldProblem[]) }
    : problem;
}

function answerOf(variant: Variant, path: string, answer: Json): unknown {
  const { data, page_info, results, fields } = answer;
  const lists = [data, results, fields].find(Array.isArray) as Json[] | undefined;
  switch (path.replace(/^.*\/api\/v2/, '')) {
    case '/health':
      return variant.health?.(String(answer.version)) ?? answer;
    case '/watchlist':
      return { data: lists?.map((each) => variant.watchlistItem?.(each as WireCompany) ?? each), page_info: ended() };
    case '/companies/resolve':
      return { ...answer, results: lists?.map((each) => ({ ...each, identifier_type: typeOf(each) })) };
    case '/meta/schema':
      return variant.schema?.(String(answer.schema_version), (lists ?? []).map(entryOf)) ?? answer;
    case '/meta/frameworks':
      return variant.frameworks?.(answer.frameworks as { code: string; name: string }[]) ?? answer;
    case '/meta/usage':
      return variant.usage?.(String(answer.month), Number(answer.requests), Number(answer.downloads)) ?? answer;
    case '/reports':
      return { data: lists?.map((each) => reportOf(variant, each)), page_info: ended() };
    case '/reports/changes':
      return {
        data: lists?.map((each) => ({ ...each, report: each.report && reportOf(variant, each.report as Json) })),
        page_info,
      };
    case '/reports/lookup':
      return variant.lookup?.((lists ?? []).map(outcomeOf)) ?? answer;
    default:
      return 'report_title' in answer ? reportOf(variant, answer) : answer;
  }

  function ended(): unknown {
    const { next_cursor, ...rest } = page_info as Json;
    return next_cursor === null && 'lastCursor' in variant ? { ...rest, next_cursor: variant.lastCursor } : page_info;
  }

  function typeOf({ identifier_type: type }: Json): unknown {
    return variant.identifierType?.(`${type}s`) ?? type;
  }
}

function entryOf({ position, column, api_field, type, group, description, values }: Json): DictionaryEntry {
  const named = { number: position, column, apiField: api_field, type, group, meaning: description };
  return { ...named, values: values ?? null } as DictionaryEntry;
}

function outcomeOf({ report_key, report_id, canonical_report_key }: Json): LookupOutcome {
  const present = { report_id: Number(report_id), report_key: String(canonical_report_key ?? report_key) };
  return { asked: String(report_key), found: report_id === null ? null : present };
}

/** A Report object in the shape of a variant. */
export function reportOf(variant: Variant, report: Json): Json {
  const { has_file, report_id, report_hash, document_scope, period_start_date: start, period_end_date: end } = report;
  const languages = String(report.report_lang).replaceAll(';', variant.languageSeparator ?? ';');
  const shaped = {
    ...(variant.formats && { formats: variant.formats(has_file === true) }),
    ...(variant.downloadPath && { download_path: variant.downloadPath(Number(report_id), has_file === true) }),
    ...(variant.reportHash && { report_hash: variant.reportHash(String(report_hash)) }),
    ...(variant.documentScope && { document_scope: variant.documentScope(String(document_scope)) }),
    ...(variant.reportPeriod && { report_period: variant.reportPeriod(start as string | null, end as string | null) }),
  };
  const kept = Object.entries(report).filter(([, value]) => value !== null || !variant.leavesOutUnknown);
  const metadata = { ...(report.metadata as Json), language: languages };
  return { ...Object.fromEntries(kept), report_lang: languages, ...shaped, metadata };
}
