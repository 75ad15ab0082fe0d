import { seededRandom } from '../../../src/demo/random.ts';
import type { LoggedRequest, RouteName } from './requestLog.ts';

/** Which requests a rule concerns. Everything that is given must hold. */
export interface FaultMatch {
  readonly route?: RouteName | readonly RouteName[] | undefined;
  readonly when?: ((request: LoggedRequest) => boolean) | undefined;
  /** Only these of the requests that match so far, counted from 1. */
  readonly nth?: number | readonly number[] | undefined;
  /** Only this share of them, from 0 to 1, drawn from the plan's seed. */
  readonly share?: number | undefined;
  /** At most so many times in all. */
  readonly times?: number | undefined;
}

/** What goes wrong. Byte offsets count the body as it would have been sent. */
export type FaultAction =
  /** A problem+json answer instead of the real one. `retryAfter`: seconds, or an HTTP date. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: number | string;
      readonly empty?: boolean;
    }
  /** The network edge's own HTML page; the service never sees the request. */
  | { readonly kind: 'html'; readonly status: number; readonly retryAfter?: number | string }
  /** The connection is reset before any answer. */
  | { readonly kind: 'reset' }
  /** The answer ends after `atByte`: by a reset, or by an orderly end with or without its length announced. */
  | { readonly kind: 'truncate'; readonly atByte: number; readonly end: 'reset' | 'close' | 'unannounced' }
  /** Nothing more comes: before the headers, or after so many bytes of the body. Goes on after `ms`, if given. */
  | { readonly kind: 'stall'; readonly atByte?: number; readonly ms?: number }
  /** The body comes in pieces of `bytes`, one each `everyMs`. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** The right headers over a body of noise; `encoding` also claims it is compressed. */
  | { readonly kind: 'garbage'; readonly bytes?: number; readonly encoding?: 'gzip' }
  /** One byte of the body is changed. */
  | { readonly kind: 'altered-bytes'; readonly atByte?: number }
  /** Bytes follow that do not belong. */
  | { readonly kind: 'extra-bytes'; readonly bytes: number }
  /**
   * A request for a part of a file meets a server that sends the whole instead, that sends another part than it was
   * asked for, or that refuses it (416). Other requests are answered as always.
   */
  | { readonly kind: 'range'; readonly answer: 'whole' | 'shifted' | 'refused' }
  /** The answer of the download route holds a link that has expired already. */
  | { readonly kind: 'expired-link' }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** The download can't be recorded: 503, and no link (DL-3). */
  | { readonly kind: 'usage-unrecorded'; readonly retryAfter?: number }
  /** The JSON answer is changed by the given function before it is sent. */
  | { readonly kind: 'rewrite'; readonly change: (body: unknown) => unknown };

export interface FaultRule {
  readonly match?: FaultMatch;
  readonly action: FaultAction;
}

interface HeldRule extends FaultRule {
  readonly random: () => number;
  matched: number;
  fired: number;
}

/**
 * Decides which requests go wrong, and how. The same seed, rules and order of matching requests give the same
 * faults. Set through the typed handle only; nothing on the wire reaches it.
 */
export class FaultPlan {
  #rules: HeldRule[] = [];
  #seed: number;
  readonly #fired: { sequence: number; route: string; kind: FaultAction['kind'] }[] = [];

  constructor(seed = 1) {
    this.#seed = seed;
  }

  /** Replaces all rules and starts their counts and draws again. The first rule that matches a request decides. */
  set(rules: readonly FaultRule[], seed = this.#seed): void {
    this.#seed = seed;
    this.#fired.length = 0;
    this.#rules = rules.map((rule, index) => ({
      ...rule,
      random: seededRandom(seed + index * 0x9e37),
      matched: 0,
      fired: 0,
    }));
  }

  clear(): void {
    this.set([]);
  }

  /** The faults since {@link set}, in order, for a test to report when it fails. */
  get fired() {
    return this.#fired;
  }

  /** The fault for this request, if any. Ask once per request. */
  take(request: LoggedRequest): FaultAction | undefined {
    for (const rule of this.#rules) {
      if (!concerns(rule, request)) continue;
      rule.fired += 1;
      this.#fired.push({ sequence: request.sequence, route: request.route, kind: rule.action.kind });
      return rule.action;
    }
    return undefined;
  }
}

function concerns(rule: HeldRule, request: LoggedRequest): boolean {
  const { route, when, nth, share, times } = rule.match ?? {};
  if (route !== undefined && !asList<string>(route).includes(request.route)) return false;
  if (when !== undefined && !when(request)) return false;
  rule.matched += 1;
  if (nth !== undefined && !asList<number>(nth).includes(rule.matched)) return false;
  // Drawn for every candidate, so that the n-th candidate meets the same fate whatever came of those before.
  const drawn = share === undefined ? 0 : rule.random();
  if (share !== undefined && drawn >= share) return false;
  return times === undefined || rule.fired < times;
}

function asList<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}
