import { type Clock, linkSignals } from '../../base/clock.ts';
import { l10n } from '../../base/l10n.ts';
import { ApiError, networkProblem } from './errors.ts';

/** The way to the proxy failed; why is kept from view, since it is an error of a library. */
export class ProxyFailure extends Error {
  readonly #why: unknown;

  constructor(why: unknown) {
    super('The proxy could not be reached.');
    this.#why = why;
  }

  get why(): unknown {
    return this.#why;
  }
}

/** A proxy setting that can't be used. Its message is a sentence without the address. */
export class UnusableProxy extends Error {}

const tryAgain = l10n.later('Check the connection, then try again.');
const checkAddress = l10n.later('Check the base URL and the connection.');
const checkDate = l10n.later("Check this computer's date. If it is right, contact the operator of the service.");
const permanent = true;

/** Codes of Node, OpenSSL and undici: what happened, what to do, and whether another try can't help. */
const table: readonly (readonly [codes: string, cause: string, nextStep: string, isPermanent?: boolean])[] = [
  ['ECONNREFUSED', l10n.later('No server answers at this address: the connection was refused.'), checkAddress],
  ['ENOTFOUND', l10n.later("The server's name can't be found (DNS)."), checkAddress],
  ['EAI_AGAIN', l10n.later("The server's name couldn't be looked up (DNS)."), tryAgain],
  ['EHOSTUNREACH', l10n.later("The server can't be reached from this network."), tryAgain],
  ['ENETUNREACH', l10n.later('There is no network.'), tryAgain],
  [
    'ECONNRESET EPIPE UND_ERR_SOCKET UND_ERR_DESTROYED UND_ERR_RES_CONTENT_LENGTH_MISMATCH HPE_INVALID_EOF_STATE ' +
      'UND_ERR_BODY_TIMEOUT',
    l10n.later('The connection dropped before the response was complete.'),
    tryAgain,
  ],
  [
    'ETIMEDOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT',
    l10n.later('The server took too long to answer.'),
    tryAgain,
  ],
  ['CERT_HAS_EXPIRED', l10n.later("The server's certificate has expired."), checkDate, permanent],
  ['CERT_NOT_YET_VALID', l10n.later("The server's certificate is not valid yet."), checkDate, permanent],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    l10n.later("The server's certificate is for another name."),
    checkAddress,
    permanent,
  ],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT ' +
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_UNTRUSTED INVALID_CA',
    l10n.later("The server's certificate isn't from an issuer this computer trusts."),
    l10n.later(
      'If your network inspects traffic, have its certificate authority installed on this computer, then try again.',
    ),
    permanent,
  ],
  [
    'EPROTO ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_PACKET_LENGTH_TOO_LONG',
    l10n.later("This server doesn't support HTTPS."),
    l10n.later('Check the base URL and its port.'),
    permanent,
  ],
];
const byCode = new Map(table.flatMap((row) => row[0].split(' ').map((code) => [code, row] as const)));

/** The error of a failed exchange. Nothing of the library's error is copied: it holds addresses and headers. */
export function networkError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const refused = error instanceof Error && /^Proxy response \((\d{3})\)/.exec(error.message);
  if (refused) return proxyError(Number(refused[1]));
  if (error instanceof ProxyFailure) {
    const { cause, permanent = false } = networkError(error.why).problem;
    return networkProblem(
      l10n.t('The proxy could not be used. {0}', cause),
      l10n.t('Check the proxy settings.'),
      permanent,
    );
  }
  if (error instanceof UnusableProxy)
    return networkProblem(error.message, l10n.t('Correct the setting http.proxy or the variable HTTPS_PROXY.'), true);
  const code = errorCode(error);
  const [, cause, nextStep, isPermanent] = byCode.get(code) ?? [];
  if (cause && nextStep) return networkProblem(l10n.word(cause), l10n.word(nextStep), isPermanent);
  if (code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError'))
    return networkProblem(
      l10n.t("This server doesn't answer with valid HTTP."),
      l10n.t('Check the base URL and its port.'),
      true,
    );
  const known = /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? ` (${code})` : '';
  return networkProblem(l10n.t('The connection failed{0}.', known), l10n.word(tryAgain));
}

function proxyError(status: number): ApiError {
  if (status === 407)
    return networkProblem(
      l10n.t("The proxy requires a user name and password, or doesn't accept the ones it was given (407)."),
      l10n.t('Add them to the proxy address in the http.proxy setting or the HTTPS_PROXY variable.'),
      true,
    );
  return networkProblem(
    l10n.t('The proxy refused the connection ({0}).', status),
    l10n.t('Check the proxy settings. The proxy may have to be configured to allow this address.'),
    status < 500,
  );
}

/** The code of an error, of what caused it, or of the first of several attempts. */
export function errorCode(error: unknown, depth = 4): string {
  if (!(error instanceof Error) || depth === 0) return '';
  const inner =
    error instanceof AggregateError ? errorCode(error.errors[0], depth - 1) : errorCode(error.cause, depth - 1);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return inner !== '' && (code === '' || !byCode.has(code)) ? inner : code;
}

export function tooLate(): ApiError {
  return networkProblem(l10n.t('The response took too long.'), l10n.t('Check the connection, then try again.'));
}

/** A signal that also aborts when an answer takes longer than `ms`: until `met`, or until `unlink` for all else. */
export function deadline(clock: Clock, ms: number, given: AbortSignal) {
  const [late, met] = [new AbortController(), new AbortController()];
  clock.sleep(ms, met.signal).then(
    () => late.abort(tooLate()),
    () => {}, // The answer came first.
  );
  return { ...linkSignals(given, late.signal), met: () => met.abort() };
}
