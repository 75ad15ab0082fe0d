import { createHash } from 'node:crypto';
import { systemClock } from '../base/clock.ts';
import { onDisk, statOf } from '../downloads/disk.ts';
import { type FileAt, fileThere, pathOf, Unfinished } from '../downloads/publish.ts';
import type { ExportedFile } from './exportManifest.ts';
import type { TablePart } from './libraryTables.ts';
import { ParquetFile } from './parquet.ts';

/** What several threads write together. */
export interface PartsTask {
  /** Absolute path of the folder of the export. */
  readonly folder: string;
  /** Files of an earlier run. */
  readonly known: readonly ExportedFile[];
  /** How many parts were begun: one number, shared by all threads. */
  readonly begun: Int32Array<SharedArrayBuffer>;
}

/** The files of the part of a folder; those that this run wrote are `fresh`. */
export interface PartFiles {
  readonly folder: string;
  readonly files: readonly ExportedFile[];
  readonly fresh: readonly ExportedFile[];
}

/** For a {@link PartsTask} of which no part was begun. */
export const noneBegun = () => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Writes the parts that no other thread has begun, the largest first: so threads end at about the same time. */
export async function writeParts(
  { folder, known, begun }: PartsTask,
  parts: readonly TablePart[],
  progress: (rows: number) => void,
): Promise<PartFiles[]> {
  const order = parts.toSorted((a, b) => b.rows - a.rows);
  const done: PartFiles[] = [];
  for (;;) {
    const part = order[Atomics.add(begun, 0, 1)];
    if (!part) return done;
    const before = known.filter(({ path }) => path.startsWith(`${part.folder}/`));
    done.push({ folder: part.folder, ...(await writePart(folder, part, before, progress)) });
  }
}

/** Rows that are read at once. */
const rowsAtOnce = 2_000;
/** Text that rows of one file are made from, in characters: what is held of them takes some three times as much. */
const lengthPerFile = 50_000_000;

/** Rows of one file, once read. */
interface Stretch {
  readonly rows: number;
  readonly first: number;
  readonly last: number;
  readonly source: string;
}

/** The files of a part: those from before that still hold what they have to, and fresh ones for the other rows. */
async function writePart(
  root: string,
  part: TablePart,
  before: readonly ExportedFile[],
  progress: (rows: number) => void,
): Promise<{ files: ExportedFile[]; fresh: ExportedFile[] }> {
  const files: ExportedFile[] = [];
  const fresh: ExportedFile[] = [];
  const bySource = new Map(before.map((file) => [file.source, file]));
  const starts = before.map(({ first }) => first);
  let last = 0;
  for (;;) {
    const found = before.length > 0 ? readStretch(part, last, starts) : null;
    const held = found && bySource.get(found.source);
    if (found && held && (await isWhole(root, held))) {
      files.push(held);
      progress(found.rows);
      last = found.last;
      continue;
    }
    const file = new FileOfRows(part.columns);
    const stretch = readStretch(part, last, starts, file, progress);
    if (stretch === null) return { files, fresh };
    const { rows, first, source } = stretch;
    const bytes = file.end();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = `${part.folder}/${sha256}.parquet`;
    await publish({ root, path }, bytes, [sha256]);
    const written = { path, rows, bytes: bytes.length, sha256, first, source };
    files.push(written);
    fresh.push(written);
    last = stretch.last;
  }
}

/**
 * Reads rows behind a key, up to where an earlier file began or a file is full: a change in the middle touches one
 * file. Puts them into `file` if that is given. Null when there are none.
 */
