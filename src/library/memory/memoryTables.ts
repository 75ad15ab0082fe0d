import type { Company } from '../../api/schemas/company.ts';
import { fiscalYearOf, type Report } from '../../api/schemas/report.ts';
import type { ChangeBuilder, Outcome } from '../changeBuilder.ts';
import { type ChangeKind, changeKinds, classifyUpdate } from '../changeLog.ts';
import { companyOf, isOtherCompany, isSameCompany, mergeCompany } from '../companyIdentity.ts';
import { feedItemCounts, listRowCounts, timeOfStamp } from '../feedOrder.ts';
import type { FieldSource } from '../fieldUse.ts';
import type { ReportState } from '../reportQuery.ts';
import { withoutRequest } from '../retired.ts';
import type { Ingesting, IngestOptions, Origin } from '../writer.ts';

/** A report held in memory. */
export interface MemoryReport {
  report: Report;
  /** 0 when undated. */
  fy: number;
  state: ReportState;
  changed: number | null;
  company: MemoryCompany;
}

/** A company held in memory. */
export interface MemoryCompany {
  described: Company;
  watched: boolean;
  readonly reports: Set<number>;
}

export interface MemoryChange {
  readonly seq: number;
  readonly at: number;
  readonly kind: ChangeKind;
  readonly report_id: number;
  readonly fields: readonly string[];
}

/** What a library without SQLite holds, and how reports and withdrawals come into it: the same rules as on disk. */
export class MemoryTables implements Ingesting {
  readonly reports = new Map<number, MemoryReport>();
  readonly companies = new Map<string, MemoryCompany>();
  readonly companyAliases = new Map<string, MemoryCompany>();
  readonly idAliases = new Map<number, number>();
  readonly keyAliases = new Map<string, number>();
  readonly tombstones = new Map<number, number>();
  readonly marks = new Set<number>();
  readonly changes: MemoryChange[] = [];

  /** All listed reports at once: what is in memory is not that much. */
  fieldSource(): FieldSource {
    const listed = () =>
      [...this.reports.values()].filter(({ state }) => state === 'listed').map(({ report }) => report);
    return {
      after: (id) =>
        listed()
          .filter(({ report_id }) => report_id > id)
          .sort((a, b) => a.report_id - b.report_id),
      total: () => listed().length,
    };
  }

  findCompany(key: string): MemoryCompany | null {
    return this.companies.get(key) ?? this.companyAliases.get(key) ?? null;
  }

  expect(): void {
    // A look at a map needs no preparing.
  }

  upsert(given: Report, origin: Origin, options: IngestOptions, built: ChangeBuilder): Outcome {
    const { report, retired } = withoutRequest(given);
    const id = report.report_id;
    for (const key of retired.keys) this.keyAliases.set(key, id);
    for (const old of retired.ids) this.retire(old, id, options, built);
    if (options.mark) this.marks.add(id);
    const held = this.reports.get(id);
    const stamp = held ? held.changed : (this.tombstones.get(id) ?? null);
    const counts = origin.from === 'feed' ? feedItemCounts(origin.stamp, stamp) : listRowCounts(origin.asOf, stamp);
    if (!counts) return 'unchanged';
    const company = this.#owner(companyOf(report));
    const own = origin.from === 'feed' ? origin.stamp : null;
    const changed = own === null ? (held?.changed ?? null) : Math.max(own, held?.changed ?? own);
    const fy = fiscalYearOf(report) ?? 0;
    if (!held) {
      this.tombstones.delete(id);
      this.reports.set(id, { report, fy, state: 'listed', changed, company });
      company.reports.add(id);
      this.#describe(company, report);
      if (options.logNew) this.#news('new', id, own, options, [], built);
      built.report(id, report.company_key);
      return 'added';
    }
    const same = JSON.stringify(held.report) === JSON.stringify(report) && held.company === company;
    if (same && (held.state === 'listed' || (own !== null && own === held.changed))) {
      held.changed = changed;
      return 'unchanged';
    }
    this.#move(held, company, report, built);
    const before = held.report;
    const update = held.state === 'listed' ? classifyUpdate(before, report) : { kind: 'new' as const, fields: [] };
    Object.assign(held, { report, fy, state: 'listed', changed });
    this.#describe(company, report);
    if (before.report_key !== report.report_key) this.keyAliases.set(before.report_key, id);
    if (options.log && update) this.#news(update.kind, id, own, options, update.fields, built);
    built.report(id, report.company_key);
    if (before.company_key !== report.company_key) built.company(before.company_key);
    return update ? 'changed' : 'unchanged';
  }

