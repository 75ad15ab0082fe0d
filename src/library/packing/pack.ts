import type { ColumnName } from '../../api/schemas/columns.ts';
import { fiscalYearOf, type Report } from '../../api/schemas/report.ts';
import type { Cell } from './codecs.ts';
import { hexBytes, numeric, open, predicted, time, word } from './codecs.ts';
import { factColumns, type PackedReport, place } from './packedReport.ts';
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
  const facts = factColumns.map((name) => m[name]);
  const hot = {
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
  const body: Cell[] = [];
  body[place.title] = m.title;
  body[place.filename] = predicted(m.filename, predictedFilename(m.report_key));
  body[place.year] = numeric(m.year);
  body[place.pages] = numeric(m.pages);
  body[place.filesize] = numeric(m.filesize);
  body[place.published] = m.publication_date;
  body[place.periodStart] = predicted(m.period_start, predictedStart(hot.fy));
  body[place.periodEnd] = predicted(m.period_end, predictedEnd(hot.fy));
  body[place.fiscalYear] = predicted(m.fiscal_year, String(hot.fy));
  body[place.edition] = numeric(m.edition);
  body[place.reportKey] = predicted(
    m.report_key,
    predictedKey(m.company_key, m.year, hot.type === 0 ? null : words.text(hot.type)),
  );
  body[place.griLevel] = word(m.gri_level, words);
  body[place.sbtiStatus] = word(m.sbti_status, words);
  body[place.sdgGoals] = m.sdg_goals;
  body[place.provider] = word(m.assurance_provider, words);
  body[place.standard] = word(m.assurance_standard, words);
  body[place.scope] = word(m.assurance_scope, words);
  body[place.created] = time(report.created_at);
  body[place.updated] = time(report.updated_at);
  body[place.downloadPath] = open(report.download_path, id, words);
  body[place.formats] = open(report.formats, id, words);
  body[place.documentScope] = open(report.document_scope, id, words);
  body[place.period] = open(report.report_period, id, words);

  return {
    ...hot,
    facts: shared ? shared.json(m.company_key, facts) : JSON.stringify(facts),
    body: JSON.stringify(body),
    extra: difference(predict(hot, body, facts, report, words), report),
  };
}

/** Filters find reports by these; a text that SQLite would bend is filed under its well-formed reading. */
function hotWord(text: string | null, words: Words): number {
  if (text === null) return 0;
  return words.mustHave(isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\uFFFD'));
}

function difference(expected: Draft, actual: Report): string | null {
  if (isSameThroughout(expected, actual)) return null;
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

/**
 * Whether nothing differs, told without a look at any name: both sides are made in the order of their type. Where the
 * orders part this says no, and names decide.
 */
function isSameThroughout(expected: Draft, actual: Report): boolean {
  const ours = Object.values(expected);
  const theirs = Object.values(actual);
  const metadata = ours.length - 2;
  if (theirs.length !== ours.length || theirs[metadata] !== actual.metadata || hasFields(actual.other)) return false;
  for (let index = 0; index < metadata; index++) if (ours[index] !== theirs[index]) return false;
  const columns = Object.values(expected.metadata);
  const texts = Object.values(actual.metadata);
  return columns.length === texts.length && columns.every((column, index) => column === texts[index]);
}

/** Only fields of an open type hold objects; the rest was told apart by identity. */
function sameJson(a: unknown, b: unknown): boolean {
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b);
}

function hasFields(value: object): boolean {
  for (const _ in value) return true;
  return false;
}
