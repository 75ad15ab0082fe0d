import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import fc from 'fast-check';
import {
  type BudgetRow,
  decide,
  notePause,
  noteReading,
  noteSent,
  settle,
  type Verdict,
} from '../../../../src/api/transport/budgetRow.ts';
import { maxWithin } from './budgets.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const day = 24 * 3_600_000;

interface Wanted {
  readonly key?: string;
  readonly isBackground?: boolean;
  readonly rate?: number | null;
  /** How long after it was let go it is sent, ms. */
  readonly delay?: number;
}

/** Processes that share one row, driven by hand. */
class Processes {
  stored: unknown;
  readonly sent: number[] = [];
  #unsent: { readonly id: string; readonly key: string; readonly at: number }[] = [];
  #last = 0;

  ask(at: number, { key = 'k', isBackground = true, rate = 8, delay = 0 }: Wanted = {}): Verdict {
    this.#send(at);
    const id = `${++this.#last}`;
    const wish = { id, key, isBackground, pauses: ['all', key], requestsPerSecond: rate };
    let verdict: Verdict | undefined;
    this.change(at, (row, now) => {
      const own = { id: 'one', connections: 0 };
      const [next, decided] = decide(row, { ...wish, needsConnection: false, maxConnections: 8 }, own, now);
      verdict = decided;
      return next;
    });
    assert.ok(verdict);
    if (verdict.isGranted) this.#unsent.push({ id, key, at: at + delay });
    if (verdict.isGranted && delay === 0) this.#send(at);
    return verdict;
  }

  /** Sends as soon as it may, until `count` are sent or `end` has come. */
  send(count: number, from: number, wanted: Wanted = {}, end = Number.POSITIVE_INFINITY): number {
    let at = from;
    for (let sent = 0; sent < count && at < end; ) {
      const verdict = this.ask(at, wanted);
      if (verdict.isGranted) sent++;
      else {
        assert.ok(verdict.until > at, 'a refused request is given a later time');
        at = Math.ceil(verdict.until);
      }
    }
    return at;
  }

  read(at: number, limit: number | null, remaining: number | null): void {
    this.change(at, (row, now) => noteReading(row, 'k', { limit, remaining }, now));
  }

  pause(at: number, name: string, until: number, reason = ''): void {
    this.change(at, (row) => notePause(row, name, { until, reason }));
  }

  change(at: number, change: (row: BudgetRow, now: number) => BudgetRow): void {
    // As it would come back from a file.
    const stored = this.stored === undefined ? undefined : JSON.parse(JSON.stringify(this.stored));
    const [row, now] = settle(stored, 'one', at);
    this.stored = change(row, now);
  }

  #send(until: number): void {
    for (const { id, key, at } of this.#unsent.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)) {
      this.sent.push(at);
      this.change(at, (row) => noteSent(row, { id, key }, at));
    }
    this.#unsent = this.#unsent.filter(({ at }) => at > until);
  }
}

