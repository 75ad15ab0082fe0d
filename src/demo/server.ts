import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { authenticate, safety } from './gates.ts';
import { HttpProblem, problemResponse } from './problem.ts';
import { addChanges } from './routes/changes.ts';
import { addResolve, addWatchlist } from './routes/companies.ts';
import { addDownload, addFiles } from './routes/files.ts';
import { addHealth, addMeta } from './routes/meta.ts';
import { addLookup, addReport, addReports } from './routes/reports.ts';
import type { DemoApp, DemoHooks, DemoMiddleware, DemoState, RequestContext } from './state.ts';

/** Path prefix of every endpoint; it is part of the base URL. */
export const apiPrefix = '/api/v2';

function makeApp(state: DemoState, hooks: DemoHooks | undefined): DemoApp {
  const app: DemoApp = new Hono();
  app.onError((error) => {
    const problem = error instanceof HttpProblem ? error : new HttpProblem(500, 'Something went wrong in the service.');
    if (problem !== error) state.failed(error);
    return problemResponse(problem);
  });
  app.notFound(() => problemResponse(new HttpProblem(404, 'There is nothing at this address.')));

  if (hooks) app.use(hooks.outside);
  app.use(edge(state), answers(), safety(state));
  if (hooks) app.use('/files/*', hooks.inside).use(`${apiPrefix}/health`, hooks.inside);
  addFiles(app, state);
  const api: DemoApp = app.basePath(apiPrefix) as DemoApp;
  addHealth(api);
  api.use(authenticate(state));
  if (hooks) api.use(hooks.inside);
  for (const add of [addWatchlist, addResolve, addChanges, addReports, addReport, addLookup, addDownload, addMeta])
    add(api, state);
  return app;
}

export function makeServer(state: DemoState, hooks: DemoHooks | undefined): Server {
  const app = makeApp(state, hooks);
  const listener = getRequestListener(
    (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      const outgoing = env.outgoing as ServerResponse;
      const context: RequestContext = { key: undefined, rate: undefined };
      outgoing.setHeader('date', new Date(state.clock.now()).toUTCString());
      return app.fetch(request, { incoming, outgoing, context });
    },
    // The process is shared with the editor: its own Request and Response must stay what they are.
    { overrideGlobalObjects: false },
  );
  const server = createServer((incoming, outgoing) => {
    listener(incoming, outgoing).catch((error: unknown) => {
      state.failed(error instanceof Error ? error : new Error(String(error)));
      incoming.destroy();
    });
  });
  server.on('connection', (socket) => {
    state.connections.add(socket);
    socket.once('close', () => state.connections.delete(socket));
  });
  return server;
}

/** Listens on loopback. Throws an error with a plain sentence when the port is taken. */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new Error(`Port ${port} is taken: choose another one.`, { cause: error })
      : error;
  });
  return (server.address() as AddressInfo).port;
}

const compress = promisify(gzip);
const leastCompressed = 1_024;

/** Refuses, with a page of its own, clients with too many requests or connections, before the service sees them. */
function edge(state: DemoState): DemoMiddleware {
  return async (_c, next) => {
    if (state.limits.refuses(state.connections.size)) return htmlPage(429, 1);
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
function answers(): DemoMiddleware {
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
