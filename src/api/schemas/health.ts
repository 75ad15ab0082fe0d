import { isObject, own } from '../../base/json.ts';

/** The service's answer to "are you there?" (END-1). */
export interface Health {
  readonly ok: boolean;
  readonly status: string | null;
  readonly raw: unknown;
}

const badWords = /^(down|error|fail(ed|ing|ure)?|unhealthy|unavailable|ko|no|false)$/i;

/** Reads the body of `GET /health`, whose shape is open: any successful answer is ok unless it says otherwise. */
export function readHealth(raw: unknown): Health {
  const said = isObject(raw) ? firstOf(own(raw, 'status'), own(raw, 'state'), own(raw, 'health')) : raw;
  const status = typeof said === 'string' ? said : null;
  const flags = isObject(raw) ? [own(raw, 'ok'), own(raw, 'healthy'), own(raw, 'alive')] : [];
  const ok = said !== false && !flags.includes(false) && !(status !== null && badWords.test(status.trim()));
  return { ok, status, raw };
}

function firstOf(...values: unknown[]): unknown {
  return values.find((value) => value !== undefined);
}
