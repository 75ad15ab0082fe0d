import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import type { Reading } from './record.ts';

/** What a call may be told. Interactive calls go before background ones; without a word a call is interactive. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: Priority | undefined;
  /** How often the call may be tried, 1 to 5; 5 when left out. Fewer where a person waits for a plain answer. */
  readonly tries?: number | undefined;
}

export type Priority = 'interactive' | 'background';

/** Options of a list call; `cursor` goes on where an earlier walk stopped. */
export interface ListOptions extends CallOptions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** One page of a list (PAG-1). Records that could not be read are set aside, not lost. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly count: number | null;
  readonly has_more: boolean;
  /** Opaque: stored and sent back unchanged. */
  readonly next_cursor: string | null;
  readonly quarantined: readonly QuarantinedRecord[];
  /** The server's clock in ms since the epoch, from the response's Date header. */
  readonly serverTime: number | null;
}

/** A page as it came, to be read elsewhere. */
export interface RawPage {
  readonly body: Uint8Array<ArrayBuffer>;
  /** The server's clock in ms since the epoch, from the response's Date header. */
  readonly serverTime: number | null;
}

/** A record that lacks what makes it usable, kept as the service sent it. */
export interface QuarantinedRecord {
  readonly raw: unknown;
  /** Why it could not be read, in words. */
  readonly reason: string;
}

const envelope = z.object({
  data: z.array(z.unknown()),
  page_info: z.object({
    count: z.catch(z.nullable(z.int()), null),
    has_more: z.boolean(),
    next_cursor: z.catch(z.nullable(z.string()), null),
  }),
});

/**
 * Reads one page of a list (PAG-1). A record that `readItem` refuses is set aside and the rest goes on; a body that is
 * no page at all is refused with a reason.
 */
export function readPage<T>(
  body: unknown,
  serverTime: number | null,
  readItem: (raw: unknown) => Reading<T>,
): Reading<Page<T>> {
  const parsed = z.safeParse(envelope, body);
  if (!parsed.success) return { ok: false, reason: l10n.later('The response is not a page of a list.') };
  const { data: items, page_info: info } = parsed.data;
  if (info.has_more && !info.next_cursor)
    return { ok: false, reason: l10n.later('The list announces another page but gives no cursor to it.') };
  const data: T[] = [];
  const quarantined: QuarantinedRecord[] = [];
  for (const raw of items) {
    const reading = readItem(raw);
    if (reading.ok) data.push(reading.value);
    else quarantined.push({ raw, reason: reading.reason });
  }
  // Some services say "no cursor" with an empty one.
  const next_cursor = info.next_cursor || null;
  return { ok: true, value: { data, ...info, next_cursor, quarantined, serverTime } };
}

/** Turns the reader of an object into the reader of anything: what is not an object is refused. */
export function objectItem<T>(read: (raw: JsonObject) => Reading<T>): (raw: unknown) => Reading<T> {
  return (raw) => (isObject(raw) ? read(raw) : { ok: false, reason: l10n.later('The record is not an object.') });
}

const maxDepth = 32;
/** Ten times what a page of 200 reports with all their fields holds. */
const maxValues = 200_000;
/**
 * More than ten times the fields of a report. In one object, 200,000 keys would take a second or more to parse and as
 * long again to read; in objects of this size, so many take some 100 ms to parse.
 */
const maxKeys = 2000;

/**
 * What the brackets and commas of a JSON text say, without building anything: `deep` when more than 32 brackets are open
 * at once, `many` when it holds more values than `most` or one of its objects more than 2,000 keys, `open` when it ends before all are closed. A few kilobytes of
 * gzip may unpack to either, and would keep the window busy for seconds.
 */
export function nesting(body: Uint8Array, most = maxValues): 'deep' | 'many' | 'open' | 'closed' {
  let depth = 0;
  let values = 0;
  /** The keys so far of each object that is open, by its depth; a list may have any number of items. */
  const keys = Array.from({ length: maxDepth + 1 }, () => Number.NEGATIVE_INFINITY);
  let isQuoted = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (isQuoted) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) isQuoted = false;
    } else if (byte === 0x22) isQuoted = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > maxDepth) return 'deep';
      if (++values > most) return 'many';
      keys[depth] = byte === 0x7b ? 1 : Number.NEGATIVE_INFINITY;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === 0x2c) {
      const held = (keys[depth] ?? Number.NEGATIVE_INFINITY) + 1;
      if (++values > most || held > maxKeys) return 'many';
      keys[depth] = held;
    }
  }
  return depth > 0 || isQuoted ? 'open' : 'closed';
}
