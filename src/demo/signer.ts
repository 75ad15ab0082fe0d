import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

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
