import { l10n } from '../base/l10n.ts';

/** The rule that an identifier breaks: how it is built, or its check digit alone. */
export type BrokenRule = 'form' | 'check-digit';

/** What a check of an identifier found. `value` is the form to send, `reason` a sentence for a person. */
export type Check =
  | { readonly valid: true; readonly value: string }
  | { readonly valid: false; readonly reason: string; readonly broken: BrokenRule };

function invalid(reason: string, broken: BrokenRule = 'form'): Check {
  return { valid: false, reason, broken };
}

/** Zero-width and direction marks, which copied text carries unseen. */
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u001F\u007F-\u009F]/gu;
const quotePairs = ['""', "''", '``', '“”', '„“', '„”', '‘’', '‚‘', '«»', '»«', '‹›', '「」', '『』'];

/**
 * Typed or pasted text without what does not belong to it: control characters, invisible marks, repeated blanks and
 * surrounding quotes. Broken surrogate pairs become U+FFFD.
 */
export function cleanText(text: string): string {
  let rest = text.toWellFormed().replace(invisible, '').replace(controls, ' ').replace(/\s+/gu, ' ').trim();
  while (rest.length > 1 && quotePairs.includes(`${rest[0]}${rest.at(-1)}`)) rest = rest.slice(1, -1).trim();
  return rest;
}

