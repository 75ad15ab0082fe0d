import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../base/json.ts';
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
  /** From the writing of the request to the head of its answer, in ms; no wait of ours is in it. */
  readonly latency?: number | undefined;
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

/** Reads one page of a list (PAG-1). A record that `readItem` refuses is set aside. */
export function readPage<T>(
  body: unknown,
  serverTime: number | null,
  readItem: (raw: unknown) => Reading<T>,
): Reading<Page<T>> {
  const parsed = z.safeParse(envelope, body);
  if (!parsed.success) return { ok: false, reason: 'The response is not a page of a list.' };
  const { data: items, page_info: info } = parsed.data;
  if (info.has_more && !info.next_cursor)
    return { ok: false, reason: 'The list announces another page but gives no cursor to it.' };
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
  return (raw) => (isObject(raw) ? read(raw) : { ok: false, reason: 'The record is not an object.' });
}
