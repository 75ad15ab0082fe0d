import type { Report } from '../../api/schemas/report.ts';
import { classifyUpdate, shouldApplyChange, shouldApplyRow, timeOfStamp, withoutRequest } from '../arrivals.ts';
import { companyOf, isSameCompany } from '../companyIdentity.ts';
import type { ChangeBuilder, Outcome } from '../libraryChange.ts';
import type { ChangeKind } from '../store.ts';
import type { SyncRecord } from '../sync/syncRecord.ts';
import { logChange, renameField } from './changeTable.ts';
import { type CompanyWrites, heldCompany } from './companyTable.ts';
import type { Database } from './openDatabase.ts';
import { decodeReport, encodeReport, filterColumns } from './reportRow.ts';
import * as table from './reportTable.ts';
import { type ReportTextWrites, reportTerms } from './searchText.ts';

const withdrawn = 1;
const removed = 2;

/**
 * Where a report comes from: the feed, with its position in the order of changes, or a list made up at a time (ms), or
 * the answer to a request by an id, which counts as a list of one.
 */
export type ReportOrigin =
  | { readonly from: 'feed'; readonly stamp: number | null }
  | { readonly from: 'list'; readonly asOf: number | null; readonly askedId?: number };

export interface Writing {
  readonly db: Database;
  readonly companies: CompanyWrites;
  readonly words: ReportTextWrites;
  readonly built: ChangeBuilder;
  /** As it was when the transaction began. */
  readonly record: SyncRecord;
  /** Whether new and changed reports are news; not so while the library is first filled. */
  readonly log: boolean;
  /** Whether what is seen is marked for the sweep of a full walk. */
  readonly mark: boolean;
  readonly now: number;
}

interface Arrival {
  readonly report: Report;
  readonly written: table.WrittenReport;
  readonly stamp: number | null;
  readonly origin: ReportOrigin;
}

/** Brings a report into the tables, in the order the service meant (ST-1, CHG-3). */
export function upsert(writing: Writing, given: Report, origin: ReportOrigin): Outcome {
  const { db, companies } = writing;
  const { report, retiredId, retiredKey } = withoutRequest(
    given,
    origin.from === 'list' ? (origin.askedId ?? null) : null,
  );
  const id = report.report_id;
  if (retiredKey !== null) table.aliasKey(db, retiredKey, id);
  if (retiredId !== null) retire(writing, retiredId, id);
  if (writing.mark) table.markReport(db, id);

  const held = table.heldReport(db, id);
  const heldStamp = held ? held.changed : table.tombstone(db, id);
  if (!countsNow(origin, heldStamp)) return 'unchanged';

  const body = encodeReport(report);
  const stamp = laterStamp(origin, held?.changed ?? null);
  const company = companies.ofReport(report);
  if (held && held.body === body && held.company === company) {
    // A repetition of the very change that was applied last says nothing about what a walk has found since.
    const repeated = origin.from === 'feed' && origin.stamp !== null && origin.stamp === held.changed;
    if (held.state === table.listed || repeated) {
      if (stamp !== held.changed) table.setState(db, id, held.state, stamp);
      return 'unchanged';
    }
  }
  const arrival = { report, written: { report_id: id, company, body, ...filterColumns(report) }, stamp, origin };
  if (!held && heldStamp !== null) db.run('DELETE FROM tombstones WHERE report_id = ?', id);
  const outcome = held ? replace(writing, held, arrival) : add(writing, arrival);
  followSamePdf(writing, id, body);
  return outcome;
}

/** Flags a report that the service withdrew (ST-2). */
export function withdraw(writing: Writing, id: number, stamp: number | null): Outcome {
  const held = table.heldReport(writing.db, id);
  if (!held) {
    if (stamp !== null) table.bury(writing.db, id, stamp);
    return 'unchanged';
  }
  if (!shouldApplyChange(stamp, held.changed)) return 'unchanged';
  leave(writing, held, withdrawn, stamp ?? held.changed);
  followSamePdf(writing, id, held.body);
  return 'withdrawn';
}

/** Flags a report that a full walk did not find (ST-3). */
export function remove(writing: Writing, id: number): void {
  const held = table.heldReport(writing.db, id);
  if (held?.state !== table.listed) return;
  leave(writing, held, removed, held.changed);
  followSamePdf(writing, id, held.body);
  writing.built.counts.removed++;
}

