import { type DictionaryEntry, plain, type Variant } from '../../../src/demo/variant.ts';

type EntryNames = Readonly<Partial<Record<keyof DictionaryEntry, string>>>;

/** A dictionary entry under other names; what has none is left out. */
function named(entry: DictionaryEntry, names: EntryNames): Record<string, unknown> {
  return Object.fromEntries(Object.entries(names).map(([name, as]) => [as, entry[name as keyof DictionaryEntry]]));
}

/** A variant that wraps: companies in an object, maps instead of lists, numbers one level down. */
const nested: Variant = {
  ...plain,
  health: (version) => ({ data: { healthy: true, service: { version } } }),
  watchlistItem: (company) => ({ added_at: '2024-01-01T00:00:00Z', company }),
  schema: (version, entries) => ({
    data: {
      version,
      columns: Object.fromEntries(
        entries.map((each) => [
          each.column,
          named(each, {
            ...{ number: 'number', apiField: 'field', type: 'data_type', group: 'section' },
            ...{ meaning: 'definition', values: 'enum' },
          }),
        ]),
      ),
    },
  }),
  frameworks: (list) => ({ data: Object.fromEntries(list.map(({ code, name }) => [code, { label: name }])) }),
  usage: (month, requests, downloads) => ({
    period: { month },
    usage: { requests: { count: requests }, downloads: { count: downloads } },
  }),
  fieldErrors: (fields) => Object.fromEntries(fields.map(({ field, message }) => [field, [message]])),
  lookup: (outcomes) => ({
    data: outcomes.map(({ asked, found }) => ({
      requested_report_key: asked,
      matched: found !== null,
      report: found && { report_id: found.report_id, report_key: found.report_key },
    })),
  }),
  identifierType: (list) => (list === 'isins' ? 'isin' : `company_${list.slice(0, -1)}`),
  languageSeparator: ', ',
  formats: (hasFile) => (hasFile ? [{ format: 'pdf', content_type: 'application/pdf' }] : []),
  downloadPath: (reportId) => `/api/v2/reports/${reportId}/download`,
  reportHash: (hex) => ({ algorithm: 'sha256', value: hex }),
  documentScope: (scope) => ({ code: scope, partial: scope !== 'full' }),
  reportPeriod: (start, end) => ({ start, end }),
  lastPage: () => ({}),
};

/** A variant that says as little as it can: bare keys, bare lists, one string per error. */
const terse: Variant = {
  ...plain,
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
  lastPage: () => ({ next_cursor: '' }),
  outsideStatus: 404,
};

/** A variant with names of another house: short ones, numbers as text, one object for each group of facts. */
const foreign: Variant = {
  ...plain,
  health: (version) => ({ status: 'pass', releaseId: version, checks: [] }),
  watchlistItem: ({ company_key, company_name, isin, lei, figi, cik, mic, ticker, exchange, ...rest }) => ({
    key: company_key,
    name: company_name,
    identifiers: { isin, lei, figi, cik },
    listing: { mic, ticker, exchange },
    ...rest,
  }),
  schema: (version, entries) => ({
    dictionary: {
      version,
      columns: entries.map((each) => ({
        ...named(each, { number: 'index', column: 'name', apiField: 'source', type: 'dtype', values: 'allowed' }),
        ...named(each, { group: 'category', meaning: 'description' }),
      })),
    },
  }),
  frameworks: (list) => ({ items: list.map(({ code, name }) => ({ framework_code: code, display_name: name })) }),
  usage: (month, requests, downloads) => ({
    data: [
      { period: month, requests: String(requests), downloads: String(downloads) },
      { period: '2020-01', requests: '90001', downloads: '9001' },
    ],
  }),
  fieldErrors: (problems) =>
    problems.map(({ field, message }) => ({ loc: ['query', field], msg: message, type: 'value' })),
  lookupMembers: ['keys'],
  lookup: (outcomes) => ({
    items: outcomes.map(({ asked, found }) => ({
      ...{ key: asked, status: found ? 'found' : 'not_found', current_key: found?.report_key ?? null },
      id: found ? String(found.report_id) : null,
    })),
  }),
  identifierType: (list) => (list === 'tickers' ? 'mic_ticker' : list.slice(0, -1)),
  languageSeparator: '|',
  formats: (hasFile) => ({ pdf: hasFile }),
  reportHash: (hex) => `sha256:${hex}`,
  reportPeriod: (_start, end) => end && `FY${end.slice(0, 4)}`,
};

/** A variant that leaves out what is null, and answers by maps: what was found apart from what was not. */
const sparse: Variant = {
  ...plain,
  health: () => ({}),
  watchlistItem: ({ company_key, ...rest }) => ({
    ...{ id: company_key, type: 'company' },
    attributes: Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)),
  }),
  schema: (version, entries) => ({
    ...{ $schema: 'https://json-schema.org/draft/2020-12/schema', title: `Dictionary ${version}`, version },
    properties: Object.fromEntries(
      entries.map((each) => [
        each.column,
        named(each, { apiField: 'x-api-field', type: 'type', meaning: 'description', values: 'enum' }),
      ]),
    ),
  }),
  frameworks: (list) => ({ frameworks: Object.fromEntries(list.map(({ code, name }) => [code, name])) }),
  usage: (_month, requests, downloads) => ({
    rate_limit: { requests_per_minute: 600 },
    current_month: { api_calls: requests, pdf_downloads: downloads },
  }),
  fieldErrors: (problems) => problems.map(({ field, message }) => ({ pointer: `#/${field}`, detail: message })),
  lookup: (outcomes) => ({
    reports: Object.fromEntries(outcomes.flatMap(({ asked, found }) => (found ? [[asked, found]] : []))),
    not_found: outcomes.flatMap(({ asked, found }) => (found ? [] : [asked])),
  }),
  languageSeparator: ' ',
  unknown: undefined,
  lastPage: () => ({}),
};

/** Every variant of the open places that the demo can serve, by name. */
export const variants = { plain, nested, terse, foreign, sparse } as const satisfies Readonly<Record<string, Variant>>;
export type VariantName = keyof typeof variants;

export const variantNames = Object.keys(variants) as readonly VariantName[];
