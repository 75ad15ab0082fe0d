import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { chmod, mkdtemp, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../src/base/clock.ts';
import { type Logger, silentLogger } from '../../../src/base/logger.ts';
import type { SharedState } from '../../../src/base/sharedState.ts';
import { type MachineStateOptions, machineState } from '../../../src/machine/machineState.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const states: SharedState[] = [];
let directory = '';

function open(more: Partial<MachineStateOptions> = {}): SharedState {
  const state = machineState({ directory, clock: systemClock, logger: silentLogger, ...more });
  states.push(state);
  return state;
}

/** Adds one to a number, and gives the sum. */
const increment = (state: SharedState, name = 'count') =>
  state.update(name, (stored) => {
    const next = (typeof stored === 'number' ? stored : 0) + 1;
    return { store: next, result: next };
  });

function listening(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  return { lines, logger: { debug: write, info: write, warn: write, error: write } };
}

describe('machineState', () => {
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'report-library-'));
  });
  afterEach(async () => {
    for (const state of states.splice(0)) state.dispose();
    await rm(directory, { recursive: true, force: true });
  });

  it('is one state for all that open it, and opens nothing before', async () => {
    const [one, two] = [open(), open()];
    await assert.rejects(stat(join(directory, 'budget.sqlite')));
    assert.equal(await increment(one), 1);
    assert.equal(await increment(two), 2);
    assert.equal(await increment(one, 'other'), 1);
    assert.equal(await increment(open()), 3);
    assert.equal(one.share, 1);
  });

  it('loses no change when many come at once', async () => {
    const all = [open(), open(), open()];
    await Promise.all(Array.from({ length: 300 }, (_, index) => increment(all[index % 3] as SharedState)));
    assert.equal(await increment(all[0] as SharedState), 301);
  });

  it('keeps the file to its user', async () => {
    directory = join(directory, 'inner');
    await increment(open());
    if (process.platform === 'win32') return;
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    assert.equal((await stat(join(directory, 'budget.sqlite'))).mode & 0o777, 0o600);
  });

  it('leaves what is stored alone when a change fails or stores nothing', async () => {
    const state = open();
    await increment(state);
    assert.equal(await state.update('count', (stored) => ({ result: stored })), 1);
    assert.equal(await increment(open()), 2);
  });

  it('starts again when the file is damaged or gone, with what this window knew last', async () => {
    const state = open();
    await increment(state);
    const file = join(directory, 'budget.sqlite');
    await unlink(file);
    assert.equal(await increment(state), 2);
    state.dispose();
    await writeFile(file, 'no database at all, but long enough to be looked at as one '.repeat(100));
    assert.equal(await increment(open()), 1);
  });

  it('follows when another window had to start the file anew', async () => {
    const [one, two] = [open(), open()];
    await increment(one);
    await increment(two);
    await unlink(join(directory, 'budget.sqlite'));
    assert.equal(await increment(one), 2);
    assert.equal(await increment(two), 3);
  });

  it('takes a conservative share where the module or the folder is missing, says so once, and looks again later', async () => {
    const clock = new FakeClock();
    const { logger, lines } = listening();
    let there = false;
    const loadSqlite = () =>
      there
        ? import('node:sqlite')
        : Promise.reject(Object.assign(new Error('no'), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' }));
    const state = open({ clock, logger, loadSqlite });
    const first = increment(state);
    await clock.untilSleeping((ms) => ms === 1200);
    await clock.advance(1200);
    assert.equal(await first, 1);
    assert.equal(await increment(state), 2);
    assert.deepEqual([state.share, state.isBlind], [0.25, true]);
    assert.equal(lines.length, 1);
    there = true;
    await clock.advance(60_000);
    assert.equal(state.share, 1);
    assert.equal(await increment(state), 3, 'and goes on from what it knows');
  });

  it('makes the other windows leave room for one that can not see them, before that uses any of it', async () => {
    const clock = new FakeClock();
    const loadSqlite = () => Promise.reject(new Error('no'));
    const [sighted, blind] = [open({ clock }), open({ clock, loadSqlite })];
    await increment(sighted);
    assert.equal(sighted.share, 1);
    const first = increment(blind);
    await clock.untilSleeping((ms) => ms === 1200);
    assert.deepEqual([sighted.share, sighted.isBlind], [0.25, false]);
    let isAllowed = false;
    void first.then(() => {
      isAllowed = true;
    });
    await clock.advance(1199);
    assert.equal(isAllowed, false, 'what the others sent before is not forgotten yet');
    await clock.advance(1);
    await first;
    await clock.advance(10_000);
    await increment(blind);
    await clock.advance(14_000);
    assert.equal(sighted.share, 0.25, 'it said so again');
    await clock.advance(1000);
    assert.equal(sighted.share, 1);
    if (process.platform !== 'win32') assert.equal((await stat(join(directory, 'blind'))).mode & 0o777, 0o600);
  });

  it('makes the others leave room also where no file can be opened any more', async () => {
    const clock = new FakeClock();
    const [sighted, starved] = [open({ clock }), open({ clock })];
    await increment(starved);
    assert.equal(starved.share, 1, 'what marks a blind window is old');
    await unlink(join(directory, 'budget.sqlite'));
    const { openSync } = fs;
    const setOpening = (opening: object) => {
      Object.assign(fs, { openSync: opening });
      syncBuiltinESMExports();
    };
    setOpening(() => {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    });
    try {
      let isAllowed = false;
      const waiting = increment(starved).then(() => {
        isAllowed = true;
      });
      await clock.advance(1199);
      assert.deepEqual([sighted.share, starved.isBlind, isAllowed], [0.25, true, false]);
      await clock.advance(1);
      await waiting;
    } finally {
      setOpening(openSync);
    }
  });

  it('knows what others stored, too, while the file can not be used', async () => {
    const clock = new FakeClock();
    const [one, two] = [open({ clock }), open()];
    await increment(one);
    await increment(two);
    assert.equal(await one.update('count', (stored) => ({ result: stored })), 2);
    await rm(directory, { recursive: true });
    await writeFile(directory, 'in the way');
    assert.equal(await increment(one), 3);
    assert.equal(one.share, 0.25);
    await rm(directory);
  });

  it('still stores what was told right before its end', async () => {
    const state = open();
    await increment(state);
    const last = increment(state);
    state.dispose();
    await last;
    assert.equal(await increment(open()), 3);
  });

  it('tells a holder whose process is no more', () => {
    const state = open();
    assert.equal(state.isGone(state.holder()), false);
    assert.equal(state.isGone(`${hostname()} ${spawnSync(process.execPath, ['-e', '0']).pid} - gone`), true);
  });

  it('opens no file after its end, also for a change that waited for the lock', async () => {
    const clock = new FakeClock();
    const state = open({ clock });
    await increment(state);
    const holder = new DatabaseSync(join(directory, 'budget.sqlite'));
    holder.exec('BEGIN IMMEDIATE');
    const waiting = increment(state);
    await clock.untilSleeping(() => true);
    state.dispose();
    holder.close();
    await rm(directory, { recursive: true });
    await clock.advance(100);
    await waiting;
    await increment(state);
    await assert.rejects(stat(directory), { code: 'ENOENT' });
  });

  it('does with a folder that can not be written', async function () {
    if (process.getuid?.() === 0) return this.skip(); // The superuser may write anywhere.
    await chmod(directory, 0o500);
    const state = open();
    assert.equal(await increment(state), 1);
    assert.equal(state.share, 0.25);
  });

  it('does with a file where the folder should be', async () => {
    await writeFile(join(directory, 'taken'), '');
    const state = open({ directory: join(directory, 'taken') });
    assert.equal(await increment(state), 1);
    assert.equal(state.share, 0.25);
  });
});
