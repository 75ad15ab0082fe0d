import { isObject, nesting } from '../base/json.ts';
import { l10n } from '../base/l10n.ts';
import { counted } from '../base/words.ts';
import { sideOf } from '../downloads/manifest.ts';
import { type EvidenceRecord, longestNote, type Region, recordSchema } from './schema.ts';
import { byPlace, byText, joinedNotes, lineOf, union } from './union.ts';

export type { EvidenceRecord, Rectangle, Region } from './schema.ts';
export { isEvidenceId, longestContext, longestNote, longestQuote } from './schema.ts';

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
    throw new EvidenceProblem(
      l10n.t('{0} holds no list of quotes and tables. Correct it, or move it away.', evidenceName),
    );
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
        l10n.t('{0} has a merge conflict in line {1}. Run Merge Evidence… to keep both sides.', evidenceName, line),
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

/** Read or merged records are in order, with each id once. */
function isInOrder(records: readonly EvidenceRecord[]): boolean {
  const ids = new Set(records.map(({ id }) => id));
  return (
    ids.size === records.length &&
    records.every((record, index) => index === 0 || byPlace(records[index - 1] ?? record, record) <= 0)
  );
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
  if (isTooMuch(text))
    throw new EvidenceProblem(l10n.t('{0} would become too large, so nothing was changed.', evidenceName));
  return text;
}
