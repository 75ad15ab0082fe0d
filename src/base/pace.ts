import { isObject } from './json.ts';

/**
 * When a request may go out (LIM-1), as pure arithmetic on a state that several windows share. Times are ms since the
 * epoch.
 */
export interface Pace {
  /** The latest time this state has seen; tells that a clock was set back. */
  readonly seen: number;
  /** Requests of the last second, whatever key they carried. */
  readonly second: readonly number[];
  /** When the next one is due at an even pace. */
  readonly due: number;
  /** How many more may go ahead of their time after a quiet second. */
  readonly ahead: number;
  /** Until when only interactive requests go, because one of them waits for its turn. */
  readonly claimed: number;
  readonly keys: Readonly<Record<string, KeyPace>>;
  /** Set while the edge, which counts by address, asks everybody to stay away. */
  readonly pause: Pause | null;
}

/** What is known about one key, named by a fingerprint. */
export interface KeyPace {
  /** Its requests of the last minute. */
  readonly minute: readonly number[];
  /** Requests a minute; null while no answer has told. */
  readonly limit: number | null;
  /** True once any answer came back, with a limit or without. */
  readonly answered: boolean;
  /** Requests that others make with the same key, by the service's count, and when that was. */
  readonly foreign: { readonly count: number; readonly at: number };
  readonly pause: Pause | null;
}

export interface Pause {
  readonly until: number;
  readonly reason: string;
}

/** One request that wants to go. */
export interface PaceRequest {
  /** Fingerprint of the key that counts it, null when it carries none. */
  readonly key: string | null;
  readonly interactive: boolean;
  readonly requestsPerSecond: number;
  /** The part of the limits that may be used, 0 to 1. */
  readonly share: number;
}

/** Go, or come back at `until`; a `reason` is given when the service asked for it. */
export type Verdict =
  | { readonly granted: true }
  | { readonly granted: false; readonly until: number; readonly reason: string | null };

/** Slightly more than a minute, since requests don't take the same time to arrive. */
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
/** The service wants fewer than 10 a second; over this many ms, 9 are enough. */
const ceilingWindow = 1060;
const ceiling = 9;
/** Differences between the clocks that processes read, ms. */
const jitter = 2000;

const fresh: Pace = { seen: 0, second: [], due: 0, ahead: 0, claimed: 0, keys: {}, pause: null };
const freshKey: KeyPace = { minute: [], limit: null, answered: false, foreign: { count: 0, at: 0 }, pause: null };

/** What is stored, when it is a pace: anything else, such as the remains of another version, counts as nothing. */
export function readPace(stored: unknown): Pace | undefined {
  if (!isObject(stored)) return undefined;
  const { seen, second: sent, due, ahead, claimed, keys, pause } = stored;
  const whole = [seen, due, ahead, claimed].every(isTime) && isTimes(sent) && isPause(pause);
  if (!whole || !isObject(keys)) return undefined;
  return Object.values(keys).every(isKeyPace) ? (stored as unknown as Pace) : undefined;
}

function isKeyPace(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { minute: sent, limit, answered, foreign, pause } = value;
  const numbers = isObject(foreign) && isTime(foreign.count) && isTime(foreign.at);
  return (
    isTimes(sent) && (limit === null || isTime(limit)) && typeof answered === 'boolean' && numbers && isPause(pause)
  );
}

function isPause(value: unknown): boolean {
  return value === null || (isObject(value) && isTime(value.until) && typeof value.reason === 'string');
}

function isTimes(value: unknown): boolean {
  return Array.isArray(value) && value.every(isTime);
}

function isTime(value: unknown): boolean {
  return Number.isFinite(value);
}

