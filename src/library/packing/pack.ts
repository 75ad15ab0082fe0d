import type { ColumnName } from '../../api/schemas/fields.ts';
import { fiscalYearOf, type Report } from '../../api/schemas/report.ts';
import type { Cell } from './codecs.ts';
import { hexBytes, numeric, open, predicted, time, word } from './codecs.ts';
import { follows } from './follows.ts';
import { factsOf, type HotColumns, type PackedReport } from './packedReport.ts';
import type { SharedFacts } from './sharedFacts.ts';
import { packFlags } from './triStates.ts';
import { type Draft, predict, predictedEnd, predictedFilename, predictedKey, predictedStart } from './unpack.ts';
import { isStorable, type Words } from './words.ts';

/**
 * Packs a report for storage. What unpacking would get wrong is found by doing it, and kept in `extra`: so whatever
 * the service sends, reading gives it back exactly.
 */
export function pack(report: Report, words: Words, shared?: SharedFacts): PackedReport {
  const m = report.metadata;
  const id = report.report_id;
  const fy = fiscalYearOf(report) ?? 0;
  const facts = factsOf(m);
  const ownDigits = String(id);
  const hot: HotColumns = {
    report_id: id,
    fy: Number.isSafeInteger(fy) ? fy : 0,
    type: hotWord(report.report_type, words),
    class: hotWord(report.report_class, words),
    lang: hotWord(report.report_lang, words),
    level: hotWord(report.assurance_level, words),
    flags: packFlags(report),
    sha: hexBytes(report.content_sha256),
    hash: hexBytes(report.report_hash),
  };
  // In the order of `place`.
  const body: Cell[] = [
    m.title,
    predicted(m.filename, predictedFilename(m.report_key)),
    numeric(m.year),
    numeric(m.pages),
    numeric(m.filesize),
    m.publication_date,
    predicted(m.period_start, predictedStart(hot.fy)),
    predicted(m.period_end, predictedEnd(hot.fy)),
    predicted(m.fiscal_year, String(hot.fy)),
    numeric(m.edition),
    predicted(m.report_key, predictedKey(m.company_key, m.year, hot.type === 0 ? null : words.text(hot.type))),
    word(m.gri_level, words),
    word(m.sbti_status, words),
    m.sdg_goals,
    word(m.assurance_provider, words),
    word(m.assurance_standard, words),
    word(m.assurance_scope, words),
    time(report.created_at),
    time(report.updated_at),
    open(report.download_path, ownDigits, words),
    open(report.formats, ownDigits, words),
    open(report.document_scope, ownDigits, words),
    open(report.report_period, ownDigits, words),
  ];
  return {
    ...hot,
    facts: shared ? shared.json(m.company_key, facts) : JSON.stringify(facts),
    body: JSON.stringify(body),
    extra: follows(report, hot, words) ? null : difference(predict(hot, body, facts, report, words), report),
  };
}

/** Filters find reports by these; a text that SQLite would bend is filed under its well-formed reading. */
function hotWord(text: string | null, words: Words): number {
  if (text === null) return 0;
  return words.mustHave(isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\uFFFD'));
}

function difference(expected: Draft, actual: Report): string | null {
  let typed: Record<string, unknown> | undefined;
  for (const name in expected) {
    if (name === 'metadata' || name === 'other') continue;
    const field = name as Exclude<keyof Report, 'metadata' | 'other'>;
    const wanted = actual[field];
    if (wanted === expected[field] || sameJson(wanted, expected[field])) continue;
    typed ??= {};
    typed[field] = wanted ?? null;
  }
  let metadata: Record<string, string> | undefined;
  for (const name in expected.metadata) {
    const column = name as ColumnName;
    if (actual.metadata[column] === expected.metadata[column]) continue;
    metadata ??= {};
    metadata[column] = actual.metadata[column];
  }
  const other = hasFields(actual.other) ? actual.other : undefined;
  return typed || metadata || other ? JSON.stringify({ typed, metadata, other }) : null;
}

/** Only fields of an open type hold objects; the rest was told apart by identity. */
function sameJson(a: unknown, b: unknown): boolean {
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b);
}

function hasFields(value: object): boolean {
  for (const _ in value) return true;
  return false;
}
