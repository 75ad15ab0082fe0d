import { l10n } from '../base/l10n.ts';
import { normalForm } from './normalForm.ts';
import { queryError, textError } from './textError.ts';
import { hyphenated, pairsOf, type Word, wordsOf } from './words.ts';

export interface Phrase {
  /** `pairs` for a run of a script without blanks between words, whose words are its pairs. */
  readonly column: 'text' | 'pairs';
  readonly words: readonly string[];
  /** Whether the last word may go on. */
  readonly prefix: boolean;
  /** As it was typed, in the normal form. */
  readonly typed: string;
  /** Two words that a hyphen joins, as one word. */
  readonly joined?: string | undefined;
}

/** Whether a phrase stands at a place of a list of words. */
export function standsAt(list: readonly string[], at: number, { words, prefix }: Phrase): boolean {
  return words.every((word, n) => {
    const there = list[at + n];
    return prefix && n === words.length - 1 ? there?.startsWith(word) : there === word;
  });
}

/** Phrases that a page has all, within `near` words of one another where that is not null. */
export interface Clause {
  readonly phrases: readonly Phrase[];
  readonly near: number | null;
}

/** What a page must have all of, and what it must have nothing of. */
export interface PageQuery {
  readonly all: readonly Clause[];
  readonly without: readonly Clause[];
}

const longest = 1000;
const maxClauses = 32;
const maxWords = 64;
const defaultNear = 10;
const maxNear = 1000;

const tooLong = l10n.later('This query is too long. Type fewer words.');
const onlyWithout = l10n.later('All words are excluded. Add a word or a “phrase” to find.');

