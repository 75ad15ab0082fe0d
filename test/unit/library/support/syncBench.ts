import assert from 'node:assert/strict';
import { memoryState } from '../../../../src/base/sharedState.ts';
import type { Library } from '../../../../src/library/library.ts';
import { SyncEngine } from '../../../../src/library/sync/syncEngine.ts';
import { type Leases, leases as machineLeases } from '../../../../src/machine/lease.ts';
import { FakeService } from './fakeService.ts';
import { localLibrary } from './localLibrary.ts';
import { ManualClock } from './manualClock.ts';
import { openInMemory } from './stores.ts';

/** A sync at work between a service in memory and a library in memory, on a clock that only moves when told. */
export interface Bench {
  readonly clock: ManualClock;
  readonly service: FakeService;
  readonly library: Library;
  readonly engine: SyncEngine;
  /** The routes asked so far, in order. */
  routes(): readonly string[];
  /** The sync's lease as all windows see it. */
  readonly leases: Leases;
  /** Has another window take the lease over, as while this one was suspended. */
  takeOver(): Promise<number>;
  /** Fails unless the library holds what the service holds, field by field. */
  isMirror(): Promise<void>;
}

/** A service of so many reports, and a library that holds none of them yet; full walks every so many days, 0 for none. */
export function syncBench(reports: number, fullWalkDays = 0): Bench {
  const clock = new ManualClock();
  const service = new FakeService(clock, reports);
  const library = localLibrary(openInMemory(() => clock.now()));
  const held = new Map<string, unknown>();
  const leases = machineLeases(memoryState(held), clock);
  const engine = new SyncEngine({
    ...{ library, leases, path: 'here' },
    source: service,
    requestsPerSecond: () => 8,
    fullWalkDays: () => fullWalkDays,
    clock,
  });
  return {
    clock,
    service,
    library,
    engine,
    leases,
    takeOver() {
      clock.advance(120_000);
      held.set('lease sync here', { holder: 'elsewhere.example 7 x', until: clock.now() + 60_000 });
      return library.beginRun();
    },
    routes: () => service.asked.map((asked) => asked.route),
    async isMirror() {
      const truth = service.reportsNow;
      const ids = await library.reportIds({});
      assert.deepEqual([...ids].sort(), [...truth.keys()].sort());
      for (const id of ids) assert.deepEqual((await library.report(id))?.report, truth.get(id));
    },
  };
}

/** The same, where the library holds what the service holds. */
export async function loadedBench(reports: number, fullWalkDays = 0): Promise<Bench> {
  const bench = syncBench(reports, fullWalkDays);
  await bench.engine.sync();
  return bench;
}
