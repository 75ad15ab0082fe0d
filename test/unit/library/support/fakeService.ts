import type { Company } from '../../../../src/api/schemas/company.ts';
import { fiscalYearOf } from '../../../../src/api/schemas/fields.ts';
import type { Entitlements } from '../../../../src/api/schemas/meta.ts';
import type { ListOptions, Page, RawPage } from '../../../../src/api/schemas/page.ts';
import type { ChangesFrom, Report } from '../../../../src/api/schemas/report.ts';
import { ApiError, isRefusal } from '../../../../src/api/transport/errors.ts';
import { companyOf } from '../../../../src/library/sqlite/companyTable.ts';
import type { SyncSource } from '../../../../src/library/sync/run.ts';
import type { WalkFilter } from '../../../../src/library/sync/syncRecord.ts';
import type { ManualClock } from './manualClock.ts';
import { metadataOf, read, type WireReport, wireReport } from './wireReports.ts';

interface FeedItem {
  readonly change: 'upsert' | 'withdrawn';
  readonly report_id: number;
  readonly report_key: string;
  readonly company_key: string;
  readonly changed_at: string;
  readonly content_sha256: unknown;
  readonly report: WireReport | null;
}

/** One request that the service was sent. */
export interface Asked {
  readonly route: 'entitlements' | 'watchlist' | 'reports' | 'changes';
  readonly filter?: WalkFilter;
  readonly from?: ChangesFrom;
  readonly cursor?: string | undefined;
  readonly priority?: string | undefined;
}

/**
 * The service as its interface describes it, in memory: a truth that changes, a list of it, and a feed of what changed.
 * Time is the clock's; every change takes a second.
 */
export class FakeService implements SyncSource {
  readonly truth = new Map<number, WireReport>();
  readonly asked: Asked[] = [];
  readonly clock: ManualClock;
  /** A small page makes many requests. */
  pageSize = 5;
  feedPageSize = 3;
  latency = 0;
  /** Whether answers carry the server's clock. */
  tellsTime = true;
  /** The most requests that were under way at once. */
  maxUnderWay = 0;
  #underWay = 0;
  entitled: Partial<Entitlements> = {};
  /** Looks at each request before it is answered; may throw, or change what is there. */
  before: (asked: Asked) => void = () => {};
  /** Bends the items of a feed page: duplicates, other orders. */
  bend: (items: FeedItem[]) => FeedItem[] = (items) => items;
  /** Bends a page's JSON before it is sent. */
  spoil: (text: string, asked: Asked) => string = (text) => text;
  /** A cursor says to which epoch it belongs; those of an earlier one are refused. */
  epoch = 1;
  readonly isRefusal = isRefusal;
  readonly #feed: FeedItem[] = [];

  constructor(clock: ManualClock, reports = 0, perCompany = 4) {
    this.clock = clock;
    for (let n = 1; n <= reports; n++) {
      const wire = wireReport(n, perCompany);
      this.truth.set(wire.report_id, wire);
    }
  }

  upsert(wire: WireReport): void {
    this.truth.set(wire.report_id, wire);
    this.#tell('upsert', wire);
  }

  /** Changes typed fields of a report, the metadata with them. */
  change(id: number, changes: Record<string, unknown>): void {
    const held = this.truth.get(id);
    if (held) this.upsert(changed(held, changes));
  }

  withdraw(id: number): void {
    const held = this.truth.get(id);
    if (!held) return;
    this.truth.delete(id);
    this.#tell('withdrawn', held);
  }

  /** A withdrawal of a report that no client may ever have held. */
  withdrawUnknown(wire: WireReport): void {
    this.#tell('withdrawn', wire);
  }

  removeSilently(id: number): void {
    this.truth.delete(id);
  }

