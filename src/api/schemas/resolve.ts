import * as z from 'zod/mini';
import { isObject, type JsonObject, own } from '../../base/json.ts';
import { type Company, readCompany } from './company.ts';
import { flag, open, type Reading, recordReader, text } from './record.ts';

/** The seven lists of the resolve request (RES-1). */
export const identifierLists = ['isins', 'tickers', 'symbols', 'leis', 'figis', 'ciks', 'names'] as const;
export type IdentifierList = (typeof identifierLists)[number];

/** An identifier and the list it is sent in. */
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
  /** Null when unmatched; false for a company held outside the licence. */
  readonly entitled: boolean | null;
  readonly ambiguous: boolean;
  readonly company: Company | null;
  /** Fields that the interface does not name, as they came. */
  readonly other?: Readonly<Record<string, unknown>>;
}

const fields = {
  query: z.string(),
  identifier_type: text,
  matched: z.boolean(),
  entitled: flag,
  ambiguous: flag,
  company: open,
};

const readFields = recordReader(fields, {
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

/**
 * Reads the answer to one resolve call and puts it into the order of `queries` (RES-2). Results are paired by the
 * echoed identifier, those of equal identifiers in different lists by their kind, then by their place; an identifier
 * left without an answer makes the whole answer unusable, because it must not pass for an unmatched one.
 */
export function readResolveResults(raw: unknown, queries: readonly IdentifierQuery[]): Reading<ResolveResult[]> {
  const items = isObject(raw) ? own(raw, 'results') : raw;
  if (!Array.isArray(items)) return { ok: false, reason: 'The answer holds no list of results.' };
  const waiting = new Map<string, ResolveResult[]>();
  for (const item of items) {
    const result = isObject(item) ? readResult(item) : null;
    if (!result) continue;
    const key = fold(result.query);
    const same = waiting.get(key);
    if (same) same.push(result);
    else waiting.set(key, [result]);
  }
  const answers: ResolveResult[] = [];
  // Answers come list after list, the queries in any order: taking them in list order keeps equal ones apart.
  const slots = queries
    .map((query, index) => ({ query, index }))
    .sort((a, b) => identifierLists.indexOf(a.query.list) - identifierLists.indexOf(b.query.list) || a.index - b.index);
  for (const { query, index } of slots) {
    const answer = takeAnswer(waiting.get(fold(query.value)), query);
    if (!answer) return { ok: false, reason: 'The answer leaves out identifiers that were asked for.' };
    answers[index] = answer;
  }
  return { ok: true, value: answers };
}

function takeAnswer(candidates: ResolveResult[] | undefined, query: IdentifierQuery): ResolveResult | undefined {
  if (!candidates) return undefined;
  const kind = query.list.slice(0, -1);
  const fits = [
    (result: ResolveResult) => result.query === query.value && result.identifier_type?.toLowerCase() === kind,
    (result: ResolveResult) => result.query === query.value,
    () => true,
  ];
  for (const fit of fits) {
    const at = candidates.findIndex(fit);
    if (at >= 0) return candidates.splice(at, 1)[0];
  }
  return undefined;
}

function readResult(raw: JsonObject): ResolveResult | null {
  const reading = readFields(raw);
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

/** Services may echo an identifier trimmed or in capitals. */
function fold(text: string): string {
  return text.trim().toUpperCase();
}
