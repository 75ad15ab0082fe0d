import { STATUS_CODES } from 'node:http';
/** A field or parameter that was refused, and why. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** The Company object on the wire (COM-3). */
export type WireCompany = Readonly<Record<string, string | number | null>> & { readonly company_key: string };

/** What became of one key of a lookup (LKP-1), before a variant gives it a shape. */
interface LookupOutcome {
  readonly asked: string;
  /** Null when no entitled report has or had the key. */
  readonly found: { readonly report_id: number; readonly report_key: string } | null;
}

/** One field of the dictionary, before a variant gives it a shape. */
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
 * variant; tests have several (`test/support/demo/variants.ts`).
 */
export interface Variant {
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
  /** How a field of a report without a value is sent: as null, or not at all. */
  readonly unknown: null | undefined;
}

/** The variant that the demo serves unless asked otherwise: flat objects, lists, full companies. */
export const plain: Variant = {
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
  unknown: null,
};

/** Thrown by routes and gates; becomes an RFC 9457 answer (ERR-1). */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;
  readonly fields: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    detail: string,
    more: { readonly fields?: readonly FieldProblem[]; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail);
    this.status = status;
    this.fields = more.fields ?? [];
    this.headers = more.headers ?? {};
  }
}

/** 422 that names each invalid field; its message repeats the first. */
export function invalid(...fields: FieldProblem[]): HttpProblem {
  const first = fields[0];
  return new HttpProblem(422, first ? `${first.field}: ${first.message}` : 'The request is invalid.', { fields });
}

/** The answer for a problem. The entries of `errors` have whatever shape the variant gives them. */
export function problemResponse(problem: HttpProblem, variant: Variant): Response {
  const body = {
    type: 'about:blank',
    title: STATUS_CODES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.message,
    ...(problem.fields.length > 0 && { errors: variant.fieldErrors(problem.fields) }),
  };
  return new Response(JSON.stringify(body), {
    status: problem.status,
    headers: { ...problem.headers, 'content-type': 'application/problem+json' },
  });
}
