import type { Socket } from 'node:net';
import tls from 'node:tls';
import type { buildConnector, Client, DecoratorHandler, Dispatcher } from 'undici';
import { l10n } from '../../base/l10n.ts';
import { once } from '../../base/once.ts';
import { codeOf, ProxyFailure, ProxyRefusal, UnusableProxy } from './networkErrors.ts';

/** How this computer reaches the network; the editor's settings go before the environment. */
export interface NetworkOptions {
  /** The editor's `http.proxy`; empty when not set. */
  readonly proxy?: string | undefined;
  /** The editor's `http.noProxy`. */
  readonly noProxy?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The editor's `http.systemCertificates`: trust what the system trusts; true when left out. */
  readonly systemCertificates?: boolean | undefined;
  /** More certificate authorities to trust, PEM. */
  readonly extraCertificates?: readonly string[] | undefined;
}

/** Thrown by a request that was not sent, because the moment for it had passed. */
export class TurnMissed extends Error {}

/** Sends until it was in its turn. */
export async function inTurn<T>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof TurnMissed)) throw error;
    }
  }
}

/** A socket that is open, and the dispatcher that speaks over it and over no other. */
export interface OpenedSocket {
  readonly dispatcher: Dispatcher;
  /** The same, but it asks before it writes a request, and throws {@link TurnMissed} if it may not. */
  guarded(mayGo: () => boolean): Dispatcher;
  readonly socket: Socket;
}

/** Opens a socket to an origin. `accept` looks at the address that was connected to, unless a proxy connects for us. */
export type SocketOpener = (origin: string, accept: (address: string) => void) => Promise<OpenedSocket>;

const connectTimeout = 15_000;
const limits = { connections: 1, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 60_000, maxHeaderSize: 64 * 1024 };

const loadUndici = once(async () => {
  // The first undici in a process provides the dispatcher of `fetch` for all of it: that is to be Node's own.
  void globalThis.Headers;
  // Bundled, a CommonJS package has its default export alone.
  const { default: undici } = await import('undici');
  return undici;
});

/**
 * Makes the function that opens sockets: direct, or through a CONNECT tunnel of the proxy. Certificates are always
 * verified; no setting turns that off. A socket is opened before anything is to be sent, because a request whose turn has
 * come must not wait for a handshake. It rejects with a library's error, which `networkError` puts into words.
 */
export function socketOpener(options: NetworkOptions): SocketOpener {
  const secureContext = once(() => tls.createSecureContext({ ca: [...authorities(options)] }));
  return async (origin, accept) => {
    const choice = chooseProxy(new URL(origin), options);
    if (choice.kind === 'unusable') throw new UnusableProxy(choice.reason);
    const { Agent, buildConnector, Client, DecoratorHandler, ProxyAgent } = await loadUndici.get();
    const secure = origin.startsWith('https:') ? { secureContext: secureContext.get() } : {};
    const trust = { timeout: connectTimeout, ...secure };
    let socket: Socket | undefined;
    const watch = (opened: Socket) => {
      if (choice.kind === 'direct') accept(opened.remoteAddress ?? '');
      socket = opened;
    };
    const factory = (to: string | URL, settings: object) => new Client(to, watched(settings, watch));
    const clientFactory = (to: string | URL, settings: object) => new Client(to, { ...limits, ...forProxy(settings) });
    const dispatcher =
      choice.kind === 'direct'
        ? new Agent({ ...limits, connect: buildConnector(trust), factory })
        : new ProxyAgent({
            ...limits,
            uri: choice.origin,
            ...(choice.authorization !== null && { token: choice.authorization }),
            proxyTls: { timeout: connectTimeout, secureContext: secureContext.get() },
            requestTls: trust,
            factory,
            clientFactory,
          });
    try {
      await connect(dispatcher, origin);
      if (socket) return { dispatcher, socket, guarded: (mayGo) => guard(dispatcher, DecoratorHandler, mayGo) };
      throw new Error('No socket was opened.');
    } catch (error) {
      await dispatcher.destroy();
      const refused = /^Proxy response \((\d{3})\)/.exec(error instanceof Error ? error.message : '');
      throw refused ? new ProxyRefusal(Number(refused[1])) : error;
    }
  };
}

/** Opens the dispatcher's socket without sending anything: the request is given up the moment it would be written. */
function connect(dispatcher: Dispatcher, origin: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const connected = new Error('connected');
    dispatcher.dispatch(
      // With headers, as requests have them: a proxy's agent names the server by them, and opens a new socket for another.
      { origin, path: '/', method: 'GET', headers: {} },
      {
        onRequestStart() {
          throw connected;
        },
        onResponseError: (_, error) => (error === connected ? resolve() : reject(error)),
      },
    );
  });
}

/**
 * undici lets other work go before it uses a socket again, and a process may be held up at any moment: what was counted
 * as sent must not go out much later.
 */
