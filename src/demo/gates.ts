import type { IncomingHttpHeaders } from 'node:http';
import { HttpProblem } from './problem.ts';
import type { DemoMiddleware, DemoState } from './state.ts';

/**
 * Keeps web pages and other names for this machine out: the Host header must be exactly the address the service
 * listens on, no Origin may be given, and only GET and POST are spoken.
 */
export function safety(state: DemoState): DemoMiddleware {
  return async (c, next) => {
    const { headers, method } = c.env.incoming;
    if (headers.host !== new URL(state.origin).host)
      throw new HttpProblem(421, `This service answers to ${new URL(state.origin).host} only.`);
    if (headers.origin !== undefined) throw new HttpProblem(403, 'This service answers no web pages.');
    if (method !== 'GET' && method !== 'POST')
      throw new HttpProblem(405, `The method ${method} is not known here.`, { headers: { allow: 'GET, POST' } });
    await next();
  };
}

/** The key as sent, in either header (AUTH-1). */
export function sentKey(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const plain = headers['x-api-key'];
  return Array.isArray(plain) ? plain[0] : plain;
}

/** Lets a request pass with a good key only (AUTH-3), within the key's rate (LIM-1), and counts it (LIM-2). */
export function authenticate(state: DemoState): DemoMiddleware {
  return async (c, next) => {
    const { context, incoming } = c.env;
    const text = sentKey(incoming.headers);
    if (text === undefined) throw unauthorized('An API key is needed: Authorization: Bearer, or X-API-Key.');
    const key = state.keys.find(text);
    if (!key) throw unauthorized('The API key is not known.');
    if (key.expiresAt !== null && key.expiresAt <= state.clock.now()) throw unauthorized('The API key has expired.');
    context.key = key;
    context.rate = state.limits.take(key);
    const { retryAfter, limit } = context.rate;
    if (retryAfter !== null)
      throw new HttpProblem(429, `More than ${limit} requests in a minute.`, {
        headers: { 'retry-after': String(retryAfter) },
      });
    state.usage.of(key.label).requests += 1;
    await next();
  };
}

function unauthorized(detail: string): HttpProblem {
  return new HttpProblem(401, detail, { headers: { 'www-authenticate': 'Bearer' } });
}
