import type { IncomingMessage } from 'node:http';
import { invalid, Problem } from './problem.ts';

const largestBody = 1_048_576;

/**
 * The JSON object in a request's body. Throws 415 for another content type, 413 for too large a body, 400 for what is
 * no JSON object.
 */
export async function jsonBody(incoming: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const type = incoming.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new Problem(415, 'The body must be application/json.');
  const bytes = await bodyOf(incoming);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Problem(400, 'The body is not JSON in UTF-8.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem(400, 'The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** Reads the body to its end; of one that is too large nothing is kept. */
async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength;
      if (length <= largestBody) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    throw new Problem(400, 'The body broke off.');
  }
  if (length > largestBody) throw new Problem(413, `A request body may hold ${largestBody} bytes.`);
  return Buffer.concat(chunks);
}

/** A member that holds an array of strings, or undefined when the body has no such member. Throws 422. */
export function stringsOf(body: Readonly<Record<string, unknown>>, name: string): readonly string[] | undefined {
  if (!Object.hasOwn(body, name)) return undefined;
  const value = body[name];
  if (!Array.isArray(value)) throw invalid({ field: name, message: 'must be an array of strings' });
  const wrong = value.findIndex((each) => typeof each !== 'string');
  if (wrong >= 0) throw invalid({ field: `${name}[${wrong}]`, message: 'must be a string' });
  return value as string[];
}
