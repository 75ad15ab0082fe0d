import { isDeepStrictEqual } from 'node:util';
import type { Report } from '../../api/schemas/report.ts';
import { utcTime } from '../../base/clock.ts';
import type { ChangeBuilder, Outcome } from '../libraryChange.ts';
import type { ChangeKind } from '../store.ts';
import type { SyncRecord } from '../sync/syncRecord.ts';
import { type ChangeDetails, logChange } from './changeTable.ts';
import { type CompanyWrites, companyOf, heldCompany, isSameCompany } from './companyTable.ts';
import type { Database } from './openDatabase.ts';
import { decodeReport, encodeReport, filterColumns, noLegacyFields } from './reportRow.ts';
import * as table from './reportTable.ts';
import { type ReportTextWrites, reportTerms } from './searchText.ts';

const withdrawn = 1;
const removed = 2;

/** Where a report comes from. An answer to a request by id counts as a list of one. */
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
  /** Whether new and changed reports are news; not during the first load. */
  readonly log: boolean;
  /** Whether reports are marked for the sweep of a full walk. */
  readonly mark: boolean;
  readonly now: number;
}

/** Orders changes to a report, which may repeat (CHG-3): twice the time in ms, plus one for a withdrawal. */
export function stampOf(changedAt: string | null, isWithdrawal: boolean): number | null {
  const ms = changedAt === null ? Number.NaN : utcTime(changedAt);
  return Number.isNaN(ms) ? null : ms * 2 + (isWithdrawal ? 1 : 0);
}

const timeOfStamp = (stamp: number) => Math.floor(stamp / 2);

/** Whether a change applies. A repeated withdrawal doesn't: the report may be listed again. A repeated upsert does. */
function shouldApplyChange(stamp: number | null, held: number | null): boolean {
  if (stamp === null || held === null || stamp > held) return true;
  return stamp === held && stamp % 2 === 0;
}

/** Whether a report applies. A list made before the last change from the feed says less than what is held. */
function shouldApply(origin: ReportOrigin, held: number | null): boolean {
  if (origin.from === 'feed') return shouldApplyChange(origin.stamp, held);
  return origin.asOf === null || held === null || origin.asOf >= timeOfStamp(held);
}

/** Stores a report, in the order the service meant (ST-1, CHG-3). */
export function upsert(writing: Writing, given: Report, origin: ReportOrigin): Outcome {
  const { db, companies, words, built } = writing;
  const report = acceptRetired(writing, given, origin.from === 'list' ? origin.askedId : undefined);
  const id = report.report_id;
  if (writing.mark) table.markReport(db, id);

  const held = table.heldReport(db, id);
  const heldStamp = held ? held.changed : table.tombstone(db, id);
  if (!shouldApply(origin, heldStamp)) return 'unchanged';

  const body = encodeReport(report);
  const stamp = origin.from === 'feed' ? origin.stamp : null;
  const changed = stamp === null ? (held?.changed ?? null) : Math.max(stamp, held?.changed ?? stamp);
  const company = companies.ofReport(report);
  if (held && held.body === body && held.company === company) {
    // A repetition of the change that was applied last says nothing about what a walk has found since.
    const isRepeated = stamp !== null && stamp === held.changed;
    if (held.state === table.listed || isRepeated) {
      if (changed !== held.changed) table.setState(db, id, held.state, changed);
      return 'unchanged';
    }
  }
  if (!held && heldStamp !== null) db.run('DELETE FROM tombstones WHERE report_id = ?', id);
  const before = held && decodeReport(id, held.body);
  const left = held ? moveCompany(writing, held.company, report, company) : company;
  const columns = filterColumns(report);
  table.writeReport(db, { report_id: id, company, fy: columns.fy, changed, body }, columns);
  companies.describe(company, report);
  companies.touch(company);
  if (held && held.fy !== columns.fy) words.remove(id, held.fy);
  if (held?.fy !== columns.fy || !before || reportTerms(before) !== reportTerms(report))
    words.write(report, columns.fy);
  built.report(id, report.company_key);

  let outcome: Outcome = 'added';
  if (held && before) {
    companies.touch(left);
    if (before.report_key !== report.report_key) table.aliasKey(db, before.report_key, id);
    if (before.company_key !== report.company_key) built.company(before.company_key);
    if (left !== company) {
      // It may have another key than the report came under.
      built.company(heldCompany(db, left)?.company_key ?? before.company_key);
      companies.dropIfEmpty(left);
    }
    const update =
      held.state === table.listed ? classifyUpdate(before, report) : { kind: 'new' as const, details: null };
    if (writing.log && update) addNews(writing, update.kind, id, stamp, update.details);
    // A re-stamp is stored and counts as nothing: no value that a person sees has changed (CHG-5).
    outcome = update ? 'changed' : 'unchanged';
  } else if (writing.log) addNews(writing, 'new', id, stamp, null);
  if (writing.log) table.followSamePdf(db, id);
  return outcome;
}

