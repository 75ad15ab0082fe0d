import { objectItem } from '../schemas/page.ts';
import { type Report, readReport } from '../schemas/report.ts';
import type { CallOptions, Service } from '../transport/call.ts';
import { readAnswer } from '../transport/json.ts';
import { reportPath } from './reportPath.ts';

/** `GET /reports/{report_id}`: one report, also by an id that a merge or rename retired (ONE-1, RID-1). */
export async function getReport(service: Service, reportId: number, options?: CallOptions): Promise<Report> {
  const answer = await service.ask(
    { method: 'GET', route: '/reports/{report_id}', path: reportPath(reportId) },
    options,
  );
  return readAnswer(answer, objectItem(readReport));
}
