import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { isObject, nesting } from '../base/json.ts';
import { l10n } from '../base/l10n.ts';
import { type Box, boxesSchema, coordinateSchema } from '../base/placedText.ts';
import { counted } from '../base/words.ts';
import { sideOf } from '../downloads/manifest.ts';
/** Longest quote, and words around it, in characters. */
export const [longestQuote, longestContext] = [10_000, 500];

/** Most lines of a table in one direction. */
const longestSide = 5000;

/** Longest note that a person writes, in characters; joined notes may be longer. */
export const longestNote = 2000;

/** False for what is the id of no record. */
export function isEvidenceId(text: string): boolean {
  return /^[a-z0-9-]{4,64}$/.test(text);
}

export type Rectangle = Box;

const regionSchema = z.looseObject({
  /** From 1. */
  page: z.int().check(z.gte(1), z.lte(1_000_000)),
  /** What the PDF prints or names as the page's number; null where it names none. */
  label: z.nullable(z.string().check(z.maxLength(100))),
  rectangles: boxesSchema,
  /** Where the lines of a table cross the page, edges included, in points along that side of its rectangle. */
  columns: z.optional(z.array(coordinateSchema).check(z.maxLength(longestSide))),
  rows: z.optional(z.array(coordinateSchema).check(z.maxLength(longestSide))),
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
  note: z.string(),
  /** Timestamp, UTC. */
  created_at: z.string().check(z.maxLength(40)),
  /** Where the same words stood in earlier versions of the PDF, as a person accepted each newer place. */
  former: z.optional(z.array(z.looseObject({ sha256: sha256Schema, regions: regionsSchema }))),
});

/** A quote or table with what proves it. Members that this version does not know are kept as they came. */
export type EvidenceRecord = z.output<typeof recordSchema>;

/** Name of the file in the downloads folder that keeps quotes, beside the lock. */
export const evidenceName = 'reports.evidence.json';

/** More records than an analysis has: the file is read whole, in the window. */
export const maxRecords = 50_000;

/** Longest text of the file, in bytes: no larger one is read. */
const maxText = 64_000_000;

/** Most values of the file, in all its records together. */
const maxValues = 4_000_000;

/** Thrown when the file can't be read or written. The file stays as it is. Its message is fit to be shown. */
export class EvidenceProblem extends Error {
  override readonly name = 'EvidenceProblem';
  /** Whether the file has a merge conflict, whose sides can still be read. */
  readonly isConflict: boolean;

  constructor(message: string, isConflict = false) {
    super(message);
    this.isConflict = isConflict;
  }
}

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
      l10n.t('{0} has version {1}, which this version can’t read. Update Report Library.', evidenceName, version),
    );
  if (version !== 1 || !Array.isArray(evidence))
    throw new EvidenceProblem(l10n.t('{0} has no list of quotes and tables. Correct or move it.', evidenceName));
  if (evidence.length > maxRecords) throw tooMany();
  return evidenceOf(evidence, other);
}

/** Whether a text is larger, or has more values or deeper lists, than are read. */
function isTooMuch(text: string): boolean {
  if (Buffer.byteLength(text) > maxText) return true;
  const found = nesting(Buffer.from(text), maxValues);
  return found === 'deep' || found === 'many';
}

function readWhole(text: string): Readonly<Record<string, unknown>> {
  if (isTooMuch(text)) throw new EvidenceProblem(l10n.t('{0} is too large, so it is not read.', evidenceName));
  try {
    const whole: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isObject(whole) ? whole : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const line = conflictLine(text);
    if (line > 0)
      throw new EvidenceProblem(
        l10n.t(
          '{0} has a merge conflict in line {1}. Choose Merge Evidence… in the Evidence view to keep both sides.',
          evidenceName,
          line,
        ),
        true,
      );
    throw new EvidenceProblem(l10n.t('{0} is not valid JSON. Correct it, then try again.', evidenceName));
  }
}

/** The line that a merge conflict begins in, from 1; 0 where there is none. */
export function conflictLine(text: string): number {
  const conflict = /^(?:<{7}|>{7}|\|{7})/m.exec(text);
  return conflict ? text.slice(0, conflict.index).split('\n').length : 0;
}

