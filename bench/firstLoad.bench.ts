import type { Entitlements } from '../src/api/schemas/meta.ts';
import type { ListOptions, Page, RawPage } from '../src/api/schemas/page.ts';
import { memoryState } from '../src/base/sharedState.ts';
import type { SyncSource } from '../src/library/sync/run.ts';
import { SyncEngine } from '../src/library/sync/syncEngine.ts';
import type { WalkFilter } from '../src/library/sync/syncRecord.ts';
import { leases } from '../src/machine/lease.ts';
import { localLibrary } from '../test/unit/library/support/localLibrary.ts';
import { openInMemory } from '../test/unit/library/support/stores.ts';
import { type BenchmarkResult, round, sizeOf } from './libraryBenchmark.ts';
import { VirtualTime } from './libraryVirtualTime.ts';

const requestsPerSecond = 8;
const firstYear = 2002;
const lastYear = 2025;

/** Windows of fiscal years, and what binds nothing. */
const licenses = ['closed', 'open-ended', 'full access'] as const;
type License = (typeof licenses)[number];

/** A service of a given size and distance that answers with pages of nothing, at the permitted rate. */
class DistantService implements SyncSource {
  readonly #time: VirtualTime;
  readonly #latency: number;
  /** Reports of each year. */
  readonly #held = new Map<number, number>();
  readonly #companies: number;
  readonly #license: License;
  #slot = Number.NEGATIVE_INFINITY;
  #open = 0;
  requests = 0;
  pages = 0;
  watchlistPages = 0;
  maxOpen = 0;

  constructor(time: VirtualTime, reports: number, latency: number, license: License) {
    this.#license = license;
    this.#time = time;
    this.#latency = latency;
    this.#companies = Math.ceil(reports / 40);
    const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);
    // Recent years hold more, as in any catalog of this kind.
    const yearWeight = (year: number) => (year - firstYear + 2) ** 1.2;
    const sum = years.reduce((total, year) => total + yearWeight(year), 0);
    for (const year of years) this.#held.set(year, Math.round((reports * yearWeight(year)) / sum));
  }

  get reportsHeld(): number {
    return [...this.#held.values()].reduce((sum, count) => sum + count, 0);
  }

  isRefusal(): boolean {
    return false;
  }

  async entitlements(): Promise<Entitlements> {
    await this.#answer();
    return {
      client_name: null,
      full_access: this.#license === 'full access',
      fcyear_start: firstYear,
      fcyear_end: this.#license === 'closed' ? lastYear : null,
      report_types: null,
      watchlist_size: this.#companies,
      other: {},
    };
  }

  async *watchlist(): AsyncGenerator<Page<never>> {
    const pages = Math.ceil(this.#companies / 500);
    for (let page = 1; page <= pages; page++) {
      await this.#answer();
      this.watchlistPages++;
      yield { ...emptyPage(page < pages, this.#time.now()), latency: this.#latency };
    }
  }

  async changesPage(): Promise<RawPage> {
    await this.#answer();
    return rawPage(false, null, this.#time.now());
  }

  async reportsPage(filter: WalkFilter, options: ListOptions): Promise<RawPage> {
    await this.#answer();
    this.pages++;
    const at = Number(options.cursor ?? 0);
    const more = at + 200 < this.#matching(filter);
    return rawPage(more, more ? String(at + 200) : null, this.#time.now());
  }

  #matching(filter: WalkFilter): number {
    let sum = 0;
    for (const [year, count] of this.#held) if (filter.fcyear?.includes(year) ?? true) sum += count;
    return sum;
  }

  async #answer(): Promise<void> {
    this.requests++;
    const now = this.#time.monotonic();
    this.#slot = Math.max(this.#slot + 1000 / requestsPerSecond, now);
    if (this.#slot > now) await this.#time.sleep(this.#slot - now);
    this.maxOpen = Math.max(this.maxOpen, ++this.#open);
    // Answers come unevenly, up to a quarter early or late.
    const swing = 0.75 + 0.5 * ((this.pages * 0.618) % 1);
    await this.#time.sleep(this.#latency * swing);
    this.#open--;
  }
}

function rawPage(has_more: boolean, next_cursor: string | null, serverTime: number): RawPage {
  const text = JSON.stringify({ data: [], page_info: { has_more, next_cursor } });
  return { body: new Uint8Array(Buffer.from(text)), serverTime };
}

function emptyPage(has_more: boolean, serverTime: number): Page<never> {
  return { data: [], count: null, has_more, next_cursor: has_more ? 'next' : null, quarantined: [], serverTime };
}

/** The share of the permitted rate that the pages of both lists take of a first load, and its other requests. */
export async function run(): Promise<BenchmarkResult> {
  const sizes = [100_000, ...(process.env.FIRST_LOAD_LARGE === '0' ? [] : [sizeOf('FIRST_LOAD_REPORTS', 1_000_000)])];
  const rows: { peer: string; p50: number; p95: number }[] = [];
  let met = true;
  let worst = 1;
  for (const reports of sizes) {
    for (const [license, latency] of licenses.flatMap((license) =>
      [0, 50, 100, 200, 400, 800].map((latency) => [license, latency] as const),
    )) {
      const time = new VirtualTime();
      const service = new DistantService(time, reports, latency, license);
      const library = localLibrary(openInMemory(() => time.now()));
      const engine = new SyncEngine({
        ...{ library, path: 'bench', leases: leases(memoryState(), time) },
        source: service,
        requestsPerSecond: () => requestsPerSecond,
        fullWalkDays: () => 0,
        clock: time,
      });
      const started = time.monotonic();
      await time.run(engine.sync());
      const took = time.monotonic() - started;
      const fewest = Math.ceil(service.reportsHeld / 200) + service.watchlistPages;
      const share = (fewest / requestsPerSecond) * (1000 / took);
      // One chain is bound by the distance alone: it takes a license with full access however far the service is.
      const isBound = license === 'full access' && latency > 100;
      const goal = isBound ? 0 : latency > 400 ? 0.85 : 0.95;
      const others = service.requests - service.pages - service.watchlistPages;
      const isOnce = service.pages <= Math.ceil(service.reportsHeld / 200) + (latency > 100 && !isBound ? 12 : 0);
      if (!isBound) worst = Math.min(worst, share / goal);
      met &&= share >= goal && service.maxOpen <= 8 && isOnce && others <= 6;
      const peer = `${reports} reports, ${license}, ${latency} ms: share of the bound (goal ${goal}, ${service.pages} pages and ${others} other requests, ${service.maxOpen} open)`;
      rows.push({ peer, p50: round(share), p95: round(share) });
    }
  }
  return {
    name: 'first load against latency, virtual time',
    goal: '>= 0.95 of the permitted rate to 400 ms, >= 0.85 at 800 ms; each page once, at most 6 other requests and 8 connections',
    unit: 'share of pages / permitted rate',
    rows,
    ratio: round(worst),
    met,
  };
}
