import { l10n } from '../base/l10n.ts';
import { isLoopback, looksLikeKey, Secret } from '../base/secret.ts';

/** A base URL that may be used, or why it can't be, with the corrected one where it is clear what was meant. */
export type BaseUrlCheck =
  | { readonly ok: true; readonly baseUrl: string; readonly origin: string }
  | { readonly ok: false; readonly reason: string; readonly suggestion: string | null };

/** The path prefix of version 2 of the interface. */
export const pathPrefix = '/api/v2';

/** Checks the service's address (SVC-1, SVC-5). The reason never repeats the address, which may hold a password. */
export function checkBaseUrl(typed: string): BaseUrlCheck {
  const text = typed.trim();
  if (text === '') return refuse(l10n.t('Enter the base URL of the service.'));
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    if (looksLikeKey(text)) return refuse(l10n.t('This looks like an API key. Enter the base URL of the service.'));
    return (
      withoutScheme(text) ?? refuse(l10n.t('This is not a web address. It starts with https:// and ends with /api/v2.'))
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    url.protocol = 'https:';
    return refuse(
      l10n.t('Plain http would show the API key to the network. Use https.'),
      correctedBy(checkBaseUrl(withoutExtras(url))),
    );
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return (
      withoutScheme(text) ??
      refuse(l10n.t('The address starts with {0}. It has to start with https://.', url.protocol.slice(0, 20)))
    );
  const extra = extraPart(url, text);
  if (extra !== null) return refuse(extra, correctedBy(checkBaseUrl(withoutExtras(url))));
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  if (!path.endsWith(pathPrefix))
    return refuse(l10n.t('The address has to end with {0}.', pathPrefix), `${url.origin}${withPrefix(path)}`);
  return { ok: true, baseUrl: `${url.origin}${path}`, origin: url.origin };
}

/** An address that begins with its host. */
function withoutScheme(text: string): BaseUrlCheck | null {
  const isHost = /^[\w-]+(\.[\w-]+)*(:\d+)?(\/|$)/.test(text) && (/^[^/]*[.:]/.test(text) || text.includes(pathPrefix));
  return isHost
    ? refuse(l10n.t('https:// is missing at the start.'), correctedBy(checkBaseUrl(`https://${text}`)))
    : null;
}

function extraPart(url: URL, text: string): string | null {
  if (url.username !== '' || url.password !== '')
    return l10n.t('The address must not contain a user name or a password.');
  if (url.search !== '' || text.includes('?')) return l10n.t('The address must not have a query (the part after "?").');
  if (url.hash !== '' || text.includes('#'))
    return l10n.t('The address must not have a fragment (the part after "#").');
  return null;
}

function withoutExtras(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function withPrefix(path: string): string {
  // Somebody who copied the address of one endpoint, or of another version, means the prefix itself.
  const known = /^(.*?\/api)(\/v\d+)?(\/.*)?$/.exec(path);
  return known ? `${known[1]}/v2` : `${path}${pathPrefix}`;
}

function correctedBy(check: BaseUrlCheck | null): string | null {
  if (!check) return null;
  return check.ok ? check.baseUrl : check.suggestion;
}

function refuse(reason: string, suggestion: string | null = null): BaseUrlCheck {
  return { ok: false, reason, suggestion };
}

/** A key that may be used, or why it can't be: a sentence that holds nothing of the key. */
export type KeyCheck = { readonly ok: true; readonly key: Secret } | { readonly ok: false; readonly reason: string };

const longestKey = 512;

/** Checks a key that a person typed or pasted (AUTH-2). Blanks around it are dropped; anything odd in it is refused. */
export function checkApiKey(typed: string): KeyCheck {
  const text = typed.trim();
  const reason = keyRefusal(text);
  return reason === null ? { ok: true, key: new Secret(text) } : { ok: false, reason };
}

function keyRefusal(text: string): string | null {
  if (text === '') return l10n.t('Enter the API key.');
  if (/[\r\n]/.test(text)) return l10n.t('The key contains a line break. Copy it again, in one piece.');
  if (/\s/.test(text)) return l10n.t('The key contains a space. Copy it again, in one piece.');
  if (/^https?:\/\//i.test(text)) return l10n.t('This looks like a web address. Enter the API key.');
  if (!/^[\x21-\x7e]*$/.test(text))
    return l10n.t('The key contains invalid characters. Copy it again from where you got it.');
  if (text.length > longestKey)
    return l10n.t('The key is longer than {0} characters. Copy only the key itself.', longestKey);
  return null;
}
