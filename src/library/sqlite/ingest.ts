import type { Report } from '../../api/schemas/report.ts';
import type { ChangeBuilder, Outcome } from '../changeBuilder.ts';
import { classifyUpdate } from '../changeLog.ts';
import { companyOf, isSameCompany } from '../companyIdentity.ts';
import { feedItemCounts, listRowCounts, timeOfStamp } from '../feedOrder.ts';
import type { PackedReport } from '../packing/packedReport.ts';
import { withoutRequest } from '../retired.ts';
import { reportText } from '../searchWords.ts';
import type { Ingesting, IngestOptions, Origin } from '../writer.ts';
import type { ChangeTable } from './changeTable.ts';
import type { CompanyTable } from './companyTable.ts';
import type { Connection } from './connection.ts';
import { type HeldReport, isSamePacked, type ReportTable } from './reportTable.ts';
import type { SearchText } from './searchText.ts';
import type { YearTally } from './yearTally.ts';

const listed = 0;
const withdrawn = 1;
const removed = 2;

const heardSql = {
  reports: 'SELECT r.report_id FROM json_each(?) ids CROSS JOIN reports r ON r.report_id = ids.value',
  tombstones: 'SELECT t.report_id FROM json_each(?) ids CROSS JOIN tombstones t ON t.report_id = ids.value',
};

interface Tables {
  readonly connection: Connection;
  readonly reports: ReportTable;
  readonly companies: CompanyTable;
  readonly search: SearchText;
  readonly tally: YearTally;
  readonly log: ChangeTable;
}

/** A report about to take the place of a held one. */
interface Arrival {
  readonly report: Report;
  readonly packed: PackedReport;
  readonly company: number;
  readonly facts: number;
  readonly stamp: number | null;
  readonly origin: Origin;
}

/** Brings reports and withdrawals into the tables, each in the order the service meant (ST-1, ST-2, CHG-3). */
export class Ingest implements Ingesting {
  readonly #tables: Tables;
  /** Ids of which, in this transaction, neither a report nor a withdrawal is held. */
  readonly #unheard = new Set<number>();

