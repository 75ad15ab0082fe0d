import assert from 'node:assert/strict';
import fc from 'fast-check';
import { notePause, noteReading, type Pace, takeTurn, type Verdict } from '../../../../src/api/transport/pace.ts';

const start = Date.parse('2026-03-01T12:00:00Z');

interface Wish {
  readonly key?: string | null;
  readonly interactive?: boolean;
  readonly rate?: number;
  readonly share?: number;
}

/** Several windows that share one pace, driven by hand. */
class Windows {
  pace: Pace | undefined;
  readonly sent: number[] = [];

  ask(at: number, { key = 'k', interactive = false, rate = 8, share = 1 }: Wish = {}): Verdict {
    // As it would come back from a file.
    const stored = this.pace === undefined ? undefined : JSON.parse(JSON.stringify(this.pace));
    const [pace, verdict] = takeTurn(stored, { key, interactive, requestsPerSecond: rate, share }, at);
    this.pace = pace;
    if (verdict.granted) this.sent.push(at);
    return verdict;
  }

  /** Sends as soon as it may, until `count` are sent or `end` has come. */
  send(count: number, from: number, wish: Wish = {}, end = Number.POSITIVE_INFINITY): number {
    let at = from;
    for (let sent = 0; sent < count && at < end; ) {
      const verdict = this.ask(at, wish);
      if (verdict.granted) sent++;
      else {
        assert.ok(verdict.until > at, 'a refused request is told a later time');
        at = Math.ceil(verdict.until);
      }
    }
    return at;
  }

  read(at: number, limit: number | null, remaining: number | null): void {
    this.pace = noteReading(this.pace, 'k', { limit, remaining }, at);
  }
}

function maxWithin(times: readonly number[], window: number): number {
  return Math.max(0, ...times.map((time) => times.filter((other) => other >= time && other < time + window).length));
}

