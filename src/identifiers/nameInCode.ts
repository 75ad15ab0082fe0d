/** How a name stands in a program or a document. */
export type NameForm =
  /** In quotes within square brackets: `df["name"]`, `df[["a", "name"]]`. */
  | 'subscript'
  /** In quotes or backticks. */
  | 'quoted'
  /** `df.name`, `df$name`, `:name`; not a call. */
  | 'attribute'
  | 'bare';

export interface PlacedName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly form: NameForm;
}

const longestName = 64;
/** How far back a bracket is looked for. */
const longestReach = 500;
const quotes = new Set(['"', "'", '`']);

/** The name that a place in a line belongs to, and how it stands there. */
export function nameAt(line: string, offset: number): PlacedName | undefined {
  let start = offset;
  let end = offset;
  while (start > 0 && offset - start <= longestName && isNamePart(line[start - 1])) start -= 1;
  while (end < line.length && end - offset <= longestName && isNamePart(line[end])) end += 1;
  if (end === start || end - start > longestName) return undefined;
  return { name: line.slice(start, end), start, end, form: formOf(line, start, end) };
}

function formOf(line: string, start: number, end: number): NameForm {
  const before = line[start - 1] ?? '';
  if (quotes.has(before)) {
    if (line[end] !== before) return 'bare';
    return before !== '`' && opensSubscript(line, start - 1) ? 'subscript' : 'quoted';
  }
  const isCall = /^\s*\(/.test(line.slice(end, end + 20));
  const owner = line[start - 2] ?? '';
  if ((before === '.' || before === '$') && /[\p{L}\p{N}_)\]]/u.test(owner)) return isCall ? 'bare' : 'attribute';
  return before === ':' && !/[\p{L}\p{N}_:)\]]/u.test(owner) ? 'attribute' : 'bare';
}

/** Whether a quote stands in square brackets that follow something, as `df[` does and the list `= [` does not. */
function opensSubscript(line: string, quote: number): boolean {
  const bracket = openBracket(line, quote);
  if (bracket === undefined) return false;
  const outer = line[bracket - 1] === '[' ? bracket - 1 : bracket;
  return /[\p{L}\p{N}_)\]]/u.test(line[outer - 1] ?? '');
}

/** The place of the bracket that is open at `from`, with nothing but texts and commas in between. */
function openBracket(line: string, from: number): number | undefined {
  let quote: string | undefined;
  for (let at = from - 1; at >= 0 && from - at <= longestReach; at -= 1) {
    const character = line[at] as string;
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
    } else if (character === '[') return at;
    else if (quotes.has(character)) quote = character;
    else if (!/[\s,]/.test(character)) return undefined;
  }
  return undefined;
}

export interface TypedText {
  /** A column of a table, or a value that a column is compared with. */
  readonly wanted: 'column' | 'type' | 'class';
  /** The name in front of the bracket, where there is one. */
  readonly owner: string | undefined;
  /** Where the text begins, after its quote. */
  readonly start: number;
}

const longestLine = 2000;
/** What stands before the quote of a value that a column is compared with. Looked for in a short piece only. */
const comparison =
  /(?:\[\s*["'](?:report_)?(type|class)["']\s*\]|\.(?:report_)?(type|class)|\breport_(type|class)|col\(["'](type|class)["']\))\s*(?:==|!=|\.isin\(\s*[[({]?|\.is_in\(\s*[[({]?|\.eq\(|\s(?:not\s+)?in\s*[[({])\s*(?:["']\w{0,20}["']\s*,\s*){0,30}$/;

/** What a person is typing at the end of `before`, if it is a text in a place where a column or a code belongs. */
export function typedTextAt(before: string): TypedText | undefined {
  if (before.length > longestLine) return undefined;
  const quote = openQuote(before);
  if (quote === undefined || !/^\w{0,40}$/.test(before.slice(quote + 1))) return undefined;
  const start = quote + 1;
  const match = comparison.exec(before.slice(Math.max(0, quote - 300), quote));
  if (match) {
    const wanted = match.slice(1).find((name) => name !== undefined) === 'class' ? 'class' : 'type';
    return { wanted, owner: undefined, start };
  }
  if (!opensSubscript(before, quote)) return undefined;
  const owner = /(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]{0,63})\[{1,2}[^[]*$/u.exec(
    before.slice(Math.max(0, quote - 300), quote),
  )?.[1];
  return { wanted: 'column', owner, start };
}

/** The place of the quote that is still open at the end of a line of code. */
function openQuote(line: string): number | undefined {
  let open: number | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] as string;
    if (open === undefined) {
      if (character === '#') return undefined;
      if (character === '"' || character === "'") open = at;
    } else if (character === '\\') at += 1;
    else if (character === line[open]) open = undefined;
  }
  return open;
}

function isNamePart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}
