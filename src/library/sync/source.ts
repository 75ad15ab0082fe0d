import type { Company } from '../../api/schemas/company.ts';
import type { Entitlements } from '../../api/schemas/meta.ts';
import type { Page } from '../../api/schemas/page.ts';
import type { Change, Report } from '../../api/schemas/report.ts';
import type { WalkFilter } from './walkFilter.ts';

/** What a call may be told. */
export interface SourceOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: 'interactive' | 'background' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Where a run of the feed starts (CHG-1). */
export type FeedStart = { readonly since: string } | { readonly cursor: string };

/** One page as the network gave it. The bytes must be the caller's to give away. */
export interface PageBytes {
  readonly bytes: Uint8Array;
  /** The server's clock in ms, from the Date header. */
  readonly serverTime: number | null;
}

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
