import { usageOf } from '../keys.ts';
import { HttpProblem } from '../requests.ts';
import { makeLink } from '../signer.ts';
import { type DemoApp, type DemoState, keyOf } from '../state.ts';
import { accessReport } from './reports.ts';

/** `GET /reports/{report_id}/download`: a signed link, counted as a download (DL-1, DL-3). */
export function addDownload(api: DemoApp, state: DemoState): void {
  api.get('/reports/:report_id/download', (c) => {
    const { context } = c.env;
    const { report } = accessReport(state, context, c.req.param('report_id'));
    if (!report.has_file) throw new HttpProblem(404, `Report ${report.report_id} has no PDF.`);
    const key = keyOf(context);
    usageOf(key, state.clock).downloads += 1;
    const now = state.clock.now();
    const link = makeLink(state.signer, report.report_id, key, now);
    return c.json(
      {
        report_id: report.report_id,
        format: 'pdf',
        url: state.origin + link.path,
        expires_at: new Date(link.expires).toISOString(),
        expires_in_seconds: Math.max(0, Math.floor((link.expires - now) / 1000)),
        content_type: 'application/pdf',
      },
      200,
      { 'cache-control': 'no-store' },
    );
  });
}

/** What {@link makeLink} signs. */
type Link = Readonly<Record<'reportId' | 'expires', number>>;

/** Where signed links lead: the PDF's bytes, whole or in part, without a key (DL-2). */
export function addFiles(app: DemoApp, state: DemoState): void {
  app.get('/files/:name{\\d{1,16}\\.pdf}', async (c) => {
    const id = Number.parseInt(c.req.param('name'), 10);
    const link = state.signer.open('link', c.req.query('signature') ?? '') as Link | undefined;
    if (link?.reportId !== id) return refusal(403, 'SignatureDoesNotMatch');
    if (link.expires <= state.clock.now()) return refusal(403, 'AccessDenied', 'Request has expired');
    const report = state.holdings.find(id)?.report;
    if (!report?.has_file) return refusal(404, 'NoSuchKey');
    const { bytes, sha256 } = await state.holdings.pdf(report);
    const headers = {
      'content-type': 'application/pdf',
      'accept-ranges': 'bytes',
      etag: `"${sha256}"`,
      'cache-control': 'private, no-store',
    };
    const asked = c.req.header('if-range');
    const isSame = asked === undefined || asked === headers.etag;
    const range = isSame ? rangeOf(c.req.header('range'), bytes.byteLength) : null;
    if (range === null) return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
    const [first, last] = range;
    const isBeyond = first >= bytes.byteLength;
    const contentRange = `bytes ${isBeyond ? '*' : `${first}-${last}`}/${bytes.byteLength}`;
    return new Response(isBeyond ? null : bytes.slice(first, last + 1), {
      status: isBeyond ? 416 : 206,
      headers: { ...headers, 'content-range': contentRange },
    });
  });
}

/** First and last byte of a single-range header; null when the whole is to be sent. */
function rangeOf(header: string | undefined, length: number): readonly [first: number, last: number] | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '') return to === '' ? null : [Math.max(0, length - Number(to)), length - 1];
  if (to !== '' && Number(to) < Number(from)) return null;
  return [Number(from), Math.min(to === '' ? length : Number(to), length - 1)];
}

/** Storage refuses in its own way, not with the service's problem details. */
function refusal(status: number, code: string, message = code): Response {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(body, { status, headers: { 'content-type': 'application/xml' } });
}
