import { isObject, own } from '../../base/json.ts';
import { type Company, readCompany } from './company.ts';
import type { Reading } from './record.ts';

/** Names under which an item may hold the company's key, and the company itself. */
const keyNames = ['company_key', 'key', 'id'];
const nameNames = ['company_name', 'name'];
const companyNames = ['company', 'issuer', 'entity'];

/**
 * Reads an item of `GET /watchlist`, whose fields the interface leaves open (WL-1): a bare company key, a Company
 * object, one under short names, or an item with a Company inside; what the item says besides goes to `other`.
 */
export function readWatchlistItem(raw: unknown): Reading<Company> {
  if (typeof raw === 'string') return readCompany({ company_key: raw });
  if (!isObject(raw)) return { ok: false, reason: 'The watchlist item is neither a key nor an object.' };
  const nestedName = companyNames.find((name) => isObject(own(raw, name)) || typeof own(raw, name) === 'string');
  const nested = nestedName === undefined ? undefined : own(raw, nestedName);
  const inner = isObject(nested) ? nested : {};
  const outer = Object.fromEntries(Object.entries(raw).filter(([name]) => name !== nestedName || !isObject(nested)));
  const merged: Record<string, unknown> = { ...outer, ...inner };
  // Under its short name a field counts only where the documented one is missing.
  lift(merged, 'company_key', keyNames);
  lift(merged, 'company_name', nameNames);
  if (merged.company_key === undefined && typeof nested === 'string') merged.company_key = nested;
  return readCompany(merged);
}

function lift(item: Record<string, unknown>, field: string, names: readonly string[]): void {
  if (typeof own(item, field) === 'string') return;
  const name = names.find((candidate) => typeof own(item, candidate) === 'string');
  if (name === undefined || name === field) return;
  item[field] = item[name];
  delete item[name];
}
