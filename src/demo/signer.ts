import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyRecord } from './keys.ts';
import { HttpProblem } from './requests.ts';

const macBytes = 18;

/** Signs cursors and links with a secret of its own, so that an edited one is refused (PAG-1, DL-1). */
export class Signer {
  readonly #secret = randomBytes(32);

  /** An opaque text that holds `payload`. One made for another purpose does not open. */
  seal(purpose: string, payload: unknown): string {
    const body = Buffer.from(JSON.stringify(payload), 'utf8');
    return Buffer.concat([this.#mac(purpose, body), body]).toString('base64url');
  }

  /** The payload, or undefined when the text was not made by {@link seal} for this purpose, to the last character. */
  open(purpose: string, text: string): unknown {
    const bytes = Buffer.from(text, 'base64url');
    // Decoding forgives stray characters; an edited text must not pass for the one that was handed out.
    if (bytes.length <= macBytes || bytes.toString('base64url') !== text) return undefined;
    const body = bytes.subarray(macBytes);
    if (!timingSafeEqual(bytes.subarray(0, macBytes), this.#mac(purpose, body))) return undefined;
    return JSON.parse(body.toString('utf8'));
  }

  #mac(purpose: string, body: Uint8Array): Buffer {
    return createHmac('sha256', this.#secret).update(`${purpose}\n`).update(body).digest().subarray(0, macBytes);
  }
}

/** An opaque cursor for a place in a list (PAG-1); `about` ties it to one list, key and set of filters. */
export function makeCursor(signer: Signer, about: string, place: unknown): string {
  return signer.seal('cursor', { about, place });
}

/** The place of a cursor that this service made for this very list; an edited or foreign one is refused with 400. */
export function readCursor(signer: Signer, about: string, cursor: string): unknown {
  const payload = signer.open('cursor', cursor) as { readonly about: string; readonly place: unknown } | undefined;
  if (!payload) throw new HttpProblem(400, 'The cursor is not one that this service gave out.');
  if (payload.about !== about) throw new HttpProblem(400, 'The cursor belongs to another list, key or set of filters.');
  return payload.place;
}

/** The longest that a link lasts, in ms (DL-1). */
export const linkTime = 900_000;

/** The path of a link, and when it expires, in ms since the epoch: never later than the key (DL-1). */
export function makeLink(signer: Signer, reportId: number, key: Pick<KeyRecord, 'expiresAt'>, now: number) {
  const expires = Math.min(now + linkTime, key.expiresAt ?? Number.POSITIVE_INFINITY);
  return { path: `/files/${reportId}.pdf?signature=${signer.seal('link', { reportId, expires })}`, expires };
}
