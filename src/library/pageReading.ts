import { type Change, readChange } from '../api/schemas/changes.ts';
import { objectItem, type Page, readPage } from '../api/schemas/page.ts';
import type { Reading } from '../api/schemas/record.ts';
import { type Report, readReport } from '../api/schemas/report.ts';
import { LibraryError, libraryError } from './libraryError.ts';

/** A page as it came from the network: its bytes and the server's clock (ms), or already read. */
export type IncomingPage<T> =
  | { readonly bytes: Uint8Array; readonly serverTime: number | null }
  | { readonly page: Page<T> };

/** Reads a page of `GET /reports`. Throws `unreadable-page`. */
export function readReportsPage(incoming: IncomingPage<Report>): Page<Report> {
  return 'page' in incoming ? incoming.page : parse(incoming, objectItem(readReport));
}

/** Reads a page of the change feed. Throws `unreadable-page`. */
export function readChangesPage(incoming: IncomingPage<Change>): Page<Change> {
  return 'page' in incoming ? incoming.page : parse(incoming, objectItem(readChange));
}

/** What a page holds is stored and sent between threads, which deeper nesting would break. */
const deepest = 32;
const largest = 32 * 1024 * 1024;

function parse<T>(
  incoming: { readonly bytes: Uint8Array; readonly serverTime: number | null },
  readItem: (raw: unknown) => Reading<T>,
): Page<T> {
  const { bytes } = incoming;
  if (bytes.byteLength > largest) throw libraryError('unreadable-page');
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    // The parser's message quotes the body, which nobody should have to read.
    throw libraryError('unreadable-page');
  }
  if (typeof body === 'object' && body !== null && isDeeper(body, deepest)) throw libraryError('unreadable-page');
  const reading = readPage(body, incoming.serverTime, readItem);
  if (!reading.ok)
    throw new LibraryError('unreadable-page', `${reading.reason} Nothing of it was kept; sync again later.`);
  return reading.value;
}

/** Taking all values of an object at once costs a tenth of asking for them name by name, and every page passes here. */
function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof item === 'object' && item !== null && isDeeper(item, levels - 1)) return true;
  }
  return false;
}
