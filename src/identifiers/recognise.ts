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
  compactCode,
  looksLikeFigi,
} from './codes.ts';
import { parseCompanyKey, parseReportKey } from './reportKey.ts';

/** What a typed text may be. All but the report key name a list of the resolve request in the singular (RES-1). */
export type IdentifierKind = 'isin' | 'lei' | 'figi' | 'cik' | 'ticker' | 'symbol' | 'name' | 'report-key';

export interface Recognised {
  readonly kind: IdentifierKind;
  /** The form to send. */
  readonly value: string;
  /** Why it will hardly be found, in a sentence; absent when nothing speaks against it. */
  readonly problem?: string;
  /** Which rule a code with a problem breaks. */
  readonly broken?: BrokenRule;
}

const longestName = 300;

/**
 * Decides what a typed or pasted text is. Never throws and never turns one identifier into another, but for a company
 * key, which says market and ticker. A bare number is a CIK, a short word in capitals or with a digit a symbol, and
 * everything else a name.
 */
export function recognise(text: string): Recognised {
  const clean = cleanText(text);
  if (clean === '') return { kind: 'name', value: '', problem: l10n.t('The text is empty.') };
  return asKey(clean) ?? asCode(clean) ?? asTicker(clean) ?? asSymbol(clean) ?? asName(clean);
}

/** Whether a service may know the text: nothing but a check digit speaks against it, and a service may hold it so. */
export function maySend({ problem, broken }: Recognised): boolean {
  return problem === undefined || broken === 'check-digit';
}

function asKey(clean: string): Recognised | null {
  if (parseReportKey(clean)) return { kind: 'report-key', value: clean };
  const company = parseCompanyKey(clean);
  if (!company) return null;
  if (!company.listed) return { kind: 'symbol', value: clean };
  return { kind: 'ticker', value: `${company.mic}:${company.ticker}`.toUpperCase() };
}

function asCode(clean: string): Recognised | null {
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
function asSecurity(code: string): Recognised | null {
  const figi = checkFigi(code);
  const isin = checkIsin(code);
  if (figi.valid || (!isin.valid && looksLikeFigi(code))) return checked('figi', code, figi);
  return isin.valid || /^[A-Z]{2}[A-Z0-9]{9}[0-9]$/.test(code) ? checked('isin', code, isin) : null;
}

/** Words that have the length of an LEI by chance are none: only what is built like one may have blanks. */
function asLei(clean: string, code: string): Recognised | null {
  const check = checkLei(code);
  const isBuiltSo = check.valid || check.broken === 'check-digit';
  return isBuiltSo || !/\s/.test(clean) ? checked('lei', code, check) : null;
}

/** One character too many or too few in what is clearly no word is worth a remark. */
function nearMiss(clean: string, code: string): Recognised | null {
  const digits = code.replace(/[^0-9]/g, '').length;
  if (/\s/.test(clean) || digits < 3) return null;
  if (code.length >= 18 && code.length <= 22) return checked('lei', code, checkLei(code));
  const isinLike = (code.length === 11 || code.length === 13) && /^[A-Z]{2}/.test(code);
  return isinLike ? checked('isin', code, checkIsin(code)) : null;
}

function asTicker(clean: string): Recognised | null {
  if (!clean.includes(':')) return null;
  const check = checkMicTicker(clean);
  if (check.valid) return { kind: 'ticker', value: check.value };
  // A name may hold a colon too; without blanks it is meant as a ticker.
  return /\s/.test(clean) ? null : { kind: 'ticker', value: clean, problem: check.reason };
}

function asSymbol(clean: string): Recognised | null {
  const shaped = /^[A-Z0-9][A-Z0-9.&/*+-]{0,11}$/iu.test(clean);
  const meant = clean === clean.toUpperCase() || /[0-9]/.test(clean);
  return shaped && meant && /[A-Z]/i.test(clean) ? { kind: 'symbol', value: clean.toUpperCase() } : null;
}

function asName(clean: string): Recognised {
  if (clean.length > longestName)
    return { kind: 'name', value: clean, problem: l10n.t('A name has up to {0} characters.', longestName) };
  return /[\p{L}\p{N}]/u.test(clean)
    ? { kind: 'name', value: clean }
    : { kind: 'name', value: clean, problem: l10n.t('A name has at least one letter or digit.') };
}

function checked(kind: IdentifierKind, value: string, check: Check): Recognised {
  return check.valid ? { kind, value: check.value } : { kind, value, problem: check.reason, broken: check.broken };
}
