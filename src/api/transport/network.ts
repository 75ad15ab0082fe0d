import { setImmediate as immediate } from 'node:timers/promises';
import tls from 'node:tls';
import type { buildConnector, Client, Dispatcher, EnvHttpProxyAgent } from 'undici';
import { l10n } from '../../base/l10n.ts';
import { once } from '../../base/once.ts';
import { errorCode, ProxyFailure, UnusableProxy } from './networkErrors.ts';

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
  /** How long an answer may stand still, ms; a minute when left out. Only tests give another. */
  readonly idleLimit?: number | undefined;
}

export type HttpRequest = Omit<Dispatcher.RequestOptions, 'origin'>;

/** The way to one origin: one connection at most, for one request at a time, opened when it is needed. */
export interface HttpConnection {
  /** Sends. `onStart` is called right before the request is written. */
  send(request: HttpRequest, onStart: () => void): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/** Makes the way to an origin. `accept` checks the address that was connected to, unless a proxy connects for us. */
export type Connector = (origin: string, accept: (address: string) => void) => HttpConnection;

const connectTimeout = 15_000;
const limits = {
  ...{ connections: 1, pipelining: 1, headersTimeout: 30_000, maxHeaderSize: 64 * 1024 },
  // Whatever the server promises: what is idle for this long is closed.
  ...{ keepAliveTimeout: 4000, keepAliveMaxTimeout: 4000 },
};

/** Loads the HTTP library, which takes a moment. */
export const prepareNetwork = () => loadUndici.get();

const loadUndici = once(async () => {
  // The first undici in a process provides the dispatcher of `fetch` for all of it: that is to be Node's own.
  void globalThis.Headers;
  // Bundled, a CommonJS package has its default export alone.
  const { default: undici } = await import('undici');
  // The package's declarations leave some of its classes out of the default export.
  return undici as unknown as typeof import('undici');
});

/** The warning if the environment asks Node not to verify certificates: our connections verify them anyway. */
export function ignoredVariable(): string | undefined {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return undefined;
  return 'NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored: certificates are always verified. Remove the variable.';
}

/** Makes a function that opens connections, directly or through a proxy. Certificates are always verified. */
export function connector(network: NetworkOptions): Connector {
  const secureContext = once(() => tls.createSecureContext({ ca: [...authorities(network)] }));
  return (origin, accept) => {
    const made = once(async () => {
      const undici = await loadUndici.get();
      const secure = origin.startsWith('https:') ? { secureContext: secureContext.get() } : {};
      const trust = { timeout: connectTimeout, rejectUnauthorized: true, ...secure };
      const options = agentOptions(proxyFor(origin, network), trust, accept, undici);
      return new undici.EnvHttpProxyAgent({ ...options, bodyTimeout: network.idleLimit ?? 60_000 });
    });
    return {
      send: async (request, onStart) => reporting(await made.get(), onStart).request({ ...request, origin }),
      async close() {
        if (!made.made) return;
        await (await made.get()).destroy();
        // Data on its way reaches the server before another connection does.
        await immediate();
      },
    };
  };
}

type Undici = Pick<typeof import('undici'), 'buildConnector' | 'Client'>;

function agentOptions(
  { uri, authorization, unusable, noProxy }: ProxyChoice,
  trust: buildConnector.BuildOptions,
  accept: (address: string) => void,
  undici: Undici,
): EnvHttpProxyAgent.Options {
  const connect = undici.buildConnector(trust);
  return {
    ...limits,
    ...{ httpProxy: uri, httpsProxy: uri, noProxy, proxyTls: trust, requestTls: trust },
    ...(authorization !== undefined && { token: authorization }),
    connect: (target, done) =>
      connect(target, (error, socket) => {
        if (!socket) return done(error ?? new Error(), null);
        try {
          accept(socket.remoteAddress ?? '');
        } catch (refusal) {
          socket.destroy();
          return done(refusal as Error, null);
        }
        done(null, socket);
      }),
    factory: (to, settings) => new undici.Client(to, connecting(settings, tunnelFailure)),
    // The client of the proxy, whose failures are told apart from those of the server behind it.
    clientFactory: (to, settings) =>
      new undici.Client(to, { ...limits, ...connecting(settings, (error) => unusable ?? new ProxyFailure(error)) }),
  };
}

/** What undici says when a proxy hangs up or is silent before the tunnel stands; left alone, it retries for ever. */
const tunnelCut = new Set(['UND_ERR_SOCKET', 'UND_ERR_INFO', 'UND_ERR_HEADERS_TIMEOUT']);

function tunnelFailure(error: Error): Error {
  return tunnelCut.has(errorCode(error)) ? new ProxyFailure(error) : error;
}

/** The settings of a client with other words for a connection that fails. */
function connecting(settings: Client.Options, wordsOf: (error: Error) => Error): Client.Options {
  const { connect } = settings;
  if (typeof connect !== 'function') return settings;
  return {
    ...settings,
    connect: (target, done) =>
      connect(target, (...[error, socket]) =>
        socket ? done(null, socket) : done(wordsOf(error ?? new Error()), null),
      ),
  };
}

/** undici connects when it has something to send: the moment of the write is not that of the call. */
function reporting(dispatcher: Dispatcher, onStart: () => void): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart(...given) {
          onStart();
          handler.onRequestStart?.(...given);
        },
        // May come several times: hints come before the answer (1xx).
        onResponseStart: (...given) => handler.onResponseStart?.(...given),
        onResponseData: (...given) => handler.onResponseData?.(...given),
        onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
        onResponseError: (...given) => handler.onResponseError?.(...given),
      }),
  );
}

