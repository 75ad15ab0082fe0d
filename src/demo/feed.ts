import type { Clock } from '../base/clock.ts';
import type { DemoReport } from './catalog.ts';
import type { License } from './keys.ts';

export interface FeedEvent {
  readonly change: 'upsert' | 'withdrawn';
  readonly report: DemoReport;
  /** The report as this change left it: the report itself, or what {@link Feed.keep} kept of it. */
  shown: DemoReport;
  /** ms since the epoch. */
  readonly at: number;
  /** Order among events of the same ms. */
  readonly sequence: number;
  /** Set when only this license is concerned, for a company that joined it (CHG-5). */
  readonly license: License | null;
}

/** A place in the feed: after the event with this time and sequence. */
export type FeedPosition = readonly [at: number, sequence: number];

/** The change feed (CHG-1), readable after the settling delay (CHG-4). */
export class Feed {
  readonly #clock: Clock;
  readonly #settlingMs: number;
  readonly #events: FeedEvent[];

  /** `reports` are those the catalog begins with; each counts as changed when its record says so. */
  constructor(clock: Clock, settlingMs: number, reports: readonly DemoReport[]) {
    this.#clock = clock;
    this.#settlingMs = settlingMs;
    const first = { change: 'upsert', license: null } as const;
    this.#events = reports
      .map((report, sequence) => ({ ...first, report, shown: report, at: Date.parse(report.updated_at), sequence }))
      .sort(inOrder);
  }

  record(change: FeedEvent['change'], report: DemoReport, license: License | null = null): void {
    const at = Math.floor(this.#clock.now());
    const shown = change === 'withdrawn' ? { ...report } : report;
    this.#events.push({ change, report, shown, at, sequence: this.#events.length, license });
    this.#events.sort(inOrder);
  }

  /** Call before a report changes: its events so far go on showing it as it was, `copy`, not what is to settle. */
  keep(report: DemoReport, copy: DemoReport): void {
    for (const each of this.#events) if (each.shown === report) each.shown = copy;
  }

  /** The readable events after a place, oldest first. */
  after([at, sequence]: FeedPosition): FeedEvent[] {
    const settled = this.#clock.now() - this.#settlingMs;
    return this.#events.filter((each) => each.at <= settled && inOrder({ at, sequence }, each) < 0);
  }
}

/** The place of an event itself: reading on from it gives the next one. */
export function feedPosition({ at, sequence }: FeedEvent): FeedPosition {
  return [at, sequence];
}

function inOrder(a: Pick<FeedEvent, 'at' | 'sequence'>, b: Pick<FeedEvent, 'at' | 'sequence'>): number {
  return a.at - b.at || a.sequence - b.sequence;
}
