import type { Library } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';

/** The listed reports of a library by the hashes that it publishes for them. */
export async function publishedIn(
  library: Library,
  sha256s: readonly string[],
): Promise<ReadonlyMap<string, readonly ReportSummary[]>> {
  return Map.groupBy(await library.reportsOfHashes(sha256s), ({ sha256 }) => sha256 ?? '');
}

const dayMs = 86_400_000;

/** Days since 1970 of a report's publication, else of the end of its fiscal year; 0 where neither is known. */
export function dayOf(report: Pick<ReportSummary, 'published' | 'period_end' | 'fiscal_year'> | undefined): number {
  const { published, period_end, fiscal_year } = report ?? {};
  const text = published ?? period_end ?? (fiscal_year ? `${fiscal_year}-12-31` : '');
  const days = Math.floor(Date.parse(text) / dayMs);
  return days > 0 && days < 2 ** 16 ? days : 0;
}
