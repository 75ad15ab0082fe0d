import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Allowance } from '../../../src/machine/allowance.ts';
import { machineState } from '../../../src/machine/machineState.ts';
import { withoutWaits } from '../../support/noWaits.ts';

const noon = 1_700_000_000_000;
const day = 86_400_000;
const taken = { kind: 'taken', day: Math.floor(noon / day) } as const;

describe('An allowance', () => {
  withoutWaits();
  let directory = '';
  const ended: (() => void)[] = [];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'report-library-allowance-'));
  });
  afterEach(() => {
    for (const end of ended.splice(0)) end();
    rmSync(directory, { recursive: true });
  });

  /** A window with its own view of the shared file. */
  const windowAt = (now: () => number, caps = { perWindow: 3, perDay: 5 }, broken = false) => {
    const loadSqlite = broken ? { loadSqlite: () => Promise.reject(new Error('none')) } : {};
    const state = machineState({ directory, clock: systemClock, logger: silentLogger, ...loadSqlite });
    ended.push(() => state.dispose());
    return new Allowance({ state, name: 'downloads', caps: () => caps, now });
  };

  it('holds for each window, and for all of them together in a day', async () => {
    const [one, two] = [windowAt(() => noon), windowAt(() => noon)];
    assert.deepEqual(await one.take(4), { kind: 'too-many', left: 3, by: 'perWindow' });
    assert.deepEqual(await one.take(3), taken);
    assert.deepEqual(await one.take(1), { kind: 'too-many', left: 0, by: 'perWindow' });
    assert.deepEqual(await two.take(3), { kind: 'too-many', left: 2, by: 'perDay' });
    assert.deepEqual(await two.take(2), taken);
    // Another window, or the same one after it was reloaded, finds the day used up.
    assert.deepEqual(await windowAt(() => noon).take(1), { kind: 'too-many', left: 0, by: 'perDay' });
    assert.deepEqual(await windowAt(() => noon + day).take(3), { ...taken, day: taken.day + 1 });
  });

  it('never gives more than there is to calls at the same time', async () => {
    const windows = Array.from({ length: 4 }, () => windowAt(() => noon));
    const taken = await Promise.all(windows.flatMap((window) => [window.take(1), window.take(1), window.take(2)]));
    const amounts = taken.map(({ kind }, at) => (kind === 'taken' ? [1, 1, 2][at % 3] : 0) ?? 0);
    assert.equal(
      amounts.reduce((sum, amount) => sum + amount, 0),
      5,
    );
  });

  it('takes back what was not needed, and 0 switches it off', async () => {
    const one = windowAt(() => noon);
    await one.take(3);
    await one.giveBack(2, Math.floor(noon / day));
    assert.deepEqual(await one.spending(), { perWindow: 3, perDay: 5, window: 1, day: 1 });
    assert.equal((await windowAt(() => noon, { perWindow: 0, perDay: 5 }).take(1)).kind, 'too-many');
    assert.equal((await windowAt(() => noon, { perWindow: 5, perDay: 0 }).take(1)).kind, 'too-many');
  });

  it('gives back to the day that it was taken from, and to no other', async () => {
    let now = noon;
    const one = windowAt(() => now);
    await windowAt(() => now).take(2);
    const yesterdays = await one.take(3);
    assert.ok(yesterdays.kind === 'taken');
    now += day;
    await windowAt(() => now).take(3);
    await one.giveBack(3, yesterdays.day);
    assert.deepEqual(await one.spending(), { perWindow: 3, perDay: 5, window: 0, day: 3 });
  });

  it('allows nothing while the other windows can’t be seen', async () => {
    const blind = windowAt(() => noon, { perWindow: 3, perDay: 5 }, true);
    assert.deepEqual(await blind.take(1), { kind: 'unknown' });
    assert.equal(await blind.spending(), null);
  });
});
