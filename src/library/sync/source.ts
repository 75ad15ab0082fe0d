import type { Company } from '../../api/schemas/company.ts';
import type { Entitlements } from '../../api/schemas/meta.ts';
import type { Page, RawPage } from '../../api/schemas/page.ts';
import type { ChangesFrom } from '../../api/schemas/report.ts';
import type { WalkFilter } from './syncRecord.ts';

/** What a call may be told. */
export interface SourceOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: 'interactive' | 'background' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** What the sync needs of the service: a part of the client. Pages are read where they are stored. */
export interface SyncSource {
  entitlements(options?: SourceOptions): Promise<Entitlements>;
  watchlist(options?: SourceOptions): AsyncIterable<Page<Company>>;
  reportsPage(filter: WalkFilter, options: SourceOptions): Promise<RawPage>;
  changesPage(from: ChangesFrom, options: SourceOptions): Promise<RawPage>;
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