  restamp(): void {
    for (const id of [...this.truth.keys()]) this.change(id, { updated_at: this.#time() });
  }

  renameCompany(from: string, to: string): void {
    for (const wire of [...this.truth.values()]) {
      if (wire.company_key !== from) continue;
      const key = wire.report_key.replace(from, to);
      this.change(wire.report_id, { company_key: to, report_key: key, filename: `${key}.pdf` });
    }
  }

  /** Two records become one: the retired one is withdrawn, the survivor changes. */
  merge(retired: number, survivor: number): void {
    this.withdraw(retired);
    this.change(survivor, { report_pages: 999 });
  }

  /** The truth as a client reads it, by id. */
  get reportsNow(): Map<number, Report> {
    return new Map([...this.truth].map(([id, wire]) => [id, read(wire)]));
  }

  async entitlements(options: ListOptions = {}): Promise<Entitlements> {
    await this.#arrive({ route: 'entitlements', priority: options.priority }, options);
    const license = { client_name: 'Test', full_access: false, fcyear_start: 2000, fcyear_end: 2030, other: {} };
    return { ...license, report_types: null, watchlist_size: 10, ...this.entitled };
  }

  async *watchlist(options: ListOptions = {}): AsyncGenerator<Page<Company>> {
    const companies = [
      ...new Map([...this.truth.values()].map((wire) => [wire.company_key, companyOf(read(wire))])).values(),
    ];
    for (let at = 0; ; at += this.pageSize) {
      await this.#arrive({ route: 'watchlist', priority: options.priority }, options);
      const data = companies.slice(at, at + this.pageSize);
      const has_more = at + this.pageSize < companies.length;
      const page = { data, count: data.length, has_more, next_cursor: has_more ? `w${at}` : null, quarantined: [] };
      yield { ...page, serverTime: this.tellsTime ? this.clock.now() : null, latency: this.latency };
      if (!has_more) return;
    }
  }

  async reportsPage(filter: WalkFilter, options: ListOptions): Promise<RawPage> {
    const asked: Asked = { route: 'reports', filter, cursor: options.cursor, priority: options.priority };
    await this.#arrive(asked, options);
    const after = options.cursor === undefined ? 0 : this.#open(options.cursor, 'r');
    const all = [...this.truth.values()]
      .filter((wire) => wire.report_id > after && fits(wire, filter))
      .sort((a, b) => a.report_id - b.report_id);
    const data = all.slice(0, this.pageSize);
    const has_more = all.length > data.length;
    return this.#page(asked, data, has_more, has_more ? this.#cursor('r', data.at(-1)?.report_id ?? 0) : null);
  }

  async changesPage(from: ChangesFrom, options: ListOptions): Promise<RawPage> {
    const asked: Asked = { route: 'changes', from, priority: options.priority };
    await this.#arrive(asked, options);
    const at =
      'cursor' in from
        ? this.#open(from.cursor, 'f')
        : this.#feed.findIndex((item) => Date.parse(item.changed_at) > Date.parse(from.since));
    const start = at < 0 ? this.#feed.length : at;
    const items = this.#feed.slice(start, start + this.feedPageSize);
    const next = start + items.length;
    return this.#page(asked, this.bend(items), next < this.#feed.length, this.#cursor('f', next));
  }

  async #arrive(asked: Asked, options: ListOptions): Promise<void> {
    options.signal?.throwIfAborted();
    this.asked.push(asked);
    this.clock.advance(this.latency);
    this.before(asked);
    this.#underWay += 1;
    this.maxUnderWay = Math.max(this.maxUnderWay, this.#underWay);
    // An answer never comes in the same turn.
    await Promise.resolve();
    this.#underWay -= 1;
    options.signal?.throwIfAborted();
  }

  #page(asked: Asked, data: readonly unknown[], has_more: boolean, next_cursor: string | null): RawPage {
    const body = JSON.stringify({ data, page_info: { count: data.length, has_more, next_cursor } });
    return {
      body: new Uint8Array(Buffer.from(this.spoil(body, asked))),
      serverTime: this.tellsTime ? this.clock.now() : null,
    };
  }

  #cursor(kind: string, at: number): string {
    return Buffer.from(`${kind}:${this.epoch}:${at}`).toString('base64url');
  }

  #open(cursor: string, kind: string): number {
    const [found, epoch, at] = Buffer.from(cursor, 'base64url').toString().split(':');
    if (found !== kind || Number(epoch) !== this.epoch) throw apiError('invalid');
    return Number(at);
  }

  #tell(change: FeedItem['change'], wire: WireReport): void {
    const { report_id, report_key, company_key } = wire;
    const report = change === 'upsert' ? wire : null;
    const content_sha256 = report?.content_sha256 ?? null;
    this.#feed.push({ change, report_id, report_key, company_key, changed_at: this.#time(), content_sha256, report });
  }

  #time(): string {
    this.clock.advance(1000);
    return new Date(this.clock.now()).toISOString();
  }
}

/** An error such as the client throws. */
export function apiError(kind: ApiError['problem']['kind']): ApiError {
  return new ApiError({ kind, cause: 'It failed.', nextStep: 'Try again.' });
}

/** A wire report with other typed fields, its metadata in step. */
export function changed(wire: WireReport, changes: Record<string, unknown>): WireReport {
  const next = { ...wire, ...changes } as WireReport;
  return { ...next, metadata: metadataOf(next) } as WireReport;
}

function fits(wire: WireReport, filter: WalkFilter): boolean {
  const report = read(wire);
  const fy = fiscalYearOf(report);
  if (filter.company_key !== undefined && wire.company_key !== filter.company_key) return false;
  return !filter.fcyear || (fy !== null && filter.fcyear.includes(fy));
}