  constructor(tables: Tables) {
    this.#tables = tables;
    tables.connection.onRollback(() => this.#unheard.clear());
  }

  /** Most pages of a first load hold nothing but new reports, which is told for all at once. */
  expect(ids: readonly number[]): void {
    this.#unheard.clear();
    if (ids.length === 0) return;
    for (const id of ids) this.#unheard.add(id);
    const given = JSON.stringify(ids);
    for (const table of ['reports', 'tombstones'] as const) {
      for (const [id] of this.#tables.connection.all(heardSql[table], given)) this.#unheard.delete(Number(id));
    }
  }

  upsert(given: Report, origin: Origin, options: IngestOptions, built: ChangeBuilder): Outcome {
    const { connection, reports, companies } = this.#tables;
    const { report, retired } = withoutRequest(given);
    const id = report.report_id;
    for (const key of retired.keys) this.aliasKey(key, id);
    for (const old of retired.ids) this.retire(old, id, options, built);
    if (options.mark) this.mark(id);

    const unheard = this.#unheard.delete(id);
    const held = unheard ? null : reports.read(id);
    const stamp = held ? held.changed : unheard ? null : this.#tombstone(id);
    if (!countsNow(origin, stamp)) return 'unchanged';

    const packed = reports.pack(report);
    const owner = companies.ofReport(report, packed.facts);
    const next = laterStamp(origin, held?.changed ?? null);
    if (!held) {
      if (stamp !== null) connection.run('DELETE FROM tombstones WHERE report_id = ?', id);
      reports.insert(packed, owner.company, owner.facts, listed, next);
      this.#tables.search.addReport(report, packed.fy);
      this.#tables.tally.note(owner.company, packed.fy, 'listed', 1);
      if (options.logNew) this.#news('new', id, origin, options, [], built);
      built.report(id, report.company_key);
      return 'added';
    }
    if (isSamePacked(held, packed) && held.company === owner.company) {
      // A repetition of the very change that was applied last says nothing about what a walk has found since.
      const repeated = origin.from === 'feed' && origin.stamp !== null && origin.stamp === held.changed;
      if (held.state === listed || repeated) {
        if (next !== held.changed) reports.setState(id, held.state, next);
        return 'unchanged';
      }
    }
    return this.#replace(held, { report, packed, ...owner, stamp: next, origin }, options, built);
  }

  withdraw(id: number, stamp: number | null, options: IngestOptions, built: ChangeBuilder): Outcome {
    const { connection, reports } = this.#tables;
    this.#unheard.delete(id);
    const held = reports.read(id);
    if (!held) {
      // Kept, so that an older upsert that arrives late does not bring the report in.
      if (stamp !== null) {
        connection.run(
          `INSERT INTO tombstones(report_id, changed) VALUES (?, ?)
           ON CONFLICT DO UPDATE SET changed = max(changed, excluded.changed)`,
          id,
          stamp,
        );
      }
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
    this.#tables.connection.run(
      'INSERT INTO id_aliases(report_id, survivor) VALUES (?, ?) ON CONFLICT DO UPDATE SET survivor = excluded.survivor',
      old,
      survivor,
    );
    const held = this.#tables.reports.read(old);
    if (held?.state === listed) this.#leave(held, withdrawn, held.changed, options, built);
  }

  aliasKey(key: string, id: number): void {
    this.#tables.connection.run(
      'INSERT INTO key_aliases(report_key, report_id) VALUES (?, ?) ON CONFLICT DO UPDATE SET report_id = excluded.report_id',
      key,
      id,
    );
  }

  mark(id: number): void {
    this.#tables.connection.run('INSERT OR IGNORE INTO marks(report_id) VALUES (?)', id);
  }

  /** A re-stamp is kept and counts as nothing: no value that a person looks at is another one (CHG-5). */
  #replace(held: HeldReport, arrival: Arrival, options: IngestOptions, built: ChangeBuilder): Outcome {
    const { reports, search, tally, companies } = this.#tables;
    const { report, packed, company } = arrival;
    const id = report.report_id;
    const before = reports.unpack(held);
    const left = this.#moveCompany(held, report, company, built);
    reports.update(packed, company, arrival.facts, listed, arrival.stamp);
    tally.note(left, held.fy, held.state === listed ? 'listed' : 'gone', -1);
    tally.note(company, packed.fy, 'listed', 1);
    if (held.fy !== packed.fy || reportText(before) !== reportText(report)) {
      search.removeReport(before, held.fy);
      search.addReport(report, packed.fy);
    }
    if (before.report_key !== report.report_key) this.aliasKey(before.report_key, id);
    const update = held.state === listed ? classifyUpdate(before, report) : { kind: 'new' as const, fields: [] };
    if (options.log && update) this.#news(update.kind, id, arrival.origin, options, update.fields, built);
    built.report(id, report.company_key);
    if (before.company_key !== report.company_key) built.company(before.company_key);
    if (left !== company) {
      // It may have taken another key since the report came in under the one that is named above.
      built.company(companies.read(left)?.company_key ?? before.company_key);
      tally.flush();
      companies.dropIfEmpty(left);
    }
    return update ? 'changed' : 'unchanged';
  }

  /** The company that loses the report: the former one, or the new one itself when the two turn out to be the same. */
  #moveCompany(held: HeldReport, report: Report, to: number, built: ChangeBuilder): number {
    if (held.company === to) return to;
    const { companies, tally } = this.#tables;
    const former = companies.read(held.company);
    if (!former || !isSameCompany(former, companyOf(report))) return held.company;
    tally.flush();
    companies.merge(held.company, to);
    tally.total(to);
    built.renamed(former.company_key, report.company_key);
    return to;
  }

  #leave(held: HeldReport, state: number, stamp: number | null, options: IngestOptions, built: ChangeBuilder): void {
    const { reports, tally } = this.#tables;
    reports.setState(held.report_id, state, stamp);
    if (held.state !== listed) return;
    tally.note(held.company, held.fy, 'listed', -1);
    tally.note(held.company, held.fy, 'gone', 1);
    const kind = state === removed ? 'removed' : 'withdrawn';
    this.#news(kind, held.report_id, { from: 'feed', stamp: kind === 'removed' ? null : stamp }, options, [], built);
    built.report(held.report_id, this.#tables.companies.read(held.company)?.company_key ?? '');
  }

  #news(
    kind: Parameters<ChangeTable['add']>[0],
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

  #tombstone(id: number): number | null {
    const row = this.#tables.connection.get('SELECT changed FROM tombstones WHERE report_id = ?', id);
    return row ? Number(row[0]) : null;
  }
}

function countsNow(origin: Origin, held: number | null): boolean {
  return origin.from === 'feed' ? feedItemCounts(origin.stamp, held) : listRowCounts(origin.asOf, held);
}

function laterStamp(origin: Origin, held: number | null): number | null {
  if (origin.from === 'list' || origin.stamp === null) return held;
  return held === null ? origin.stamp : Math.max(origin.stamp, held);
}
