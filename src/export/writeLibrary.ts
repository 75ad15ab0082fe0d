import { createHash } from 'node:crypto';
import { readdir, readFile, unlink } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { silentLogger } from '../base/logger.ts';
import { DiskProblem, filesBelow, onDisk, statOf, systemCode } from '../downloads/disk.ts';
import { type FileAt, fileThere, pathOf, sweepParts, Unfinished } from '../downloads/publish.ts';
import {
  type ExportedFile,
  type ExportManifest,
  type ExportTable,
  exportManifestName,
  exportTables,
  filesOf,
  formatExportManifest,
  isExportPath,
  readExportManifest,
} from './exportManifest.ts';
import type { TablePart } from './libraryTables.ts';
import { ParquetFile } from './parquet.ts';

/** Where an export goes, and what is said of its source. */
export interface ExportTarget {
  /** Absolute path of the folder of the export. */
  readonly folder: string;
  readonly source: ExportManifest['source'];
  /** Called when all files are there, before the manifest names them; throws where their rows don't fit together. */
  readonly check?: (() => void) | undefined;
}

/** What a run did. */
export interface LibraryExportResult {
  /** Reports in the export. */
  readonly reports: number;
  readonly files: number;
  /** Bytes of all files. */
  readonly bytes: number;
  /** Files that this run wrote; the others were as they had to be. */
  readonly filesWritten: number;
  readonly bytesWritten: number;
}

/** Rows that are read at once. */
const rowsAtOnce = 2_000;
/** Text that rows of one file are made from, in characters: what is held of them takes some three times as much. */
const lengthPerFile = 50_000_000;

/**
 * Writes tables as Parquet below a folder, and then the manifest that names their files. Files are named by their
 * content and never overwritten; an earlier run's file with the right rows stays. Removed is what that run had
 * replaced, and what a killed or cancelled run wrote; files that this run replaces stay for the next, since a reader
 * may still use the older manifest. Throws a DiskProblem, also for a folder with another library's export or anything
 * else.
 */
export async function writeLibrary(
  { folder, source, check }: ExportTarget,
  parts: readonly TablePart[],
  onProgress: (rows: number, total: number) => void,
): Promise<LibraryExportResult> {
  const at = { root: folder, path: exportManifestName };
  const former = await formerManifest(at, source.origin);
  if (!former) await requireOwn(folder);
  await onDisk(() => sweepParts(folder, systemClock, silentLogger));
  const known = new Map((former?.manifest ? filesOf(former.manifest) : []).map((file) => [file.path, file]));
  const total = parts.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  const progress = (rows: number) => {
    done += rows;
    onProgress(Math.min(done, total), total);
  };
  const tables: ExportManifest['tables'] = {};
  const written: ExportedFile[] = [];
  for (const part of parts) {
    const before = [...known.values()].filter(({ path }) => path.startsWith(`${part.folder}/`));
    const { files, fresh } = await writePart(folder, part, before, progress);
    written.push(...fresh);
    const table = tables[part.table] ?? emptyTable(part);
    const rows = files.reduce((sum, file) => sum + file.rows, table.rows);
    tables[part.table] = { ...table, rows, files: [...table.files, ...files] };
  }
  const manifest: ExportManifest = {
    version: 1,
    exported_at: new Date(systemClock.now()).toISOString(),
    source,
    tables,
    replaced: [],
  };
  const present = new Set(filesOf(manifest).map(({ path }) => path));
  const replaced = [...known.keys()].filter((path) => !present.has(path));
  check?.();
  await publish(at, Buffer.from(formatExportManifest({ ...manifest, replaced })), former ? [former.sha256] : []);
  const kept = new Set([...present, ...replaced]);
  for (const path of await filesOfTables(folder))
    if (isExportPath(path) && !kept.has(path)) await remove({ root: folder, path });
  const all = filesOf(manifest);
  return {
    reports: tables.reports?.rows ?? 0,
    files: all.length,
    bytes: bytesOf(all),
    filesWritten: written.length,
    bytesWritten: bytesOf(written),
  };
}

const bytesOf = (files: readonly ExportedFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0);

function emptyTable({ table, columns }: TablePart): NonNullable<ExportManifest['tables'][ExportTable]> {
  return { columns: [...columns], partition: table === 'reports' ? 'fiscal_year' : null, rows: 0, files: [] };
}

/** The manifest that lies there. Throws a DiskProblem when it isn't ours, or is of another library. */
async function formerManifest(at: FileAt, origin: string) {
  const there = await fileThere(at);
  if (!there) return undefined;
  const manifest = readExportManifest(await onDisk(() => readFile(pathOf(at), 'utf8')));
  if (!manifest) throw notOurs(pathOf(at));
  if (manifest.source.origin !== origin)
    throw new DiskProblem(
      'foreign',
      l10n.t('This folder holds an export of {0}. Choose another folder.', manifest.source.origin),
    );
  return { manifest, sha256: there.sha256 };
}

function notOurs(path: string): DiskProblem {
  return new DiskProblem('foreign', l10n.t('{0} wasn’t written by Report Library. Choose an empty folder.', path));
}

/** A folder without a manifest may hold what an export left that never ended. @throws DiskProblem for anything else */
async function requireOwn(folder: string): Promise<void> {
  const entries = await onDisk(() => readdir(folder, { withFileTypes: true }));
  const isHidden = (name: string) => basename(name).startsWith('.');
  const foreign =
    entries.find((entry) => !isTable(entry.name) && !(entry.isFile() && isHidden(entry.name)))?.name ??
    (await filesOfTables(folder)).find((path) => !isExportPath(path) && !isHidden(path));
  if (foreign !== undefined) throw notOurs(join(folder, foreign));
}

/** Paths of the files in the folders of our tables, below the folder of the export; follows no link. */
async function filesOfTables(folder: string): Promise<string[]> {
  return onDisk(async () => {
    const entries = await readdir(folder, { withFileTypes: true });
    const tables = entries.filter((entry) => entry.isDirectory() && isTable(entry.name));
    const found = await Promise.all(tables.map(({ name }) => filesBelow(join(folder, name))));
    return found.flat().map((path) => relative(folder, path).replaceAll('\\', '/'));
  });
}

const isTable = (name: string) => (exportTables as readonly string[]).includes(name);

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

/** Enough for engines to read quickly, few enough to hold: each further row takes some 5 kB until it is written. */
const rowsPerGroup = 20_480;
/** More different texts than this, and a column's are hardly worth looking up; nor if most of so few are different. */
const maxTexts = 4_000;
const fewTexts = 200;

/** Whether a file of an earlier run lies there with the very bytes that its manifest names. */
async function isWhole(root: string, { path, bytes, sha256 }: ExportedFile): Promise<boolean> {
  const at = { root, path };
  if ((await onDisk(() => statOf(pathOf(at))))?.size !== bytes) return false;
  return (await fileThere(at))?.sha256 === sha256;
}

async function publish(at: FileAt, bytes: Uint8Array, mayReplace: readonly string[]): Promise<void> {
  const unfinished = await Unfinished.begin(at, systemClock);
  try {
    await onDisk(() => unfinished.file.writeFile(bytes));
    await unfinished.publish(mayReplace);
  } finally {
    await unfinished.discard();
  }
}

/** Removes a file of ours that a run before the last replaced; somebody may have done so. */
async function remove(at: FileAt): Promise<void> {
  if (!(await fileThere(at))) return;
  try {
    await onDisk(() => unlink(pathOf(at)));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
