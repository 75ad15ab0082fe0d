import { requireScope } from '../gates/authenticate.ts';
import { makeLink } from '../links.ts';
import { Problem } from '../problem.ts';
import { accessReport } from '../reportAccess.ts';
import { type DemoApp, type DemoState, keyOf } from '../state.ts';

/** `GET /reports/{report_id}/download`: a signed link, counted as a download (DL-1, DL-3). */
export function addDownload(api: DemoApp, state: DemoState): void {
  api.get('/reports/:report_id/download', requireScope('files:read'), (c) => {
    const { exchange } = c.env;
    const { report } = accessReport(state, exchange, c.req.param('report_id'));
    if (!report.has_file) throw new Problem(404, `Report ${report.report_id} has no PDF.`);
    const { fault } = exchange;
    if (fault?.kind === 'usage-unrecorded') {
      throw new Problem(503, 'The download could not be recorded; no link was made.', {
        headers: { 'retry-after': String(fault.retryAfter ?? 5) },
      });
    }
    const key = keyOf(exchange);
    state.usage.of(key.label).downloads += 1;
    const now = state.clock.now();
    // An expired link looks like any other: only its signature is of a time gone by.
    const made = fault?.kind === 'expired-link' ? now - state.linkSeconds * 1000 : now;
    const link = makeLink(state.signer, report.report_id, key, made, state.linkSeconds);
    const expires = link.expires + (now - made);
    return c.json(
      {
        report_id: report.report_id,
        format: 'pdf',
        url: state.origin + link.path,
        expires_at: new Date(expires).toISOString(),
        expires_in_seconds: link.seconds,
        content_type: 'application/pdf',
      },
      200,
      { 'cache-control': 'no-store' },
    );
  });
}
