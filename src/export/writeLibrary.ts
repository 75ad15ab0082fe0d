import { readdir, readFile, unlink } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { silentLogger } from '../base/logger.ts';
import { DiskProblem, filesBelow, onDisk, systemCode } from '../downloads/disk.ts';
import { type FileAt, fileThere, pathOf, sweepParts } from '../downloads/publish.ts';
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
import { noneBegun, type PartFiles, type PartsTask, publish, writeParts } from './writeParts.ts';

/** Where an export goes, and what is said of its source. */
export interface ExportTarget {
  /** Absolute path of the folder of the export. */
  readonly folder: string;
  readonly source: ExportManifest['source'];
  /** Called when all files are there, before the manifest names them; throws where their rows don't fit together. */
  readonly check?: (() => void) | undefined;
  /** Writes parts of the reports in another thread at the same time, and tells the same progress. */
  readonly helper?: ((task: PartsTask) => Promise<readonly PartFiles[]>) | undefined;
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

/**
 * Writes tables as Parquet below a folder, and then the manifest that names their files. Files are named by their
 * content and never overwritten; an earlier run's file with the right rows stays. Removed is what that run had
 * replaced, and what a killed or cancelled run wrote; files that this run replaces stay for the next, since a reader
 * may still use the older manifest. Throws a DiskProblem, also for a folder with another library's export or anything
 * else.
 * @param progress told how many more rows are read
 */
export async function writeLibrary(
  { folder, source, check, helper }: ExportTarget,
  parts: readonly TablePart[],
  progress: (rows: number) => void,
): Promise<LibraryExportResult> {
  const at = { root: folder, path: exportManifestName };
  const reports = parts.filter(({ table }) => table === 'reports').reduce((sum, { rows }) => sum + rows, 0);
  const former = await formerManifest(at, source, reports);
  if (!former) await requireOwn(folder);
  await onDisk(() => sweepParts(folder, systemClock, silentLogger));
  const known = new Map((former?.manifest ? filesOf(former.manifest) : []).map((file) => [file.path, file]));
  const tables: ExportManifest['tables'] = {};
  const written: ExportedFile[] = [];
  const task = { folder, known: [...known.values()], begun: noneBegun() };
  const ofReports = parts.filter(({ table }) => table === 'reports');
  const [own, helped] = await Promise.all([writeParts(task, ofReports, progress), helper?.(task) ?? []]);
  const others = parts.filter(({ table }) => table !== 'reports');
  const rest = await writeParts({ ...task, begun: noneBegun() }, others, progress);
  const ofFolder = new Map([...own, ...helped, ...rest].map((one) => [one.folder, one]));
  for (const part of parts) {
    const { files, fresh } = ofFolder.get(part.folder) ?? { files: [], fresh: [] };
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
async function formerManifest(at: FileAt, { origin, library }: ExportManifest['source'], reports: number) {
  const there = await fileThere(at);
  if (!there) return undefined;
  const manifest = readExportManifest(await onDisk(() => readFile(pathOf(at), 'utf8')));
  if (!manifest) throw notOurs(pathOf(at));
  if (manifest.source.origin !== origin)
    throw new DiskProblem(
      'foreign',
      l10n.t('This folder holds an export of {0}. Choose another folder.', manifest.source.origin),
    );
  const { source, tables } = manifest;
  // A key that replaced another sees about as much; one of another licence, such as a sandbox, may see far less.
  const isLess = 2 * reports < (tables.reports?.rows ?? 0);
  if (isLess && source.library !== undefined && library !== undefined && source.library !== library)
    throw new DiskProblem(
      'foreign',
      l10n.t(
        'This folder holds an export made with another API key, of many more reports. Choose another folder, or delete it first.',
      ),
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

/** Removes a file of ours that a run before the last replaced; somebody may have done so. */
async function remove(at: FileAt): Promise<void> {
  if (!(await fileThere(at))) return;
  try {
    await onDisk(() => unlink(pathOf(at)));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
