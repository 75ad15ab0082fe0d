import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Secret } from '../base/secret.ts';
import type { Catalog } from './catalog.ts';
import { countWithin, fullLicense, sentKey, takeRate, usageOf } from './keys.ts';
import { live } from './mutations.ts';
import { HttpProblem, problemResponse } from './requests.ts';
import { addCompanies } from './routes/companies.ts';
import { addDownload, addFiles } from './routes/files.ts';
import { addReports } from './routes/reports.ts';
import { createCatalog } from './seed/catalog.ts';
import { licensedCompanies } from './seed/companies.ts';
import {
  type DemoApp,
  type DemoHooks,
  type DemoMiddleware,
  type DemoState,
  makeState,
  type RequestContext,
} from './state.ts';

/** How a demo service is to be. Everything has a default that suits a person trying the product. */
export interface DemoOptions {
  /** Serves this catalog instead of the demo's own, and changes it. Every company is licensed but `unlicensed`. */
  readonly catalog?: Catalog | undefined;
  /** Keys of companies that are outside every license. */
  readonly unlicensed?: readonly string[] | undefined;
  readonly port?: number | undefined;
  /** 600 by default (LIM-1). */
  readonly requestsPerMinute?: number | undefined;
  /** How long a change stays out of the feed, 900 by default (CHG-4). */
  readonly settlingSeconds?: number | undefined;
  readonly clock?: Clock | undefined;
  /** The catalog changes by itself every so many seconds; never by default. */
  readonly liveSeconds?: number | undefined;
}

export interface DemoService {
  readonly baseUrl: string;
  /** A fresh key with the full demo license. */
  readonly key: Secret;
  dispose(): Promise<void>;
}

/** Starts a demo service on loopback; several can run in one process. `hooks` are for tests alone. */
export async function startDemoService(
  options: DemoOptions = {},
  hooks?: (state: DemoState) => DemoHooks,
): Promise<DemoService> {
  const catalog = options.catalog ?? createCatalog();
  const outside = options.catalog ? [] : catalog.companies.slice(licensedCompanies);
  const unlicensed = options.unlicensed ?? outside.map(({ company_key }) => company_key);
  const clock = options.clock ?? systemClock;
  const state = makeState(catalog, clock, options.settlingSeconds ?? 900);
  const { holdings, keys } = state;
  const licensed = holdings.companies.filter(({ company_key }) => !unlicensed.includes(company_key));
  const license = fullLicense(holdings, licensed, clock);
  const key = keys.issue({ label: 'full', license, requestsPerMinute: options.requestsPerMinute ?? 600 });
  const ending = new AbortController();
  const server = makeServer(state, hooks?.(state));
  const port = await listen(server, options.port ?? 0);
  state.origin = `http://127.0.0.1:${port}`;
  if (options.liveSeconds) live(state, options.liveSeconds * 1000, ending.signal).catch(state.failed);
  return {
    baseUrl: state.origin + apiPrefix,
    key,
    dispose() {
      ending.abort();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** Path prefix of every endpoint; it is part of the base URL. */
export const apiPrefix = '/api/v2';
/** Release of the interface that the demo speaks. */
const release = '2.4.0';

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
  // Liveness, without a key (END-1).
  api.get('/health', (c) => c.json({ status: 'ok', version: release }));
  api.use(authenticate(state));
  if (hooks) api.use(hooks.inside);
  for (const add of [addCompanies, addReports, addDownload]) add(api, state);
  return app;
}

function makeServer(state: DemoState, hooks: DemoHooks | undefined): Server {
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
async function listen(server: Server, port: number): Promise<number> {
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
function edge({ clock, connections, edge: allowed }: DemoState): DemoMiddleware {
  const arrivals: number[] = [];
  return async (_c, next) => {
    const now = clock.monotonic();
    arrivals.push(now);
    if (countWithin(arrivals, 1_000, now) > allowed.requests || connections.size > allowed.connections)
      return htmlPage(429, 1);
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

/** Compresses the body and sets its header, if the client accepts that and the body gets smaller. */
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

/** Keeps web pages and other host names out: exact Host header, no Origin, GET and POST only. */
function safety(state: DemoState): DemoMiddleware {
  return async (c, next) => {
    const { headers, method } = c.env.incoming;
    const { host } = new URL(state.origin);
    if (headers.host !== host) throw new HttpProblem(421, `This service answers to ${host} only.`);
    if (headers.origin !== undefined) throw new HttpProblem(403, 'This service answers no web pages.');
    if (method !== 'GET' && method !== 'POST')
      throw new HttpProblem(405, `The method ${method} is not known here.`, { allow: 'GET, POST' });
    await next();
  };
}

/** Lets a request pass with a good key only (AUTH-3), within the key's rate (LIM-1), and counts it (LIM-2). */
function authenticate({ keys, clock }: DemoState): DemoMiddleware {
  return async (c, next) => {
    const { context, incoming } = c.env;
    const text = sentKey(incoming.headers);
    if (text === undefined) throw unauthorized('An API key is needed: Authorization: Bearer, or X-API-Key.');
    const key = keys.find(text);
    if (!key) throw unauthorized('The API key is not known.');
    if (key.expiresAt !== null && key.expiresAt <= clock.now()) throw unauthorized('The API key has expired.');
    context.key = key;
    context.rate = takeRate(key, clock);
    const { retryAfter, limit } = context.rate;
    if (retryAfter !== null)
      throw new HttpProblem(429, `More than ${limit} requests in a minute.`, { 'retry-after': String(retryAfter) });
    usageOf(key, clock).requests += 1;
    await next();
  };
}

function unauthorized(detail: string): HttpProblem {
  return new HttpProblem(401, detail, { 'www-authenticate': 'Bearer' });
}
