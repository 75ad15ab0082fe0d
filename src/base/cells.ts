/** How a table's numbers are printed: what separates thousands, and what begins the decimals. */
export const numberStyles = ['1,234.5', '1.234,5', '1 234,5'] as const;
export type NumberStyle = (typeof numberStyles)[number];

/** The Swiss print apostrophes between thousands, Indians group by two digits above the thousands. */
const forms: Readonly<Record<NumberStyle, RegExp>> = {
  '1,234.5': /^(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:['’]\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}|\d+)(?:\.\d+)?$/,
  '1.234,5': /^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$/,
  '1 234,5': /^(?:\d{1,3}(?:[ '’]\d{3})+|\d+)(?:,\d+)?$/,
};

/** Currencies and units of one sign, which change no value, and marks of notes; behind a number raised ones too. */
const before = /^[\s\p{Sc}%‰*†‡]$/u;
const behind = /^[\s\p{Sc}%‰*†‡⁰¹²³⁴-⁹]$/u;

/** A minus before or behind a number. In Japan △ is one; ▲ is one too, but elsewhere it says that a number rose. */
const signBefore = /^[-−–‐△+]/;
const minusBehind = /[-−–‐]$/;
/** Letters that distinguish currencies with the same sign, as in `US$` and `R$`. */
const currencyLetters = /^\p{Lu}{1,3}(?=\p{Sc})/u;

/** More digits than a number of ours can hold. */
const maxDigits = 15;

/** A printed number in a known style, else null. Any minus or parentheses are negative; 12 % is 12. */
export function printedNumber(text: string, style: NumberStyle): number | null {
  const outer = bare(text);
  const isInParentheses = outer.startsWith('(') && outer.endsWith(')');
  const sign = isInParentheses ? undefined : (signBefore.exec(outer)?.[0] ?? minusBehind.exec(outer)?.[0]);
  const isNegative = isInParentheses || (sign !== undefined && sign !== '+');
  const unsigned = signBefore.test(outer) ? outer.replace(signBefore, '') : outer.replace(minusBehind, '');
  const inner = isInParentheses ? outer.slice(1, -1) : unsigned;
  const digits = bare(inner).replace(/\s/g, ' ');
  if (digits.length > 40 || !forms[style].test(digits)) return null;
  if (digits.replace(/\D/g, '').replace(/^0+/, '').length > maxDigits) return null;
  const plain = style === '1,234.5' ? digits.replace(/[,'’]/g, '') : digits.replace(/[. '’]/g, '').replace(',', '.');
  const value = Number(plain);
  return isNegative ? -value : value;
}

/** The style that reads most cells as numbers, then most as whole ones: `1,234` is more often a thousand. */
export function inferNumberStyle(cells: readonly string[]): NumberStyle {
  const scores = numberStyles.map((style) => {
    const values = cells.map((cell) => printedNumber(cell, style)).filter((value) => value !== null);
    return { style, numbers: values.length, whole: values.filter(Number.isInteger).length };
  });
  const [best] = scores.sort((a, b) => b.numbers - a.numbers || b.whole - a.whole);
  return best?.style ?? numberStyles[0];
}

/** A column's numbers, null for a cell that is none; null for a column in which fewer than half of the cells are. */
export function columnNumbers(cells: readonly string[], style: NumberStyle | null): (number | null)[] | null {
  if (style === null) return null;
  const values = cells.map((cell) => printedNumber(cell, style));
  const numbers = values.filter((value) => value !== null).length;
  const filled = cells.filter((cell) => /[\p{L}\p{N}]/u.test(cell)).length;
  return numbers > 0 && 2 * numbers >= filled ? values : null;
}

/** A text without the signs around it: one between digits parts two numbers. */
function bare(text: string): string {
  let [from, to] = [0, text.length];
  while (/^\s$/.test(text.charAt(from))) from += 1;
  from += currencyLetters.exec(text.slice(from, from + 4))?.[0].length ?? 0;
  while (before.test(text.charAt(from))) from += 1;
  while (to > from && behind.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** How a text begins that a spreadsheet would run, also behind what is invisible; not numbers with a sign. */
const formula = /^(?:[\s\p{Cc}\p{Cf}]*(?:[=@|%＝＠｜％]|[+\-−＋－](?![\d.,]*$))|[\t\r\n])/u;

/** Whether a spreadsheet that opens a CSV file would run this cell. */
export function startsFormula(cell: string): boolean {
  return formula.test(cell);
}

/** The cell for a file that spreadsheets open: one that would run gets an apostrophe in front, which means "text". */
export function guardFormula(cell: string): string {
  return startsFormula(cell) ? `'${cell}` : cell;
}

export function unguardFormula(cell: string): string {
  const plain = cell.slice(1);
  return cell.startsWith("'") && startsFormula(plain) ? plain : cell;
}

/** What becomes of a text that a spreadsheet would run as a formula when it opens the file. */
export type Formulas =
  /** It gets an apostrophe in front, which spreadsheets take as "this is text". Programs see the apostrophe. */
  | 'neutralize'
  /** It stays as it is, in quotes: right for programs, but a spreadsheet may still run it. */
  | 'quote';

export interface CsvCellOptions {
  readonly delimiter?: string;
  readonly formulas?: Formulas;
  /** Every cell in quotes, as some files have it. */
  readonly quoteAll?: boolean;
}

/** One cell as it stands in a CSV file (RFC 4180): quoted where needed; by default it can start no formula. */
export function csvCell(text: string, options: CsvCellOptions = {}): string {
  const { delimiter = ',', formulas = 'neutralize', quoteAll = false } = options;
  const isFormula = startsFormula(text);
  const value = formulas === 'neutralize' ? guardFormula(text) : text;
  const mustQuote = quoteAll || isFormula || value.includes(delimiter) || /["\r\n]|^\s|\s$/.test(value);
  return mustQuote ? `"${value.replaceAll('"', '""')}"` : value;
}
