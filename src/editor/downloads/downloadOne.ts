import { type DownloadOutcome, outcomesOf } from './outcomes.ts';
import type { WorkspaceDownloads } from './workspaceDownloads.ts';

/** Downloads one report's PDF for a caller that shows the progress itself. */
export async function downloadOne(
  downloads: WorkspaceDownloads,
  reportId: number,
  onProgress: (receivedBytes: number, totalBytes: number | null) => void,
  signal: AbortSignal,
): Promise<DownloadOutcome> {
  const cancelled: DownloadOutcome = { report_id: reportId, status: 'cancelled' };
  const place = await downloads.folder(true);
  if (!place) return cancelled;
  const reports = await downloads.reports([reportId], signal);
  const results = await place.folder.download(reports, {
    signal,
    priority: 'interactive',
    onEvent(event) {
      if (event.state === 'active') onProgress(event.bytes, event.total);
    },
  });
  return outcomesOf([reportId], results)[0] ?? cancelled;
}
