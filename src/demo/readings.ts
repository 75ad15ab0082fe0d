/** A field or parameter that was refused, and why. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** The Company object on the wire (COM-3). */
export type WireCompany = Readonly<Record<string, string | number | null>> & { readonly company_key: string };

/** What became of one key of a lookup (LKP-1), before a reading gives it a shape. */
export interface LookupOutcome {
  readonly asked: string;
  /** Null when no entitled report has or had the key. */
  readonly found: { readonly report_id: number; readonly report_key: string } | null;
}

/** One field of the dictionary, before a reading gives it a shape. */
export interface DictionaryEntry {
  readonly number: number;
  readonly column: string;
  readonly apiField: string;
  readonly type: string;
  readonly group: string;
  readonly meaning: string;
  readonly values: readonly string[] | null;
}

/**
 * One way to read the places that the interface leaves open. A client that keeps to the interface works with every
 * reading; the demo can serve any of them.
 */
export interface Reading {
  health(version: string): unknown;
  watchlistItem(company: WireCompany): unknown;
  schema(version: string, entries: readonly DictionaryEntry[]): unknown;
  frameworks(list: readonly { readonly code: string; readonly name: string }[]): unknown;
  usage(month: string, requests: number, downloads: number): unknown;
  fieldErrors(fields: readonly FieldProblem[]): unknown;
  /** Members of the lookup request that may hold the keys. */
  readonly lookupMembers: readonly string[];
  lookup(outcomes: readonly LookupOutcome[]): unknown;
  /** `identifier_type` of a resolve list; an ISIN is always `isin`. */
  identifierType(list: string): string;
  /** What stands between the two codes of a bilingual report. */
  readonly languageSeparator: string;
  formats(hasFile: boolean): unknown;
  downloadPath(reportId: number, hasFile: boolean): unknown;
  reportHash(hex: string): unknown;
  documentScope(scope: string): unknown;
  reportPeriod(start: string | null, end: string | null): unknown;
  /** Members of `page_info` beside `count` and `has_more`, on the last page of a list that has an end. */
  lastPage(): { readonly next_cursor?: string | null };
  /** Status for a report that exists outside the licence. */
  readonly outsideStatus: 403 | 404;
}

/** The reading that the demo serves unless asked otherwise: flat objects, lists, full companies. */
const plain: Reading = {
  health: (version) => ({ status: 'ok', version }),
  watchlistItem: (company) => company,
  schema: (version, entries) => ({
    schema_version: version,
    fields: entries.map((each) => ({
      position: each.number,
      column: each.column,
      api_field: each.apiField,
      type: each.type,
      group: each.group,
      description: each.meaning,
      ...(each.values && { values: each.values }),
    })),
  }),
  frameworks: (list) => ({ frameworks: list.map(({ code, name }) => ({ code, name })) }),
  usage: (month, requests, downloads) => ({ month, requests, downloads }),
  fieldErrors: (fields) => fields.map(({ field, message }) => ({ field, message })),
  lookupMembers: ['report_keys', 'keys'],
  lookup: (outcomes) => ({
    results: outcomes.map(({ asked, found }) => ({
      report_key: asked,
      found: found !== null,
      report_id: found?.report_id ?? null,
      canonical_report_key: found && found.report_key !== asked ? found.report_key : null,
    })),
    matched_count: outcomes.filter(({ found }) => found !== null).length,
    unmatched_count: outcomes.filter(({ found }) => found === null).length,
  }),
  identifierType: (list) => list.slice(0, -1),
  languageSeparator: ';',
  formats: (hasFile) => (hasFile ? ['pdf'] : []),
  downloadPath: (reportId, hasFile) => (hasFile ? `/reports/${reportId}/download` : null),
  reportHash: (hex) => hex,
  documentScope: (scope) => scope,
  reportPeriod: (start, end) => (start && end ? `${start}/${end}` : null),
  lastPage: () => ({ next_cursor: null }),
  outsideStatus: 403,
};

/** A reading that wraps: companies in an object, maps instead of lists, numbers one level down. */
const nested: Reading = {
  health: (version) => ({ data: { healthy: true, service: { version } } }),
  watchlistItem: (company) => ({ added_at: '2024-01-01T00:00:00Z', company }),
  schema: (version, entries) => ({
    data: {
      version,
      columns: Object.fromEntries(
        entries.map((each) => [
          each.column,
          {
            number: each.number,
            field: each.apiField,
            data_type: each.type,
            section: each.group,
            definition: each.meaning,
            enum: each.values,
          },
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
  lookupMembers: ['report_keys', 'keys'],
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
  outsideStatus: 403,
};

/** A reading that says as little as it can: bare keys, bare lists, one string per error. */
const terse: Reading = {
  health: () => 'ok',
  watchlistItem: (company) => company.company_key,
  schema: (_version, entries) =>
    entries.map((each) => ({ name: each.column, api_field: each.apiField, type: each.type, meaning: each.meaning })),
  frameworks: (list) => list.map(({ code }) => code),
  usage: (_month, requests, downloads) => ({ request_count: requests, download_count: downloads }),
  fieldErrors: (fields) => fields.map(({ field, message }) => `${field}: ${message}`),
  lookupMembers: ['report_keys', 'keys'],
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

/** Every reading of the open places that the demo can serve, by name. */
export const readings = { plain, nested, terse } as const satisfies Readonly<Record<string, Reading>>;
export type ReadingName = keyof typeof readings;