  withdraw(id: number, stamp: number | null, options: IngestOptions, built: ChangeBuilder): Outcome {
    const held = this.reports.get(id);
    if (!held) {
      if (stamp !== null) this.tombstones.set(id, Math.max(stamp, this.tombstones.get(id) ?? stamp));
      return 'unchanged';
    }
    if (!feedItemCounts(stamp, held.changed)) return 'unchanged';
    this.#leave(held, 'withdrawn', stamp ?? held.changed, options, built);
    return 'withdrawn';
  }

  remove(id: number, options: IngestOptions, built: ChangeBuilder): void {
    const held = this.reports.get(id);
    if (held?.state !== 'listed') return;
    this.#leave(held, 'removed', held.changed, options, built);
    built.count('removed');
  }

  retire(old: number, survivor: number, options: IngestOptions, built: ChangeBuilder): void {
    if (old === survivor) return;
    this.idAliases.set(old, survivor);
    const held = this.reports.get(old);
    if (held?.state === 'listed') this.#leave(held, 'withdrawn', held.changed, options, built);
  }

  mark(id: number): void {
    this.marks.add(id);
  }

  /** Keeps an item of the watchlist; true when it changed something. */
  watch(described: Company): boolean {
    const company = this.#owner(described);
    const merged = mergeCompany(company.described, described, 'newer-wins');
    const changed = merged !== company.described || !company.watched;
    company.described = merged;
    company.watched = true;
    return changed;
  }

  #owner(described: Company): MemoryCompany {
    const held = this.findCompany(described.company_key);
    const taken =
      held && held.described.company_key !== described.company_key && isOtherCompany(held.described, described);
    if (held && !taken) return held;
    this.companyAliases.delete(described.company_key);
    const company = { described, watched: false, reports: new Set<number>() };
    this.companies.set(described.company_key, company);
    return company;
  }

  #describe(company: MemoryCompany, report: Report): void {
    if (company.described.company_key !== report.company_key) return;
    const rule = company.watched ? 'fill-gaps' : 'replace';
    company.described = mergeCompany(company.described, companyOf(report), rule);
  }

  #move(held: MemoryReport, to: MemoryCompany, report: Report, built: ChangeBuilder): void {
    const from = held.company;
    if (from === to) return;
    if (isSameCompany(from.described, companyOf(report))) {
      for (const id of from.reports) {
        const moved = this.reports.get(id);
        if (moved) moved.company = to;
        to.reports.add(id);
      }
      to.described = mergeCompany(to.described, from.described, 'fill-gaps');
      to.watched ||= from.watched;
      this.companies.delete(from.described.company_key);
      for (const [key, company] of this.companyAliases) if (company === from) this.companyAliases.set(key, to);
      this.companyAliases.set(from.described.company_key, to);
      built.renamed(from.described.company_key, report.company_key);
      return;
    }
    from.reports.delete(report.report_id);
    to.reports.add(report.report_id);
    held.company = to;
    if (from.reports.size === 0 && !from.watched) this.companies.delete(from.described.company_key);
  }

  #leave(
    held: MemoryReport,
    state: 'withdrawn' | 'removed',
    stamp: number | null,
    options: IngestOptions,
    built: ChangeBuilder,
  ): void {
    const wasListed = held.state === 'listed';
    held.state = state;
    held.changed = stamp;
    if (!wasListed) return;
    this.#news(state, held.report.report_id, state === 'removed' ? null : stamp, options, [], built);
    built.report(held.report.report_id, held.company.described.company_key);
  }

  #news(
    kind: ChangeKind,
    id: number,
    stamp: number | null,
    options: IngestOptions,
    fields: readonly string[],
    built: ChangeBuilder,
  ): void {
    const seq = (this.changes.at(-1)?.seq ?? 0) + 1;
    const at = stamp === null ? options.now : timeOfStamp(stamp);
    this.changes.push({ seq, at, kind: changeKinds.includes(kind) ? kind : 'metadata', report_id: id, fields });
    if (this.changes.length > 20_000) this.changes.shift();
    built.news = true;
  }
}