/** Notes that an id leads to another report since a merge; what was held under it is no longer served (RID-1). */
export function retire(writing: Writing, old: number, survivor: number): void {
  if (old === survivor) return;
  table.aliasId(writing.db, old, survivor);
  const held = table.heldReport(writing.db, old);
  if (held?.state === table.listed) leave(writing, held, withdrawn, held.changed);
}

/**
 * Where a report of a company is gone and a listed one publishes the same PDF, the two were merged, whatever the feed
 * says of it (RID-1). While a library is first filled nothing is gone.
 */
function followSamePdf({ db, log }: Writing, id: number, body: string): void {
  const { content_sha256, company_key } = decodeReport(id, body);
  if (!log || content_sha256 === null) return;
  const same = table.reportsOfPdf(db, content_sha256, company_key);
  const survivor = same.find(({ state }) => state === table.listed);
  if (!survivor) return;
  for (const gone of same) if (gone.state !== table.listed) table.aliasId(db, gone.report_id, survivor.report_id);
}

function add(writing: Writing, { report, written, stamp, origin }: Arrival): Outcome {
  const { db, companies, words, built } = writing;
  table.writeReport(db, written, stamp);
  companies.describe(written.company, report);
  companies.touch(written.company);
  words.write(report, written.fy);
  if (writing.log) addNews(writing, 'new', report.report_id, origin, []);
  built.report(report.report_id, report.company_key);
  return 'added';
}

/** A re-stamp is kept and counts as nothing: no value that a person looks at is another one (CHG-5). */
function replace(writing: Writing, held: table.HeldReport, { report, written, stamp, origin }: Arrival): Outcome {
  const { db, companies, words, built } = writing;
  const id = report.report_id;
  const before = decodeReport(held.report_id, held.body);
  const left = moveCompany(writing, held, report, written.company);
  table.writeReport(db, written, stamp);
  companies.describe(written.company, report);
  companies.touch(left);
  companies.touch(written.company);
  if (held.fy !== written.fy) words.remove(id, held.fy);
  if (held.fy !== written.fy || reportTerms(before) !== reportTerms(report)) words.write(report, written.fy);
  if (before.report_key !== report.report_key) table.aliasKey(db, before.report_key, id);
  const update = held.state === table.listed ? classifyUpdate(before, report) : { kind: 'new' as const, fields: [] };
  if (writing.log && update) {
    const fields = update.fields.map((name) =>
      name === 'report_key' ? renameField(before.report_key, report.report_key) : name,
    );
    addNews(writing, update.kind, id, origin, fields);
  }
  built.report(id, report.company_key);
  if (before.company_key !== report.company_key) built.company(before.company_key);
  if (left !== written.company) {
    // It may have taken another key since the report came in under the one that is named above.
    built.company(heldCompany(db, left)?.company_key ?? before.company_key);
    companies.dropIfEmpty(left);
  }
  return update ? 'changed' : 'unchanged';
}

/** The company that loses the report: the former one, or the new one itself when the two turn out to be the same. */
function moveCompany({ db, companies, built }: Writing, held: table.HeldReport, report: Report, to: number): number {
  if (held.company === to) return to;
  const former = heldCompany(db, held.company);
  if (!former || !isSameCompany(former, companyOf(report))) return held.company;
  companies.merge(held.company, to);
  built.renamed(former.company_key, report.company_key);
  return to;
}

function leave(writing: Writing, held: table.HeldReport, state: number, stamp: number | null): void {
  const { db, companies, built } = writing;
  table.setState(db, held.report_id, state, stamp);
  if (held.state !== table.listed) return;
  companies.touch(held.company);
  const kind = state === removed ? 'removed' : 'withdrawn';
  addNews(writing, kind, held.report_id, { from: 'feed', stamp: kind === 'removed' ? null : stamp }, []);
  built.report(held.report_id, heldCompany(db, held.company)?.company_key ?? '');
}

function addNews(
  writing: Writing,
  kind: ChangeKind,
  id: number,
  origin: ReportOrigin,
  fields: readonly string[],
): void {
  const at = origin.from === 'feed' && origin.stamp !== null ? timeOfStamp(origin.stamp) : writing.now;
  logChange(writing.db, kind, id, at, fields);
  writing.built.news = true;
}

function countsNow(origin: ReportOrigin, held: number | null): boolean {
  return origin.from === 'feed' ? shouldApplyChange(origin.stamp, held) : shouldApplyRow(origin.asOf, held);
}

function laterStamp(origin: ReportOrigin, held: number | null): number | null {
  if (origin.from === 'list' || origin.stamp === null) return held;
  return held === null ? origin.stamp : Math.max(origin.stamp, held);
}