/** Decides about one request, and gives the state as it is afterwards. */
export function takeTurn(stored: unknown, request: PaceRequest, clock: number): [Pace, Verdict] {
  const [pace, now] = settle(stored, clock);
  const key = request.key === null ? null : (pace.keys[request.key] ?? freshKey);
  const pause = [pace.pause, key?.pause].find((candidate) => candidate && candidate.until > now);
  if (pause) return [pace, { granted: false, until: pause.until, reason: pause.reason }];

  const rate = Math.max(0.1, request.requestsPerSecond * request.share);
  const interval = Math.max(second / rate, ceilingWindow / ceiling);
  const until = Math.max(secondFree(pace, request, rate, now), key ? minuteFree(key, request, now) : 0);
  if (until > now) {
    // A background request that is due at the same moment in another window lets the interactive one go first.
    const claim = Math.min(until, now + second) + 50;
    const claimed = request.interactive ? Math.max(pace.claimed, claim) : pace.claimed;
    return [
      { ...pace, claimed },
      { granted: false, until, reason: null },
    ];
  }
  const quiet = now >= pace.due + second;
  const early = now < pace.due;
  const onTime = now - pace.due <= slack ? pace.due : now;
  return [
    {
      ...pace,
      second: [...pace.second, now],
      due: (early ? pace.due : onTime) + interval,
      ahead: quiet ? burst - 1 : early ? pace.ahead - 1 : 0,
      claimed: request.interactive ? 0 : pace.claimed,
      keys:
        request.key === null || !key
          ? pace.keys
          : { ...pace.keys, [request.key]: { ...key, minute: [...key.minute, now] } },
    },
    { granted: true },
  ];
}

/** When the second and the even pace allow the request. */
function secondFree(pace: Pace, { interactive }: PaceRequest, rate: number, now: number): number {
  const most = Math.max(1, Math.floor(rate));
  const oldest = pace.second.at(-most);
  const full = oldest === undefined ? 0 : oldest + second * Math.max(1, most / rate);
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
    const own = leaving === undefined ? now + minute : leaving + minute;
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
  const foreign =
    limit === null || reading.remaining === null
      ? { count: 0, at: now }
      : { count: Math.max(0, limit - reading.remaining - known.minute.length), at: now };
  return { ...pace, keys: { ...pace.keys, [key]: { ...known, limit, foreign, answered: true } } };
}

/** Keeps everybody away (a null key) or the requests of one key, for as long as the service asked. */
export function notePause(stored: unknown, key: string | null, pause: Pause, clock: number): Pace {
  const [pace] = settle(stored, clock);
  if (key === null) return { ...pace, pause: later(pace.pause, pause) };
  const known = pace.keys[key] ?? freshKey;
  return { ...pace, keys: { ...pace.keys, [key]: { ...known, answered: true, pause: later(known.pause, pause) } } };
}

function later(known: Pause | null, pause: Pause): Pause {
  return known && known.until > pause.until ? known : pause;
}

/** Drops what is over. After the clock was set back, all times move with it, so that waits keep their length. */
function settle(unread: unknown, clock: number): [Pace, number] {
  const stored = readPace(unread);
  if (!stored) return [{ ...fresh, seen: clock }, clock];
  const back = stored.seen - clock;
  const pace = back > jitter ? shift(stored, -back) : stored;
  const now = Math.max(clock, pace.seen);
  const keys: Record<string, KeyPace> = {};
  for (const [name, key] of Object.entries(pace.keys)) {
    const sent = key.minute.filter((at) => at > now - minute);
    const pause = key.pause && key.pause.until > now ? key.pause : null;
    const lastSeen = Math.max(key.foreign.at, key.minute.at(-1) ?? 0);
    if (sent.length > 0 || pause || lastSeen > now - 24 * 3600 * second) keys[name] = { ...key, minute: sent, pause };
  }
  const kept = pace.second.filter((at) => at > now - 2 * second).slice(-2 * ceiling);
  return [
    { ...pace, seen: now, second: kept, keys, pause: pace.pause && pace.pause.until > now ? pace.pause : null },
    now,
  ];
}

function shift(pace: Pace, by: number): Pace {
  const move = (at: number) => at + by;
  const movePause = (pause: Pause | null) => pause && { ...pause, until: pause.until + by };
  const keys = Object.entries(pace.keys).map(([name, key]) => [
    name,
    {
      ...key,
      minute: key.minute.map(move),
      foreign: { ...key.foreign, at: key.foreign.at + by },
      pause: movePause(key.pause),
    },
  ]);
  return {
    seen: pace.seen + by,
    second: pace.second.map(move),
    due: pace.due + by,
    ahead: pace.ahead,
    claimed: pace.claimed + by,
    keys: Object.fromEntries(keys),
    pause: movePause(pace.pause),
  };
}
