import { l10n } from '../../base/l10n.ts';
import { redact, type Secret } from '../../base/secret.ts';
import { plainText } from '../../base/words.ts';
import { type ProblemDetails, readProblemDetails } from '../schemas/problemDetails.ts';
import { parseJson } from './answers.ts';
import { ApiError, comeBack, edgePage, type Problem, type ProblemKind } from './errors.ts';
import { type Headers, isJsonType, requestIdOf, retryAfter as waitOf } from './headers.ts';

/** An answer as it came, its body whole and unpacked. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Problem bodies are short; of a longer one nothing is read. */
const maxBody = 64 * 1024;

/** The error of a failed answer (ERR-1, ERR-2). Only words that came as JSON are added, cleaned and redacted. */
export function errorOf({ status, headers, body }: WholeAnswer, now: number, secrets: readonly Secret[]): ApiError {
  const retryAfter = waitOf(headers, now) ?? undefined;
  const requestId = requestIdOf(headers, secrets);
  const refused = (
    kind: ProblemKind,
    cause: string,
    nextStep: string,
    more: Pick<Problem, 'fields' | 'retryAfter'> = {},
  ) => new ApiError({ kind, cause, nextStep, status, requestId, ...more });
  // From the service, or something before it. None is followed with a key (DL-2).
  if (status >= 300 && status < 400)
    return refused(
      'edge-page',
      l10n.t('The server redirected the request ({0}). The API key is never sent to another address.', status),
      l10n.t('Check the base URL; on a guest network, sign in to the network first.'),
    );
  if (status === 429)
    return refused('rate-limited', l10n.t('Too many requests.'), comeBack(retryAfter), { retryAfter });
  if (status >= 500) {
    const cause = l10n.t('The service has a temporary problem ({0}).', status);
    return refused('temporary', cause, comeBack(retryAfter), { retryAfter });
  }
  if (status === 401)
    return refused(
      'unauthorized',
      l10n.t('The service does not accept the API key: it is missing, mistyped, revoked or expired.'),
      l10n.t('Sign in with a valid key.'),
    );
  if (!isJsonType(headers)) return edgePage(status, requestId);
  const details = readBody(body);
  const said = sentence(details, secrets);
  if (status === 403)
    return refused(
      'forbidden',
      l10n.t('This is outside your license, or the key lacks the permission.') + said,
      l10n.t('The connection works. Ask the operator of the service what your license covers.'),
    );
  if (status === 404)
    return refused(
      'not-found',
      l10n.t('The service has no such report for this license, or no PDF of it; it may have been withdrawn.') + said,
      l10n.t('Sync to see what has changed.'),
    );
  const fields = details.fields.map(({ field, message }) => ({
    field: clean(field, secrets) ?? '',
    message: clean(message, secrets) ?? '',
  }));
  const [first] = fields;
  const named = first ? ` ${first.field === '' ? '' : `${first.field}: `}${first.message}` : '';
  const cause = plainText(l10n.t('The service refused the request ({0}).', status) + (said || named), 400);
  return refused('invalid', cause, l10n.t('Correct it, then try again.'), { fields });
}

function sentence({ detail, title }: ProblemDetails, secrets: readonly Secret[]): string {
  const text = clean(detail ?? title ?? undefined, secrets);
  if (!text) return '';
  return ` ${l10n.t('The service says: {0}', /[.!?…]$/.test(text) ? text : `${text}.`)}`;
}

function clean(text: string | undefined, secrets: readonly Secret[]): string | undefined {
  return text === undefined ? undefined : plainText(redact(text, secrets));
}

function readBody(body: Uint8Array): ProblemDetails {
  try {
    return readProblemDetails(body.byteLength > maxBody ? null : parseJson({ body }));
  } catch {
    // A broken problem body changes nothing: the status says enough.
    return readProblemDetails(null);
  }
}
