import { l10n } from '../../base/l10n.ts';
import type { Reading } from '../schemas/record.ts';
import type { Answer } from './call.ts';
import { unexpectedShape } from './problems.ts';

const deepest = 32;
/** Up to this many bytes, nesting alone can't cost much memory, so that it is looked at after parsing. */
const scannedFrom = 4 * 1024 * 1024;

/** The JSON of an answer. Throws `unexpected-shape` when it is none, or nested deeper than 32 levels. */
export function parseJson(answer: Answer): unknown {
  const { body, requestId } = answer;
  if (body.byteLength > scannedFrom && nestsDeep(body))
    throw unexpectedShape(l10n.t('It is nested too deeply.'), requestId);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
  } catch {
    // The parser's message quotes the body, which nobody should have to read.
    throw unexpectedShape(l10n.t('It is not valid JSON.'), requestId);
  }
  if (isDeep(value, deepest)) throw unexpectedShape(l10n.t('It is nested too deeply.'), requestId);
  return value;
}

/** What a reader made of an answer. Throws `unexpected-shape` with the reader's reason when it could make nothing. */
export function readAnswer<T>(answer: Answer, read: (body: unknown) => Reading<T>): T {
  const reading = read(parseJson(answer));
  if (!reading.ok) throw unexpectedShape(reading.reason, answer.requestId);
  return reading.value;
}

function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null && isDeep(item, left - 1)) return true;
    return false;
  }
  const object = value as Record<string, unknown>;
  for (const name in object) {
    const item = object[name];
    if (typeof item === 'object' && item !== null && isDeep(item, left - 1)) return true;
  }
  return false;
}

/** Looks at the bytes, without building anything: brackets that are open at once, strings left out. */
function nestsDeep(body: Uint8Array): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (quoted) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) quoted = false;
    } else if (byte === 0x22) quoted = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > deepest) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return false;
}
