import type { IncomingHttpHeaders } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import type { Scope } from './keys.ts';
import { Problem, retryHeaders } from './problem.ts';
import { type DemoBindings, type DemoState, keyOf } from './state.ts';

/**
 * Keeps web pages and other names for this machine out: the Host header must be exactly the address the service
 * listens on, no Origin may be given, and only GET and POST are spoken.
 */
export function safety(state: DemoState): MiddlewareHandler<{ Bindings: DemoBindings }> {
  return async (c, next) => {
    const { headers, method } = c.env.incoming;
    if (headers.host !== new URL(state.origin).host) {
      throw new Problem(421, `This service answers to ${new URL(state.origin).host} only.`);
    }
    if (headers.origin !== undefined) throw new Problem(403, 'This service answers no web pages.');
    if (method !== 'GET' && method !== 'POST') {
      throw new Problem(405, `The method ${method} is not known here.`, { headers: { allow: 'GET, POST' } });
    }
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
export function authenticate(state: DemoState): MiddlewareHandler<{ Bindings: DemoBindings }> {
  return async (c, next) => {
    const { exchange, incoming } = c.env;
    const text = sentKey(incoming.headers);
    if (text === undefined) throw unauthorized('An API key is needed: Authorization: Bearer, or X-API-Key.');
    const key = state.keys.find(text);
    if (!key) throw unauthorized('The API key is not known.');
    exchange.entry.key = key.label;
    if (key.revoked) throw unauthorized('The API key was revoked.');
    if (key.expiresAt !== null && key.expiresAt <= state.clock.now()) throw unauthorized('The API key has expired.');
    exchange.key = key;
    exchange.rate = state.rate.take(key);
    const { retryAfter, limit } = exchange.rate;
    if (retryAfter !== null) {
      throw new Problem(429, `More than ${limit} requests in a minute.`, {
        headers: { 'retry-after': String(retryAfter) },
      });
    }
    state.usage.of(key.label).requests += 1;
    await next();
  };
}

/** Refuses keys that lack the scope with 403. */
export function requireScope(scope: Scope): MiddlewareHandler<{ Bindings: DemoBindings }> {
  return async (c, next) => {
    if (!keyOf(c.env.exchange).scopes.includes(scope)) throw new Problem(403, `The API key lacks the scope ${scope}.`);
    await next();
  };
}

function unauthorized(detail: string): Problem {
  return new Problem(401, detail, { headers: { 'www-authenticate': 'Bearer' } });
}

/** Answers with the fault plan's status or redirect where the service itself would have answered. */
export function injectedFault(): MiddlewareHandler<{ Bindings: DemoBindings }> {
  return async (c, next) => {
    const { fault } = c.env.exchange;
    if (fault?.kind === 'redirect') {
      return new Response(null, { status: fault.status ?? 302, headers: { location: fault.location } });
    }
    if (fault?.kind === 'status') {
      const headers = retryHeaders(fault.retryAfter);
      if (fault.empty) return new Response(null, { status: fault.status, headers });
      throw new Problem(fault.status, 'The service can not answer at present.', { headers });
    }
    return next();
  };
}
