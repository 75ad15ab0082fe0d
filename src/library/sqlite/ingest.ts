import type { Report } from '../../api/schemas/report.ts';
import { classifyUpdate, feedItemCounts, listRowCounts, timeOfStamp, withoutRequest } from '../arrivals.ts';
import { companyOf, isSameCompany } from '../companyIdentity.ts';
import type { ChangeBuilder, Outcome } from '../libraryChange.ts';
import type { ChangeKind } from '../store.ts';
import { type ChangeTable, renameField } from './changeTable.ts';
import type { CompanyTable } from './companyTable.ts';
import { decodeReport, encodeReport, filterColumns } from './reportRow.ts';
import { type HeldReport, listed, type ReportTable, type WrittenReport } from './reportTable.ts';
import { reportWords, type SearchText } from './searchText.ts';

const withdrawn = 1;
const removed = 2;

/** Where a report comes from: the feed, with its place in the order of changes, or a list made up at a time (ms). */
export type Origin =
  | { readonly from: 'feed'; readonly stamp: number | null }
  | { readonly from: 'list'; readonly asOf: number | null };

/** How one write treats what it brings. */
export interface IngestOptions {
  /** Whether new and changed reports are news; not so while the library is first filled. */
  readonly log: boolean;
  /** Whether reports not held yet are news; not so for those that only the walk after an unproven first load finds. */
  readonly logNew: boolean;
  /** Whether what is seen is marked for the sweep of a full walk. */
  readonly mark: boolean;
  readonly now: number;
}

interface Tables {
  readonly reports: ReportTable;
  readonly companies: CompanyTable;
  readonly search: SearchText;
  readonly log: ChangeTable;
}

/** A report about to be written. */
interface Arrival {
  readonly report: Report;
  readonly written: WrittenReport;
  readonly stamp: number | null;
  readonly origin: Origin;
}

/** Brings reports and withdrawals into the tables, each in the order the service meant (ST-1, ST-2, CHG-3). */
export class Ingest {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  upsert(given: Report, origin: Origin, options: IngestOptions, built: ChangeBuilder): Outcome {
    const { reports, companies } = this.#tables;
    const { report, retiredId, retiredKey } = withoutRequest(given);
    const id = report.report_id;
    if (retiredKey !== null) reports.aliasKey(retiredKey, id);
    if (retiredId !== null) this.retire(retiredId, id, options, built);
    if (options.mark) this.mark(id);

    const held = reports.read(id);
    const heldStamp = held ? held.changed : reports.tombstone(id);
    if (!countsNow(origin, heldStamp)) return 'unchanged';

    const body = encodeReport(report);
    const stamp = laterStamp(origin, held?.changed ?? null);
    const company = companies.ofReport(report);
    if (held && held.body === body && held.company === company) {
      // A repetition of the very change that was applied last says nothing about what a walk has found since.
      const repeated = origin.from === 'feed' && origin.stamp !== null && origin.stamp === held.changed;
      if (held.state === listed || repeated) {
        if (stamp !== held.changed) reports.setState(id, held.state, stamp);
        return 'unchanged';
      }
    }
    const written = { report_id: id, company, body, ...filterColumns(report) };
    if (held) return this.#replace(held, { report, written, stamp, origin }, options, built);
    if (heldStamp !== null) reports.unbury(id);
    return this.#add({ report, written, stamp, origin }, options, built);
  }

  withdraw(id: number, stamp: number | null, options: IngestOptions, built: ChangeBuilder): Outcome {
    const held = this.#tables.reports.read(id);
    if (!held) {
      if (stamp !== null) this.#tables.reports.bury(id, stamp);
      return 'unchanged';
    }
    if (!feedItemCounts(stamp, held.changed)) return 'unchanged';
    this.#leave(held, withdrawn, stamp ?? held.changed, options, built);
    return 'withdrawn';
  }

  /** Flags a report that a full walk did not find (ST-3). */
  remove(id: number, options: IngestOptions, built: ChangeBuilder): void {
    const held = this.#tables.reports.read(id);
    if (held?.state !== listed) return;
    this.#leave(held, removed, held.changed, options, built);
    built.count('removed');
  }

