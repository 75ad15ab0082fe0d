import type { MiddlewareHandler } from 'hono';
import { Problem } from '../problem.ts';
import type { DemoBindings } from '../state.ts';

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

/** The Retry-After header for a value in seconds or an HTTP date, or none. */
export function retryHeaders(retryAfter: number | string | undefined): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}
