import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';

/** A server on loopback that answers as a test wants and remembers what it was sent. */
export interface LocalServer {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  readonly baseUrl: string;
  readonly port: number;
  readonly requests: readonly IncomingMessage[];
  /** Open sockets now, and at most so far. */
  readonly sockets: { readonly now: number; readonly max: number };
  close(): Promise<void>;
}

const started: LocalServer[] = [];

/** Starts an HTTP server. */
export function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<LocalServer> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    handler(request, response);
  };
  return listen(createServer(listener), requests);
}

/** Starts a TCP server that is told of each socket. */
export function serveTcp(onSocket: (socket: Socket) => void): Promise<LocalServer> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {}); // The client may hang up at any time.
    onSocket(socket);
  });
  return listen(server, []);
}

/** Ends all servers that were started; for `afterEach`. */
export async function closeServers(): Promise<void> {
  await Promise.all(started.splice(0).map((server) => server.close()));
}

/** Listens on a free loopback port. */
export async function listen(server: Server | TcpServer, requests: readonly IncomingMessage[]): Promise<LocalServer> {
  const open = new Set<Socket>();
  let max = 0;
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    max = Math.max(max, open.size);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const local: LocalServer = {
    origin: `http://127.0.0.1:${port}`,
    baseUrl: `http://127.0.0.1:${port}/api/v2`,
    port,
    requests,
    get sockets() {
      return { now: open.size, max };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
  started.push(local);
  return local;
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
