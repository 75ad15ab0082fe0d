import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { DemoMiddleware, DemoState } from './state.ts';

const compress = promisify(gzip);
const leastCompressed = 1_024;

/** Refuses, with a page of its own, clients with too many requests or connections, before the service sees them. */
export function edge(state: DemoState): DemoMiddleware {
  return async (_c, next) => {
    if (state.edge.refuses(state.connections.size)) return htmlPage(429, 1);
    return next();
  };
}

/** The network edge's page: HTML, and none of the service's own headers (ERR-2). */
export function htmlPage(status: number, retryAfter?: number | string): Response {
  const page = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>Request blocked</h1></body></html>`;
  return new Response(page, {
    status,
    headers: {
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(page.length),
    },
  });
}

/** Finishes each answer of the service: adds its number, rate and length, and compresses it if asked. */
export function answers(): DemoMiddleware {
  let requests = 0;
  return async (c, next) => {
    const sequence = ++requests;
    await next();
    const { incoming, context } = c.env;
    const { status, headers } = c.res;
    const body = await compressed(new Uint8Array(await c.res.arrayBuffer()), headers, incoming);
    headers.set('x-request-id', `demo-${String(sequence).padStart(6, '0')}`);
    if (context.rate) {
      headers.set('x-ratelimit-limit', String(context.rate.limit));
      headers.set('x-ratelimit-remaining', String(context.rate.remaining));
    }
    await drained(incoming);
    const isEmpty = status === 304;
    if (!isEmpty) headers.set('content-length', String(body.byteLength));
    c.res = undefined;
    c.res = new Response(isEmpty ? null : (body as Uint8Array<ArrayBuffer>), { status, headers });
  };
}

/** The body compressed, and told so in the headers, when the client accepts it and it pays. */
async function compressed(body: Uint8Array, headers: Headers, incoming: IncomingMessage): Promise<Uint8Array> {
  if (!/json|html/.test(headers.get('content-type') ?? '')) return body;
  headers.set('vary', 'Accept-Encoding');
  const wanted = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(incoming.headers['accept-encoding'] ?? ''));
  if (!wanted || body.byteLength < leastCompressed) return body;
  headers.set('content-encoding', 'gzip');
  return compress(body, { level: 1 });
}

/** Lets a refused body arrive: a client that is still sending would see a broken connection instead of the refusal. */
function drained(incoming: IncomingMessage): Promise<void> {
  if (incoming.readableEnded || incoming.destroyed || incoming.method === 'GET') return Promise.resolve();
  return new Promise((resolve) => {
    incoming.once('end', resolve).once('close', resolve).resume();
  });
}
