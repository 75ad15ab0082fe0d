import assert from 'node:assert/strict';
import fc from 'fast-check';
import { systemClock } from '../../../src/base/clock.ts';
import { Feed, type FeedPosition, feedPosition } from '../../../src/demo/feed.ts';
import { ShiftedClock } from '../../support/demo/shiftedClock.ts';
import { tinyReport } from '../../support/demo/tinyCatalog.ts';

type Step = 'record' | 'wait' | 'read';

describe('feed', () => {
  it('gives a reader every change once and in order, whatever is written and read in between', () => {
    const steps = fc.array(fc.constantFrom<Step>('record', 'wait', 'read'), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (sequence) => {
        const clock = new ShiftedClock({ ...systemClock, now: () => 1_000_000, monotonic: () => 0 });
        const feed = new Feed(clock, 1_000, []);
        const begin: FeedPosition = [0, 0];
        let place = begin;
        const got: number[] = [];
        const read = () => {
          for (const event of feed.after(place)) {
            got.push(event.shown.report_id);
            place = feedPosition(event);
          }
        };
        let written = 0;
        for (const step of sequence) {
          if (step === 'record') feed.record('upsert', tinyReport(++written, 'X_Y'));
          else if (step === 'wait') clock.advance(700);
          else read();
        }
        clock.advance(10_000);
        read();
        assert.equal(new Set(got).size, got.length);
        assert.equal(got.length, written);
        const whole = [...feed.after(begin)].map((event) => event.shown.report_id);
        assert.deepEqual(got, whole);
      }),
    );
  });
});
