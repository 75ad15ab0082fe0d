import { l10n } from '../../base/l10n.ts';
import type { CallOptions, Service } from '../transport/call.ts';
import { unexpectedShape } from '../transport/problems.ts';

const pdfMark = Buffer.from('%PDF-');
/** A PDF's mark may stand anywhere in its first 1,024 bytes. */
const markWithin = 1024;
/** An entity tag as HTTP writes it, of a length that is worth keeping. */
const etagForm = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/;

/** The field guide, or that the one in hand is still right. */
export interface FieldGuide {
  /** The PDF; null when it is the one that `etag` named. */
  readonly bytes: Uint8Array | null;
  /** Names this version, if the service gives versions. */
  readonly etag: string | null;
}

export interface FieldGuideOptions extends CallOptions {
  /** Of the field guide in hand. */
  readonly etag?: string | undefined;
}

/** `GET /meta/field-guide.pdf`: the field guide as a PDF (META-1). Throws `unexpected-shape` when it is not a PDF. */
export async function getFieldGuide(service: Service, { etag, ...call }: FieldGuideOptions = {}): Promise<FieldGuide> {
  const request = { method: 'GET', route: '/meta/field-guide.pdf', accepts: 'any', etag } as const;
  const { body, requestId, etag: told, isUnchanged } = await service.ask(request, call);
  const known = told !== undefined && etagForm.test(told) ? told : null;
  if (isUnchanged) return { bytes: null, etag: known };
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, markWithin));
  if (!start.includes(pdfMark)) throw unexpectedShape(l10n.t('It should be a PDF and is not.'), requestId);
  return { bytes: body, etag: known };
}