/** A text that may be a code, in plain letters and without the marks by which a spreadsheet keeps it as text. */
export function codeText(text: string): string {
  const clean = cleanText(text);
  const kept = /^="(.*)"$/u.exec(clean)?.[1] ?? clean.replace(/^'(?=[\p{L}\p{N}])/u, '');
  return cleanText(kept.normalize('NFKC'));
}

/** A code as it is written for machines: upper case, without blanks and hyphens. */
export function compactCode(text: string): string {
  return codeText(text)
    .replace(/[\s\-‐‑–]/gu, '')
    .toUpperCase();
}

/** `A` to `Z` count 10 to 35, digits count as themselves. */
function valuesOf(code: string): number[] {
  return [...code].map((character) => Number.parseInt(character, 36));
}

/** Checks an ISIN (ISO 6166): country, nine characters, check digit. Case, blanks and hyphens do not matter. */
export function checkIsin(text: string): Check {
  const value = compactCode(text);
  if (value.length !== 12) return invalid(l10n.t('An ISIN has 12 characters; this one has {0}.', value.length));
  if (!/^[A-Z]{2}/.test(value)) return invalid(l10n.t('An ISIN starts with a two-letter country code.'));
  if (!/^[A-Z]{2}[A-Z0-9]{9}[0-9]$/.test(value))
    return invalid(l10n.t('An ISIN has only letters A to Z and digits, and ends with a digit.'));
  if (value !== completeIsin(value.slice(0, 11)))
    return invalid(
      l10n.t('The check digit doesn’t match the rest of the ISIN: a character may be mistyped.'),
      'check-digit',
    );
  return { valid: true, value };
}

/**
 * Adds the check digit (Luhn, modulo 10, letters as two digits) to the first 11 characters of an ISIN.
 * @throws RangeError when they are not two letters and nine letters or digits.
 */
export function completeIsin(body: string): string {
  if (!/^[A-Z]{2}[A-Z0-9]{9}$/.test(body)) throw new RangeError('The body of an ISIN is two letters and nine more.');
  const digits = valuesOf(body).join('');
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighed = index % 2 === 0 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/** Checks an LEI (ISO 17442): 18 letters or digits and two check digits (ISO 7064, MOD 97-10). */
export function checkLei(text: string): Check {
  const value = compactCode(text);
  if (value.length !== 20) return invalid(l10n.t('An LEI has 20 characters; this one has {0}.', value.length));
  if (!/^[A-Z0-9]{18}[0-9]{2}$/.test(value))
    return invalid(l10n.t('An LEI has only letters A to Z and digits, and ends with two digits.'));
  if (value !== completeLei(value.slice(0, 18)))
    return invalid(
      l10n.t('The check digits don’t match the rest of the LEI: a character may be mistyped.'),
      'check-digit',
    );
  return { valid: true, value };
}

/**
 * Adds the two check digits to the first 18 characters of an LEI.
 * @throws RangeError when they are not 18 letters or digits.
 */
export function completeLei(body: string): string {
  if (!/^[A-Z0-9]{18}$/.test(body)) throw new RangeError('The body of an LEI is 18 letters or digits.');
  const remainder = BigInt(valuesOf(`${body}00`).join('')) % 97n;
  return `${body}${String(98n - remainder).padStart(2, '0')}`;
}

/** Country codes a FIGI may not begin with, so that it can't be taken for an ISIN. */
const excludedPrefixes = new Set(['BS', 'BM', 'GG', 'GB', 'GH', 'KY', 'VG']);
const shape = /^[B-DF-HJ-NP-TV-Z]{2}G[B-DF-HJ-NP-TV-Z0-9]{8}[0-9]$/;

/** True when the text could be a FIGI but for its check digit: two consonants, `G`, no vowels, no barred prefix. */
export function looksLikeFigi(text: string): boolean {
  const value = compactCode(text);
  return shape.test(value) && !excludedPrefixes.has(value.slice(0, 2));
}

/** Checks a FIGI as the Open FIGI standard describes it: 12 characters, `G` third, no vowels, check digit last. */
export function checkFigi(text: string): Check {
  const value = compactCode(text);
  if (value.length !== 12) return invalid(l10n.t('A FIGI has 12 characters; this one has {0}.', value.length));
  if (excludedPrefixes.has(value.slice(0, 2)))
    return invalid(l10n.t('A FIGI never begins with {0}.', value.slice(0, 2)));
  if (!shape.test(value))
    return invalid(l10n.t('A FIGI begins with two consonants and G, has no vowels and ends with a digit.'));
  if (value !== completeFigi(value.slice(0, 11)))
    return invalid(
      l10n.t('The check digit doesn’t match the rest of the FIGI: a character may be mistyped.'),
      'check-digit',
    );
  return { valid: true, value };
}

/**
 * Adds the check digit (modulo 10, double add double) to the first 11 characters of a FIGI.
 * @throws RangeError when they do not have the form of a FIGI's first 11 characters.
 */
export function completeFigi(body: string): string {
  if (!shape.test(`${body}0`)) throw new RangeError('The body of a FIGI is two consonants, G and eight more.');
  let sum = 0;
  for (const [index, value] of valuesOf(body).entries()) {
    const weighed = value * (index % 2 === 1 ? 2 : 1);
    sum += Math.floor(weighed / 10) + (weighed % 10);
  }
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/**
 * Checks a CIK: 1 to 10 digits, not all zeros, with or without the letters CIK before them, also as a spreadsheet
 * shows a number. The value has ten digits, as registries write it.
 */
export function checkCik(text: string): Check {
  const digits = wholeNumber(codeText(text).replace(/^cik[\s:#=]*/iu, ''));
  if (digits === null || digits.length > 10) return invalid(l10n.t('A CIK is a number of 1 to 10 digits.'));
  if (/^0+$/.test(digits)) return invalid(l10n.t('A CIK is not zero.'));
  return { valid: true, value: cikKey(digits) };
}

/** The ten-digit form by which two CIKs compare. */
export function cikKey(value: string): string {
  return value.padStart(10, '0');
}

/** The digits of `9,900,412`, `9900412.0` and `9.900412E+06`; null where a digit was lost, or there is more. */
function wholeNumber(text: string): string | null {
  if (/^[0-9]{1,3}(?:[, '’][0-9]{3})+$|^[0-9]{1,3}(?:\.[0-9]{3}){2,}$/.test(text)) return text.replace(/[^0-9]/g, '');
  const [, whole, exponent] = /^([0-9](?:[.,][0-9]+)?)E\+?([0-9]{1,2})$/i.exec(text) ?? [];
  if (whole === undefined) return /^([0-9]+)(?:[.,]0{1,2}|\.0{4,})?$/.exec(text)?.[1] ?? null;
  const digits = whole.replace(/[.,]/, '');
  return digits.length - 1 === Number(exponent) ? digits : null;
}

/** What is often written in place of a MIC, and the MIC. */
const markets = new Map(
  `NYSE XNYS|NYQ XNYS|NASDAQ XNAS|NMS XNAS|AMEX XASE|LSE XLON|LON XLON|TSE XTKS|TYO XTKS|ETR XETR|XETRA XETR|FRA XFRA|EPA XPAR|PAR XPAR|AMS XAMS|EBR XBRU|ELI XLIS|BIT XMIL|MIL XMIL|BME XMAD|SWX XSWX|SIX XSWX|VTX XSWX|STO XSTO|CPH XCSE|HEL XHEL|OSL XOSL|VIE XWBO|WSE XWAR|TSX XTSE|ASX XASX|HKG XHKG|HKEX XHKG|SGX XSES|NSE XNSE|BSE XBOM|JSE XJSE|KRX XKRX|SSE XSHG|SZSE XSHE`
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
);
const mics = new Set(markets.values());

/** Market and ticker in capitals, with nothing around the colon. */
function marketAndTicker(text: string): readonly (string | undefined)[] {
  return codeText(text)
    .replace(/(?<!\s)\s*:\s*/u, ':')
    .toUpperCase()
    .split(/:(.*)/su);
}

/** `XNYS:BRK.B` for `NYSE:BRK.B` and for `BRK.B:XNYS`; undefined where no exchange is named so. */
export function micForm(text: string): string | undefined {
  const [market = '', ticker = ''] = marketAndTicker(text);
  const mic = markets.get(market);
  if (mic) return `${mic}:${ticker}`;
  return mics.has(ticker) && !mics.has(market) ? `${ticker}:${market}` : undefined;
}

/**
 * Checks a ticker with its market, `MIC:TICKER`: a MIC of four letters or digits, a ticker of up to 20 characters. An
 * exchange's usual abbreviation, or a ticker before its MIC, is not taken for one: the reason says what to write.
 */
export function checkMicTicker(text: string): Check {
  const [market = '', ticker] = marketAndTicker(text);
  if (ticker === undefined) return invalid(l10n.t('Write the market before the ticker, as in XPAR:ABCD.'));
  const hint = micForm(text);
  if (hint !== undefined) return invalid(l10n.t('Write the market as a MIC: {0}.', hint));
  if (!/^[A-Z0-9]{4}$/.test(market)) return invalid(l10n.t('A market code (MIC) has four letters or digits.'));
  if (!/^[A-Z0-9][A-Z0-9 .&/*+-]{0,19}$/.test(ticker))
    return invalid(l10n.t('A ticker has up to 20 letters, digits and symbols, and no second colon.'));
  return { valid: true, value: `${market}:${ticker}` };
}
