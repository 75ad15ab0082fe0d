import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { createProxyServer } from 'httpxy';
import { PlainFailure } from '../progress.ts';

/** The loopback door of an editor, which lets in only who has the address that was printed. */
export interface Gate {
  readonly port: number;
  /** Carries a random token; the first visit trades it for a cookie. */
  url(path: string): string;
  close(): void;
}

/**
 * Puts a guard before an editor that listens on a socket file: every request needs the token of the printed address,
 * and the exact loopback host. Otherwise any user of this computer, and any web page whose name resolves to loopback,
 * could read the person's files through the editor.
 * @param socketPath where the editor listens; only this user may open it
 * @param port 0 for any free port
 */
export async function openGate(socketPath: string, port: number): Promise<Gate> {
  const token = randomBytes(16).toString('hex');
  const proxy = createProxyServer({ target: { socketPath }, ws: true });
  // A browser that leaves, or an editor that ends, breaks connections off.
  proxy.on('error', (_error, _request, response) => void response?.end());
  let host = '';
  const cookie = () => `editor-${host.split(':')[1]}`;
  const isAllowed = (request: IncomingMessage) =>
    request.headers.host === host &&
    [undefined, `http://${host}`].includes(request.headers.origin) &&
    isSame(cookiesOf(request).get(cookie()), token);

  const server: HttpServer = createServer((request, response) => {
    const [, path, given] = /^(.*)[?&]token=(\w+)$/.exec(request.url ?? '') ?? [];
    if (request.headers.host === host && isSame(given, token)) {
      response.setHeader('set-cookie', `${cookie()}=${token}; Path=/; HttpOnly; SameSite=Strict`);
      response.writeHead(302, { location: path, 'cache-control': 'no-store' }).end();
    } else if (isAllowed(request)) void proxy.web(request, response);
    else {
      request.resume();
      response.writeHead(403, { 'content-type': 'text/plain' });
      response.end('Open the address that npm start printed: it carries the token that this editor asks for.\n');
    }
  });
  server.on('upgrade', (request, socket, head) => {
    if (isAllowed(request) && socket instanceof Socket) void proxy.ws(request, socket, {}, head);
    else socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    throw new PlainFailure(`Port ${port} can't be used (${(error as Error).message}).`);
  });
  const bound = (server.address() as AddressInfo).port;
  host = `127.0.0.1:${bound}`;
  return {
    port: bound,
    url: (path) => `http://${host}${path}${path.includes('?') ? '&' : '?'}token=${token}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function cookiesOf(request: IncomingMessage): ReadonlyMap<string, string> {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}

function isSame(given: string | undefined, wanted: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
