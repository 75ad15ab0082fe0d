import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { answers, edge } from './answers.ts';
import { authenticate, safety } from './gates.ts';
import { HttpProblem, problemResponse } from './problem.ts';
import { addChanges } from './routes/changes.ts';
import { addResolve, addWatchlist } from './routes/companies.ts';
import { addDownload, addFiles } from './routes/files.ts';
import { addHealth, addMeta } from './routes/meta.ts';
import { addLookup, addReport, addReports } from './routes/reports.ts';
import type { DemoApp, DemoHooks, DemoState, RequestContext } from './state.ts';

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
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(taken ? new Error(`Port ${port} is taken: choose another one.`, { cause: error }) : error);
    });
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
