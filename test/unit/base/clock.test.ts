import assert from 'node:assert/strict';
import { linkSignals, Soon, utcTime } from '../../../src/base/clock.ts';
import { stampOf } from '../../../src/library/sqlite/ingest.ts';
import { startAfterRefusal } from '../../../src/library/sync/decisions.ts';
import { laterTime } from '../../../src/library/sync/syncRecord.ts';

describe('linkSignals', () => {
  it('aborts with the reason of the first signal that does', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const { signal } = linkSignals(one.signal, undefined, two.signal);
    two.abort('why');
    one.abort('too late');
    assert.equal(signal.reason, 'why');
  });

  it('is aborted from the start when a signal is', () => {
    assert.equal(linkSignals(undefined, AbortSignal.abort('before')).signal.reason, 'before');
  });

  it('no longer listens once unlinked', () => {
    const one = new AbortController();
    const { signal, unlink } = linkSignals(one.signal);
    unlink();
    one.abort();
    assert.equal(signal.aborted, false);
  });
});

describe('utcTime', () => {
  const zone = process.env.TZ;
  before(() => {
    process.env.TZ = 'America/New_York';
  });
  after(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('takes a time without a zone for UTC, wherever this machine is', () => {
    const time = Date.UTC(2026, 0, 5, 12, 30);
    assert.notEqual(new Date(time).getTimezoneOffset(), 0);
    const texts = ['2026-01-05T12:30:00Z', '2026-01-05T12:30:00', '2026-01-05 12:30:00', '2026-01-05T12:30'];
    texts.push('2026-01-05T12:30:00.000000', '2026-01-05T12:30:00+00:00', '2026-01-05T14:30:00+02:00');
    for (const text of texts) assert.equal(utcTime(text), time, text);
    assert.equal(utcTime('2026-01-05'), Date.UTC(2026, 0, 5));
    // The order of changes, and where a lost cursor leads back to, depend on it.
    assert.equal(stampOf('2026-01-05T12:30:00', false), time * 2);
    assert.equal(startAfterRefusal({ lastChangedAt: '2026-01-05T12:30:00', since: null }), '2026-01-05T11:30:00Z');
    assert.equal(laterTime('2026-01-05T14:00:00', '2026-01-05T13:00:00Z'), '2026-01-05T14:00:00');
    for (const text of ['', 'yesterday', '12:30']) assert.ok(Number.isNaN(utcTime(text)), text);
  });
});

describe('what is done soon', () => {
  it('is done once after several reasons, and again after a later one', async () => {
    let runs = 0;
    let done = Promise.withResolvers<void>();
    const soon = new Soon(async () => {
      runs++;
      done.resolve();
    });
    for (const expected of [1, 2]) {
      done = Promise.withResolvers();
      for (let reason = 0; reason < 5; reason++) soon.ask();
      await done.promise;
      assert.equal(runs, expected);
    }
    soon.dispose();
  });

  it('is done less often where it takes long, but never later than it may', async () => {
    const waits: (number | undefined)[] = [];
    const { setTimeout: usual } = globalThis;
    const { now } = performance;
    let time = 0;
    let go = (): void => undefined;
    try {
      performance.now = () => time;
      globalThis.setTimeout = ((run: () => void, wait?: number) => {
        waits.push(wait);
        go = run;
      }) as unknown as typeof setTimeout;
      for (const soon of [new Soon(takesASecond), new Soon(takesASecond, 1_500)]) {
        soon.ask();
        go();
        await Promise.resolve();
        soon.ask();
      }
    } finally {
      Object.assign(globalThis, { setTimeout: usual });
      performance.now = now;
    }
    assert.deepEqual(waits, [300, 10_000, 300, 1_500]);

    async function takesASecond() {
      time += 1_000;
    }
  });

  it('is not done after its end', async () => {
    const soon = new Soon(async () => assert.fail('done after its end'));
    soon.ask();
    soon.dispose();
    const other = await new Promise<string>((resolve) => {
      const later = new Soon(async () => resolve('later'));
      later.ask();
    });
    assert.equal(other, 'later');
  });
});
