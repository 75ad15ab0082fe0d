import { coverageMarks } from '../api/schemas/reportTypes.ts';

/**
 * The mark of a report whose PDF is in the workspace; 0 for one that is no longer served, whose state is that it is
 * not. Nothing is claimed about a PDF without two hashes to compare.
 */
export function localMark(
  report: { readonly isListed: boolean; readonly sha256: string | null },
  localSha256: string | null,
): number {
  if (!report.isListed) return 0;
  const isChanged = report.sha256 !== null && localSha256 !== null && report.sha256 !== localSha256;
  return isChanged ? coverageMarks.changed : coverageMarks.downloaded;
}
