import type { CallOptions, Service } from '../transport/call.ts';
import { unexpectedShape } from '../transport/problems.ts';

const pdfMark = Buffer.from('%PDF-');
/** A PDF's mark may stand anywhere in its first 1,024 bytes. */
const markWithin = 1024;

/** `GET /meta/field-guide.pdf`: the field guide as a PDF (META-1). Throws `unexpected-shape` when it is not a PDF. */
export async function getFieldGuide(service: Service, options?: CallOptions): Promise<Uint8Array> {
  const answer = await service.ask({ method: 'GET', route: '/meta/field-guide.pdf', accepts: 'any' }, options);
  const { body, requestId } = answer;
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, markWithin));
  if (!start.includes(pdfMark)) throw unexpectedShape('It should be a PDF and is not.', requestId);
  return body;
}
