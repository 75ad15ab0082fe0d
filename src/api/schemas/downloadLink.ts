import type { JsonObject } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import { filledText, integer, type Reading, recordReader, text } from './record.ts';

/** A signed link to a PDF (DL-1): a credential, used once, kept nowhere (DL-2). */
export interface DownloadLink {
  readonly report_id: number;
  readonly url: Secret;
  /** Timestamp, UTC. */
  readonly expires_at: string | null;
  readonly expires_in_seconds: number | null;
  readonly content_type: string | null;
}

const readFields = recordReader(
  { report_id: integer, url: filledText, expires_at: text, expires_in_seconds: integer, content_type: text },
  { url: 'The answer holds no link.' },
);

/** Reads the link to the PDF of the report that was asked for. The url leaves this function only as a secret. */
export function readDownloadLink(raw: JsonObject, requestedId: number): Reading<DownloadLink> {
  const reading = readFields(raw);
  if (!reading.ok) return reading;
  const { report_id, url, expires_at, expires_in_seconds, content_type } = reading.value;
  return {
    ok: true,
    value: { report_id: report_id ?? requestedId, url: new Secret(url), expires_at, expires_in_seconds, content_type },
  };
}
