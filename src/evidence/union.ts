import { createHash } from 'node:crypto';
import { type EvidenceRecord, longestNote } from './schema.ts';

const betweenNotes = ' · ';

/**
 * Each record once, in the order of files. Records with one id that differ only in their notes are joined, with all
 * notes; a record accepted at a newer version of the PDF replaces its earlier form; others that differ are all kept,
 * the first under the id and the others under new ids. Takes time in proportion to the text, whatever it says.
 */
export function union(records: readonly EvidenceRecord[]): EvidenceRecord[] {
  const all = new Map<string, EvidenceRecord>();
  const later: EvidenceRecord[] = [];
  for (const same of Map.groupBy(records, ({ id }) => id).values()) {
    const [first, ...others] = joined(same);
    if (first) all.set(first.id, first);
    later.push(...others);
  }
  for (const [base, others] of Map.groupBy(later, ({ id }) => id.slice(0, 56))) place(all, base, others);
  return [...all.values()].sort(byPlace);
}

/** Records of one id, sorted: those that differ in their notes alone as one, and none that is an earlier form. */
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
  const groups = Map.groupBy(entries, (entry) => newest.get(entry.own) ?? entry);
  const kept = [...groups].flatMap(([{ record }, group]) =>
    allNotes(group.map((entry) => entry.record.note)).map((note) => ({ ...record, note })),
  );
  const lines = new Map(kept.map((record) => [record, lineOf(record)]));
  return kept.sort((a, b) => byText(lines.get(a) ?? '', lines.get(b) ?? ''));
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

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Keeps each record under the first id made of its own that is free, or that it has already. */
function place(all: Map<string, EvidenceRecord>, base: string, records: readonly EvidenceRecord[]): void {
  const ids = new Map<string, string>();
  const notes = new Map<string, Set<string>>();
  const keep = (record: EvidenceRecord) => {
    const { own, earlier } = formsOf(record);
    for (const form of [own, ...earlier]) ids.set(form, record.id);
    const known = notes.get(own) ?? new Set();
    for (const part of partsOf(record.note)) known.add(part);
    notes.set(own, known);
    all.set(record.id, record);
  };
  let number = 2;
  const nextFree = () => {
    for (; ; number++) {
      const there = all.get(`${base}-${number}`);
      if (!there) return `${base}-${number}`;
      keep(there);
    }
  };
  nextFree();
  for (const record of records) {
    const { own, earlier } = formsOf(record);
    const known = notes.get(own);
    if (known && partsOf(record.note).every((part) => known.has(part))) continue;
    const there = all.get([own, ...earlier].map((form) => ids.get(form)).find((id) => id !== undefined) ?? '');
    const [only, ...others] = there ? joined([there, { ...record, id: there.id }]) : [];
    keep(only && others.length === 0 ? only : { ...record, id: nextFree() });
  }
}

/** All notes, joined where there is room, in as few as that takes; none is lost. */
function allNotes(notes: readonly string[]): string[] {
  const all: string[] = [];
  for (const note of [...new Set(notes)].sort(byText)) {
    const both = joinedNotes(all.at(-1) ?? '', note);
    if (both === undefined) all.push(note);
    else all.splice(-1, 1, both);
  }
  return all;
}

function partsOf(note: string): string[] {
  return note === '' ? [] : note.split(betweenNotes);
}

/** Both notes, what they share once; undefined when that is longer than a note can be. */
export function joinedNotes(one: string, two: string): string | undefined {
  if (one === two || two === '') return one;
  if (one === '') return two;
  const parts = new Set([one, two].flatMap(partsOf));
  const both = [...parts].sort(byText).join(betweenNotes);
  return both.length <= longestNote ? both : undefined;
}

/** The order of records in files. */
export function byPlace(a: EvidenceRecord, b: EvidenceRecord): number {
  return a.report_id - b.report_id || firstPage(a) - firstPage(b) || byText(a.id, b.id);
}

/** The page that a record begins on. */
export function firstPage({ regions }: EvidenceRecord): number {
  return Math.min(...regions.map(({ page }) => page));
}

/** The same on every machine, whatever its language. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A record as a line of the file: the members in their order, those of other tools last. */
export function lineOf({ id, kind, report_id, report_key, sha256, ...rest }: EvidenceRecord): string {
  const { selector, regions, note, created_at, former, ...others } = rest;
  const known = { id, kind, report_id, report_key, sha256, selector, regions, note, created_at };
  return JSON.stringify({ ...known, ...(former && { former }), ...others });
}
