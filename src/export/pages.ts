import type { Report } from '../api/schemas/report.ts';

/** Reports of a page: enough to keep the library busy, few enough to hold. */
export const pageRows = 500;

/** Reads reports by id, a page at a time; what is gone meanwhile is left out. */
export async function* reportPages(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<readonly Report[]>,
): AsyncGenerator<readonly Report[], void, void> {
  for (let start = 0; start < ids.length; start += pageRows) yield await read(ids.slice(start, start + pageRows));
}
