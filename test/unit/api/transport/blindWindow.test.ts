import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../../src/base/logger.ts';
import { machineState } from '../../../../src/machine/machineState.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { files, setup } from './schedulers.ts';

/** The most of the times that lie within a second. */
function inASecond(times: readonly number[]): number {
  return Math.max(...times.map((at) => times.filter((other) => other >= at && other < at + 1000).length));
}

describe('a window that can not open the shared budget', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'report-library-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('stays with the others below ten arrivals a second and eight connections, however long each is on its way', async function () {
    this.timeout(60_000);
    const clock = new FakeClock();
    const options = { directory, clock, logger: silentLogger };
    const states = [
      machineState(options),
      machineState(options),
      machineState({ ...options, loadSqlite: () => Promise.reject(new Error('no')) }),
    ];
    const windows = states.map((state) => setup(state, clock, 9));
    const [first, second, blind] = windows;
    assert.ok(first && second && blind);
    let isOver = false;
    const work = async ({ pass }: typeof first, interactive: boolean) => {
      for (let turn = 0; !isOver; turn++)
        await pass('', { priority: interactive && turn % 2 === 0 ? 'interactive' : 'background' });
    };
    const start = (window: typeof first) => [1, 2, 3, 4].map((worker) => work(window, worker > 2));
    const all = [...start(first), ...start(second)];
    let connections = 0;
    const run = async (ms: number) => {
      for (let at = 0; at < ms; at += 50) {
        await clock.advance(50);
        connections = Math.max(
          connections,
          windows.reduce((sum, { wires }) => sum + wires.open, 0),
        );
      }
    };
    await run(6000);
    all.push(...start(blind));
    await run(12_000);
    isOver = true;
    await run(15_000);
    await Promise.all(all);
    for (const state of states) state.dispose();

    const sent = windows.flatMap((window) => window.sent.map(({ at }) => at));
    const ofBlind = blind.sent.map(({ at }) => at);
    assert.ok(ofBlind.length >= 10 && (ofBlind[0] ?? 0) >= 7000, ofBlind.join());
    assert.ok(sent.filter((at) => at < 6000).length > 35, 'the others use the whole rate before');
    for (let draw = 0; draw < 300; draw++) {
      const most = inASecond(sent.map((at) => at + Math.random() * 150));
      assert.ok(most < 10, `${most} arrived in a second`);
    }
    assert.ok(connections <= 8, `${connections} connections`);
  });

  it('finds its connections free: the others end what is under way beyond their share', async () => {
    const clock = new FakeClock();
    const options = { directory, clock, logger: silentLogger };
    const states = [
      machineState(options),
      machineState({ ...options, loadSqlite: () => Promise.reject(new Error('no')) }),
    ] as const;
    const [sighted, blind] = [setup(states[0], clock, 9), setup(states[1], clock, 9)];
    const wish = { to: files, keyed: false, priority: 'interactive' } as const;
    for (let transfer = 0; transfer < 8; transfer++) void sighted.enter('', wish);
    await clock.advance(1000);
    assert.equal(sighted.wires.open, 8);
    for (let transfer = 0; transfer < 3; transfer++) void blind.enter('', wish);
    for (let at = 0; at < 4000; at += 10) {
      await clock.advance(10);
      assert.ok(sighted.wires.open + blind.wires.open <= 8, `${at} ms after`);
    }
    assert.deepEqual([sighted.wires.open, blind.wires.open], [2, 2]);
    for (const { scheduler } of [sighted, blind]) scheduler.dispose();
    for (const state of states) state.dispose();
  });
});
