import type { KeyRecord } from './keys.ts';
import type { Signer } from './signer.ts';

/** What a signed link stands for. */
interface LinkPayload {
  readonly report_id: number;
  /** ms since the epoch. */
  readonly expires: number;
}

/** A signed link (DL-1) and when it ends. */
export interface SignedLink {
  readonly path: string;
  readonly expires: number;
  readonly seconds: number;
}

/** Makes a link that lasts `seconds` at most, and never longer than the key (DL-1). */
export function makeLink(
  signer: Signer,
  reportId: number,
  key: Pick<KeyRecord, 'expiresAt'>,
  now: number,
  seconds: number,
): SignedLink {
  const expires = Math.min(now + seconds * 1000, key.expiresAt ?? Number.POSITIVE_INFINITY);
  const signature = signer.seal('link', { report_id: reportId, expires } satisfies LinkPayload);
  return {
    path: `/files/${reportId}.pdf?signature=${signature}`,
    expires,
    seconds: Math.max(0, Math.floor((expires - now) / 1000)),
  };
}

/** What a link's signature says about it at the time `now`. */
export function checkLink(
  signer: Signer,
  reportId: number,
  signature: string,
  now: number,
): 'good' | 'bad' | 'expired' {
  const payload = signer.open('link', signature) as LinkPayload | undefined;
  if (payload?.report_id !== reportId) return 'bad';
  return payload.expires > now ? 'good' : 'expired';
}
