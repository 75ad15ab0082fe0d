import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { memoryState } from '../../../src/base/sharedState.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { SyncEngine } from '../../../src/library/sync/syncEngine.ts';
import { leases } from '../../../src/machine/lease.ts';
import { apiError, changed, FakeService } from './support/fakeService.ts';
import { localLibrary } from './support/localLibrary.ts';
import { ManualClock } from './support/manualClock.ts';
import { openFile, temporaryDirectory } from './support/stores.ts';
import { wireReport } from './support/wireReports.ts';

/** What may happen to the service or to the windows. Numbers choose among what is there. */
type Step =
  | { readonly step: 'add' | 'withdraw' | 'remove' | 'edit' | 'replacePdf' | 'rename' | 'merge'; readonly n: number }
  | { readonly step: 'withdrawUnknown'; readonly n: number }
  | { readonly step: 'restamp' | 'restart' | 'refuseCursors' | 'wait' }
  | { readonly step: 'sync'; readonly window: number; readonly failAfter: number | null }
  | { readonly step: 'walk'; readonly window: number; readonly failAfter: number | null }
  | { readonly step: 'company'; readonly window: number; readonly n: number };

const n = fc.nat({ max: 200 });
const window = fc.integer({ min: 0, max: 1 });
const failAfter = fc.option(fc.nat({ max: 12 }), { freq: 2 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ step: fc.constantFrom('add', 'edit', 'replacePdf', 'withdraw', 'remove'), n }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constantFrom('rename', 'merge', 'withdrawUnknown'), n }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constantFrom('restamp', 'restart', 'refuseCursors', 'wait') }) },
  { weight: 6, arbitrary: fc.record({ step: fc.constant('sync'), window, failAfter }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('walk'), window, failAfter }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('company'), window, n }) },
) as fc.Arbitrary<Step>;

/** The service, and two windows on one library file. */
class World {
  readonly clock = new ManualClock();
  readonly service = new FakeService(this.clock, 24, 6);
  readonly #leases = leases(memoryState(), this.clock);
  readonly #path: string;
  #stores: LibraryStore[] = [];
  #engines: SyncEngine[] = [];
  #nextReport = 25;
  #requestsLeft: number | null = null;

  constructor(path: string, mangle: number) {
    this.#path = path;
    this.service.before = () => {
      if (this.#requestsLeft !== null && this.#requestsLeft-- <= 0) throw apiError('network');
    };
    // At least once and in no certain order within a page (CHG-3).
    this.service.bend = (items) => {
      if (mangle === 0) return items;
      const twice = items.flatMap((item, index) => (index % 2 === mangle % 2 ? [item, item] : [item]));
      return mangle > 1 ? twice.reverse() : twice;
    };
    this.restart();
  }

  restart(): void {
    this.close();
    this.#stores = [0, 1].map(() => openFile(this.#path, () => this.clock.now()));
    this.#engines = this.#stores.map(
      (store) =>
        new SyncEngine({
          library: localLibrary(store),
          source: this.service,
          ...{ path: this.#path, leases: this.#leases },
          requestsPerSecond: () => 8,
          fullWalkDays: () => 0,
          clock: this.clock,
        }),
    );
    this.clock.advance(120_000);
  }

  close(): void {
    for (const store of this.#stores) store.close();
    this.#stores = [];
  }

  async run(step: Step): Promise<void> {
    const { service } = this;
    const ids = [...service.truth.keys()];
    const id = 'n' in step ? (ids[step.n % Math.max(1, ids.length)] ?? 0) : 0;
    switch (step.step) {
      case 'add':
        return service.upsert(wireReport(this.#nextReport++, 6));
      case 'edit':
        return service.change(id, { report_pages: step.n, report_title: `Title ${step.n}` });
      case 'replacePdf':
        return service.change(id, { content_sha256: step.n.toString(16).padStart(64, '0') });
      case 'withdraw':
        return service.withdraw(id);
      case 'remove':
        return service.removeSilently(id);
      case 'rename':
        return service.renameCompany(service.truth.get(id)?.company_key ?? '', `XNEW_${this.clock.now()}`);
      case 'merge':
        return service.merge(id, ids[(step.n + 1) % Math.max(1, ids.length)] ?? 0);
      case 'withdrawUnknown':
        return service.withdrawUnknown(changed(wireReport(5000 + step.n), {}));
      case 'restamp':
        return service.restamp();
      case 'refuseCursors':
        service.epoch++;
        return;
      case 'wait':
        return this.clock.advance(3_600_000);
      case 'restart':
        return this.restart();
      case 'company':
        await this.#failing(null, () =>
          this.#engine(step.window).loadCompany(service.truth.get(id)?.company_key ?? ''),
        );
        return;
      case 'sync':
      case 'walk': {
        const engine = this.#engine(step.window);
        await this.#failing(step.failAfter, () => (step.step === 'sync' ? engine.sync() : engine.fullWalk()));
      }
    }
  }

  /** Everything that was left open is finished; then the library must be the service's truth. */
  async settle(): Promise<void> {
    this.clock.advance(3_600_000);
    const engine = this.#engine(0);
    await engine.sync();
    const walk = await engine.fullWalk();
    if (walk.question) await engine.answer('remove');
    await engine.sync();
  }

  check(): void {
    for (const store of this.#stores) {
      store.poll();
      const truth = this.service.reportsNow;
      const held = [...store.reportIds({})].sort((a, b) => a - b);
      assert.deepEqual(
        held,
        [...truth.keys()].sort((a, b) => a - b),
      );
      for (const id of held) assert.deepEqual(store.report(id)?.report, truth.get(id));
      this.#checkCounts(store);
    }
  }

  #checkCounts(store: LibraryStore): void {
    const perCompany = new Map<string, number>();
    for (const given of this.service.reportsNow.values()) {
      // A report may still come under a key that its company has left; it is the same company's (COM-1).
      const key = store.company(given.company_key)?.company_key ?? given.company_key;
      perCompany.set(key, (perCompany.get(key) ?? 0) + 1);
      assert.equal(store.countReports({ text: given.report_key, company_key: [given.company_key] }) > 0, true);
    }
    assert.equal(store.totals().listed, this.service.truth.size);
    for (const [key, count] of perCompany) assert.equal(store.company(key)?.listed, count, key);
    const matrix = store.coverage();
    assert.equal(
      matrix.counts.reduce((sum, count) => sum + count, 0),
      this.service.truth.size,
    );
  }

  #engine(index: number): SyncEngine {
    const engine = this.#engines[index];
    assert.ok(engine);
    return engine;
  }

  async #failing(after: number | null, work: () => Promise<unknown>): Promise<void> {
    this.#requestsLeft = after;
    try {
      await work();
    } catch (error) {
      if (after === null || !(error instanceof Error) || error.name !== 'ApiError') throw error;
    } finally {
      this.#requestsLeft = null;
    }
  }
}

describe('the mirror', () => {
  it('ends as the service’s truth, whatever happens on the way', async function () {
    this.timeout(120_000);
    const runs = Number(process.env.MODEL_RUNS ?? 30);
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 25 }), fc.nat({ max: 3 }), async (script, mangle) => {
        const directory = temporaryDirectory();
        const world = new World(join(directory.path, 'library.db'), mangle);
        try {
          for (const step of script) await world.run(step);
          await world.settle();
          world.check();
        } finally {
          world.close();
          directory.remove();
        }
      }),
      { numRuns: runs },
    );
  });
});
