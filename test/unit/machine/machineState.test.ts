import assert from 'node:assert/strict';
import { mkdtemp, readdir, readlink, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../src/base/clock.ts';
import { type Logger, silentLogger } from '../../../src/base/logger.ts';
import type { SharedState } from '../../../src/base/sharedState.ts';
import {
  type MachineStateOptions,
  machineFolder,
  machineState,
  sharedMachineState,
} from '../../../src/machine/machineState.ts';
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
    assert.equal(one.isShared, true);
  });

  it('keeps one connection open, however often it changes', async function () {
    if (process.platform !== 'linux') this.skip();
    const state = open();
    for (const _ of [1, 2, 3]) await increment(state);
    const files = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    assert.equal(files.filter((name) => name === join(directory, 'budget.sqlite')).length, 1);
  });

  it('is opened once by a process, and again after its end', () => {
    const first = sharedMachineState(silentLogger);
    assert.equal(sharedMachineState(silentLogger), first);
    first.dispose();
    const second = sharedMachineState(silentLogger);
    assert.notEqual(second, first);
    assert.equal(second.isShared, true);
    second.dispose();
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
    const next = open();
    assert.deepEqual([await increment(next), next.isShared, await increment(open())], [1, true, 2]);
  });

  it('follows when another window had to start the file anew', async () => {
    const [one, two] = [open(), open()];
    await increment(one);
    await increment(two);
    await unlink(join(directory, 'budget.sqlite'));
    assert.equal(await increment(one), 2);
    assert.equal(await increment(two), 3);
  });

  it('goes on alone where the module or the folder is missing, says so once, and tries again later', async () => {
    const clock = new FakeClock();
    const { logger, lines } = listening();
    let there = false;
    const loadSqlite = () =>
      there
        ? import('node:sqlite')
        : Promise.reject(Object.assign(new Error('no'), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' }));
    const state = open({ clock, logger, loadSqlite });
    assert.equal(await increment(state), 1);
    assert.equal(await increment(state), 2);
    assert.equal(state.isShared, false);
    await clock.advance(60_000);
    assert.equal(await increment(state), 3);
    assert.equal(lines.length, 1);
    there = true;
    await clock.advance(30_000);
    assert.equal(await increment(state), 4);
    await clock.advance(30_000);
    assert.equal(state.isShared, true);
    assert.equal(await increment(state), 5, 'and goes on from what it knows');
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
    assert.equal(one.isShared, false);
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

  it('leaves a file alone that another window began while it waited for the one before', async () => {
    const clock = new FakeClock();
    const state = open({ clock });
    await increment(state);
    const file = join(directory, 'budget.sqlite');
    const stuck = new DatabaseSync(file);
    stuck.exec('BEGIN IMMEDIATE');
    const waiting = increment(state);
    await clock.untilSleeping(() => true);
    const { ino } = await stat(file);
    await clock.advance(2900);
    assert.equal((await stat(file)).ino, ino, 'a file in use is waited for');
    await unlink(file);
    assert.equal(await increment(open(), 'theirs'), 1);
    const working = new DatabaseSync(file);
    working.exec('BEGIN IMMEDIATE');
    await clock.advance(500);
    working.close();
    await clock.advance(100);
    await waiting;
    assert.equal(await increment(open(), 'theirs'), 2);
    stuck.close();
  });

  it('waits for a file that another window is making', async () => {
    const clock = new FakeClock();
    const making = new DatabaseSync(join(directory, 'budget.sqlite'));
    making.exec('BEGIN EXCLUSIVE');
    const state = open({ clock });
    const waiting = increment(state);
    await clock.untilSleeping(() => true);
    making.close();
    await clock.advance(100);
    assert.deepEqual([await waiting, state.isShared, await increment(open())], [1, true, 2]);
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

  it('does with a file where the folder should be', async () => {
    await writeFile(join(directory, 'taken'), '');
    const state = open({ directory: join(directory, 'taken') });
    assert.equal(await increment(state), 1);
    assert.equal(state.isShared, false);
  });
});

describe('the folder of this computer', () => {
  const home = '/people/me';

  it('lies where each system keeps caches', () => {
    const on = (platform: NodeJS.Platform, env = {}) => machineFolder({ platform, env, home }).replaceAll('\\', '/');
    assert.equal(on('linux'), '/people/me/.cache/report-library');
    assert.equal(on('linux', { XDG_CACHE_HOME: '/scratch' }), '/scratch/report-library');
    assert.equal(on('darwin', { XDG_CACHE_HOME: '/scratch' }), '/people/me/Library/Caches/report-library');
    assert.equal(
      on('win32', { LOCALAPPDATA: 'C:/people/me/AppData/Local' }),
      'C:/people/me/AppData/Local/report-library',
    );
  });

  it('is never below where a program happens to run', () => {
    for (const XDG_CACHE_HOME of ['', 'cache', './cache'])
      assert.equal(
        machineFolder({ platform: 'linux', env: { XDG_CACHE_HOME }, home }),
        '/people/me/.cache/report-library',
      );
  });
});