/**
 * Stores a report as lists have it, and makes the retired id and key lead to it (RID-2).
 * @param askedId the requested id; after a merge the answer need not repeat it (RID-1)
 */
function acceptRetired(writing: Writing, given: Report, askedId: number | undefined): Report {
  const report = { ...given, ...noLegacyFields, report_id: given.canonical_report_id ?? given.report_id };
  const id = given.requested_legacy_report_id ?? askedId;
  const key = given.requested_legacy_report_key;
  if (key !== null && key !== report.report_key) table.aliasKey(writing.db, key, report.report_id);
  if (id !== undefined) retire(writing, id, report.report_id);
  return report;
}

/** Flags a report that the service withdrew (ST-2). */
export function withdraw(writing: Writing, id: number, stamp: number | null): Outcome {
  const { db } = writing;
  const held = table.heldReport(db, id);
  if (!held && stamp !== null) table.bury(db, id, stamp);
  if (!held || !shouldApplyChange(stamp, held.changed)) return 'unchanged';
  leave(writing, held, withdrawn, stamp ?? held.changed);
  if (writing.log) table.followSamePdf(db, id);
  return 'withdrawn';
}

/** Flags a report that a full walk did not find (ST-3). */
export function remove(writing: Writing, id: number): void {
  const held = table.heldReport(writing.db, id);
  if (held?.state !== table.listed) return;
  leave(writing, held, removed, held.changed);
  if (writing.log) table.followSamePdf(writing.db, id);
  writing.built.counts.removed++;
}

/** Notes that an id leads to another report since a merge; the report under it is no longer served (RID-1). */
export function retire(writing: Writing, old: number, survivor: number): void {
  if (old === survivor) return;
  table.aliasId(writing.db, old, survivor);
  const held = table.heldReport(writing.db, old);
  if (held?.state === table.listed) leave(writing, held, withdrawn, held.changed);
}

/** The company that loses the report: the former one, or the new one itself when the two turn out to be the same. */
function moveCompany({ db, companies, built }: Writing, from: number, report: Report, to: number): number {
  const former = from === to ? null : heldCompany(db, from);
  if (!former || !isSameCompany(former, companyOf(report))) return from;
  companies.merge(from, to);
  built.renamed(former.company_key, report.company_key);
  return to;
}

function leave(writing: Writing, held: table.HeldReport, state: number, stamp: number | null): void {
  const { db, companies, built } = writing;
  table.setState(db, held.report_id, state, stamp);
  if (held.state !== table.listed) return;
  companies.touch(held.company);
  if (state === removed) addNews(writing, 'removed', held.report_id, null, null);
  else addNews(writing, 'withdrawn', held.report_id, stamp, null);
  built.report(held.report_id, heldCompany(db, held.company)?.company_key ?? '');
}

/** Fields that maintenance of the whole catalog re-stamps; a change in these alone is no news (CHG-5). */
const stamps: ReadonlySet<string> = new Set(['updated_at', 'created_at', 'report_hash', 'download_path']);

/** What an update means, and which typed fields changed; null when it is no news. */
function classifyUpdate(before: Report, after: Report) {
  const names = Object.keys(after) as (keyof Report)[];
  const fields = names.filter((name) => name !== 'metadata' && !isDeepStrictEqual(before[name], after[name]));
  if (fields.length === 0 && !isDeepStrictEqual(before.metadata, after.metadata)) fields.push('metadata');
  const news = fields.filter((name) => !stamps.has(name));
  if (news.length === 0) return null;
  const kind: ChangeKind = before.content_sha256 === after.content_sha256 ? 'metadata' : 'pdf';
  const [from, to] = [before.report_key, after.report_key];
  return { kind, details: { fields: news, renamed: from === to ? null : { from, to } } };
}

function addNews(
  { db, built, now }: Writing,
  kind: ChangeKind,
  id: number,
  stamp: number | null,
  details: ChangeDetails | null,
): void {
  logChange(db, kind, id, stamp === null ? now : timeOfStamp(stamp), details);
  built.news = true;
}