describe('pace', () => {
  it('keeps to the rate in any second, however requests come', () => {
    const arrival = fc.record({ gap: fc.integer({ min: 0, max: 700 }), interactive: fc.boolean() });
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 80 }), fc.integer({ min: 1, max: 9 }), (arrivals, rate) => {
        const windows = new Windows();
        let at = start;
        for (const { gap, interactive } of arrivals) at = windows.send(1, at + gap, { interactive, rate });
        assert.ok(maxWithin(windows.sent, 1000) <= rate);
        assert.ok(maxWithin(windows.sent, 1150) <= 9, 'below 10 a second at the edge, though delays differ by 150 ms');
        assert.equal(windows.sent.length, arrivals.length);
      }),
      { numRuns: 60 },
    );
  });

  it('uses the whole rate when there is always something to send', () => {
    const windows = new Windows();
    windows.read(start, null, null);
    const end = windows.send(80, start);
    assert.ok(end - start <= 80 * 128.5, `80 requests took ${end - start} ms`);
  });

  it('makes up for late timers without ever exceeding the rate', () => {
    const windows = new Windows();
    windows.read(start, null, null);
    let at = start;
    for (let sent = 0; sent < 160; ) {
      const verdict = windows.ask(at);
      if (verdict.granted) sent++;
      else at = Math.ceil(verdict.until) + 3;
    }
    assert.ok(at - start < 160 * 128.5 * 1.03, `160 requests took ${at - start} ms`);
    assert.ok(maxWithin(windows.sent, 1000) <= 8);
  });

  it('lets three interactive requests go at once, background ones evenly', () => {
    const windows = new Windows();
    assert.equal(windows.send(3, start, { interactive: true }), start);
    assert.ok(windows.send(1, start, { interactive: true }) > start + 100);
    const evenly = new Windows();
    assert.equal(evenly.send(2, start, { interactive: false }), start + 129);
    assert.equal(evenly.ask(start + 130, { interactive: true }).granted, true, 'ahead of the background of others');
  });

  it('stays within the limit of any minute and spreads out what is left of it', () => {
    const windows = new Windows();
    windows.send(1, start);
    windows.read(start, 120, 119);
    windows.send(400, start, {}, start + 200_000);
    assert.ok(maxWithin(windows.sent, 60_000) <= 120);
    const firstMinute = windows.sent.filter((at) => at < start + 60_500);
    assert.ok(firstMinute.length >= 118, `only ${firstMinute.length} of 120 used`);
    const late = windows.sent.filter((at) => at >= start + 20_000 && at < start + 60_000);
    assert.ok(maxWithin(late, 2000) <= 2, 'the last requests of the minute come one by one');
    assert.ok(windows.sent.length >= 350, `only ${windows.sent.length} in 200 s`);
  });

  it('leaves what is scarce to interactive requests', () => {
    const windows = new Windows();
    windows.read(start, 120, 120);
    windows.send(112, start);
    const at = windows.sent.at(-1) as number;
    assert.equal(windows.ask(at + 200, { interactive: false }).granted, false);
    assert.equal(windows.ask(at + 1000, { interactive: true }).granted, true);
  });

  it('counts what others send with the same key', () => {
    const windows = new Windows();
    windows.send(1, start);
    windows.read(start, 600, 3);
    windows.send(50, start, { interactive: true }, start + 30_000);
    assert.equal(windows.sent.length, 4);
    const refused = windows.ask(start + 30_000, { interactive: true });
    assert.ok(!refused.granted && refused.until <= start + 60_500);
  });

  it('goes on when the service has nothing left and says so', () => {
    const windows = new Windows();
    windows.read(start, 600, 0);
    const refused = windows.ask(start + 1, { interactive: true });
    assert.ok(!refused.granted);
    assert.equal(windows.ask(refused.until, { interactive: true }).granted, true);
  });

  it('sends nothing before a pause is over, whatever its length, and then goes on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 * 24 * 3600 }), fc.boolean(), (seconds, everybody) => {
        const windows = new Windows();
        const until = start + seconds * 1000;
        windows.pace = notePause(undefined, everybody ? null : 'k', { until, reason: 'Asked to wait.' }, start);
        const early = windows.ask(until - 1, { interactive: true });
        assert.deepEqual(early, { granted: false, until, pause: { until, reason: 'Asked to wait.' } });
        assert.equal(windows.ask(until, { interactive: true }).granted, true);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps a pause of one key from the requests of another', () => {
    const windows = new Windows();
    windows.pace = notePause(undefined, 'k', { until: start + 60_000, reason: '' }, start);
    assert.equal(windows.ask(start + 10, { key: 'other' }).granted, true);
    assert.equal(windows.ask(start + 10, { key: 'k' }).granted, false);
  });

  it('never shortens a pause that is already longer', () => {
    const windows = new Windows();
    windows.pace = notePause(undefined, 'k', { until: start + 60_000, reason: 'long' }, start);
    windows.pace = notePause(windows.pace, 'k', { until: start + 1000, reason: 'short' }, start);
    assert.equal(windows.ask(start + 2000).granted, false);
  });

  it('is over before its time, for the key and for all, once the service has answered all the same', () => {
    const windows = new Windows();
    windows.pace = notePause(undefined, 'k', { until: start + 60_000, reason: 'key' }, start);
    windows.pace = notePause(windows.pace, null, { until: start + 60_000, reason: 'all' }, start);
    assert.equal(windows.ask(start + 1, { key: 'other' }).granted, false);
    windows.pace = notePause(windows.pace, 'k', null, start + 2);
    assert.equal(windows.ask(start + 3).granted, true);
    windows.pace = notePause(windows.pace, null, { until: start + 60_000, reason: 'all' }, start + 4);
    windows.pace = notePause(windows.pace, null, null, start + 5);
    assert.equal(windows.ask(start + 1000).granted, true);
  });

  it('lets what nobody counts go at once, but for a pause, which a person may break once', () => {
    const windows = new Windows();
    const files = { key: null, rate: Number.POSITIVE_INFINITY };
    for (let n = 0; n < 50; n++) assert.equal(windows.ask(start, files).granted, true);
    const pause = { until: start + 60_000, reason: '' };
    windows.pace = notePause(windows.pace, null, pause, start);
    assert.deepEqual(windows.ask(start + 1, files), { granted: false, until: pause.until, pause });
    const wish = { key: 'k', interactive: true, requestsPerSecond: 8, share: 1, tryNow: true };
    assert.equal(takeTurn(windows.pace, wish, start + 1)[1].granted, true);
  });

  it('forgets a key a day after its last request, and one that is paused not before its time', () => {
    const windows = new Windows();
    const day = 24 * 3600_000;
    windows.read(start, 120, 120);
    windows.pace = notePause(windows.pace, 'paused', { until: start + 3 * day, reason: '' }, start);
    const keysAt = (at: number) => Object.keys(notePause(windows.pace, null, null, at).keys).sort();
    assert.deepEqual(keysAt(start + day - 1), ['k', 'paused']);
    assert.deepEqual(keysAt(start + day), ['paused']);
    assert.deepEqual(keysAt(start + 3 * day), []);
  });

  it('keeps the length of a pause when the clock is set back by a day', () => {
    const windows = new Windows();
    windows.pace = notePause(undefined, 'k', { until: start + 60_000, reason: '' }, start);
    const back = start - 24 * 3600_000;
    const refused = windows.ask(back);
    assert.ok(!refused.granted);
    assert.equal(refused.until, back + 60_000);
    assert.equal(windows.ask(back + 60_000).granted, true);
  });

  it('of four windows that can not see each other stays below ten requests together, however they fall', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1200 }), { minLength: 4, maxLength: 4 }), (starts) => {
        const sent = starts.flatMap((late) => {
          const windows = new Windows();
          windows.read(start, 600, 600);
          windows.send(12, start + late, { share: 0.25, interactive: late % 2 === 0 });
          return windows.sent;
        });
        assert.ok(maxWithin(sent, 1150) <= 9, `${maxWithin(sent, 1150)} within 1,150 ms`);
      }),
      { examples: [[[0, 0, 0, 0]]] },
    );
  });

  it('takes its share only, where others may be at work unseen', () => {
    const windows = new Windows();
    windows.read(start, 600, 600);
    windows.send(400, start, { share: 0.25 }, start + 60_000);
    assert.ok(maxWithin(windows.sent, 1000) <= 2);
    assert.ok(windows.sent.length > 100 && windows.sent.length <= 150);
  });

  it('takes what is no pace for a fresh start', () => {
    const wish = { key: 'k', interactive: true, requestsPerSecond: 8, share: 1 };
    fc.assert(
      fc.property(fc.anything(), (stored) => {
        const [, verdict] = takeTurn(stored, wish, start);
        assert.equal(verdict.granted, true);
      }),
    );
  });
});