function guard(dispatcher: Dispatcher, decorator: typeof DecoratorHandler, mayGo: () => boolean): Dispatcher {
  // The package's declarations leave its methods out.
  const Handler = decorator as unknown as new (inner: Dispatcher.DispatchHandler) => Starting;
  class Guard extends Handler {
    override onRequestStart(...given: unknown[]): void {
      if (!mayGo()) throw new TurnMissed();
      super.onRequestStart(...given);
    }
  }
  return dispatcher.compose((dispatch) => (options, handler) => dispatch(options, new Guard(handler)));
}

interface Starting {
  onRequestStart(...given: unknown[]): void;
}

/** The settings of a client that passes each socket on, and does not use the one that is refused with an error. */
function watched(settings: Client.Options, watch: (socket: Socket) => void): Client.Options {
  return connecting(settings, (error, socket, done) => {
    if (!socket) return done(tunnelCut.has(codeOf(error)) ? new ProxyFailure(error) : (error ?? new Error()), null);
    try {
      watch(socket);
    } catch (refusal) {
      socket.destroy();
      return done(refusal as Error, null);
    }
    done(null, socket);
  });
}

/** What undici says when a proxy hangs up or stays silent before the tunnel stands; left as they are, it tries for ever. */
const tunnelCut = new Set(['UND_ERR_SOCKET', 'UND_ERR_INFO', 'UND_ERR_HEADERS_TIMEOUT']);

/** The settings of a client of a proxy, whose failures are told apart from those of the server behind it. */
function forProxy(settings: Client.Options): Client.Options {
  return connecting(settings, (error, socket, done) =>
    socket ? done(null, socket) : done(new ProxyFailure(error), null),
  );
}

function connecting(
  settings: Client.Options,
  then: (error: Error | null, socket: Socket | null, done: buildConnector.Callback) => void,
): Client.Options {
  const { connect: open } = settings;
  if (typeof open !== 'function') return settings;
  return { ...settings, connect: (target, done) => open(target, (...result) => then(result[0], result[1], done)) };
}

/** What this computer trusts: Node's own list with NODE_EXTRA_CA_CERTS, the system's, and those given. */
function authorities({ systemCertificates = true, extraCertificates = [] }: NetworkOptions): ReadonlySet<string> {
  // Missing before Node 22.15.
  const list = (tls as Partial<Pick<typeof tls, 'getCACertificates'>>).getCACertificates;
  const own = list ? list('default') : tls.rootCertificates;
  const system = list && systemCertificates ? list('system') : [];
  return new Set([...own, ...system, ...extraCertificates]);
}

/** A proxy to go through, or why the one that is named can't be used. */
type ProxyChoice =
  | { readonly kind: 'direct' }
  | { readonly kind: 'proxy'; readonly origin: string; readonly authorization: string | null }
  | { readonly kind: 'unusable'; readonly reason: string };

/** How a URL is reached: directly, or through which proxy. Loopback addresses are always reached directly. */
export function chooseProxy(url: URL, { proxy, noProxy = [], env = {} }: NetworkOptions): ProxyChoice {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === '127.0.0.1' || host === '::1' || host === 'localhost') return { kind: 'direct' };
  const excluded = [...noProxy, ...(variable(env, 'no_proxy') ?? '').split(',')];
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (excluded.some((pattern) => matches(pattern, host.toLowerCase(), port))) return { kind: 'direct' };
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const named = proxy?.trim() || variable(env, name) || variable(env, 'all_proxy');
  return named ? readProxy(named) : { kind: 'direct' };
}

function readProxy(named: string): ProxyChoice {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(named) ? named : `http://${named}`;
  let url: URL;
  let authorization: string | null = null;
  try {
    url = new URL(text);
    if (url.username !== '' || url.password !== '') {
      const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
      authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    }
  } catch {
    // The parser's message repeats the address, which may hold a password.
    return { kind: 'unusable', reason: l10n.t('The address of the proxy is not one.') };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { kind: 'unusable', reason: l10n.t('Only http and https proxies can be used.') };
  }
  return { kind: 'proxy', origin: url.origin, authorization };
}

/** `example.com` and `.example.com` match the name and all below it, `*` everything; a port narrows either. */
function matches(pattern: string, host: string, port: string): boolean {
  const text = pattern.trim().toLowerCase();
  if (text === '') return false;
  if (text === '*') return true;
  const parts = /^(?:\[([^\]]+)\]|(.*?))(?::(\d+))?$/.exec(text);
  const name = (parts?.[1] ?? parts?.[2] ?? text).replace(/^\*?\.?/, '');
  const wanted = parts?.[3];
  if (name === '' || (wanted !== undefined && wanted !== port)) return false;
  return host === name || host.endsWith(`.${name}`);
}

function variable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return env[name]?.trim() || env[name.toUpperCase()]?.trim() || undefined;
}
