import type { Report } from '../../../src/api/schemas/report.ts';
import { companyPages, writeParquetFolder } from '../../../src/export/parquetFolder.ts';
import { reportPages } from '../../../src/export/writeTable.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';

interface ExportOptions {
  readonly ids?: readonly number[];
  readonly signal?: AbortSignal;
  onProgress?(rows: number): void;
}

/** Exports the reports of a library, or some of them, as files by fiscal year. */
export function exportFolder(store: LibraryStore, folder: string, options: ExportOptions = {}): Promise<number> {
  const { ids = store.reportIds({}), signal = new AbortController().signal, onProgress = () => {} } = options;
  const read = async (page: readonly number[]): Promise<readonly Report[]> =>
    store.storedReports(page).map(({ report }) => report);
  const companies = companyPages({ companies: async (query, page) => store.companies(query, page) });
  return writeParquetFolder({ folder, pages: reportPages(ids, read), companies, signal, onProgress });
}
