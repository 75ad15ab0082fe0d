import { type DownloadLink, readDownloadLink } from '../schemas/downloadLink.ts';
import { objectItem } from '../schemas/page.ts';
import type { CallOptions, Service } from '../transport/call.ts';
import { readAnswer } from '../transport/json.ts';
import { reportPath } from './reportPath.ts';

/**
 * `GET /reports/{report_id}/download`: a signed link to the PDF (DL-1). Each call counts as a download in the usage,
 * so it is made right before the file is fetched, and never to look ahead.
 */
export async function getDownloadLink(
  service: Service,
  reportId: number,
  options?: CallOptions,
): Promise<DownloadLink> {
  const answer = await service.ask(
    { method: 'GET', route: '/reports/{report_id}/download', path: `${reportPath(reportId)}/download` },
    options,
  );
  return readAnswer(
    answer,
    objectItem((raw) => readDownloadLink(raw, reportId)),
  );
}
