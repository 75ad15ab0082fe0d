import * as z from 'zod/mini';
import { isHolderGone } from '../../machine/lease.ts';

// What all processes of a computer share about one service, and when a request may go out (LIM-1): functions on one
// stored value. Times are ms since the epoch.

const time = z.number();
const pauseSchema = z.object({ until: time, reason: z.string() });
const keySchema = z.object({
  minute: z.array(time),
  /** Requests a minute; null until an answer has named it. */
  limit: z.nullable(time),
  /** Requests that other computers send with the same key, by the service's count, and when that was. */
  others: z.object({ count: time, at: time }),
});
const rowSchema = z.object({
  /** The latest time that was seen; shows that a clock was set back. */
  seen: time,
  /** When a request was let go last. */
  granted: time,
  /** When the latest requests were sent, with whatever key. */
  sent: z.array(time),
  /** Requests that were let go but not sent yet, as while their connection opens. They count as sent now. */
  unsent: z.record(z.string(), z.object({ process: z.string(), key: z.nullable(z.string()), at: time })),
  /** What is known about each key, named by a fingerprint. */
  keys: z.record(z.string(), keySchema),
  /** Waits that the service, its network edge or a file host asked for, by whose requests they hold. */
  pauses: z.record(z.string(), pauseSchema),
  /** Open connections of each process, when it renewed them last, and until when it waits for one more. */
  processes: z.record(z.string(), z.object({ seen: time, connections: z.number(), waits: time })),
});

export type BudgetRow = z.infer<typeof rowSchema>;
/** A wait that the service asked for. */
export type Pause = z.infer<typeof pauseSchema>;

/** The waits that hold a request: those of its origin, of the key, of requests for links, or of files. */
export const pausesOf = {
  keyless: ['origin'],
  keyed: ['origin', 'key'],
  link: ['origin', 'key', 'links'],
  file: ['origin', 'files'],
} as const;

/** What a request asks for, and what may hold it. */
export type RequestKind = keyof typeof pausesOf;
/** Which requests a wait holds: an answer's wait belongs to what was asked. */
export type PauseScope = (typeof pausesOf)[RequestKind][number];

export interface OwnProcess {
  readonly id: string;
  readonly connections: number;
}

/** One request that wants to go out. */
export interface Wish {
  readonly id: string;
  /** Fingerprint of the key that counts it; null when it carries none. */
  readonly key: string | null;
  readonly isBackground: boolean;
  readonly pauses: readonly string[];
  /** 1 to 9; null for an origin whose requests nobody counts. */
  readonly requestsPerSecond: number | null;
  /** Whether it needs a connection besides those that its process has. */
  readonly needsConnection: boolean;
  readonly maxConnections: number;
}

/** Go, or ask again at `until`. `pause` is a wait that the service asked for. */
export type Verdict =
  | { readonly isGranted: true }
  | {
      readonly isGranted: false;
      readonly until: number;
      readonly pause?: Pause;
      readonly lacksConnection?: true;
    };

const second = 1000;
/** Slightly more than a minute: delays on the way differ. */
const minute = 60_500;
/**
 * The service refuses the tenth request of any second. Delays differ by 150 ms, and a busy process adds a few ms
 * between the noted time and the write.
 */
const maxSent = 9;
const span = 1156;
/** Differences between the clocks that processes read, ms. */
const jitter = 2000;
/** How long a process that no longer renews its connections keeps them, ms. */
export const lease = 15_000;
/** How often a process asks again while others have all connections, ms. */
const poll = 200;
/** How long a process that waits for a connection is remembered, ms. */
const waitsFor = 1000;

const freshKey: BudgetRow['keys'][string] = { minute: [], limit: null, others: { count: 0, at: 0 } };

/** Decides about one request, and returns the row as it is afterward. `row` is settled. */
export function decide(row: BudgetRow, wish: Wish, own: OwnProcess, now: number): [BudgetRow, Verdict] {
  const pauses = wish.pauses.flatMap((name) => row.pauses[name] ?? []);
  const [pause] = pauses.sort((a, b) => b.until - a.until);
  if (pause) return [row, { isGranted: false, until: pause.until, pause }];
  const until = Math.max(secondFree(row, wish, now), minuteFree(row, wish, now));
  if (until > now) return [row, { isGranted: false, until }];
  if (wish.needsConnection && !hasRoom(row, wish, own, now))
    return [withProcess(row, own, now, now + waitsFor), { isGranted: false, until: now + poll, lacksConnection: true }];
  const next = withProcess(row, own, now, 0);
  if (wish.requestsPerSecond === null) return [next, { isGranted: true }];
  const unsent = { ...row.unsent, [wish.id]: { process: own.id, key: wish.key, at: now } };
  return [{ ...next, granted: now, unsent }, { isGranted: true }];
}

/** When the limits of a second allow the request. */
function secondFree(row: BudgetRow, { requestsPerSecond: rate, isBackground }: Wish, now: number): number {
  if (rate === null) return now;
  const times = [...row.sent, ...Object.values(row.unsent).map(() => now)];
  const after = (count: number, ms: number) => (times.at(-count) ?? Number.NEGATIVE_INFINITY) + ms;
  // Background requests keep some distance, so that a person's request finds room soon.
  const apart = isBackground ? row.granted + second / (rate + 2) : now;
  return Math.max(after(maxSent, span), after(rate, second), apart);
}

