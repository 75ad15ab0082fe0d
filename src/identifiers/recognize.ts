import { l10n } from '../base/l10n.ts';
import {
  type BrokenRule,
  type Check,
  checkCik,
  checkFigi,
  checkIsin,
  checkLei,
  checkMicTicker,
  cleanText,
  codeText,
  compactCode,
  looksLikeFigi,
  micForm,
} from './codes.ts';
import { parseCompanyKey, parseReportKey } from './reportKey.ts';

/** What a typed text may be. All but the report key name a list of the resolve request in the singular (RES-1). */
export type IdentifierKind = 'isin' | 'lei' | 'figi' | 'cik' | 'ticker' | 'symbol' | 'name' | 'report-key';

export interface Recognized {
  readonly kind: IdentifierKind;
  /** The form to send. */
  readonly value: string;
  /** Why it will hardly be found, in a sentence; absent when nothing speaks against it. */
  readonly problem?: string;
  /** Which rule a code with a problem breaks. */
  readonly broken?: BrokenRule;
}

const longestName = 300;

/** What a column's header, or a label before a code, says of the kind; `other` for codes that no service resolves. */
type NamedKind = 'isin' | 'lei' | 'figi' | 'cik' | 'ticker' | 'name' | 'other';

const headers: readonly (readonly [pattern: RegExp, kind: NamedKind])[] = [
  [/\bisin(?:s|code|number)?\b/, 'isin'],
  [/\blei\b|legal entity id/, 'lei'],
  [/\b(?:open)?figi(?:s|code)?\b/, 'figi'],
  [/\bcik(?:s|code|number)?\b|central index/, 'cik'],
  [
    /\b(?:(?:sedol|cusip)[0-9]?|cins|wkn|valor(?:en(?:nummer)?)?|ric|bbgid|perm ?id|gvkey|duns|vat|permno|cinnumber)\b/,
    'other',
  ],
  [/\b(?:ticker|symbol|tkr)\b/, 'ticker'],
  [/\b(?:name|company|issuer|holding|entity|unternehmen|emittent)\b(?!.*\b(?:id|key|code|number|no)\b)/, 'name'],
];

/** The kind that a column's header names; null where it names none, as `id` does, or two, as `CIK/Ticker` does. */
export function headerKind(header: string): NamedKind | null {
  const words = header
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
  const [kind = null, ...others] = new Set(headers.flatMap(([pattern, kind]) => (pattern.test(words) ? kind : [])));
  return others.some((other) => other !== 'name') ? null : kind;
}