  /** Notes that an id leads to another report since a merge; what was held under it is no longer served (RID-1). */
  retire(old: number, survivor: number, options: IngestOptions, built: ChangeBuilder): void {
    if (old === survivor) return;
    this.#tables.reports.aliasId(old, survivor);
    const held = this.#tables.reports.read(old);
    if (held?.state === listed) this.#leave(held, withdrawn, held.changed, options, built);
  }

  mark(id: number): void {
    this.#tables.reports.mark(id);
  }

  /** Brings counts and indexes in line. To be called before a transaction ends. */
  flush(): void {
    this.#tables.companies.flush();
    this.#tables.search.flush();
  }

  #add({ report, written, stamp, origin }: Arrival, options: IngestOptions, built: ChangeBuilder): Outcome {
    const { reports, companies, search } = this.#tables;
    reports.write(written, stamp);
    companies.describe(written.company, report);
    companies.touch(written.company);
    search.addReport(report, written.fy);
    if (options.logNew) this.#news('new', report.report_id, origin, options, [], built);
    built.report(report.report_id, report.company_key);
    return 'added';
  }

  /** A re-stamp is kept and counts as nothing: no value that a person looks at is another one (CHG-5). */
  #replace(held: HeldReport, arrival: Arrival, options: IngestOptions, built: ChangeBuilder): Outcome {
    const { reports, search, companies } = this.#tables;
    const { report, written } = arrival;
    const id = report.report_id;
    const before = decodeReport(held.report_id, held.body);
    const left = this.#moveCompany(held, report, written.company, built);
    reports.write(written, arrival.stamp);
    companies.describe(written.company, report);
    companies.touch(left);
    companies.touch(written.company);
    if (held.fy !== written.fy || reportWords(before) !== reportWords(report)) {
      search.removeReport(before, held.fy);
      search.addReport(report, written.fy);
    }
    if (before.report_key !== report.report_key) reports.aliasKey(before.report_key, id);
    const update = held.state === listed ? classifyUpdate(before, report) : { kind: 'new' as const, fields: [] };
    const fields = update?.fields.map((name) =>
      name === 'report_key' ? renameField(before.report_key, report.report_key) : name,
    );
    if (options.log && update) this.#news(update.kind, id, arrival.origin, options, fields ?? [], built);
    built.report(id, report.company_key);
    if (before.company_key !== report.company_key) built.company(before.company_key);
    if (left !== written.company) {
      // It may have taken another key since the report came in under the one that is named above.
      built.company(companies.read(left)?.company_key ?? before.company_key);
      companies.dropIfEmpty(left);
    }
    return update ? 'changed' : 'unchanged';
  }

  /** The company that loses the report: the former one, or the new one itself when the two turn out to be the same. */
  #moveCompany(held: HeldReport, report: Report, to: number, built: ChangeBuilder): number {
    if (held.company === to) return to;
    const { companies } = this.#tables;
    const former = companies.read(held.company);
    if (!former || !isSameCompany(former, companyOf(report))) return held.company;
    companies.merge(held.company, to);
    built.renamed(former.company_key, report.company_key);
    return to;
  }

  #leave(held: HeldReport, state: number, stamp: number | null, options: IngestOptions, built: ChangeBuilder): void {
    const { reports, companies } = this.#tables;
    reports.setState(held.report_id, state, stamp);
    if (held.state !== listed) return;
    companies.touch(held.company);
    const kind = state === removed ? 'removed' : 'withdrawn';
    this.#news(kind, held.report_id, { from: 'feed', stamp: kind === 'removed' ? null : stamp }, options, [], built);
    built.report(held.report_id, companies.read(held.company)?.company_key ?? '');
  }

  #news(
    kind: ChangeKind,
    id: number,
    origin: Origin,
    options: IngestOptions,
    fields: readonly string[],
    built: ChangeBuilder,
  ): void {
    const at = origin.from === 'feed' && origin.stamp !== null ? timeOfStamp(origin.stamp) : options.now;
    this.#tables.log.add(kind, id, at, fields);
    built.news = true;
  }
}

function countsNow(origin: Origin, held: number | null): boolean {
  return origin.from === 'feed' ? feedItemCounts(origin.stamp, held) : listRowCounts(origin.asOf, held);
}

function laterStamp(origin: Origin, held: number | null): number | null {
  if (origin.from === 'list' || origin.stamp === null) return held;
  return held === null ? origin.stamp : Math.max(origin.stamp, held);
}
