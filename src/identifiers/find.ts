import { checkFigi, checkIsin, checkLei } from './codes.ts';
import { parseCompanyKey, parseReportKey } from './reportKey.ts';

/** What a text in a document can be recognized as without asking anybody. */
export type FoundKind = 'isin' | 'lei' | 'figi' | 'cik' | 'ticker' | 'company-key' | 'report-key';

export interface Found {
  readonly kind: FoundKind;
  /** The form to look for: check digits hold for ISIN, LEI and FIGI. */
  readonly value: string;
  /** Offsets in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Longer runs of letters and digits are data, not identifiers. */
const longestRun = 200;
/** More is not looked at in one text, in UTF-16 units. */
const longestText = 20_000;

/** Each character is consumed once, so that no text can make this slow. */
const runs = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_:.&*+-]*/gu;
const fileEnding = /\.(?:pdf|json|csv|txt|md)$/i;
const cikLabel = /\bcik(?:[ _-]?(?:no|nr|number|code)\b\.?)?["']?[\s:#=_-]{0,3}["']?$/i;
const fullWidth = /[\uFF01-\uFF5E]/g;

/**
 * The identifiers in one line of a document, in the order they stand in. Made for text of any kind, so it is strict:
 * codes count with their right check digits and as whole words only, keys and tickers in capitals as the service
 * writes them. Keys and tickers are merely of the right form; whether they exist is for the library to say.
 */
export function findIdentifiers(document: string): Found[] {
  const found: Found[] = [];
  // Full-width letters and signs become plain ones, each in its place.
  const text = document
    .slice(0, longestText)
    .replace(fullWidth, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0));
  for (const match of text.matchAll(runs)) {
    const run = trimmed(match[0]);
    if (run.length > longestRun) continue;
    const start = match.index;
    found.push(
      ...(asKey(run, start) ?? asCodes(run, start) ?? asTicker(text, run, start) ?? asCik(text, run, start) ?? []),
    );
  }
  return found;
}

/** The identifier that a place in a text belongs to, or undefined. Its last character's end belongs to it too. */
export function identifierAt(text: string, offset: number): Found | undefined {
  // A line may be a whole document; what stands far away says nothing here.
  const from = Math.max(0, offset - longestRun - 20);
  const near = findIdentifiers(text.slice(from, offset + longestRun + 20));
  const hit = near.find(({ start, end }) => start + from <= offset && offset <= end + from);
  return hit && { ...hit, start: hit.start + from, end: hit.end + from };
}

/** Punctuation after a word ends the sentence, not the identifier. */
function trimmed(run: string): string {
  let end = run.length;
  while (end > 0 && ':.&*+-_'.includes(run[end - 1] as string)) end -= 1;
  return run.slice(0, end);
}

function asKey(run: string, start: number): Found[] | undefined {
  for (const value of new Set([run.replace(fileEnding, ''), run])) {
    if (!/^(?:UNLT_|[A-Z0-9]{4}_[^a-z]*$)/.test(value)) continue;
    const end = start + value.length;
    if (parseReportKey(value)) return [{ kind: 'report-key', value, start, end }];
    if (parseCompanyKey(value)) return [{ kind: 'company-key', value, start, end }];
  }
  return undefined;
}

/** Codes in a run, which signs may divide: `isin:DE…`, `DE….pdf`, `LEI-5299…`. */
function asCodes(run: string, start: number): Found[] | undefined {
  const found: Found[] = [];
  for (const { 0: piece, index } of run.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const code = asCode(piece);
    if (code) found.push({ ...code, start: start + index, end: start + index + piece.length });
  }
  return found.length > 0 ? found : undefined;
}

function asCode(piece: string): Pick<Found, 'kind' | 'value'> | undefined {
  if (!/^[A-Z0-9]+$/i.test(piece) || !/[0-9]/.test(piece) || !isOneCase(piece)) return undefined;
  if (piece.length === 12) {
    const figi = checkFigi(piece);
    if (figi.valid) return { kind: 'figi', value: figi.value };
    const isin = checkIsin(piece);
    return isin.valid ? { kind: 'isin', value: isin.value } : undefined;
  }
  if (piece.length !== 20 || !/[A-Z]/i.test(piece)) return undefined;
  const lei = checkLei(piece);
  return lei.valid ? { kind: 'lei', value: lei.value } : undefined;
}

/** Codes are written in capitals, seldom in small letters, never mixed. */
function isOneCase(text: string): boolean {
  return text === text.toUpperCase() || text === text.toLowerCase();
}

function asTicker(text: string, run: string, start: number): Found[] | undefined {
  if (!/^(?=[0-9]*[A-Z])[A-Z0-9]{4}:[A-Z0-9][A-Z0-9.&*+-]{0,19}$/.test(run)) return undefined;
  const end = start + run.length;
  // The class of a share: `XNYS:BF/B`, and `XNYS:BF B` where nothing but the end or a mark follows.
  const [shareClass = ''] =
    /^(?:\/[A-Z]{1,2}(?![\p{L}\p{N}/])| [A-Z](?=$|[,;|)\]"'\t]))/u.exec(text.slice(end, end + 4)) ?? [];
  return [{ kind: 'ticker', value: run + shareClass, start, end: end + shareClass.length }];
}

/** A number says of itself nothing: it is a CIK when the word stands before it. */
function asCik(text: string, run: string, start: number): Found[] | undefined {
  const prefixed = /^cik[:_.-]?([0-9]{1,10})$/i.exec(run);
  const digits = prefixed?.[1] ?? run;
  if (!/^[0-9]{1,10}$/.test(digits) || /^0+$/.test(digits)) return undefined;
  if (!prefixed && !cikLabel.test(text.slice(Math.max(0, start - 24), start))) return undefined;
  const end = start + run.length;
  const rest = text.slice(end, end + 20);
  // `9,900,412` is one number. Where its parts make none, its beginning is none either.
  const [groups = ''] = digits.length <= 3 ? (/^(?:[,'’][0-9]{3})+(?![0-9])/.exec(rest) ?? []) : [];
  if (groups === '' && digits.length <= 3 && /^[,'’][0-9]/.test(rest)) return undefined;
  const value = digits + groups.replace(/[^0-9]/g, '');
  return value.length > 10 ? undefined : [{ kind: 'cik', value, start: end - digits.length, end: end + groups.length }];
}
