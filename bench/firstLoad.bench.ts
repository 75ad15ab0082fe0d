import type { Entitlements } from '../src/api/schemas/meta.ts';
import type { ListOptions, Page, RawPage } from '../src/api/schemas/page.ts';
import type { SyncSource } from '../src/library/sync/run.ts';
import { SyncEngine } from '../src/library/sync/syncEngine.ts';
import type { WalkFilter } from '../src/library/sync/syncRecord.ts';
import { localLibrary } from '../test/unit/library/support/localLibrary.ts';
import { openInMemory } from '../test/unit/library/support/stores.ts';
import { type BenchmarkResult, round, sizeOf } from './libraryBenchmark.ts';
import { VirtualTime } from './libraryVirtualTime.ts';

const requestsPerSecond = 8;
const firstYear = 2002;
const lastYear = 2025;

/** A service of a given size and distance that answers with pages of nothing, at the permitted rate. */
class DistantService implements SyncSource {
  readonly #time: VirtualTime;
  readonly #latency: number;
  /** Reports of each year. */
  readonly #held = new Map<number, number>();
  readonly #companies: number;
  #slot = Number.NEGATIVE_INFINITY;
  #open = 0;
  pages = 0;
  maxOpen = 0;

  constructor(time: VirtualTime, reports: number, latency: number) {
    this.#time = time;
    this.#latency = latency;
    this.#companies = Math.ceil(reports / 40);
    const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);
    // Recent years hold more, as in any catalogue of this kind.
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
      full_access: false,
      fcyear_start: firstYear,
      fcyear_end: lastYear,
      report_types: null,
      watchlist_size: this.#companies,
      other: {},
    };
  }

  async *watchlist(): AsyncGenerator<Page<never>> {
    const pages = Math.ceil(this.#companies / 500);
    for (let page = 1; page <= pages; page++) {
      await this.#answer();
      yield emptyPage(page < pages, this.#time.now());
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

/** The share of the permitted rate that a first load uses, requests it makes beyond the fewest possible included. */
export async function run(): Promise<BenchmarkResult> {
  const sizes = [100_000, ...(process.env.FIRST_LOAD_LARGE === '0' ? [] : [sizeOf('FIRST_LOAD_REPORTS', 1_000_000)])];
  const rows: { peer: string; p50: number; p95: number }[] = [];
  let met = true;
  let worst = 1;
  for (const reports of sizes) {
    for (const latency of [0, 50, 100, 200, 400, 800]) {
      const time = new VirtualTime();
      const service = new DistantService(time, reports, latency);
      const library = localLibrary(openInMemory(() => time.now()));
      const engine = new SyncEngine({
        library,
        source: service,
        holder: 'bench',
        requestsPerSecond: () => requestsPerSecond,
        fullWalkDays: () => 0,
        clock: time,
      });
      const started = time.monotonic();
      await time.run(engine.sync());
      const took = time.monotonic() - started;
      const share = (service.reportsHeld / 200 / requestsPerSecond) * (1000 / took);
      const goal = latency > 400 ? (reports > 100_000 ? 0.88 : 0.82) : reports > 100_000 ? 0.97 : 0.92;
      worst = Math.min(worst, share / goal);
      met &&= share >= goal && service.maxOpen <= 8;
      const peer = `${reports} reports, ${latency} ms: share of the bound (goal ${goal}, ${service.pages} pages, ${service.maxOpen} open)`;
      rows.push({ peer, p50: round(share), p95: round(share) });
    }
  }
  return {
    name: 'first load against latency, virtual time',
    goal: '>= 0.97 of the permitted rate at 1M to 400 ms, >= 0.92 at 100k; >= 0.88 / 0.82 at 800 ms; at most 8 connections',
    unit: 'share of pages / permitted rate',
    rows,
    ratio: round(worst),
    met,
  };
}
