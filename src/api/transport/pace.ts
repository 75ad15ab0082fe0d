import * as z from 'zod/mini';

// When a request may go out (LIM-1), as pure arithmetic on small values that all windows share. Times are ms since the
// epoch.

const time = z.number();
const pause = z.object({ until: time, reason: z.string() });
const paceSchema = z.object({
  /** The latest time this state has seen; shows that a clock was set back. */
  seen: time,
  /** When the latest requests went out, whatever key they carried. */
  sent: z.array(time),
  /** When the next one is due at an even pace. */
  due: time,
  /** How many more may go ahead of their time after a quiet second. */
  ahead: time,
  /** Until when only interactive requests go, because one of them waits for its turn. */
  claimed: time,
  /** What is known about each key, named by a fingerprint. */
  keys: z.record(
    z.string(),
    z.object({
      /** Its requests of the last minute. */
      minute: z.array(time),
      /** Requests a minute; null while no answer has told. */
      limit: z.nullable(time),
      /** True once any answer came back, with a limit or without. */
      answered: z.boolean(),
      /** Requests that others make with the same key, by the service's count, and when that was. */
      foreign: z.object({ count: time, at: time }),
      pause: z.nullable(pause),
    }),
  ),
  /** Set while the network's edge, which counts by address, asks every key to stay away. */
  pause: z.nullable(pause),
});

export type Pace = z.infer<typeof paceSchema>;
type KeyPace = Pace['keys'][string];
/** A wait that the service asked for. */
export type Pause = z.infer<typeof pause>;

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
 * The service refuses the tenth request of any second. Delays on the way may differ by 150 ms, and a request leaves up to
 * {@link freshFor} after its turn was counted, in whole ms; so in this many ms at most nine go.
 */
const maxSent = 9;
const maxSentOf = (share: number) => Math.max(1, Math.floor(maxSent * share));
export const freshFor = 5;
const span = 1150 + freshFor + 1;
/** Slightly more than a minute, for the same reason. */
const minute = 60_500;
const second = 1000;
/** Interactive requests that may go at once after a quiet second. */
const burst = 3;
/** A timer's lateness, up to this many ms, does not delay the requests that follow. */
const slack = 30;
/** Requests that may be on their way before the first answer has told the limit. */
const blind = 20;
/** Below this part of the minute's requests, background work spreads out what is left. */
const scarce = 0.1;
/** Differences between the clocks that processes read, ms. */
const jitter = 2000;

const freshKey: KeyPace = { minute: [], limit: null, answered: false, foreign: { count: 0, at: 0 }, pause: null };

/** What is stored, when it is a pace: anything else, such as the remains of another version, counts as nothing. */
export function readPace(stored: unknown): Pace | undefined {
  const { success, data } = paceSchema.safeParse(stored);
  return success ? data : undefined;
}

/** Decides about one request, and gives the state as it is afterwards. */
export function takeTurn(stored: unknown, request: PaceRequest, clock: number): [Pace, Verdict] {
  const [pace, now] = settle(stored, clock);
  const key = request.key === null ? null : (pace.keys[request.key] ?? freshKey);
  const paused = [pace.pause, key?.pause].find((candidate) => candidate && candidate.until > now);
  if (paused && !request.tryNow) return [pace, { granted: false, until: paused.until, pause: paused }];
  if (request.requestsPerSecond === Number.POSITIVE_INFINITY) return [pace, { granted: true }];

  const rate = Math.max(0.1, request.requestsPerSecond * request.share);
  const until = Math.max(secondFree(pace, request, rate, now), key ? minuteFree(key, request, now) : 0);
  if (until > now) {
    // A background request that is due at the same moment in another window lets the interactive one go first.
    const claim = Math.min(until, now + second) + 50;
    const claimed = request.interactive ? Math.max(pace.claimed, claim) : pace.claimed;
    return [
      { ...pace, claimed },
      { granted: false, until, pause: null },
    ];
  }
  const quiet = now >= pace.due + second;
  const early = now < pace.due;
  const onTime = now - pace.due <= slack ? pace.due : now;
  const counted = key && { ...key, minute: [...key.minute, now] };
  return [
    {
      ...pace,
      sent: [...pace.sent, now],
      due: (early ? pace.due : onTime) + Math.max(second / rate, span / maxSentOf(request.share)),
      ahead: quiet ? burst - 1 : early ? pace.ahead - 1 : 0,
      claimed: request.interactive ? 0 : pace.claimed,
      keys: counted && request.key !== null ? { ...pace.keys, [request.key]: counted } : pace.keys,
    },
    { granted: true },
  ];
}

