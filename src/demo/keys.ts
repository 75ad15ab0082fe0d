import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Secret } from '../base/secret.ts';
import type { Licence } from './licence.ts';

/** What a key may be used for. The names are the demo's own; the interface leaves them open. */
export const scopes = ['companies:read', 'reports:read', 'files:read', 'meta:read'] as const;
export type Scope = (typeof scopes)[number];

/** How a key is to be issued. */
export interface KeyOptions {
  /** Names the key in the log, where the key itself never appears. */
  readonly label: string;
  readonly licence: Licence;
  readonly scopes?: readonly Scope[] | undefined;
  /** ms since the epoch; no expiry when left out. */
  readonly expiresAt?: number | undefined;
  readonly requestsPerMinute: number;
}

/** A key as the service keeps it: everything but the key. */
export interface KeyRecord {
  readonly label: string;
  readonly licence: Licence;
  readonly scopes: ReadonlySet<Scope>;
  readonly expiresAt: number | null;
  readonly requestsPerMinute: number;
  /** SHA-256 of the key (AUTH-5). */
  readonly hash: Buffer;
  revoked: boolean;
}

const prefix = 'rlk_demo_live_';

/** The keys of one service, kept as one-way hashes and compared in constant time (AUTH-5). */
export class KeyRing {
  readonly #records: KeyRecord[] = [];

  /** Makes a fresh random key. Only the answer holds it; it can't be recovered. */
  issue(options: KeyOptions): Secret {
    const text = prefix + randomBytes(24).toString('base64url');
    this.#records.push({
      label: options.label,
      licence: options.licence,
      scopes: new Set(options.scopes ?? scopes),
      expiresAt: options.expiresAt ?? null,
      requestsPerMinute: options.requestsPerMinute,
      hash: digest(text),
      revoked: false,
    });
    return new Secret(text);
  }

  /** The record of a key as sent, whether still good or not. Looks at every record, so that time tells nothing. */
  find(text: string): KeyRecord | undefined {
    const hash = digest(text);
    let found: KeyRecord | undefined;
    for (const record of this.#records) if (timingSafeEqual(record.hash, hash)) found = record;
    return found;
  }

  get records(): readonly KeyRecord[] {
    return this.#records;
  }

  /** The record with this label. Throws when there is none. */
  named(label: string): KeyRecord {
    const record = this.#records.find((each) => each.label === label);
    if (!record) throw new Error(`There is no key labelled "${label}".`);
    return record;
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
