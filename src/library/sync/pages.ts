import type { Page } from '../../api/schemas/page.ts';
import type { Change, Report } from '../../api/schemas/report.ts';
import { libraryError } from '../libraryError.ts';
import type { IncomingPage } from '../pageReading.ts';
import type { FeedStart, SourceOptions, SyncSource } from './source.ts';
import type { WalkFilter } from './walkFilter.ts';

/** The largest page of `GET /reports`. */
export const reportsPageSize = 200;

/** Fetches one page of `GET /reports`, as bytes where the client can. */
export async function fetchReports(
  source: SyncSource,
  filter: WalkFilter,
  cursor: string | null,
  options: SourceOptions,
): Promise<IncomingPage<Report>> {
  const asked = { ...options, limit: reportsPageSize, cursor: cursor ?? undefined };
  if (source.reportsPageBytes) return source.reportsPageBytes(filter, asked);
  return { page: await firstOf(source.reports(filter, asked)) };
}

/** Fetches one page of the change feed. */
export async function fetchChanges(
  source: SyncSource,
  from: FeedStart,
  options: SourceOptions,
): Promise<IncomingPage<Change>> {
  if (source.changesPageBytes) return source.changesPageBytes(from, options);
  return { page: await firstOf(source.changes(from, options)) };
}

/** The first page of a walk that is not gone on with here: the cursor is stored first, then used. */
async function firstOf<T>(pages: AsyncIterable<Page<T>>): Promise<Page<T>> {
  for await (const page of pages) return page;
  throw libraryError('unreadable-page');
}
