import { type Change, readChange } from '../schemas/changes.ts';
import { objectItem, type Page } from '../schemas/page.ts';
import type { ListOptions, Service } from '../transport/call.ts';
import { type List, pages, type RawPage, rawPage, readRawPage } from '../transport/pages.ts';

/** Where a run of the change feed starts: at a time (ISO 8601, UTC), or where an earlier run stopped. */
export type ChangesFrom = { readonly since: string } | { readonly cursor: string };

/**
 * `GET /reports/changes`: reports added, changed and withdrawn, page by page in order of time (CHG-1). Every page
 * carries the cursor to store, an empty one too. The page size is left to the service, which does not say its limit.
 */
export function listChanges(
  service: Service,
  from: ChangesFrom,
  options: ListOptions = {},
): AsyncIterable<Page<Change>> {
  const { list, cursor } = listFrom(from, options);
  return pages(service, list, { ...options, cursor });
}

/** One page of `GET /reports/changes`, unread. */
export function getChangesPage(service: Service, from: ChangesFrom, options: ListOptions = {}): Promise<RawPage> {
  const { list, cursor } = listFrom(from, options);
  return rawPage(service, list, { ...options, cursor });
}

/** Reads a page of `GET /reports/changes`; needs nothing of the client, so that a worker can do it. */
export function readChangesPage(page: RawPage): Page<Change> {
  return readRawPage(page, readItem);
}

const readItem = objectItem(readChange);

function listFrom(from: ChangesFrom, options: ListOptions): { list: List<Change>; cursor: string | undefined } {
  const cursor = options.cursor ?? ('cursor' in from ? from.cursor : undefined);
  const query = cursor === undefined && 'since' in from ? { since: from.since } : {};
  return { list: { route: '/reports/changes', query, largest: null, read: readItem }, cursor };
}
