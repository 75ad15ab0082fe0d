import type { Clock } from '../base/clock.ts';
import type { DemoReport } from './catalogue.ts';
import type { Licence } from './keys.ts';

/** Something that happened to a report. */
export interface FeedEvent {
  readonly change: 'upsert' | 'withdrawn';
  readonly report: DemoReport;
  /** The report as this change left it: the report itself, or what {@link Feed.keep} kept of it. */
  shown: DemoReport;
  /** The id, key and company it had at the time. */
  readonly report_id: number;
  readonly report_key: string;
  readonly company_key: string;
  /** ms since the epoch. */
  readonly at: number;
  /** Order among events of the same ms. */
  readonly sequence: number;
  /** Set when only this licence is concerned, for a company that joined it (CHG-5). */
  readonly licence: Licence | null;
}

/** A place in the feed: after the event with this time and sequence. */
export type FeedPosition = readonly [at: number, sequence: number];

/**
 * The change feed (CHG-1): events ordered by time, readable once the settling delay has passed (CHG-4). While a large
 * write is open, nothing from its start on is readable, so that no change in progress can be skipped.
 */
export class Feed {
  readonly #clock: Clock;
  readonly #settlingMs: number;
  readonly #events: FeedEvent[];
  /** Events that show the report as it is now. */
  readonly #present = new Map<DemoReport, FeedEvent[]>();
  /** When the large write that is open began: its changes, stamped so, stay unseen until this is unset (CHG-4). */
  writeStart: number | undefined;
  #sequence: number;

  /** `reports` are those the catalogue begins with; each counts as changed when its record says so. */
  constructor(clock: Clock, settlingMs: number, reports: readonly DemoReport[]) {
    this.#clock = clock;
    this.#settlingMs = settlingMs;
    this.#events = reports.map((report, index) => event('upsert', report, Date.parse(report.updated_at), index, null));
    this.#events.sort((a, b) => a.at - b.at || a.sequence - b.sequence);
    for (const each of this.#events) this.#present.set(each.report, [each]);
    this.#sequence = reports.length;
  }

  /** Records a change that happens now, or when the large write that it belongs to began. */
  record(change: FeedEvent['change'], report: DemoReport, licence: Licence | null = null): void {
    const added = event(change, report, this.writeStart ?? Math.floor(this.#clock.now()), this.#sequence++, licence);
    this.#events.splice(indexAfter(this.#events, [added.at, added.sequence]), 0, added);
    this.#present.set(report, [...(this.#present.get(report) ?? []), added]);
  }

  /** Call before a report changes: its events so far go on showing it as it was, `copy`, not what is to settle. */
  keep(report: DemoReport, copy: DemoReport): void {
    for (const each of this.#present.get(report) ?? []) each.shown = copy;
    this.#present.delete(report);
  }

  /** The readable events after a place, oldest first. */
  *after(place: FeedPosition): Generator<FeedEvent> {
    const settled = this.#clock.now() - this.#settlingMs;
    const readable = Math.min(settled, (this.writeStart ?? Number.POSITIVE_INFINITY) - 1);
    for (let index = indexAfter(this.#events, place); index < this.#events.length; index++) {
      const next = this.#events[index] as FeedEvent;
      if (next.at > readable) return;
      yield next;
    }
  }
}

/** The place of an event itself: reading on from it gives the next one. */
export function feedPosition(each: FeedEvent): FeedPosition {
  return [each.at, each.sequence];
}

function event(
  change: FeedEvent['change'],
  report: DemoReport,
  at: number,
  sequence: number,
  licence: Licence | null,
): FeedEvent {
  const { report_id, report_key, company_key } = report;
  return { change, report, shown: report, report_id, report_key, company_key, at, sequence, licence };
}

function indexAfter(events: readonly FeedEvent[], [at, sequence]: FeedPosition): number {
  return events.findLastIndex((each) => each.at < at || (each.at === at && each.sequence <= sequence)) + 1;
}
