import {
  type Entitlements,
  type Framework,
  type Health,
  readEntitlements,
  readFrameworks,
  readHealth,
  readUsage,
  type Usage,
} from '../schemas/meta.ts';
import { type CallOptions, objectItem } from '../schemas/page.ts';
import { readSchemaDictionary, type SchemaDictionary } from '../schemas/schemaDictionary.ts';
import { parseJson, readAnswer, type Service } from '../transport/answers.ts';
import { unexpectedShape } from '../transport/errors.ts';

const pdfMark = Buffer.from('%PDF-');
/** A PDF's mark may stand anywhere in its first 1,024 bytes. */
const markWithin = 1024;
/** An entity tag as HTTP writes it, of a length that is worth keeping. */
const etagForm = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/;

/** The field guide, or that the one in hand is still right. */
interface FieldGuide {
  /** The PDF; null when it is the one that `etag` named. */
  readonly bytes: Uint8Array | null;
  /** Names this version, if the service gives versions. */
  readonly etag: string | null;
}

interface FieldGuideOptions extends CallOptions {
  /** Of the field guide in hand. */
  readonly etag?: string | undefined;
}

/** What the service tells of itself and of the key. */
export function metaEndpoints(service: Service) {
  const read = async (route: string, options?: CallOptions) =>
    parseJson(await service.ask({ method: 'GET', route }, options));
  return {
    /** `GET /health`: whether the service is there, asked without the key (END-1). It may answer without JSON. */
    async health(options?: CallOptions): Promise<Health> {
      const answer = await service.ask({ method: 'GET', route: '/health', key: false, accepts: 'any' }, options);
      if (!answer.isJson) return readHealth(new TextDecoder().decode(answer.body.subarray(0, 200)));
      return readHealth(parseJson(answer));
    },
    /** `GET /entitlements`: the key's access window (ENT-1). */
    async entitlements(options?: CallOptions): Promise<Entitlements> {
      const answer = await service.ask({ method: 'GET', route: '/entitlements' }, options);
      return readAnswer(answer, objectItem(readEntitlements));
    },
    /** `GET /meta/schema`: the 50-field dictionary (COL-1, META-1). */
    schema: async (options?: CallOptions): Promise<SchemaDictionary> =>
      readSchemaDictionary(await read('/meta/schema', options)),
    /** `GET /meta/frameworks`: the codes of the framework filter (META-1). */
    frameworks: async (options?: CallOptions): Promise<readonly Framework[]> =>
      readFrameworks(await read('/meta/frameworks', options)),
    /** `GET /meta/usage`: requests and downloads this calendar month (LIM-2). */
    usage: async (options?: CallOptions): Promise<Usage> => readUsage(await read('/meta/usage', options)),
    /** `GET /meta/field-guide.pdf`: the field guide (META-1). Throws `unexpected-shape` when it is not a PDF. */
    async fieldGuide({ etag, ...call }: FieldGuideOptions = {}): Promise<FieldGuide> {
      const request = { method: 'GET', route: '/meta/field-guide.pdf', accepts: 'any', etag } as const;
      const { body, requestId, etag: told, isUnchanged } = await service.ask(request, call);
      const known = told !== undefined && etagForm.test(told) ? told : null;
      if (isUnchanged) return { bytes: null, etag: known };
      const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, markWithin));
      if (!start.includes(pdfMark)) throw unexpectedShape('It should be a PDF and is not.', requestId);
      return { bytes: body, etag: known };
    },
  };
}
