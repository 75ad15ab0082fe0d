import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { compressed, deliver, htmlPage, rewritten, toAnswer } from './deliver.ts';
import { authenticate, injectedFault, safety, sentKey } from './gates.ts';
import { Problem, problemResponse } from './problem.ts';
import { apiPrefix, routeNameOf } from './requestLog.ts';
import { addChanges } from './routes/changes.ts';
import { addResolve, addWatchlist } from './routes/companies.ts';
import { addDownload, addFiles } from './routes/files.ts';
import { addHealth, addMeta } from './routes/meta.ts';
import { addLookup, addReport, addReports } from './routes/reports.ts';
import type { DemoApp, DemoState, Exchange } from './state.ts';

/** The service's routes behind its gates. */
function makeApp(state: DemoState): DemoApp {
  const app: DemoApp = new Hono();
  app.onError((error) => {
    const problem = error instanceof Problem ? error : new Problem(500, 'Something went wrong in the service.');
    if (problem !== error) state.log.failed(error);
    return problemResponse(problem, state.reading);
  });
  app.notFound(() => problemResponse(new Problem(404, 'There is nothing at this address.'), state.reading));

  app.use(safety(state));
  addFiles(app, state);
  const api: DemoApp = app.basePath(apiPrefix) as DemoApp;
  addHealth(api, state);
  api.use(authenticate(state));
  api.use(injectedFault());
  for (const add of [addWatchlist, addResolve, addChanges, addReports, addReport, addLookup, addDownload, addMeta]) {
    add(api, state);
  }
  return app;
}

/** Makes the service's HTTP server. `ending` aborts when the service ends, and frees stalled answers. */
export function makeServer(state: DemoState, ending: AbortSignal): Server {
  const app = makeApp(state);
  const listener = getRequestListener(
    async (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      const outgoing = env.outgoing as ServerResponse;
      await serve(app, state, request, incoming, outgoing, ending);
      return RESPONSE_ALREADY_SENT;
    },
    // The process is shared with the editor: its own Request and Response must stay what they are.
    { overrideGlobalObjects: false },
  );
  const server = createServer((incoming, outgoing) => {
    listener(incoming, outgoing).catch((error: unknown) => {
      state.log.failed(error instanceof Error ? error : new Error(String(error)));
      incoming.destroy();
    });
  });
  server.on('connection', (socket) => {
    state.log.connections.up();
    socket.once('close', () => state.log.connections.down());
  });
  return server;
}

async function serve(
  app: DemoApp,
  state: DemoState,
  request: Request,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  ending: AbortSignal,
): Promise<void> {
  const entry = state.log.begin(seen(state, incoming));
  outgoing.once('close', () => state.log.end(entry));
  const fault = state.faults.take(entry);
  entry.fault = fault?.kind ?? null;
  if (fault?.kind === 'reset') return void incoming.socket.resetAndDestroy();

  outgoing.setHeader('date', new Date(state.clock.now()).toUTCString());
  const blocked =
    fault?.kind === 'html'
      ? htmlPage(fault.status, fault.retryAfter)
      : state.edge.refuses(state.log.connections.now) && htmlPage(429, 1);
  if (blocked) {
    entry.status = blocked.status;
    return deliver(blocked, outgoing, undefined, state.clock, ending);
  }
  const exchange: Exchange = { entry, fault, key: undefined, rate: undefined };
  const response = await app.fetch(request, { incoming, outgoing, exchange });
  const whole = rewritten(await toAnswer(response), fault);
  const answer = await compressed(whole, incoming.headers['accept-encoding']);
  answer.headers['x-request-id'] = `demo-${String(entry.sequence).padStart(6, '0')}`;
  if (exchange.rate) {
    answer.headers['x-ratelimit-limit'] = String(exchange.rate.limit);
    answer.headers['x-ratelimit-remaining'] = String(exchange.rate.remaining);
  }
  entry.status = answer.status;
  await drained(incoming);
  await deliver(answer, outgoing, fault, state.clock, ending);
}

/** Lets a refused body arrive: a client that is still sending would see a broken connection instead of the refusal. */
function drained(incoming: IncomingMessage): Promise<void> {
  if (incoming.readableEnded || incoming.destroyed || incoming.method === 'GET') return Promise.resolve();
  return new Promise((resolve) => {
    incoming.once('end', resolve).once('close', resolve).resume();
  });
}

const keyHeaders = new Set(['authorization', 'x-api-key']);

function seen(state: DemoState, incoming: IncomingMessage): Parameters<DemoState['log']['begin']>[0] {
  const method = incoming.method ?? '';
  const [path = '', search = ''] = (incoming.url ?? '').split(/\?(.*)/s);
  const isLink = path.startsWith('/files/');
  const keySent = [...keyHeaders].some((name) => incoming.headers[name] !== undefined);
  const text = sentKey(incoming.headers);
  const label = text === undefined ? undefined : state.keys.find(text)?.label;
  const headers = Object.entries(incoming.headers).map(([name, value]) => [
    name,
    keyHeaders.has(name) ? `[key: ${label ?? 'unknown'}]` : String(value),
  ]);
  return {
    method,
    route: routeNameOf(method, path) ?? 'unknown',
    path,
    query: [...new URLSearchParams(search)].map(([name, value]) => [name, isLink ? '[hidden]' : value]),
    headers: Object.fromEntries(headers),
    keySent,
  };
}

/** Listens on loopback. Throws an error with a plain sentence when the port is taken. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(taken ? new Error(`Port ${port} is taken: choose another one.`, { cause: error }) : error);
    });
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
