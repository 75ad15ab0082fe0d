import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Credentials } from './certificates.ts';
import { type LocalServer, listen } from './localServer.ts';

/** A CONNECT proxy as companies have them. */
export interface ConnectProxy extends LocalServer {
  /** Targets that it was asked for, refused ones too. */
  readonly targets: readonly string[];
  /** Its address with the user name and password it wants. */
  readonly address: string;
}

interface ProxyOptions {
  /** Where tunnels lead, whatever the name that was asked for. */
  readonly port: number;
  /** `user:password` that it wants, percent-encoded as in an address. */
  readonly credentials?: string;
  /** Speaks TLS itself. */
  readonly tls?: Credentials;
  /** Answers every CONNECT with this status instead. */
  readonly refuse?: number;
}

/** Starts a proxy that leads every tunnel to one local port. */
export async function startProxy({ port, credentials, tls, refuse }: ProxyOptions): Promise<ConnectProxy> {
  const targets: string[] = [];
  const server = tls ? createTlsServer({ ...tls }) : createServer();
  server.on('connect', (request, client: Socket) => {
    targets.push(request.url ?? '');
    client.on('error', () => {}); // Either side may hang up first.
    const sent = request.headers['proxy-authorization'];
    const wanted = credentials && `Basic ${Buffer.from(decodeURIComponent(credentials)).toString('base64')}`;
    if (refuse !== undefined || sent !== wanted) {
      const status = refuse ?? 407;
      client.end(`HTTP/1.1 ${status} No\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    target.on('error', () => client.destroy());
    client.on('close', () => target.destroy());
  });
  const local = await listen(server, []);
  const scheme = tls ? 'https' : 'http';
  const user = credentials === undefined ? '' : `${credentials}@`;
  // Not a copy: `sockets` goes on counting.
  return Object.assign(Object.create(local), { targets, address: `${scheme}://${user}127.0.0.1:${local.port}` });
}