/** When the key's minute allows the request. Background requests leave a twentieth of it to people. */
function minuteFree({ keys, unsent }: BudgetRow, { key, isBackground }: Wish, now: number): number {
  const { minute: known, limit, others } = (key !== null && keys[key]) || freshKey;
  if (limit === null) return now;
  const sent = [...known, ...Object.values(unsent).flatMap((one) => (one.key === key ? [now] : []))];
  const counted = others.at + minute > now ? others.count : 0;
  const excess = sent.length - (limit - counted - (isBackground ? Math.floor(limit / 20) : 0));
  if (excess < 0) return now;
  // As many must leave the minute as are too many; what others sent leaves it a minute after it was counted.
  const free = (sent[excess] ?? now) + minute;
  return counted > 0 ? Math.min(free, others.at + minute) : free;
}

function hasRoom(row: BudgetRow, { isBackground, maxConnections }: Wish, own: OwnProcess, now: number): boolean {
  const others = Object.entries(row.processes).flatMap(([id, process]) => (id === own.id ? [] : [process.connections]));
  const used = others.reduce((sum, connections) => sum + connections, own.connections);
  // One is left to interactive requests, which would otherwise wait for a whole file.
  const kept = isBackground && maxConnections > 1 ? 1 : 0;
  return used < maxConnections - kept && !isWanted(row, own, now);
}

/** Whether another process with fewer connections waits for one. */
export function isWanted({ processes }: BudgetRow, own: OwnProcess, now: number): boolean {
  return Object.entries(processes).some(
    ([id, { connections, waits }]) => id !== own.id && waits > now && connections < own.connections,
  );
}

/** Renews what a process has, and until when it waits for one more. */
export function withProcess(
  row: BudgetRow,
  { id, connections }: OwnProcess,
  now: number,
  waits = row.processes[id]?.waits ?? 0,
): BudgetRow {
  const { [id]: _, ...others } = row.processes;
  const isHere = connections > 0 || waits > now;
  return { ...row, processes: isHere ? { ...others, [id]: { seen: now, connections, waits } } : others };
}

/** Notes that a request was sent, at `at`, or with null that it was given up before. */
export function noteSent(row: BudgetRow, { id, key }: Pick<Wish, 'id' | 'key'>, at: number | null): BudgetRow {
  const { [id]: _, ...unsent } = row.unsent;
  if (at === null) return { ...row, unsent };
  const add = (times: readonly number[]) => [...times, at].sort((a, b) => a - b);
  const known = key === null ? undefined : (row.keys[key] ?? freshKey);
  const keys = key !== null && known ? { ...row.keys, [key]: { ...known, minute: add(known.minute) } } : row.keys;
  return { ...row, unsent, sent: add(row.sent), keys };
}

/** Notes what an answer said about its key: requests a minute, and how many are left. */
export function noteReading(
  row: BudgetRow,
  key: string,
  reading: { readonly limit: number | null; readonly remaining: number | null },
  now: number,
): BudgetRow {
  const known = row.keys[key] ?? freshKey;
  const limit = reading.limit || known.limit;
  const left = reading.remaining ?? limit;
  const count = limit === null || left === null ? 0 : Math.max(0, limit - left - known.minute.length);
  return { ...row, keys: { ...row.keys, [key]: { ...known, limit, others: { count, at: now } } } };
}

/** Holds the requests that a name stands for until a pause is over, unless a longer one is set. */
export function notePause(row: BudgetRow, name: string, pause: Pause): BudgetRow {
  const known = row.pauses[name];
  return known && known.until >= pause.until ? row : { ...row, pauses: { ...row.pauses, [name]: pause } };
}

/** Ends every pause that lasts beyond `until`. */
export function endPauses(row: BudgetRow, until: number): BudgetRow {
  return { ...row, pauses: filter(row.pauses, (pause) => pause.until <= until) };
}

/**
 * The row without what is over, and the present time. After the clock was set back, pauses keep the length they had
 * left, and all requests count as just sent.
 */
export function settle(stored: unknown, ownId: string, clock: number): [BudgetRow, number] {
  const { data: row } = rowSchema.safeParse(stored);
  if (!row) return [{ seen: clock, granted: 0, sent: [], unsent: {}, keys: {}, pauses: {}, processes: {} }, clock];
  const back = row.seen - clock > jitter ? row.seen - clock : 0;
  const now = Math.max(clock, row.seen - back);
  const within = (times: readonly number[], ms: number) =>
    times.map((at) => Math.min(at, now)).filter((at) => at > now - ms);

  const processes = filter(
    map(row.processes, ({ connections, ...times }) => ({
      connections,
      seen: Math.min(times.seen, now),
      waits: Math.min(times.waits, now + waitsFor),
    })),
    ({ seen }, id) => id === ownId || (now - seen < lease && !isHolderGone(id)),
  );
  // None takes so long to be sent; that it was may have been noted while the state could not be shared.
  const unsent = filter(row.unsent, ({ at }) => at > now - minute);
  const keys = map(row.keys, ({ limit, others, ...key }) => ({
    limit,
    minute: within(key.minute, minute),
    others: { ...others, at: Math.min(others.at, now) },
  }));
  const pauses = map(row.pauses, ({ until, reason }) => ({ until: until - back, reason }));
  const settled = {
    ...{ seen: now, granted: Math.min(row.granted, now), sent: within(row.sent, span), unsent, processes },
    keys: filter(keys, (key) => key.minute.length > 0 || key.others.at > now - 24 * 3600 * second),
    pauses: filter(pauses, ({ until }) => until > now),
  };
  // What a killed process was about to send may have gone out.
  const doubtful = Object.entries(unsent).filter(([, { process }]) => process !== ownId && !(process in processes));
  return [doubtful.reduce<BudgetRow>((known, [id, { key }]) => noteSent(known, { id, key }, now), settled), now];
}

function map<T, R>(values: Record<string, T>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function filter<T>(values: Record<string, T>, keep: (value: T, name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => keep(value, name)));
}
