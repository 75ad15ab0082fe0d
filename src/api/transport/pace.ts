import * as z from 'zod/mini';

// When a request may go out (LIM-1), as pure arithmetic on small values that all windows share. Times are ms since the
// epoch.

const time = z.number();
const pauseSchema = z.nullable(z.object({ until: time, reason: z.string() }));
const keySchema = z.object({
  /** Its requests of the last minute. */
  minute: z.array(time),
  /** Requests a minute; null while no answer has told. */
  limit: z.nullable(time),
  /** Requests that others make with the same key, by the service's count, and when that was. */
  foreign: z.object({ count: time, at: time }),
  pause: pauseSchema,
});
const paceSchema = z.object({
  /** The latest time this state has seen; shows that a clock was set back. */
  seen: time,
  /** When the latest requests went out, whatever key they carried. */
  sent: z.array(time),
  /** When the next one is due at an even pace. */
  due: time,
  /** What is known about each key, named by a fingerprint. */
  keys: z.record(z.string(), keySchema),
  /** Set while the network's edge, which counts by address, asks every key to stay away. */
  pause: pauseSchema,
});

export type Pace = z.infer<typeof paceSchema>;
type KeyPace = Pace['keys'][string];
/** A wait that the service asked for. */
export type Pause = NonNullable<Pace['pause']>;

/** One request that wants to go. */
export interface PaceRequest {
  /** Fingerprint of the key that counts it, null when it carries none. */
  readonly key: string | null;
  readonly interactive: boolean;
  /** Infinity for an origin whose requests are not counted: only its pauses matter then. */
  readonly requestsPerSecond: number;
  /** The part of the limits that may be used, 0 to 1. */
  readonly share: number;
  /** True for the one request that a person sends in spite of a pause. */
  readonly tryNow?: boolean;
}

/** Go, or come back at `until`; `pause` is given when the service asked for the wait. */
export type Verdict = { readonly granted: true } | { readonly granted: false; until: number; pause: Pause | null };

/**
 * The service refuses the tenth request of any second. Delays on the way may differ by 150 ms, and a request leaves up
 * to {@link freshFor} after its turn was counted, in whole ms; so at most nine go in this many ms.
 */
const maxSent = 9;
export const freshFor = 5;
const span = 1150 + freshFor + 1;
/** Requests a second that go at most for long, whatever is set: fewer than nine, because of {@link span}. */
export const maxLastingRate = (maxSent * 1000) / span;
/** Slightly more than a minute, for the same reason. */
const minute = 60_500;
const second = 1000;
/** Interactive requests that may go ahead of the even pace. */
const burst = 2;
/** A timer's lateness, up to this many ms, does not delay the requests that follow. */
const slack = 30;
/** Below this part of the minute's requests, background work spreads out what is left. */
const scarce = 0.1;
/** Differences between the clocks that processes read, ms. */
const jitter = 2000;

const freshKey: KeyPace = { minute: [], limit: null, foreign: { count: 0, at: 0 }, pause: null };

/** Decides about one request, and gives the state as it is afterwards. */
export function takeTurn(stored: unknown, request: PaceRequest, clock: number): [Pace, Verdict] {
  const [pace, now] = settle(stored, clock);
  const key = request.key === null ? null : (pace.keys[request.key] ?? freshKey);
  const paused = [pace.pause, key?.pause].find((candidate) => candidate && candidate.until > now);
  if (paused && !request.tryNow) return [pace, { granted: false, until: paused.until, pause: paused }];
  if (request.requestsPerSecond === Number.POSITIVE_INFINITY) return [pace, { granted: true }];

  const rate = Math.max(0.1, request.requestsPerSecond * request.share);
  const maxOfShare = Math.max(1, Math.floor(maxSent * request.share));
  const maxOfRate = Math.max(1, Math.floor(rate));
  const after = (count: number, ms: number) => (pace.sent.at(-count) ?? Number.NEGATIVE_INFINITY) + ms;
  const step = Math.max(second / rate, span / maxOfShare);
  const until = Math.max(
    after(maxOfShare, span),
    after(maxOfRate, second * Math.max(1, maxOfRate / rate)),
    pace.due - (request.interactive ? burst * step : 0),
    key ? minuteFree(key, request, now) : 0,
  );
  if (until > now) return [pace, { granted: false, until, pause: null }];
  const due = step + (now - pace.due <= slack ? pace.due : now);
  const counted = key && request.key !== null && { [request.key]: { ...key, minute: [...key.minute, now] } };
  return [{ ...pace, sent: [...pace.sent, now], due, keys: { ...pace.keys, ...counted } }, { granted: true }];
}

