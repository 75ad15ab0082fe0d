import { resolve as absolute } from 'node:path';
import { companyPages, writeParquetFolder } from '../export/parquetFolder.ts';
import { encoderFor, exportFormats, extensions, reportPages, writeTable } from '../export/writeTable.ts';
import { onDisk } from '../files/guard.ts';
import { findReports } from '../library/findReports.ts';
import type { ReportQuery } from '../library/reportQuery.ts';
import type { CommandContext, CommandOutcome } from './context.ts';
import { filterOf } from './download.ts';
import { exit, UsageProblem } from './exit.ts';
import { requireFolderOf, shown } from './output.ts';
import { syncedLibrary } from './sync.ts';

const usual = 20;
const maxReports = 1000;

export function limitOf({ limit }: CommandContext['values']): number {
  if (limit === undefined) return usual;
  const number = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (number < 1 || number > maxReports)
    throw new UsageProblem(`--limit takes a whole number from 1 to ${maxReports}.`);
  return number;
}

/** Finds reports by words, id or key in the library on this computer. */
export async function find(context: CommandContext): Promise<CommandOutcome> {
  const { out, names, signal, values } = context;
  const limit = limitOf(values);
  const library = await syncedLibrary(context);
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

/** Writes the metadata of the library, or of a part of it, as a table or as Parquet files by fiscal year. */
export async function exportTable(context: CommandContext): Promise<CommandOutcome> {
  const { out, signal, values } = context;
  const { partition, format: given = 'csv' } = values;
  const format = exportFormats.find((known) => known === given);
  if (!format) throw new UsageProblem(`--format takes one of ${exportFormats.join(', ')}.`);
  if (partition !== undefined && (partition !== 'fiscal_year' || format !== 'parquet'))
    throw new UsageProblem('--partition takes fiscal_year, together with --format parquet.');
  const output = values.output ?? (partition ? 'report-library' : `report-metadata.${extensions[format]}`);
  await requireFolderOf(output);
  const { company_key, type, fcyear, language } = filterOf(values) ?? {};
  const query: ReportQuery = {
    ...{ company_key: company_key === undefined ? undefined : [company_key], type, fcyear },
    language: language === undefined ? undefined : [language],
  };
  const calls = (await syncedLibrary(context)).withSignal(signal);
  const ids = await calls.reportIds(query);
  const read = async (page: readonly number[]) => (await calls.storedReports(page)).map(({ report }) => report);
  const options = { pages: reportPages(ids, read), signal, onProgress: out.progress('Exporting', ids.length) };
  const rows = partition
    ? await writeParquetFolder({ ...options, folder: absolute(output), companies: companyPages(calls) })
    : await onDisk(async () => writeTable({ ...options, file: absolute(output), encoder: await encoderFor(format) }));
  out.line(`${rows} reports in ${shown(output)}. The data is licensed to you and may not be redistributed.`);
  return { code: exit.same, document: { rows, format, output } };
}
