import { isObject, type JsonObject, own } from '../../base/json.ts';
import { firstText } from './openShape.ts';

/** Requests and downloads this calendar month (LIM-2). A number that could not be found is null; `raw` has all. */
export interface Usage {
  readonly requests: number | null;
  readonly downloads: number | null;
  readonly raw: unknown;
}

const requestNames =
  /^(total|api|monthly|num|number of)? ?(requests?|calls|api calls|hits)( count| total| used| made| this month| month| current month| mtd)?$/;
const downloadNames =
  /^(total|pdf|file|report|monthly|num|number of)? ?(downloads?|files|link requests|links)( count| total| used| made| this month| month| current month| mtd)?$/;
const amountNames = ['count', 'used', 'total', 'value', 'current', 'this_month', 'current_month', 'month', 'amount'];
const deepest = 4;

/**
 * Reads `GET /meta/usage`, whose shape is open (LIM-2): the two numbers may be at the top or inside, under several
 * names, plain or in an object of their own. Of several periods the last one counts.
 */
export function readUsage(raw: unknown): Usage {
  return { requests: find(raw, requestNames, deepest), downloads: find(raw, downloadNames, deepest), raw };
}

function find(raw: unknown, names: RegExp, depth: number): number | null {
  if (depth === 0) return null;
  if (Array.isArray(raw)) {
    // A list of counters, each with its name beside it, or a list of periods.
    for (const item of raw) {
      const title = isObject(item) ? firstText(item, ['name', 'metric', 'type', 'kind']) : null;
      if (title !== null && names.test(words(title))) return amount(item);
    }
    return find(raw.at(-1), names, depth - 1);
  }
  if (!isObject(raw)) return null;
  for (const [name, value] of Object.entries(raw)) {
    if (!names.test(words(name))) continue;
    const found = amount(value);
    if (found !== null) return found;
  }
  for (const value of innermost(raw)) {
    const found = typeof value === 'object' ? find(value, names, depth - 1) : null;
    if (found !== null) return found;
  }
  return null;
}

/** What the object holds, of several periods the latest first. */
function innermost(raw: JsonObject): readonly unknown[] {
  const names = Object.keys(raw);
  const periods = names.every((name) => /^\d{4}/.test(name));
  return (periods ? names.sort().reverse() : names).map((name) => raw[name]);
}

function amount(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : null;
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? Number(value) : null;
  if (!isObject(value)) return null;
  for (const name of amountNames) {
    const inner = own(value, name);
    const found = typeof inner === 'object' ? null : amount(inner);
    if (found !== null) return found;
  }
  return null;
}

/** `requestsThisMonth` and `requests_this_month` read alike: lower-case words with single blanks. */
function words(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase();
}
