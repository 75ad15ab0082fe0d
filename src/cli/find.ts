import { readFile } from 'node:fs/promises';
import { resolve as absolute, join } from 'node:path';
import { DiskProblem, isThere, onDisk } from '../downloads/disk.ts';
import { isOfOtherService, LockProblem } from '../downloads/manifest.ts';
import { exportManifestName, readExportManifest } from '../export/exportManifest.ts';
import type { ExportedPdf } from '../export/libraryTables.ts';
import {
  type ExportFormat,
  encoderFor,
  exportFormats,
  extensions,
  reportPages,
  writeTable,
} from '../export/writeTable.ts';
import { findReports } from '../library/findReports.ts';
import type { ReportQuery } from '../library/reportQuery.ts';
import { sourceOf } from './connect.ts';
import type { CommandContext, CommandOutcome } from './context.ts';
import { filterOf } from './download.ts';
import { exit, UsageProblem } from './exit.ts';
import { folderAt, lockIfThere, pathFromHere, pdfsHere } from './folder.ts';
import { progressOf, requireFolderOf, shown } from './output.ts';
import { syncedLibrary } from './sync.ts';

const usual = 20;
const maxReports = 1000;

/** How many answers `--limit` asks for. @throws UsageProblem */
export function limitOf({ limit }: CommandContext['values']): number {
  if (limit === undefined) return usual;
  const number = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (number < 1 || number > maxReports)
    throw new UsageProblem(`--limit takes a whole number from 1 to ${maxReports}.`);
  return number;
}

/** Finds reports by words, id or key in the library on this machine. */
export async function find(context: CommandContext): Promise<CommandOutcome> {
  const { out, names, signal, values } = context;
  const limit = limitOf(values);
  const { library } = await syncedLibrary(context);
  const { reports } = await findReports(library.withSignal(signal), names.join(' '), limit);
  for (const { report_key, report_id, company_name, fiscal_year, title, state } of reports) {
    const what = [company_name, fiscal_year, title].filter((part) => part !== null).join(' · ');
    out.line(`${shown(report_key).padEnd(26)}  ${report_id}  ${shown(what)}${state === 'listed' ? '' : ` (${state})`}`);
  }
  if (reports.length === 0) out.line('Nothing found.');
  const rows = reports.map(({ report_id, report_key, company_key, company_name, title, type, fiscal_year, state }) => ({
    ...{ report_id, report_key, company_key, company_name, title, type, fiscal_year, state },
  }));
  return { code: reports.length > 0 ? exit.same : exit.differs, document: { reports: rows } };
}

/** Writes the metadata of the library, or of a part of it, as a table. */
export async function exportTable(context: CommandContext): Promise<CommandOutcome> {
  const { out, signal, values } = context;
  if (values.partition !== undefined) return exportPartitions(context);
  const format = (values.format ?? 'csv') as ExportFormat;
  if (!exportFormats.includes(format)) throw new UsageProblem(`--format takes one of ${exportFormats.join(', ')}.`);
  const name = values.output ?? `report-metadata.${extensions[format]}`;
  await requireFolderOf(name);
  const { company_key, type, fcyear, language } = filterOf(values) ?? {};
  const query: ReportQuery = {
    ...{ company_key: company_key === undefined ? undefined : [company_key], type, fcyear },
    language: language === undefined ? undefined : [language],
  };
  const calls = (await syncedLibrary(context)).library.withSignal(signal);
  const ids = await calls.reportIds(query);
  const read = async (page: readonly number[]) => (await calls.storedReports(page)).map(({ report }) => report);
  const onProgress = out.progress('Exporting', ids.length);
  const encoder = await encoderFor(format);
  const options = { file: absolute(name), encoder, pages: reportPages(ids, read), signal, onProgress };
  const rows = await onDisk(() => writeTable(options));
  out.line(`${rows} reports in ${shown(name)}. The data is licensed to you and not for redistribution.`);
  return { code: exit.same, document: { rows, format, output: name } };
}

/** Writes the whole library as Parquet files by fiscal year, for DuckDB and others; a second run updates them. */
async function exportPartitions(context: CommandContext): Promise<CommandOutcome> {
  const { out, signal, values } = context;
  if (values.partition !== 'fiscal_year' || values.format !== 'parquet')
    throw new UsageProblem('--partition takes fiscal_year, together with --format parquet.');
  if (filterOf(values)) throw new UsageProblem('--partition writes the whole library; leave out the filter.');
  const output = values.output ?? 'report-library';
  await requireNoPages(output);
  const { path, origin } = await syncedLibrary(context);
  const onProgress = progressOf(out, 'Exporting');
  const { exportLibrary } = await import('../export/exportLibrary.ts');
  const localFiles = await exportedPdfs(context);
  const target = { library: path, folder: absolute(output), origin, localFiles };
  const result = await exportLibrary({ ...target, signal, onProgress });
  out.line(
    `${result.reports} reports in ${result.files} files of ${shown(output)}, ${result.filesWritten} of them written.`,
  );
  return { code: exit.same, document: { format: 'parquet', output, ...result } };
}

/** The PDFs of the folder, for their table; none where the lock is of another service or, which is told, unreadable. */
async function exportedPdfs(context: CommandContext): Promise<ExportedPdf[]> {
  const at = folderAt(context);
  const lock = await lockIfThere(context).catch((error: unknown) => {
    if (!(error instanceof LockProblem || error instanceof DiskProblem)) throw error;
    context.out.warn(`${error.message} The export lists no PDFs of the folder.`);
    return undefined;
  });
  if (!lock || isOfOtherService(lock, sourceOf(context).origin)) return [];
  const pdfs = await pdfsHere(at, lock.reports);
  return pdfs.map(({ row: { report_id, report_key, sha256, bytes, downloaded_at, path } }) => {
    return { report_id, report_key, sha256, bytes, downloaded_at, path: pathFromHere(at, `${at.folder}/${path}`) };
  });
}

/** An export with the text of pages, which the editor writes once a person confirmed the licence, is left as it is. */
async function requireNoPages(output: string): Promise<void> {
  const manifest = join(absolute(output), exportManifestName);
  if (!(await isThere(manifest))) return;
  if (readExportManifest(await onDisk(() => readFile(manifest, 'utf8')))?.tables.pages)
    throw new UsageProblem(
      `${shown(output)} holds the text of pages, which only VS Code exports. Give another folder, or export there.`,
    );
}
