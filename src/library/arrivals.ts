import type { Report } from '../api/schemas/report.ts';
import { utcTime } from '../base/clock.ts';
import type { ChangeKind } from './store.ts';

/**
 * The order of changes to one report. The feed delivers at least once and may repeat or reorder (CHG-3), so each held
 * report remembers the stamp of the last change applied: twice its time in ms, plus one for a withdrawal, which thereby
 * comes after an upsert of the same moment.
 */
export function stampOf(changedAt: string | null, withdrawn: boolean): number | null {
  if (changedAt === null) return null;
  const ms = utcTime(changedAt);
  return Number.isNaN(ms) ? null : ms * 2 + (withdrawn ? 1 : 0);
}

export function timeOfStamp(stamp: number): number {
  return Math.floor(stamp / 2);
}

/**
 * Whether a change from the feed is to be applied, given the last stamp of the report or of its withdrawal. An undated
 * change is applied as it comes; a withdrawal that was applied before is not applied again, since the report may have
 * been listed again since; a repeated upsert is, since two changes may share a time.
 */
export function shouldApplyChange(item: number | null, held: number | null): boolean {
  if (item === null || held === null || item > held) return true;
  return item === held && item % 2 === 0;
}

/**
 * Whether a row of a list counts that the service made up at `asOf` (ms). One made before the last change from the
 * feed was on its way when the change came, and says less than what is held.
 */
export function shouldApplyRow(asOf: number | null, held: number | null): boolean {
  return asOf === null || held === null || asOf >= timeOfStamp(held);
}

/** What a report says of how it was asked for, when it was not asked for by a retired id or key (RID-2). */
export const noLegacyFields = {
  requested_legacy_report_id: null,
  requested_legacy_report_key: null,
  canonical_report_id: null,
  canonical_report_key: null,
};

/**
 * Removes what an answer says only because of how it was asked for: a report fetched by an id or key that a rename
 * retired names both (RID-2), in a list it does not. The report is stored as lists have it; the retired id and key are
 * given apart.
 * @param askedId the id that it was asked for; after a merge the answer need not repeat it (RID-1)
 */
export function withoutRequest(given: Report, askedId: number | null = null) {
  const { requested_legacy_report_id, requested_legacy_report_key: key } = given;
  const report: Report = { ...given, ...noLegacyFields, report_id: given.canonical_report_id ?? given.report_id };
  const id = requested_legacy_report_id ?? askedId;
  return {
    report,
    retiredId: id === report.report_id ? null : id,
    retiredKey: key === report.report_key ? null : key,
  };
}

/** Fields that catalogue-wide maintenance re-stamps; a change in these alone is no news (CHG-5). */
const stamps: ReadonlySet<string> = new Set(['updated_at', 'created_at', 'report_hash', 'download_path']);

/** What an update means, and which typed fields changed; null when nothing a person would call news did. */
export function classifyUpdate(
  before: Report,
  after: Report,
): { readonly kind: ChangeKind; readonly fields: string[] } | null {
  const fields: string[] = [];
  for (const name in after) {
    if (name === 'metadata') continue;
    const field = name as keyof Report;
    if (before[field] !== after[field] && JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      fields.push(name);
  }
  for (const name in after.metadata) {
    const column = name as keyof Report['metadata'];
    if (before.metadata[column] !== after.metadata[column] && fields.length === 0) fields.push('metadata');
  }
  const news = fields.filter((name) => !stamps.has(name));
  if (news.length === 0) return null;
  return { kind: before.content_sha256 === after.content_sha256 ? 'metadata' : 'pdf', fields: news };
}