/** When the last seconds and the even pace allow the request. */
function secondFree(pace: Pace, { interactive, share }: PaceRequest, rate: number, now: number): number {
  const most = Math.max(1, Math.floor(rate));
  const after = (count: number, ms: number) => (pace.sent.at(-count) ?? Number.NEGATIVE_INFINITY) + ms;
  const full = Math.max(after(maxSentOf(share), span), after(most, second * Math.max(1, most / rate)));
  const due = interactive && pace.ahead > 0 ? 0 : pace.due;
  const claimed = interactive || pace.claimed <= now ? 0 : pace.claimed;
  return Math.max(full, due, claimed);
}

/** When the minute allows the request. */
function minuteFree(key: KeyPace, { interactive, share }: PaceRequest, now: number): number {
  const { minute: sent, limit, answered, foreign } = key;
  if (limit === null) return !answered && sent.length >= blind ? now + 50 : 0;
  const others = foreign.at + minute > now ? foreign.count : 0;
  const most = Math.min(Math.max(1, limit * share), Math.max(0, limit - others));
  const free = Math.floor(most) - sent.length;
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
  const limit = reading.limit !== null && reading.limit > 0 ? reading.limit : known.limit;
  const isCounted = limit !== null && reading.remaining !== null;
  const count = isCounted ? Math.max(0, limit - (reading.remaining ?? 0) - known.minute.length) : 0;
  return { ...pace, keys: { ...pace.keys, [key]: { ...known, limit, foreign: { count, at: now }, answered: true } } };
}

/**
 * Keeps every key (null) or the requests of one away for as long as the service asked; a pause of null ends the waits of
 * both, because the service has answered all the same.
 */
export function notePause(stored: unknown, key: string | null, pause: Pause | null, clock: number): Pace {
  const [pace] = settle(stored, clock);
  const known = key === null ? undefined : (pace.keys[key] ?? freshKey);
  if (key === null || !known) return { ...pace, pause: pause && later(pace.pause, pause) };
  const paused = { ...known, answered: true, pause: pause && later(known.pause, pause) };
  return { ...pace, pause: pause ? pace.pause : null, keys: { ...pace.keys, [key]: paused } };
}

function later(known: Pause | null, pause: Pause): Pause {
  return known && known.until > pause.until ? known : pause;
}

/**
 * Drops what is over. After the clock was set back, pauses keep the length they had left, and all that was sent counts as
 * sent just now.
 */
function settle(stored: unknown, clock: number): [Pace, number] {
  const pace = readPace(stored);
  if (!pace) return [{ seen: clock, sent: [], due: 0, ahead: 0, claimed: 0, keys: {}, pause: null }, clock];
  const back = pace.seen - clock > jitter ? pace.seen - clock : 0;
  const now = Math.max(clock, pace.seen - back);
  const past = (at: number) => Math.min(at, now);
  const left = (pause: Pause | null) =>
    pause && pause.until - back > now ? { ...pause, until: pause.until - back } : null;
  const keys: Pace['keys'] = {};
  for (const [name, key] of Object.entries(pace.keys)) {
    const sent = key.minute.map(past).filter((at) => at > now - minute);
    const foreign = { count: key.foreign.count, at: past(key.foreign.at) };
    const pause = left(key.pause);
    const lastSeen = Math.max(foreign.at, sent.at(-1) ?? 0);
    if (pause || lastSeen > now - 24 * 3600 * second) keys[name] = { ...key, minute: sent, foreign, pause };
  }
  const sent = pace.sent.map(past).filter((at) => at > now - 2 * second);
  const due = back > 0 ? now : pace.due;
  return [
    {
      ...pace,
      seen: now,
      sent: sent.slice(-2 * maxSent),
      due,
      claimed: pace.claimed - back,
      keys,
      pause: left(pace.pause),
    },
    now,
  ];
}
