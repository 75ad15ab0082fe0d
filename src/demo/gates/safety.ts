import type { MiddlewareHandler } from 'hono';
import { Problem } from '../problem.ts';
import type { DemoBindings, DemoState } from '../state.ts';

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
