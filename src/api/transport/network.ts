import type { Socket } from 'node:net';
import tls from 'node:tls';
import { once } from '../../base/once.ts';
import { ProxyFailure, ProxyRefusal, UnusableProxy } from './networkErrors.ts';
import { chooseProxy, type ProxySettings } from './proxy.ts';
import { buildConnector, type Client, makeClient, sendConnect } from './undici.ts';

/** How this computer reaches the network, as the editor and the environment say. */
export interface NetworkOptions extends ProxySettings {
  /** The editor's `http.systemCertificates`: trust what the system trusts; true when left out. */
  readonly systemCertificates?: boolean | undefined;
  /** More certificate authorities to trust, PEM. */
  readonly extraCertificates?: readonly string[] | undefined;
}

const connectTimeout = 15_000;
const headersTimeout = 30_000;
const bodyTimeout = 60_000;
const longestHeaders = 64 * 1024;

/** A socket that is open, and the client that speaks over it. */
export interface Opened {
  readonly client: Client;
  readonly socket: Socket;
}

/**
 * Makes the function that opens sockets: direct, or through a CONNECT tunnel of the proxy. Certificates are always
 * verified; no setting turns that off. It opens the socket before anything is to be sent, because a request whose turn
 * has come must not wait for a handshake. It rejects with a library's error, which `networkError` puts into words.
 */
export function socketOpener(options: NetworkOptions): (origin: string) => Promise<Opened> {
  const connectors = once(() => ({
    plain: buildConnector({ timeout: connectTimeout }),
    secure: once(() => {
      const secureContext = tls.createSecureContext({ ca: [...authorities(options)] });
      return buildConnector({ timeout: connectTimeout, secureContext });
    }),
  }));

  return async (origin) => {
    const url = new URL(origin);
    const choice = chooseProxy(url, options);
    if (choice.kind === 'unusable') throw new UnusableProxy(choice.reason);
    const { plain, secure } = connectors.get();
    const secureTo = (to: URL) => (to.protocol === 'https:' ? secure.get() : plain);
    const target = { hostname: hostOf(url), host: url.host, protocol: url.protocol, port: url.port };
    const open = async () => {
      if (choice.kind === 'direct') return connectTo(secureTo(url), target);
      const proxy = new URL(choice.origin);
      const httpSocket = await tunnel(proxy, choice.authorization, url, secureTo(proxy));
      return connectTo(secureTo(url), { ...target, httpSocket });
    };
    const socket = await open();
    let unused: Socket | undefined = socket;
    const client = makeClient(origin, {
      connect(_, callback) {
        const ready = unused;
        unused = undefined;
        // The client does not expect its answer before its question is out.
        if (ready && !ready.destroyed) queueMicrotask(() => callback(null, ready));
        else
          open().then(
            (next) => callback(null, next),
            (error: Error) => callback(error, null),
          );
      },
      headersTimeout,
      bodyTimeout,
      maxHeaderSize: longestHeaders,
      pipelining: 1,
    });
    return { client, socket };
  };
}

function connectTo(connect: buildConnector.connector, target: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connect(target, (error, socket) => (socket ? resolve(socket) : reject(error)));
  });
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Asks the proxy for a tunnel. Throws {@link ProxyRefusal} when it gives none, else {@link ProxyFailure}. */
async function tunnel(
  proxy: URL,
  authorization: string | null,
  to: URL,
  connect: buildConnector.connector,
): Promise<Socket> {
  const client = makeClient(proxy.origin, { connect, headersTimeout, maxHeaderSize: longestHeaders });
  const target = `${to.hostname}:${to.port || (to.protocol === 'https:' ? 443 : 80)}`;
  try {
    const headers = authorization === null ? { host: target } : { host: target, 'proxy-authorization': authorization };
    const { socket, statusCode } = await sendConnect(client, { path: target, headers });
    if (statusCode === 200) return socket as Socket;
    socket.on('error', () => {}).destroy();
    throw new ProxyRefusal(statusCode);
  } catch (error) {
    throw error instanceof ProxyRefusal ? error : new ProxyFailure(error);
  } finally {
    // The tunnel's socket no longer belongs to this client.
    client.close().catch(() => {});
  }
}

/** What this computer trusts: Node's own list with NODE_EXTRA_CA_CERTS, the system's, and those given. */
function authorities({ systemCertificates = true, extraCertificates = [] }: NetworkOptions): ReadonlySet<string> {
  // Missing before Node 22.15.
  const list = (tls as Partial<Pick<typeof tls, 'getCACertificates'>>).getCACertificates;
  const own = list ? list('default') : tls.rootCertificates;
  const system = list && systemCertificates ? list('system') : [];
  return new Set([...own, ...system, ...extraCertificates]);
}