/** A phrase in quotation marks of any language, perhaps with a star; else what goes on to a blank. */
const pieces = /["„“”‟«»「」『』]([^"„“”‟«»「」『』]*)(?:["„“”‟«»「」『』](\*?)|$)|[^\s"„“”‟«»「」『』]+/gu;
const nearGroup = /(^|\s)([-−–]?)NEAR\s?\(([^()]*?)(?:,\s*(\d{1,9})\s*)?(?:\)|$)/gu;

/**
 * Reads a query: words, "phrases" in quotation marks of any language, beginnings of words with `*`, `NEAR(a b, 5)`, and
 * `-` to leave something out. All else only separates words. Throws the problem `query` where nothing to find remains.
 */
export function parseQuery(query: string): PageQuery {
  if (query.length > longest) throw queryError(tooLong);
  const all: Clause[] = [];
  const without: Clause[] = [];
  const add = (minus: string, phrases: readonly Phrase[], near: number | null) => {
    if (phrases.length > 0) (minus === '' ? all : without).push({ phrases, near });
  };
  const text = normalForm(query);
  const rest = text.replace(nearGroup, (_, blank: string, minus: string, group: string, distance?: string) => {
    const near = Math.min(distance === undefined ? defaultNear : Number(distance), maxNear);
    const phrases = piecesOf(group).flatMap((piece) => piece.phrases);
    // Pairs stand in another column, where no distance to words is known.
    for (const column of ['text', 'pairs'] as const)
      add(
        minus,
        phrases.filter((phrase) => phrase.column === column),
        near,
      );
    return `${blank} `;
  });
  for (const { minus, phrases } of piecesOf(rest)) {
    if (minus === '') for (const phrase of phrases) add('', [phrase], null);
    else add(minus, phrases, null);
  }
  if (all.length + without.length > maxClauses) throw queryError(tooLong);
  if (all.length === 0) throw without.length > 0 ? queryError(onlyWithout) : textError('query');
  return { all, without };
}

/** Words and phrases in order, each with the minus that stands before it. */
function piecesOf(text: string): { readonly minus: string; readonly phrases: readonly Phrase[] }[] {
  const found: { minus: string; phrases: Phrase[] }[] = [];
  let pending = '';
  for (const match of text.matchAll(pieces)) {
    const [whole, quoted, star] = match;
    if (quoted !== undefined) {
      found.push({ minus: pending, phrases: phrasesOf(quoted, star === '*') });
      pending = '';
      continue;
    }
    const isMinus = /^[-−–]/u.test(whole) && /^$|\s/u.test(text.charAt(match.index - 1));
    const word = isMinus ? whole.slice(1) : whole;
    // A minus right before a quotation mark is that phrase's.
    pending = isMinus && word === '' && !/^$|\s/u.test(text.charAt(match.index + whole.length)) ? '-' : '';
    found.push({ minus: isMinus ? '-' : '', phrases: phrasesOf(word, word.endsWith('*')) });
  }
  return found;
}

/** The words of a piece as phrases: those that follow one another, and each run by itself. */
function phrasesOf(text: string, prefix: boolean): Phrase[] {
  const found = wordsOf(text);
  if (found.length > maxWords) throw queryError(tooLong);
  const phrases: Phrase[] = [];
  let words: Word[] = [];
  const end = (isLast: boolean) => {
    const [first, last] = [words[0], words.at(-1)];
    if (first && last) {
      const typed = text.slice(first.start, last.end);
      const joined = words.length === 2 ? hyphenated(text, words)[0]?.word : undefined;
      const phrase = { column: 'text', words: words.map(({ word }) => word), prefix: prefix && isLast, typed } as const;
      phrases.push(joined === undefined ? phrase : { ...phrase, joined });
    }
    words = [];
  };
  for (const word of found) {
    if (!word.isRun) {
      words.push(word);
      continue;
    }
    end(false);
    const pairs = pairsOf(word.word);
    // The index has each character as the beginning of a pair.
    const isSingle = pairs.length === 1;
    phrases.push({
      ...{ column: 'pairs', words: isSingle ? pairs : pairs.slice(0, -1), prefix: isSingle, typed: word.word },
    });
  }
  end(true);
  return phrases;
}

/** Which words of the index begin so; null to let the index gather them itself. */
export type Expand = (beginning: string) => readonly string[] | null;

/** The query in the index's language. Of the typed text only folded words get into it, each in quotation marks. */
export function matchOf({ all, without }: PageQuery, expand: Expand): string {
  const clauses = (list: readonly Clause[]) => list.map((clause) => clauseText(clause, expand));
  const wanted = clauses(all).join(' AND ');
  return without.length === 0 ? wanted : `(${wanted}) NOT (${clauses(without).join(' OR ')})`;
}

function clauseText({ phrases, near }: Clause, expand: Expand): string {
  if (near === null || phrases.length === 1)
    return `(${phrases.map((phrase) => phraseText(phrase, expand)).join(' AND ')})`;
  // A group knows no alternatives: the index gathers the endings itself, unless they are too many.
  for (const { words, prefix } of phrases) if (prefix) expand(words.at(-1) ?? '');
  const members = phrases.flatMap((phrase) => alternatives(phrase, () => null));
  return `${phrases[0]?.column ?? 'text'} : (NEAR(${members.join(' ')}, ${near}))`;
}

/** A word is also found as two that a hyphen joins, and such two as one. */
function phraseText(phrase: Phrase, expand: Expand): string {
  const { column, words, prefix, joined } = phrase;
  const ways = alternatives(phrase, expand);
  if (joined !== undefined && !prefix) ways.push(`"${joined}"`);
  const isWord = column === 'text' && words.length === 1 && !prefix && /^\p{L}{4,}$/u.test(words[0] ?? '');
  return `${isWord ? '{text pairs}' : column} : (${ways.join(' OR ')})`;
}

/** Every way to write a phrase, with its last word's endings. */
function alternatives({ words, prefix }: Phrase, expand: Expand): string[] {
  const last = words.at(-1) ?? '';
  const endings = prefix ? expand(last) : null;
  if (endings === null || endings.length === 0) return [`"${words.join(' ')}"${prefix ? ' *' : ''}`];
  const before = words.slice(0, -1);
  return endings.map((ending) => `"${[...before, ending].join(' ')}"`);
}