function readStretch(
  { after, rowsPerFile, table, columns }: TablePart,
  behind: number,
  starts: readonly number[],
  file?: FileOfRows,
  progress?: (rows: number) => void,
): Stretch | null {
  const hash = createHash('sha256').update(JSON.stringify([table, columns]));
  let [rows, length, first, last, end] = [0, 0, behind, behind, Number.POSITIVE_INFINITY];
  // Where a file follows, a little more than a full one: else each row that grew would leave a file of its own.
  const room = () => (end === Number.POSITIVE_INFINITY ? 1 : 1.25);
  while (rows < rowsPerFile * room() && length < lengthPerFile * room()) {
    const wanted = Math.min(rowsAtOnce, Math.ceil(rowsPerFile * room()) - rows);
    const page = after(last, wanted);
    if (rows === 0 && page[0]) {
      first = page[0].key;
      end = starts.reduce((least, start) => (start > first && start < least ? start : least), end);
    }
    const taken = page.filter(({ key }) => key < end);
    const text = taken.map(({ source }) => `${source}\n`).join('');
    hash.update(text);
    length += text.length;
    if (file) for (const row of taken) file.add(row.values());
    rows += taken.length;
    last = taken.at(-1)?.key ?? last;
    progress?.(taken.length);
    if (taken.length < wanted) break;
  }
  return rows === 0 ? null : { rows, first, last, source: hash.digest('hex') };
}

/**
 * Splits rows into columns, and writes them into a file a row group at a time. Repeated texts are kept once in a column
 * with few distinct ones, because many rows hold the same names.
 */
class FileOfRows {
  readonly #file: ParquetFile;
  #rows = 0;
  #data: readonly unknown[][];
  readonly #texts: (Map<string, string> | null)[];
  /** Columns of texts that hardly repeat. */
  readonly #varied = new Set<number>();

  constructor(columns: TablePart['columns']) {
    this.#file = new ParquetFile(columns);
    this.#data = columns.map(() => []);
    this.#texts = columns.map(() => new Map());
  }

  add(values: readonly unknown[]): void {
    for (let index = 0; index < values.length; index++) {
      const value = values[index];
      this.#data[index]?.push(typeof value === 'string' ? this.#once(index, value) : value);
    }
    if (++this.#rows % rowsPerGroup === 0) this.#endGroup();
  }

  /** The bytes of the file. */
  end(): Uint8Array {
    if (this.#rows % rowsPerGroup > 0) this.#endGroup();
    return this.#file.end();
  }

  #endGroup(): void {
    this.#file.add(this.#data, this.#varied);
    this.#data = this.#data.map(() => []);
  }

  #once(index: number, text: string): string {
    const texts = this.#texts[index];
    const known = texts?.get(text);
    if (known !== undefined || !texts) return known ?? text;
    texts.set(text, text);
    const { size } = texts;
    const isVaried = size === fewTexts && 2 * size > this.#rows;
    if (isVaried) this.#varied.add(index);
    if (isVaried || size > maxTexts) this.#texts[index] = null;
    return text;
  }
}

/**
 * Enough for engines to read quickly, few enough for two threads to hold: each further row takes some 5 kB in both
 * until it is written.
 */
const rowsPerGroup = 8_192;
/** More different texts than this, and a column's are hardly worth looking up; nor if most of so few are different. */
const maxTexts = 4_000;
const fewTexts = 200;

/** Whether a file of an earlier run lies there with the very bytes that its manifest names. */
async function isWhole(root: string, { path, bytes, sha256 }: ExportedFile): Promise<boolean> {
  const at = { root, path };
  if ((await onDisk(() => statOf(pathOf(at))))?.size !== bytes) return false;
  return (await fileThere(at))?.sha256 === sha256;
}

/** Writes a file; one that lies there is replaced only when its hash is one of `mayReplace`. @throws DiskProblem */
export async function publish(at: FileAt, bytes: Uint8Array, mayReplace: readonly string[]): Promise<void> {
  const unfinished = await Unfinished.begin(at, systemClock);
  try {
    await onDisk(() => unfinished.file.writeFile(bytes));
    await unfinished.publish(mayReplace);
  } finally {
    await unfinished.discard();
  }
}
