import type { App } from '../../app/app.ts';
import type { LocalLibrary } from '../../app/session.ts';
import type { Library } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import type { TextIndex } from '../../text/textIndex.ts';

/** The listed reports of a library by the hashes that it publishes for them. */
export async function publishedIn(
  library: Library,
  sha256s: readonly string[],
): Promise<ReadonlyMap<string, readonly ReportSummary[]>> {
  return Map.groupBy(await library.reportsOfHashes(sha256s), ({ sha256 }) => sha256 ?? '');
}

/**
 * Deletes the text that no library on this machine publishes any more: of withdrawn reports, an ended license or a
 * removed connection. False when that can't be decided, because a library can't be asked now or the connection changed
 * meanwhile; try again then.
 * @param own the library in use, undefined while nobody is signed in
 */
export async function forgetUnpublished(
  { services, publishedElsewhere }: Pick<App, 'services' | 'publishedElsewhere'>,
  index: Pick<TextIndex, 'held' | 'forget'>,
  own: Pick<LocalLibrary, 'library' | 'connection'> | undefined,
): Promise<boolean> {
  const { signal } = services;
  const held = await index.held(null);
  const here = own && (await publishedIn(own.library, held));
  const left = held.filter((sha256) => !here?.has(sha256));
  if (left.length === 0) return true;
  const { published, complete } = await publishedElsewhere(left, own);
  if (!complete || signal.aborted) return false;
  const kept = new Set(published);
  await index.forget(left.filter((sha256) => !kept.has(sha256)));
  return true;
}

const dayMs = 86_400_000;

/** Days since 1970 of a report's publication, else of the end of its fiscal year; 0 where neither is known. */
export function publicationDay(
  report: Pick<ReportSummary, 'published' | 'period_end' | 'fiscal_year'> | undefined,
): number {
  const { published, period_end, fiscal_year } = report ?? {};
  const text = published ?? period_end ?? (fiscal_year ? `${fiscal_year}-12-31` : '');
  const days = Math.floor(Date.parse(text) / dayMs);
  return days > 0 && days < 2 ** 16 ? days : 0;
}