describe('the request budget', () => {
  it('keeps to the rate in any second, however requests come and however long they take to be sent', () => {
    const arrival = fc.record({
      gap: fc.integer({ min: 0, max: 700 }),
      isBackground: fc.boolean(),
      delay: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2000 })),
    });
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 80 }), fc.integer({ min: 1, max: 9 }), (arrivals, rate) => {
        const processes = new Processes();
        let at = start;
        for (const { gap, ...more } of arrivals) at = processes.send(1, at + gap, { ...more, rate });
        assert.ok(maxWithin(processes.sent, 1000) <= rate);
        assert.ok(
          maxWithin(processes.sent, 1150) <= 9,
          'never 10 a second at the edge, though delays differ by 150 ms',
        );
      }),
      { numRuns: 60 },
    );
  });

  it('uses the whole rate when there is always something to send, also where timers are late', () => {
    const processes = new Processes();
    const end = processes.send(160, start);
    assert.ok(end - start <= 160 * 128.5, `160 requests took ${end - start} ms`);
    const late = new Processes();
    let at = start;
    for (let sent = 0; sent < 160; ) {
      const verdict = late.ask(at);
      if (verdict.isGranted) sent++;
      else at = Math.ceil(verdict.until) + 3;
    }
    assert.ok(at - start < 160 * 128.5 * 1.03, `160 requests took ${at - start} ms`);
  });

  it('finds room for a person soon, though background requests never end', () => {
    const processes = new Processes();
    const at = processes.send(40, start);
    const waited = processes.send(1, at, { isBackground: false }) - at;
    assert.ok(waited <= 400, `waited ${waited} ms`);
  });

  it('stays within the limit of any minute, and leaves some of it to people', () => {
    const processes = new Processes();
    processes.send(1, start);
    processes.read(start, 120, 119);
    processes.send(400, start, {}, start + 200_000);
    assert.ok(maxWithin(processes.sent, 60_000) <= 114);
    assert.ok(processes.sent.length >= 114 * 3, `only ${processes.sent.length} in 200 s`);
    const minute = new Processes();
    minute.read(start, 120, 120);
    const at = minute.send(114, start);
    assert.equal(minute.ask(at + 1200).isGranted, false);
    assert.equal(minute.ask(at + 1200, { isBackground: false }).isGranted, true);
  });

  it('counts what others send with the same key', () => {
    const processes = new Processes();
    processes.send(1, start);
    processes.read(start, 600, 3);
    processes.send(50, start, { isBackground: false }, start + 30_000);
    assert.equal(processes.sent.length, 4);
    const refused = processes.ask(start + 30_000, { isBackground: false });
    assert.ok(!refused.isGranted && refused.until <= start + 60_500);
  });

  it('goes on when the service has nothing left and says so', () => {
    const processes = new Processes();
    processes.read(start, 600, 0);
    const refused = processes.ask(start + 1, { isBackground: false });
    assert.ok(!refused.isGranted);
    assert.equal(processes.ask(refused.until, { isBackground: false }).isGranted, true);
  });

  it('lets what nobody counts go at once, but for a pause', () => {
    const processes = new Processes();
    for (let n = 0; n < 50; n++) assert.equal(processes.ask(start, { rate: null }).isGranted, true);
    processes.pause(start, 'all', start + 60_000);
    assert.equal(processes.ask(start + 1, { rate: null }).isGranted, false);
  });

  it('keeps the length of a pause when the clock is set back by a day', () => {
    const processes = new Processes();
    processes.pause(start, 'k', start + 60_000);
    const back = start - day;
    const refused = processes.ask(back);
    assert.ok(!refused.isGranted);
    assert.equal(refused.until, back + 60_000);
    assert.equal(processes.ask(back + 60_000).isGranted, true);
  });

  it('frees the connections of a process that is gone, and counts what it was about to send', () => {
    const wish = { key: 'k', isBackground: false, pauses: [], needsConnection: true, maxConnections: 8 };
    const rowOf = (id: string) => {
      const process = { id, connections: 8 };
      const [empty] = settle(undefined, id, start);
      return decide(empty, { ...wish, id: 'a', requestsPerSecond: 8, needsConnection: false }, process, start)[0];
    };
    const [alive, dead] = [rowOf('another-computer 7 x'), rowOf(`${hostname()} ${2 ** 30} x`)];
    const askAt = (at: number, row: BudgetRow, requestsPerSecond = 8) => {
      const [settled, now] = settle(row, 'b', at);
      return decide(settled, { ...wish, id: 'b', requestsPerSecond }, { id: 'b', connections: 0 }, now)[1];
    };
    assert.deepEqual(askAt(start + 10, alive), { isGranted: false, until: start + 210, lacksConnection: true });
    assert.equal(askAt(start + 10, dead).isGranted, true);
    assert.deepEqual(askAt(start + 10, dead, 1), { isGranted: false, until: start + 1010 });
    assert.equal(askAt(start + 14_999, alive).isGranted, false);
    assert.equal(askAt(start + 15_000, alive).isGranted, true);
  });

  it('takes what is no row for a fresh start', () => {
    fc.assert(
      fc.property(fc.anything(), (stored) => {
        const [row] = settle(stored, 'one', start);
        assert.deepEqual([row.sent, row.pauses], [[], {}]);
      }),
    );
  });
});