/** When the minute allows the request. */
function minuteFree(key: KeyPace, { interactive, share }: PaceRequest, now: number): number {
  const { minute: sent, limit, foreign } = key;
  if (limit === null) return 0;
  const others = foreign.at + minute > now ? foreign.count : 0;
  const allowed = Math.min(Math.max(1, limit * share), Math.max(0, limit - others));
  const free = Math.floor(allowed) - sent.length;
  if (free <= 0) {
    // As many must leave the window as are too many; what others sent leaves it a minute after it was counted.
    const leaving = sent[-free];
    const own = (leaving ?? now) + minute;
    return others > 0 ? Math.min(own, foreign.at + minute) : own;
  }
  const last = sent.at(-1);
  if (interactive || last === undefined || free > limit * scarce) return 0;
  const relief = (sent[0] ?? now) + minute - now;
  return last + relief / free;
}

/** Takes note of what an answer told about its key: requests a minute, and how many are left. */
export function noteReading(
  stored: unknown,
  key: string,
  reading: { readonly limit: number | null; readonly remaining: number | null },
  clock: number,
): Pace {
  const [pace, now] = settle(stored, clock);
  const known = pace.keys[key] ?? freshKey;
  const limit = reading.limit || known.limit;
  const left = reading.remaining ?? limit;
  const count = limit === null || left === null ? 0 : Math.max(0, limit - left - known.minute.length);
  return { ...pace, keys: { ...pace.keys, [key]: { ...known, limit, foreign: { count, at: now } } } };
}

/**
 * Holds back the requests of one key, or of every key (null), for as long as the service asked; a pause of null ends
 * the waits of both, because the service has answered all the same.
 */
export function notePause(stored: unknown, key: string | null, pause: Pause | null, clock: number): Pace {
  const [pace] = settle(stored, clock);
  const later = (known: Pause | null) => (pause && known && known.until > pause.until ? known : pause);
  if (key === null) return { ...pace, pause: later(pace.pause) };
  const known = pace.keys[key] ?? freshKey;
  const keys = { ...pace.keys, [key]: { ...known, pause: later(known.pause) } };
  return { ...pace, pause: pause && pace.pause, keys };
}

/**
 * Drops what is over; anything that is no pace, such as another version's, counts as nothing. After the clock was set
 * back, pauses keep the length they had left, and all requests count as sent just now.
 */
function settle(stored: unknown, clock: number): [Pace, number] {
  const { data: pace } = paceSchema.safeParse(stored);
  if (!pace) return [{ seen: clock, sent: [], due: 0, keys: {}, pause: null }, clock];
  const back = pace.seen - clock > jitter ? pace.seen - clock : 0;
  const now = Math.max(clock, pace.seen - back);
  const within = (times: readonly number[], ms: number) =>
    times.map((at) => Math.min(at, now)).filter((at) => at > now - ms);
  const left = (pause: Pause | null) =>
    pause && pause.until - back > now ? { ...pause, until: pause.until - back } : null;
  const keys: Pace['keys'] = {};
  for (const [name, key] of Object.entries(pace.keys)) {
    const sent = within(key.minute, minute);
    const foreign = { count: key.foreign.count, at: Math.min(key.foreign.at, now) };
    const pause = left(key.pause);
    const lastSeen = Math.max(foreign.at, sent.at(-1) ?? 0);
    if (pause || lastSeen > now - 24 * 3600 * second) keys[name] = { ...key, minute: sent, foreign, pause };
  }
  const sent = within(pace.sent, 2 * second).slice(-2 * maxSent);
  return [{ seen: now, sent, due: back > 0 ? now : pace.due, keys, pause: left(pace.pause) }, now];
}
