import { appendFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fiscalYearOf } from '../api/schemas/fields.ts';
import type { Report } from '../api/schemas/report.ts';
import { systemClock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { isAbandoned, partName, retryWhileHeld } from '../files/atomic.ts';
import { DiskProblem, onDisk, statOf } from '../files/guard.ts';
import type { LibraryCompany } from '../library/companyQuery.ts';
import type { LibraryCalls } from '../library/library.ts';
import { createdBy, groupRows, type ParquetColumn, ParquetTable, reportColumns } from './parquet.ts';
import { type TypedRow, typedRow } from './rows.ts';
import { companiesFile } from './writeTable.ts';

interface FolderOptions {
  /** Absolute path of the folder: missing, empty, or an earlier export, which is replaced once all is written. */
  readonly folder: string;
  readonly pages: AsyncIterable<readonly Report[]>;
  readonly companies: AsyncIterable<readonly LibraryCompany[]>;
  readonly signal: AbortSignal;
  /** Called with the number of reports that are read so far. */
  onProgress?(rows: number): void;
}

/**
 * Writes reports as Parquet files by fiscal year, and companies, into a new folder that then replaces the old one.
 * Returns the number of reports.
 * @throws DiskProblem, `foreign` for a folder with anything but an earlier export in it
 */
export function writeParquetFolder({ folder, pages, companies, signal, onProgress }: FolderOptions): Promise<number> {
  return onDisk(async () => {
    await requireReplaceable(folder);
    await removeAbandoned(folder);
    const unfinished = join(dirname(folder), partName(basename(folder)));
    await mkdir(unfinished);
    try {
      const rows = await writeReports(unfinished, pages, signal, onProgress);
      const table = new TableFile(join(unfinished, companiesFile), 'companies', companyColumns);
      for await (const page of companies) {
        signal.throwIfAborted();
        await table.add(page);
      }
      await table.end();
      signal.throwIfAborted();
      // Someone may have put a file into it meanwhile.
      await requireReplaceable(folder);
      await replaceFolder(folder, unfinished);
      return rows;
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  });
}

async function writeReports(
  root: string,
  pages: FolderOptions['pages'],
  signal: AbortSignal,
  onProgress: FolderOptions['onProgress'],
): Promise<number> {
  const files = new Map<number | null, TableFile<TypedRow>>();
  let rows = 0;
  for await (const page of pages) {
    signal.throwIfAborted();
    for (const [year, reports] of Map.groupBy(page, fiscalYearOf)) {
      let file = files.get(year);
      if (!file) {
        const ofYear = join(root, 'reports', `fiscal_year=${year ?? '__HIVE_DEFAULT_PARTITION__'}`);
        await mkdir(ofYear, { recursive: true });
        file = new TableFile(join(ofYear, 'part-0.parquet'), 'reports', reportColumns);
        files.set(year, file);
      }
      await file.add(reports.map(typedRow));
    }
    const waiting = [...files.values()].sort((a, b) => b.waiting - a.waiting);
    if (waiting.reduce((sum, file) => sum + file.waiting, 0) >= 2 * groupRows) await waiting[0]?.writeGroup();
    rows += page.length;
    onProgress?.(rows);
  }
  for (const file of files.values()) {
    signal.throwIfAborted();
    await file.end();
  }
  return rows;
}

/** A Parquet file that is open only while a row group is added to it: there may be very many years. */
class TableFile<Row> {
  readonly #path: string;
  readonly #table: ParquetTable<Row>;
  #rows: Row[] = [];

  constructor(path: string, name: string, columns: readonly ParquetColumn<Row>[]) {
    this.#path = path;
    this.#table = new ParquetTable(name, columns);
  }

  /** Rows that are not written yet. */
  get waiting(): number {
    return this.#rows.length;
  }

  async add(rows: readonly Row[]): Promise<void> {
    this.#rows.push(...rows);
    if (this.#rows.length >= groupRows) await this.writeGroup();
  }

  async writeGroup(): Promise<void> {
    const bytes = this.#table.group(this.#rows);
    this.#rows = [];
    await appendFile(this.#path, bytes);
  }

  async end(): Promise<void> {
    await this.writeGroup();
    await appendFile(this.#path, this.#table.end(), { flush: true });
  }
}

const companyTexts = [
  ...(['company_key', 'company_name', 'isin', 'lei', 'figi', 'cik', 'ticker', 'mic', 'exchange'] as const),
  ...(['country', 'sector', 'industry'] as const),
];
const companyColumns: readonly ParquetColumn<LibraryCompany>[] = [
  ...companyTexts.map((name) => ({ name, type: 'string', value: (company: LibraryCompany) => company[name] }) as const),
  { name: 'fiscal_year_end_month', type: 'integer', value: (company) => company.fiscal_year_end_month },
  { name: 'watched', type: 'boolean', value: ({ watched }) => watched },
  { name: 'reports', type: 'long', value: ({ listed }) => listed },
  { name: 'newest_fiscal_year', type: 'long', value: ({ newest }) => newest },
];

/** All companies of a library, a page at a time. */
export async function* companyPages(library: Pick<LibraryCalls, 'companies'>) {
  let after: string | null | undefined;
  do {
    const { items, next } = await library.companies({}, { limit: 500, ...(after && { after }) });
    yield items;
    after = next;
  } while (after);
}

/** @throws DiskProblem unless the folder is missing, empty or an earlier export, with nothing else in it */
async function requireReplaceable(folder: string): Promise<void> {
  const found = await statOf(folder);
  if (!found) return;
  if (found.isDirectory()) {
    const names = await readdir(folder);
    const isComplete = names.includes(companiesFile) && names.includes('reports');
    if (names.length === 0 || (isComplete && (await holdsOnlyOurs(folder)))) return;
  }
  const words = l10n.t('{0} is not an earlier export, or holds other files too. Choose another folder.', folder);
  throw new DiskProblem('foreign', words);
}

const folderForm = /^reports(?:\/fiscal_year=(?:\d{1,16}|__HIVE_DEFAULT_PARTITION__))?$/;
const fileForm = /^(?:reports\/fiscal_year=(?:\d{1,16}|__HIVE_DEFAULT_PARTITION__)\/part-0|companies)\.parquet$/;

/** Whether a folder, and those in it, hold nothing that we didn't write. A link is none of ours. */
async function holdsOnlyOurs(root: string, below = ''): Promise<boolean> {
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const isOurs = entry.isDirectory()
      ? folderForm.test(path) && (await holdsOnlyOurs(root, path))
      : entry.isFile() && fileForm.test(path) && (await isWrittenByUs(join(root, path)));
    // Finder leaves a file of its own in each folder that it shows.
    if (!isOurs && !(entry.isFile() && entry.name === '.DS_Store')) return false;
  }
  return true;
}

/** More than the end of a file takes behind the name of its writer: a byte for each column, a length and a mark. */
const tailBytes = 512;

async function isWrittenByUs(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  const { buffer } = await file.read({ buffer: Buffer.alloc(tailBytes), position: Math.max(0, size - tailBytes) });
  return buffer.includes(createdBy);
}

/** Removes unfinished folders that killed exports left beside a folder. */
async function removeAbandoned(folder: string): Promise<void> {
  const names = (await readdir(dirname(folder))).filter((name) => name.startsWith(`.${basename(folder)}.`));
  for (const path of names.map((name) => join(dirname(folder), name)))
    if (await isAbandoned(path, systemClock)) await rm(path, { recursive: true, force: true });
}

/** Puts a new folder in place of another, which may be missing. */
async function replaceFolder(folder: string, replacement: string): Promise<void> {
  const old = join(dirname(folder), partName(basename(folder)));
  const move = (from: string, to: string) => retryWhileHeld(() => rename(from, to), systemClock);
  const hadOne = (await statOf(folder)) !== undefined;
  if (hadOne) await move(folder, old);
  try {
    await move(replacement, folder);
  } catch (error) {
    if (hadOne) await move(old, folder);
    throw error;
  }
  await rm(old, { recursive: true, force: true });
}
