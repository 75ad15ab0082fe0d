import type { Company } from '../../api/schemas/company.ts';
import type { Entitlements } from '../../api/schemas/meta.ts';
import type { Page } from '../../api/schemas/page.ts';
import type { Change, Report } from '../../api/schemas/report.ts';
import type { IncomingPage, PageBytes } from '../library.ts';
import { libraryError } from '../libraryError.ts';
import type { WalkFilter } from './syncRecord.ts';

/** What a call may be told. */
export interface SourceOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: 'interactive' | 'background' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Where a run of the feed starts (CHG-1). */
export type FeedStart = { readonly since: string } | { readonly cursor: string };

/**
 * What the sync needs of the service: a part of the client. The two `…PageBytes` calls are optional; with them the
 * main thread never looks inside a page.
 */
export interface SyncSource {
  entitlements(options?: SourceOptions): Promise<Entitlements>;
  watchlist(options?: SourceOptions): AsyncIterable<Page<Company>>;
  reports(filter?: WalkFilter, options?: SourceOptions): AsyncIterable<Page<Report>>;
  changes(from: FeedStart, options?: SourceOptions): AsyncIterable<Page<Change>>;
  reportsPageBytes?(filter: WalkFilter, options: SourceOptions): Promise<PageBytes>;
  changesPageBytes?(from: FeedStart, options: SourceOptions): Promise<PageBytes>;
}

/** What is read of the service's refusals; the client's errors have this shape. */
interface Refusal {
  readonly problem: { readonly kind: string };
}

/** True when the service refused what it was sent, a cursor for one: asking the same again is of no use. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('problem' in error)) return false;
  const { problem } = error as Error & Refusal;
  return (
    typeof problem === 'object' && problem !== null && (problem.kind === 'invalid' || problem.kind === 'not-found')
  );
}

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
