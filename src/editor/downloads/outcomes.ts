import type { DownloadResult, DownloadStatus } from '../../downloads/result.ts';

/** What `reportLibrary.downloadReports` gives a program, one entry an id, in the order given. */
export interface DownloadOutcome {
  readonly report_id: number;
  readonly status: DownloadStatus;
  /** Relative to the workspace folder. */
  readonly path?: string;
  readonly sha256?: string;
  readonly reason?: string;
}

/** Results as outcomes, in the order of the ids; a merged report answers under the id that was asked for (RID-1). */
export function outcomesOf(ids: readonly number[], results: readonly DownloadResult[]): DownloadOutcome[] {
  return results.map(({ report_id, status, path, sha256, reason }, index) => ({
    report_id: ids[index] ?? report_id,
    status,
    ...(path !== undefined && { path }),
    ...(sha256 !== undefined && { sha256 }),
    ...(reason !== undefined && { reason }),
  }));
}
