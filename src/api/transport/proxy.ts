import { l10n } from '../../base/l10n.ts';
/** Where proxies are named: the editor's settings go before the environment. */
export interface ProxySettings {
  /** The editor's `http.proxy`; empty when not set. */
  readonly proxy?: string | undefined;
  /** The editor's `http.noProxy`. */
  readonly noProxy?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A proxy to go through, or why the one that is named can't be used. */
export type ProxyChoice =
  | { readonly kind: 'direct' }
  | { readonly kind: 'proxy'; readonly origin: string; readonly authorization: string | null }
  | { readonly kind: 'unusable'; readonly reason: string };

/** How a URL is reached: directly, or through which proxy. Loopback addresses are always reached directly. */
export function chooseProxy(url: URL, settings: ProxySettings): ProxyChoice {
  const { env = {} } = settings;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === '127.0.0.1' || host === '::1' || host === 'localhost') return { kind: 'direct' };
  const excluded = [...(settings.noProxy ?? []), ...(variable(env, 'no_proxy') ?? '').split(',')];
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (excluded.some((pattern) => matches(pattern, host.toLowerCase(), port))) return { kind: 'direct' };
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const named = settings.proxy?.trim() || variable(env, name) || variable(env, 'all_proxy');
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