function tooMany(): EvidenceProblem {
  return new EvidenceProblem(l10n.t('{0} can hold at most {1} quotes and tables.', evidenceName, maxRecords));
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

/** The record with a note that a person made of the note `before`; one that came meanwhile stays beside it. */
export function noted(record: EvidenceRecord, before: string, note: string): EvidenceRecord {
  return { ...record, note: record.note === before ? note : joinedNotes(record.note, note) };
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

const betweenNotes = ' · ';

/**
 * Each record once, in the order of files. Records with one id that differ only in their notes are joined; a record
 * accepted at a newer version of the PDF replaces its earlier form. Of others one keeps the id, the rest get ids made
 * of what they say, so that the result of a merge doesn't depend on its order. Takes time in proportion to the text.
 */
export function union(records: readonly EvidenceRecord[]): EvidenceRecord[] {
  const all = new Map<string, readonly EvidenceRecord[]>();
  const present = new Set(records.map(({ id }) => id));
  let left: readonly EvidenceRecord[] = records;
  for (const idOf of [({ id }: EvidenceRecord) => id, idOfFirstForm, idOfOwnForm]) {
    const later: EvidenceRecord[] = [];
    for (const [id, same] of Map.groupBy(left, idOf)) {
      const kept = joined([...(all.get(id) ?? []), ...same].map((record) => ({ ...record, id })));
      // One that another merge gave an id of its own has it here, too.
      const isElsewhere = (record: EvidenceRecord) =>
        present.has(idOfFirstForm(record)) || present.has(idOfOwnForm(record));
      const at =
        kept.length > 1
          ? Math.max(
              0,
              kept.findIndex((record) => !isElsewhere(record)),
            )
          : 0;
      all.set(id, kept.slice(at, at + 1));
      later.push(...kept.toSpliced(at, 1));
    }
    left = later;
  }
  return [...all.values()].flat().sort(byPlace);
}

/** Records of one id in order: those that differ in their notes alone as one, and none that is an earlier form. */
function joined(records: readonly EvidenceRecord[]): readonly EvidenceRecord[] {
  if (records.length === 1) return records;
  const entries = records
    .map((record) => ({ record, line: lineOf({ ...record, note: '' }), ...formsOf(record) }))
    .sort((a, b) => byText(a.line, b.line));
  const present = new Set(entries.map(({ own }) => own));
  const newest = new Map<string, (typeof entries)[number]>();
  for (const entry of entries)
    for (const form of [...entry.earlier, entry.own]) {
      const other = newest.get(form);
      if (present.has(form) && (!other || other.earlier.length < entry.earlier.length)) newest.set(form, entry);
    }
  return [...Map.groupBy(entries, (entry) => newest.get(entry.own) ?? entry)].map(([{ record }, group]) => ({
    ...record,
    note: joinedNotes(...group.map((entry) => entry.record.note)),
  }));
}

/**
 * What tells a record from all others of its id, whatever their notes, and the same of the forms that it had before a
 * person accepted newer places.
 */
function formsOf(record: EvidenceRecord): { readonly own: string; readonly earlier: readonly string[] } {
  const { sha256, regions, former = [] } = record;
  const words = digest(lineOf({ ...record, id: '', note: '', sha256: '', regions: [], former: undefined }));
  let before = '';
  const form = (at: Pick<EvidenceRecord, 'sha256' | 'regions'>) =>
    digest(words + before + JSON.stringify([at.sha256, at.regions]));
  const earlier = former.map((step) => {
    const own = form(step);
    before = digest(before + JSON.stringify(step));
    return own;
  });
  return { own: form({ sha256, regions }), earlier };
}

const digest = (text: string) => hash('sha256', text);

/** An id for a record whose own id another record keeps: the same in every merge. */
const idOfForm = ({ id }: EvidenceRecord, form: string) => `${id.slice(0, 31)}-${digest(id + form).slice(0, 32)}`;

function idOfFirstForm(record: EvidenceRecord): string {
  const { own, earlier } = formsOf(record);
  return idOfForm(record, earlier[0] ?? own);
}

const idOfOwnForm = (record: EvidenceRecord) => idOfForm(record, formsOf(record).own);

/** All notes, what they share once. */
function joinedNotes(...notes: readonly string[]): string {
  const different = new Set(notes.filter((note) => note !== ''));
  if (different.size <= 1) return [...different].join('');
  return [...new Set([...different].flatMap((note) => note.split(betweenNotes)))].sort(byText).join(betweenNotes);
}

/** The order of records in files. */
function byPlace(a: EvidenceRecord, b: EvidenceRecord): number {
  return a.report_id - b.report_id || firstPage(a) - firstPage(b) || byText(a.id, b.id);
}

/** The page that a record begins on. */
export function firstPage({ regions }: EvidenceRecord): number {
  return Math.min(...regions.map(({ page }) => page));
}

/** The same on every machine, whatever its language. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A record as a line of the file: the members in their order, those of other tools last. */
function lineOf({ id, kind, report_id, report_key, sha256, ...rest }: EvidenceRecord): string {
  const { selector, regions, note, created_at, former, ...others } = rest;
  const known = { id, kind, report_id, report_key, sha256, selector, regions, note, created_at };
  return JSON.stringify({ ...known, ...(former && { former }), ...others });
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

/** The file's text: sorted, a record a line, to compare and merge well. @throws EvidenceProblem for too much */
export function formatEvidence({ records, unread, other }: Evidence): string {
  const sorted = union(records);
  if (sorted.length + unread.length > maxRecords) throw tooMany();
  const members = Object.entries({ version: 1, ...other }).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
  );
  const lines = [...sorted.map(lineOf), ...unread.map((entry) => JSON.stringify(entry))];
  const list = lines.length > 0 ? `\n${lines.map((line) => `    ${line}`).join(',\n')}\n  ` : '';
  const text = `{\n${members.join('')}  "evidence": [${list}]\n}\n`;
  if (isTooMuch(text))
    throw new EvidenceProblem(l10n.t('{0} would become too large, so nothing was changed.', evidenceName));
  return text;
}