/** What this computer trusts: Node's own list with NODE_EXTRA_CA_CERTS, the system's, and those given. */
function authorities({ systemCertificates = true, extraCertificates = [] }: NetworkOptions): ReadonlySet<string> {
  // Missing before Node 22.15.
  const list = (tls as Partial<Pick<typeof tls, 'getCACertificates'>>).getCACertificates;
  const own = list ? list('default') : tls.rootCertificates;
  const system = list && systemCertificates ? list('system') : [];
  return new Set([...own, ...system, ...extraCertificates]);
}

interface ProxyChoice {
  /** Empty when there is no proxy. */
  readonly uri: string;
  readonly authorization?: string;
  /** Why the proxy that is named can't be used. */
  readonly unusable?: UnusableProxy;
  /** Hosts that are reached directly: loopback always. */
  readonly noProxy: string;
}

/** Which proxy leads to an origin, for undici's agent. */
export function proxyFor(origin: string, { proxy, noProxy = [], env = {} }: NetworkOptions): ProxyChoice {
  const excluded = [...noProxy, ...(variable(env, 'no_proxy') ?? '').split(',')].map((pattern) => pattern.trim());
  const direct = excluded.includes('*') ? '*' : [...excluded, 'localhost', '127.0.0.1', '[::1]'].join();
  const scheme = origin.startsWith('https:') ? 'https_proxy' : 'http_proxy';
  const named = proxy?.trim() || variable(env, scheme) || variable(env, 'all_proxy') || '';
  return { ...(named === '' ? { uri: '' } : readProxy(named)), noProxy: direct };
}

function readProxy(named: string): Omit<ProxyChoice, 'noProxy'> {
  const uri = 'http://proxy.invalid';
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(named) ? named : `http://${named}`);
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return { uri, unusable: new UnusableProxy(l10n.t('Only http and https proxies can be used.')) };
    if (url.username === '' && url.password === '') return { uri: url.origin };
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    return { uri: url.origin, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  } catch {
    // The parser's message repeats the address, which may hold a password.
    return { uri, unusable: new UnusableProxy(l10n.t('The proxy address is invalid.')) };
  }
}

function variable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return env[name]?.trim() || env[name.toUpperCase()]?.trim() || undefined;
}
