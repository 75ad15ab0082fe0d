import { objectItem, type Page, readPage } from '../api/schemas/page.ts';
import type { Reading } from '../api/schemas/record.ts';
import { type Change, type Report, readChange, readReport } from '../api/schemas/report.ts';
import { LibraryError, libraryError } from './libraryError.ts';

/** A page as it came from the network: its bytes and the server's clock (ms), or already read. */
export type IncomingPage<T> =
  | { readonly bytes: Uint8Array; readonly serverTime: number | null }
  | { readonly page: Page<T> };

/** Reads a page of `GET /reports`. Throws `unreadable-page`. */
export function readReportsPage(incoming: IncomingPage<Report>): Page<Report> {
  return 'page' in incoming ? incoming.page : parse(incoming, objectItem(readReport), isDeepReport);
}

/** Reads a page of the change feed. Throws `unreadable-page`. */
export function readChangesPage(incoming: IncomingPage<Change>): Page<Change> {
  return 'page' in incoming ? incoming.page : parse(incoming, objectItem(readChange), isDeepChange);
}

/** What a record holds is stored and sent between threads, which deeper nesting would break. */
const deepest = 30;
const largest = 32 * 1024 * 1024;

function parse<T>(
  incoming: { readonly bytes: Uint8Array; readonly serverTime: number | null },
  readItem: (raw: unknown) => Reading<T>,
  isDeep: (item: T) => boolean,
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
  const reading = readPage(body, incoming.serverTime, readItem);
  if (!reading.ok)
    throw new LibraryError('unreadable-page', `${reading.reason} Nothing of it was kept; sync again later.`);
  const { data, quarantined } = reading.value;
  if (data.some(isDeep) || quarantined.some(({ raw }) => isDeeper(raw, deepest))) throw libraryError('unreadable-page');
  return reading.value;
}

/** Only fields whose type is left open can hold anything deep; a look at all hundred of each report would cost more. */
function isDeepReport(report: Report): boolean {
  return (
    isDeeper(report.other, deepest) ||
    isDeeper(report.download_path, deepest) ||
    isDeeper(report.formats, deepest) ||
    isDeeper(report.report_hash, deepest) ||
    isDeeper(report.document_scope, deepest) ||
    isDeeper(report.report_period, deepest)
  );
}

function isDeepChange(change: Change): boolean {
  return isDeeper(change.other, deepest) || (change.report !== null && isDeepReport(change.report));
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