const label =
  /^(?:(isin|lei|figi|cik|sedol|cusip|wkn)(?:[\s-]?(?:code|number|no|nr|nummer)\b\.?)?(?:\s*[:=#]\s*|\s+(?=\S*[0-9]))|(ticker|symbol|ric|valor)\s*[:=#]\s*)(?=\S)/iu;
/** What spreadsheets and programs write where there is nothing, or where a formula failed. */
const blank =
  /^(?:n\/?a|n\.\s?a\.?|#na|#n\/a.*|<na>|nan|null|none|nil|\(blank\)|#(?:ref|value|name|num|null|div\/0|spill|calc|field)[!?]|[-–—.?]+)$/iu;

/**
 * Decides what a text is: typed, pasted, or a cell below `header`. Never throws and never turns one identifier into
 * another, but for a company key, which says market and ticker. What a code is by its form and check digit counts
 * first, then a label before it, then the header. Without a header a bare number is a CIK, a short word in capitals or
 * with a digit a symbol, and everything else a name. Below a header a bare number is a CIK only if the header says so.
 */
export function recognize(text: string, header?: string): Recognized {
  const clean = cleanText(text);
  const code = codeText(text);
  if (code === '' || blank.test(code)) return { kind: 'name', value: '', problem: l10n.t('The text is empty.') };
  const name = label.exec(code);
  const rest = name ? code.slice(name[0].length) : code;
  const named = name?.[1] ?? name?.[2] ?? header;
  const kind = named === undefined ? null : headerKind(named);
  const certain = asKey(rest) ?? asCode(rest) ?? asTicker(rest);
  if (certain && certain.problem === undefined && certain.kind !== 'cik' && certain.kind !== 'symbol') return certain;
  switch (kind) {
    case 'isin':
      return checked('isin', compactCode(rest), checkIsin(rest));
    case 'lei':
      return checked('lei', compactCode(rest), checkLei(rest));
    case 'figi':
      return checked('figi', compactCode(rest), checkFigi(rest));
    case 'cik':
      return checked('cik', rest, checkCik(rest));
    case 'other':
      return {
        kind: 'name',
        value: rest,
        problem: l10n.t(
          '{0} codes can’t be resolved. Use an ISIN, LEI, FIGI, CIK or MIC:TICKER.',
          (named ?? '').toUpperCase(),
        ),
      };
    case 'ticker':
      if (certain?.kind === 'cik')
        return {
          kind: 'ticker',
          value: rest,
          problem: l10n.t('A ticker that is a number needs its market: write it as in XTKS:{0}.', rest),
        };
      return certain ?? asSymbol(rest) ?? asName(clean);
    case 'name':
      return certain?.kind === 'symbol' ? certain : asName(clean);
    case null:
      if (certain?.kind === 'cik' && header !== undefined && !/^cik/iu.test(code))
        return {
          ...certain,
          problem: l10n.t('A number alone may be many things. If it is a CIK, name the column cik.'),
        };
      return certain ?? asSymbol(rest) ?? asName(clean);
  }
}

/** Whether a service may know the text: nothing but a check digit speaks against it, and a service may hold it so. */
export function maySend({ problem, broken }: Recognized): boolean {
  return problem === undefined || broken === 'check-digit';
}

function asKey(clean: string): Recognized | null {
  if (parseReportKey(clean)) return { kind: 'report-key', value: clean };
  const company = parseCompanyKey(clean);
  if (!company) return null;
  if (!company.listed) return { kind: 'symbol', value: clean };
  return { kind: 'ticker', value: `${company.mic}:${company.ticker}`.toUpperCase() };
}

function asCode(clean: string): Recognized | null {
  const cik = checkCik(clean);
  if (cik.valid) return { kind: 'cik', value: cik.value };
  if (/^cik\b/iu.test(clean)) return { kind: 'cik', value: clean, problem: cik.reason };
  const code = compactCode(clean);
  if (!/^[A-Z0-9]+$/.test(code) || !/[0-9]/.test(code)) return null;
  if (code.length === 12) return asSecurity(code);
  if (code.length === 20) return asLei(clean, code);
  return nearMiss(clean, code);
}

/** A FIGI and an ISIN are both 12 long. The check digit decides, then the shape. */
function asSecurity(code: string): Recognized | null {
  const figi = checkFigi(code);
  const isin = checkIsin(code);
  if (figi.valid || (!isin.valid && looksLikeFigi(code))) return checked('figi', code, figi);
  return isin.valid || /^[A-Z]{2}[A-Z0-9]{9}[0-9]$/.test(code) ? checked('isin', code, isin) : null;
}

/** Words that have the length of an LEI by chance are none: only what is built like one may have blanks. */
function asLei(clean: string, code: string): Recognized | null {
  const check = checkLei(code);
  const isBuiltSo = check.valid || check.broken === 'check-digit';
  return isBuiltSo || !/\s/.test(clean) ? checked('lei', code, check) : null;
}

/** One character too many or too few in what is clearly no word is worth a remark. */
function nearMiss(clean: string, code: string): Recognized | null {
  const digits = code.replace(/[^0-9]/g, '').length;
  if (/\s/.test(clean) || digits < 3) return null;
  if (code.length >= 18 && code.length <= 22) return checked('lei', code, checkLei(code));
  const isinLike = (code.length === 11 || code.length === 13) && /^[A-Z]{2}/.test(code);
  return isinLike ? checked('isin', code, checkIsin(code)) : null;
}

function asTicker(clean: string): Recognized | null {
  if (!clean.includes(':')) return null;
  const check = checkMicTicker(clean);
  // `Fund: Global` is no ticker, but `XNYS: ABC` is.
  if (check.valid && /:\s/.test(clean) && clean !== clean.toUpperCase()) return null;
  if (check.valid) return { kind: 'ticker', value: check.value };
  // A name may have a colon too; without blanks, or after an exchange, it is a ticker.
  const isMeant =
    !/\s/.test(clean) || (micForm(clean) !== undefined && /:\s*[A-Z0-9.&/*+-]{1,9}(?: [A-Z])?$/.test(clean));
  return isMeant ? { kind: 'ticker', value: clean, problem: check.reason } : null;
}

function asSymbol(clean: string): Recognized | null {
  const shaped = /^[A-Z0-9][A-Z0-9.&/*+-]{0,11}$/iu.test(clean);
  const meant = clean === clean.toUpperCase() || /[0-9]/.test(clean);
  return shaped && meant && /[A-Z]/i.test(clean) ? { kind: 'symbol', value: clean.toUpperCase() } : null;
}

function asName(clean: string): Recognized {
  const value = clean.normalize('NFC');
  if (clean.length > longestName)
    return { kind: 'name', value, problem: l10n.t('A name has up to {0} characters.', longestName) };
  return /[\p{L}\p{N}]/u.test(clean)
    ? { kind: 'name', value }
    : { kind: 'name', value, problem: l10n.t('A name has at least one letter or digit.') };
}

function checked(kind: IdentifierKind, value: string, check: Check): Recognized {
  return check.valid ? { kind, value: check.value } : { kind, value, problem: check.reason, broken: check.broken };
}
