import * as z from 'zod/mini';
import { isObject } from '../base/json.ts';
import { l10n } from '../base/l10n.ts';
import { counted } from '../base/words.ts';
import { sideOf } from '../downloads/manifest.ts';

/** Name of the file in the downloads folder that keeps quotes, beside the lock. */
export const evidenceName = 'reports.evidence.json';

/** More records than an analysis has: the file is read whole, in the window. */
export const maxRecords = 50_000;

/** Longest text of the file, in bytes: no larger one is read. */
const maxText = 64_000_000;

/** Longest quote, and words around it, in characters. */
export const [longestQuote, longestContext] = [10_000, 500];

/** Most lines of a table in one direction. */
const longestSide = 5000;

/** Longest note, in characters. */
export const longestNote = 2000;

/** Thrown when the file can't be read or written. The file stays as it is. Its message is fit to be shown. */
export class EvidenceProblem extends Error {
  override readonly name = 'EvidenceProblem';
  readonly code: 'conflict' | 'unreadable' | 'newer';

  constructor(code: EvidenceProblem['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** False for what is the id of no record. */
export function isEvidenceId(text: string): boolean {
  return /^[a-z0-9-]{4,64}$/.test(text);
}

const coordinate = z.number().check(z.gte(-1_000_000), z.lte(1_000_000));

/** Left, bottom, right, top in PDF points, from the lower left of the page. */
const rectangleSchema = z.tuple([coordinate, coordinate, coordinate, coordinate]);
export type Rectangle = z.output<typeof rectangleSchema>;

const regionSchema = z.looseObject({
  /** From 1. */
  page: z.int().check(z.gte(1), z.lte(1_000_000)),
  /** What the PDF prints or names as the page's number; null where it names none. */
  label: z.nullable(z.string().check(z.maxLength(100))),
  rectangles: z.array(rectangleSchema).check(z.maxLength(1000)),
  /** Where the lines of a table cross the page, edges included, in points along that side of its rectangle. */
  columns: z.optional(z.array(coordinate).check(z.maxLength(longestSide))),
  rows: z.optional(z.array(coordinate).check(z.maxLength(longestSide))),
  /** Row by row, as printed. */
  cells: z.optional(
    z
      .array(z.array(z.string().check(z.maxLength(longestQuote))).check(z.maxLength(longestSide)))
      .check(z.maxLength(longestSide)),
  ),
});
export type Region = z.output<typeof regionSchema>;

const sha256Schema = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const context = z.string().check(z.maxLength(longestContext));

/** W3C Web Annotation, TextQuoteSelector. */
const selectorSchema = z.looseObject({
  type: z.literal('TextQuoteSelector'),
  exact: z.string().check(z.minLength(1), z.maxLength(longestQuote)),
  prefix: context,
  suffix: context,
});

const regionsSchema = z.array(regionSchema).check(z.minLength(1), z.maxLength(100));

const recordSchema = z.looseObject({
  id: z.string().check(z.refine(isEvidenceId)),
  kind: z.enum(['quote', 'table']),
  report_id: z.int().check(z.positive()),
  report_key: z.string().check(z.maxLength(500)),
  /** Of the bytes that were quoted from. */
  sha256: sha256Schema,
  /** The words of a quote, or the text of a table's region. */
  selector: selectorSchema,
  regions: regionsSchema,
  /** The author's. */
  note: z.string().check(z.maxLength(longestNote)),
  /** Timestamp, UTC. */
  created_at: z.string().check(z.maxLength(40)),
  /** Where the same words stood in earlier versions of the PDF, as a person accepted each newer place. */
  former: z.optional(z.array(z.looseObject({ sha256: sha256Schema, regions: regionsSchema }))),
});

/** A quote or table with what proves it. Members that this version does not know are kept as they came. */
export type EvidenceRecord = z.output<typeof recordSchema>;

/** What the file says. */
export interface Evidence {
  /** Sorted, each id once. */
  readonly records: readonly EvidenceRecord[];
  /** Entries that are no records of this version; they are kept as they came. */
  readonly unread: readonly unknown[];
  /** What is wrong with these, in words for a person. */
  readonly problems: readonly string[];
  /** Other members of the file, kept as they came. */
  readonly other: Readonly<Record<string, unknown>>;
}

export const noEvidence: Evidence = { records: [], unread: [], problems: [], other: {} };

/**
 * Reads the file's text in any layout; anyone may have written it. An entry that is none is told as a problem and kept,
 * and of what stands in it twice one is left.
 * @throws EvidenceProblem for a file that holds no list, and for a merge conflict
 */
export function parseEvidence(text: string): Evidence {
  const { version, evidence, ...other } = readWhole(text);
  if (typeof version === 'number' && version > 1)
    throw new EvidenceProblem(
      'newer',
      l10n.t('{0} has version {1}, which this version can’t read. Update Report Library.', evidenceName, version),
    );
  if (version !== 1 || !Array.isArray(evidence))
    throw new EvidenceProblem(
      'unreadable',
      l10n.t('{0} holds no list of quotes and tables. Correct it, or move it away.', evidenceName),
    );
  if (evidence.length > maxRecords) throw tooMany();
  return evidenceOf(evidence, other);
}

function readWhole(text: string): Readonly<Record<string, unknown>> {
  if (Buffer.byteLength(text) > maxText)
    throw new EvidenceProblem('unreadable', l10n.t('{0} is too large, so it is not read.', evidenceName));
  try {
    const whole: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isObject(whole) ? whole : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const line = conflictLine(text);
    if (line > 0)
      throw new EvidenceProblem(
        'conflict',
        l10n.t('{0} has a merge conflict in line {1}. Run Merge Evidence… to keep both sides.', evidenceName, line),
      );
    throw new EvidenceProblem('unreadable', l10n.t('{0} is not valid JSON. Correct it, then try again.', evidenceName));
  }
}

/** The line that a merge conflict begins in, from 1; 0 where there is none. */
export function conflictLine(text: string): number {
  const conflict = /^(?:<{7}|>{7}|\|{7})/m.exec(text);
  return conflict ? text.slice(0, conflict.index).split('\n').length : 0;
}

function tooMany(): EvidenceProblem {
  return new EvidenceProblem(
    'unreadable',
    l10n.t('{0} can hold at most {1} quotes and tables.', evidenceName, maxRecords),
  );
}

function evidenceOf(entries: readonly unknown[], other: Evidence['other']): Evidence {
  const records: EvidenceRecord[] = [];
  const unread: unknown[] = [];
  const problems: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const { data, error } = recordSchema.safeParse(entry);
    if (data) records.push(data);
    else {
      unread.push(entry);
      const member = error.issues[0]?.path.join('.') || l10n.t('the entry');
      problems.push(
        l10n.t('{0} has a wrong entry {1}: {2}. Correct it, then try again.', evidenceName, index + 1, member),
      );
    }
  }
  return { records: union(records), unread: distinct(unread), problems, other };
}

function distinct(entries: readonly unknown[]): unknown[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
}

/** Both files' records. The order of the two does not matter, and nothing of either is lost. */
export function mergeEvidence(one: Evidence, two: Evidence): Evidence {
  return {
    records: union([...one.records, ...two.records]),
    unread: distinct([...one.unread, ...two.unread]),
    problems: [...new Set([...one.problems, ...two.problems])],
    other: allMembers(one.other, two.other),
  };
}

/** The members of both; of two that differ under one name each is kept, the second under a name of its own. */
function allMembers(...sides: readonly Evidence['other'][]): Evidence['other'] {
  const members = sides
    .flatMap((side) => Object.entries(side).map(([name, value]) => ({ name, value, text: JSON.stringify(value) })))
    .sort((a, b) => byText(a.name, b.name) || byText(a.text, b.text));
  const all = new Map<string, { readonly value: unknown; readonly text: string }>();
  for (const { name, value, text } of members) {
    let free = name;
    for (let number = 2; (all.get(free)?.text ?? text) !== text; number += 1) free = `${name}-${number}`;
    all.set(free, { value, text });
  }
  return Object.fromEntries([...all].map(([name, { value }]) => [name, value]));
}

/**
 * Joins the two sides of a merge conflict in the file's text, the common ancestor left out. Text without a conflict is
 * read as it is.
 * @throws EvidenceProblem when a side by itself is no such file
 */
export function resolveEvidence(text: string): Evidence {
  if (conflictLine(text) === 0) return parseEvidence(text);
  return mergeEvidence(parseEvidence(mended(sideOf(text, 'ours'))), parseEvidence(mended(sideOf(text, 'theirs'))));
}

/** One side of a conflict between our lines. Where its last line met more lines of the other side, a comma is off. */
function mended(text: string): string {
  const lines = text.split('\n');
  const isEntry = (line: string | undefined) => line !== undefined && /^ *\{".*\},?\r?$/.test(line);
  return lines
    .map((line, index) => {
      if (!isEntry(line)) return line;
      const bare = line.trimEnd().replace(/,$/, '');
      return isEntry(lines[index + 1]) ? `${bare},` : bare;
    })
    .join('\n');
}

/**
 * Each record once, in the order of files. Two with one id that differ only in their notes are joined, with both notes;
 * a record accepted at a newer version of the PDF replaces its earlier form; others that differ are both kept, the
 * second under a new id.
 */
export function union(records: readonly EvidenceRecord[]): EvidenceRecord[] {
  const byId = new Map<string, EvidenceRecord[]>();
  for (const record of records) {
    const same = byId.get(record.id) ?? [];
    const index = same.findIndex((other) => joinedOf(other, record) !== undefined);
    const joined = same[index] && joinedOf(same[index], record);
    if (joined) same[index] = joined;
    else same.push(record);
    byId.set(record.id, same);
  }
  const all = new Map<string, EvidenceRecord>();
  const later: EvidenceRecord[] = [];
  for (const same of byId.values()) {
    const [first, ...others] = same.length > 1 ? same.toSorted((a, b) => byText(lineOf(a), lineOf(b))) : same;
    if (first) all.set(first.id, first);
    later.push(...others);
  }
  for (const record of later) place(all, record);
  return [...all.values()].sort(byPlace);
}

/** Under the first id made of its own that is free, or that it has already. */
function place(all: Map<string, EvidenceRecord>, record: EvidenceRecord): void {
  for (let number = 2; ; number++) {
    const renamed = { ...record, id: `${record.id.slice(0, 56)}-${number}` };
    const there = all.get(renamed.id);
    const joined = there && joinedOf(there, renamed);
    if (there && !joined) continue;
    all.set(renamed.id, joined ?? renamed);
    return;
  }
}

/** Two records of one id as one; undefined when both have to be kept. The order of the two does not matter. */
function joinedOf(one: EvidenceRecord, two: EvidenceRecord): EvidenceRecord | undefined {
  const [a, b] = [lineOf({ ...one, note: '' }), lineOf({ ...two, note: '' })];
  const newer = a === b || isLater(one, two) ? one : isLater(two, one) ? two : undefined;
  if (!newer) return undefined;
  const note = joinedNotes(one.note, two.note);
  return note === undefined ? undefined : { ...newer, note };
}

/** Whether one record is another one, accepted at a newer version of the PDF. */
function isLater(one: EvidenceRecord, two: EvidenceRecord): boolean {
  const before = { ...two, note: '', former: undefined };
  const length = two.former?.length ?? 0;
  const step = one.former?.[length];
  if (!step || JSON.stringify(one.former?.slice(0, length)) !== JSON.stringify(two.former ?? [])) return false;
  return lineOf({ ...one, note: '', former: undefined, sha256: step.sha256, regions: step.regions }) === lineOf(before);
}

const betweenNotes = ' · ';

/** Both notes, what they share once; undefined when that is longer than a note can be. */
function joinedNotes(one: string, two: string): string | undefined {
  if (one === two || two === '') return one;
  if (one === '') return two;
  const parts = new Set([one, two].flatMap((note) => note.split(betweenNotes)));
  const both = [...parts].sort(byText).join(betweenNotes);
  return both.length <= longestNote ? both : undefined;
}

/**
 * The record with a note that a person made of the note `before`; one that came meanwhile stays beside it.
 * @throws Error with words for a person when both are too long together
 */
export function noted(record: EvidenceRecord, before: string, note: string): EvidenceRecord {
  const both = record.note === before ? note : joinedNotes(record.note, note);
  if (both === undefined) throw new Error(l10n.t('A note has at most {0} characters.', longestNote));
  return { ...record, note: both };
}

/** The record where a person saw its words in a newer version of the PDF. A table keeps its cells. */
export function accepted(
  record: EvidenceRecord,
  { sha256, ...place }: { readonly sha256: string } & Pick<Region, 'page' | 'label' | 'rectangles'>,
): EvidenceRecord {
  const { regions, former = [] } = record;
  const cells = regions[0]?.cells;
  return {
    ...record,
    sha256,
    regions: [{ ...place, ...(cells && { cells }) }],
    former: [...former, { sha256: record.sha256, regions }],
  };
}

/** `3 quotes, 1 table`. */
export function countsOf(records: readonly Pick<EvidenceRecord, 'kind'>[]): string {
  const tables = records.filter(({ kind }) => kind === 'table').length;
  const quotes = records.length - tables;
  return [
    ...(quotes > 0 || tables === 0 ? [counted(quotes, l10n.later('1 quote'), l10n.later('{0} quotes'))] : []),
    ...(tables > 0 ? [counted(tables, l10n.later('1 table'), l10n.later('{0} tables'))] : []),
  ].join(', ');
}

function byPlace(a: EvidenceRecord, b: EvidenceRecord): number {
  return a.report_id - b.report_id || firstPage(a) - firstPage(b) || byText(a.id, b.id);
}

/** Read or merged records are in order, with each id once. */
function isInOrder(records: readonly EvidenceRecord[]): boolean {
  const ids = new Set(records.map(({ id }) => id));
  return (
    ids.size === records.length &&
    records.every((record, index) => index === 0 || byPlace(records[index - 1] ?? record, record) <= 0)
  );
}

/** The page that a record begins on. */
export function firstPage({ regions }: EvidenceRecord): number {
  return Math.min(...regions.map(({ page }) => page));
}

/** The same on every machine, whatever its language. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The file's text: sorted, a record a line, to compare and merge well. @throws EvidenceProblem for too much */
export function formatEvidence({ records, unread, other }: Evidence): string {
  const sorted = isInOrder(records) ? records : union(records);
  if (sorted.length + unread.length > maxRecords) throw tooMany();
  const members = Object.entries({ version: 1, ...other }).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
  );
  const lines = [...sorted.map(lineOf), ...unread.map((entry) => JSON.stringify(entry))];
  const list = lines.length > 0 ? `\n${lines.map((line) => `    ${line}`).join(',\n')}\n  ` : '';
  const text = `{\n${members.join('')}  "evidence": [${list}]\n}\n`;
  if (Buffer.byteLength(text) > maxText)
    throw new EvidenceProblem(
      'unreadable',
      l10n.t('{0} would become too large, so nothing was changed.', evidenceName),
    );
  return text;
}

/** The members in their order, those of other tools last. */
function lineOf({ id, kind, report_id, report_key, sha256, ...rest }: EvidenceRecord): string {
  const { selector, regions, note, created_at, former, ...others } = rest;
  const known = { id, kind, report_id, report_key, sha256, selector, regions, note, created_at };
  return JSON.stringify({ ...known, ...(former && { former }), ...others });
}
