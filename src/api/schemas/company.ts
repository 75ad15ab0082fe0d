import * as z from 'zod/mini';
import { isObject, type JsonObject, own } from '../../base/json.ts';
import { findFacts } from './open.ts';
import { filledText, flag, integer, open, type Reading, type RecordOf, recordReader, text } from './record.ts';

const companyShape = {
  company_key: filledText,
  company_name: text,
  isin: text,
  lei: text,
  figi: text,
  cik: text,
  /** 1 to 12. */
  fiscal_year_end_month: integer,
  ticker: text,
  mic: text,
  exchange: text,
  country: text,
  sector: text,
  industry: text,
};

/** A company as the service describes it (COM-3). Only the key is certain; a withheld ISIN is null (COM-2). */
export type Company = Readonly<RecordOf<typeof companyShape>>;

/** Reads a Company object (COM-3). One without its key is refused with a reason. */
export const readCompany: (raw: JsonObject) => Reading<Company> = recordReader(companyShape, {
  company_key: 'The company has no company_key.',
});

const factNames = Object.fromEntries(Object.keys(companyShape).map((name) => [name, [name]]));
/** Short names, which mean something else in a group such as a listing. */
const shortNames = { company_key: ['key', 'id'], company_name: ['name'] };

/** Reads an item of `GET /watchlist`, whose fields are open (WL-1): a key, a Company object, or an item around one. */
export function readWatchlistItem(raw: unknown): Reading<Company> {
  if (typeof raw === 'string') return readCompany({ company_key: raw });
  if (!isObject(raw)) return { ok: false, reason: 'The watchlist item is neither a key nor an object.' };
  const { company, ...item } = isObject(raw.company) ? raw : { ...raw, company: {} };
  const facts = findFacts(raw, factNames, ['company', 'identifiers', 'listing']);
  const short = findFacts({ ...item, ...(company as JsonObject) }, shortNames);
  const { company_key = null, company_name = null } = facts;
  return readCompany({
    ...{ ...item, ...(company as JsonObject), ...facts },
    ...{ company_key: company_key ?? short.company_key, company_name: company_name ?? short.company_name },
  });
}

/** The seven lists of the resolve request (RES-1). */
export const identifierLists = ['isins', 'tickers', 'symbols', 'leis', 'figis', 'ciks', 'names'] as const;
export type IdentifierList = (typeof identifierLists)[number];

export interface IdentifierQuery {
  readonly list: IdentifierList;
  readonly value: string;
}

/** What became of one identifier (RES-2). */
export interface ResolveResult {
  readonly query: string;
  /** `isin` for an ISIN; other values are the service's own. */
  readonly identifier_type: string | null;
  readonly matched: boolean;
  /** Null when unmatched; false for a company held outside the license. */
  readonly entitled: boolean | null;
  readonly ambiguous: boolean;
  readonly company: Company | null;
  /** Fields that the interface does not name, as they came. */
  readonly other?: Readonly<Record<string, unknown>>;
}

const resultShape = {
  query: z.string(),
  identifier_type: text,
  matched: z.boolean(),
  entitled: flag,
  ambiguous: flag,
  company: open,
};

const readResultFields = recordReader(resultShape, {
  query: 'The result does not say which identifier it answers.',
  matched: 'The result does not say whether the identifier matched.',
});

/** The body of `POST /companies/resolve` for one call (RES-1). Lists without identifiers are left out. */
export function resolveRequest(queries: readonly IdentifierQuery[]): Record<string, readonly string[]> {
  const body: Record<string, string[]> = {};
  for (const list of identifierLists) {
    const values = queries.filter((query) => query.list === list).map((query) => query.value);
    if (values.length > 0) body[list] = values;
  }
  return body;
}

/** Orders the answer to a resolve call by `queries` (RES-2). A query without an answer must not pass for unmatched. */
export function readResolveResults(raw: unknown, queries: readonly IdentifierQuery[]): Reading<ResolveResult[]> {
  const items = isObject(raw) ? own(raw, 'results') : raw;
  if (!Array.isArray(items)) return { ok: false, reason: 'The response contains no list of results.' };
  const results = items.flatMap((item) => (isObject(item) ? (readResult(item) ?? []) : []));
  const waiting = Map.groupBy(results, ({ query }) => fold(query));
  const answers: ResolveResult[] = [];
  // Answers come list after list, the queries in any order: list order keeps equal ones apart.
  const inListOrder = [...queries.entries()].sort(
    ([, one], [, two]) => identifierLists.indexOf(one.list) - identifierLists.indexOf(two.list),
  );
  for (const [index, { list, value }] of inListOrder) {
    const candidates = waiting.get(fold(value)) ?? [];
    const exact = candidates.filter(({ query }) => query === value);
    const answer =
      exact.find((result) => result.identifier_type?.toLowerCase() === list.slice(0, -1)) ?? exact[0] ?? candidates[0];
    if (!answer) return { ok: false, reason: 'The response leaves out identifiers that were asked for.' };
    candidates.splice(candidates.indexOf(answer), 1);
    answers[index] = answer;
  }
  return { ok: true, value: answers };
}

function readResult(raw: JsonObject): ResolveResult | null {
  const reading = readResultFields(raw);
  if (!reading.ok) return null;
  const { company: rawCompany, ...result } = reading.value;
  const ambiguous = result.ambiguous ?? false;
  const company = isObject(rawCompany) ? readCompany(rawCompany) : null;
  return {
    ...result,
    matched: result.matched && !ambiguous,
    ambiguous,
    company: company?.ok ? company.value : null,
  };
}

/** Services may echo an identifier trimmed, in capitals, or with its blanks and accents in another form. */
function fold(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase();
}
