import { concepts, disclosureCodes, questionWords } from './concepts.ts';
import { normalForm } from './normalForm.ts';
import { type Phrase, parseQuery, standsAt } from './query.ts';
import { wordsOf } from './words.ts';

/** One thing that a question is about. */
interface AskedThing {
  /** All that it may be called on a page. */
  readonly phrases: readonly Phrase[];
  /** What the question itself calls it. */
  readonly typed: string;
}

export interface AskedQuestion {
  readonly subjects: readonly AskedThing[];
  /** All words, as the index has them. */
  readonly words: readonly string[];
  /** Words that begin with a capital letter. */
  readonly capital: ReadonlySet<string>;
  /** Words that the table of concepts knows. */
  readonly topical: ReadonlySet<string>;
  readonly years: readonly number[];
}

/** Longest question that is read, in characters: what comes behind is left out. */
const longest = 1000;
const maxSubjects = 24;

const phraseOf = (typed: string): Phrase => {
  const prefix = typed.endsWith('*');
  const words = wordsOf(normalForm(typed)).map(({ word }) => word);
  return { column: 'text', words, prefix, typed: words.join(' ') };
};

interface Name {
  readonly phrase: Phrase;
  /** Of what it is a name. */
  readonly of: readonly (readonly Phrase[])[];
}

let known: ReadonlyMap<string, readonly Name[]> | null = null;

/** Names by the first three letters of their first word, the longest first. Made on first use. */
function names(): ReadonlyMap<string, readonly Name[]> {
  if (known) return known;
  const subjects = concepts.map((line) => line.map(phraseOf));
  const all: Name[] = subjects.flatMap((phrases) => phrases.map((phrase) => ({ phrase, of: [phrases] })));
  const called = (name: string) => subjects.filter((_, at) => concepts[at]?.includes(name));
  for (const [code, thingNames] of disclosureCodes) {
    const phrase = phraseOf(code);
    all.push({ phrase, of: [[phrase], ...thingNames.flatMap(called)] });
  }
  all.sort((a, b) => b.phrase.words.length - a.phrase.words.length || b.phrase.typed.length - a.phrase.typed.length);
  known = Map.groupBy(all, ({ phrase }) => keyOf(phrase.words[0] ?? ''));
  return known;
}

const keyOf = (word: string) => word.slice(0, 2);

/**
 * Reads a question in one of the eight languages of the concepts (other words count as they are): its subjects, with
 * their other names, and years. Never throws.
 */
export function readQuestion(question: string): AskedQuestion {
  const text = normalForm(question.slice(0, longest));
  const found = wordsOf(text);
  const words = found.map(({ word }) => word.replace(/^fy(?=\d{2}(?:\d{2})?$)/, ''));
  const capital = found.filter(({ start }) => /^\p{Lu}/u.test(text.slice(start, start + 2)));
  const subjects: AskedThing[] = [];
  const topical = new Set<string>();
  for (let at = 0; at < words.length && subjects.length < maxSubjects; ) {
    const word = words[at] ?? '';
    const matching = (names().get(keyOf(word)) ?? []).filter(({ phrase }) => standsAt(words, at, phrase));
    const length = matching[0]?.phrase.words.length ?? 0;
    for (const { phrase, of } of matching.filter((name) => name.phrase.words.length === length)) {
      const prefix = phrase.prefix && length === 1;
      const own = { ...phrase, words: prefix ? [stemOf(word)] : words.slice(at, at + length), prefix };
      for (const phrases of of) subjects.push({ phrases: [own, phrase, ...phrases], typed: phrase.typed });
    }
    for (const known of words.slice(at, at + length)) topical.add(known);
    if (length === 0 && !isYear(word) && !questionWords.has(word))
      subjects.push({ phrases: found[at]?.isRun ? runPhrases(word) : [plainPhrase(word)], typed: word });
    at += Math.max(1, length);
  }
  return {
    ...{ subjects, words, topical, capital: new Set(capital.map(({ word }) => word)) },
    years: yearsOf(text, words),
  };
}

/** Chinese, Japanese and Korean stand in the index as pairs; a query knows how. */
function runPhrases(run: string): readonly Phrase[] {
  return parseQuery(run.slice(0, 32)).all.flatMap(({ phrases }) => phrases);
}

function plainPhrase(word: string): Phrase {
  const stem = stemOf(word);
  const prefix = stem !== word || /^\p{L}{5}/u.test(word);
  return { column: 'text', words: [prefix ? stem : word], prefix, typed: word };
}

/** A word without what inflection adds in these languages; short words and numbers as they are. */
function stemOf(word: string): string {
  if (word.length < 6 || /\d/.test(word)) return word.length > 4 ? word.replace(/s$/, '') : word;
  const stem = word.replace(/(?:ations?|ements?|ing|ies|ed|es|en|er|em|as|os|s|e|n|y|a|o)$/u, '');
  return stem.length >= 4 ? stem : word;
}

const isYear = (word: string) => /^(?:19|20)\d{2}$/.test(word);

/** Years that are named; of a fiscal year such as `2021/22` the later one. */
function yearsOf(text: string, words: readonly string[]): number[] {
  const spans = [...text.matchAll(/\b((?:19|20)\d{2})\s?[/–-]\s?(?:(?:19|20))?(\d{2})\b/g)];
  const early = new Set(spans.map(([, year]) => Number(year)));
  const late = spans.map(([, year = '', end = '']) => Number(year.slice(0, 2) + end));
  const alone = words.filter(isYear).map(Number);
  return [...new Set([...late, ...alone.filter((year) => !early.has(year))])];
}

/** The question without words that only say whose report is meant; as it was where nothing else is asked. */
export function withoutWords(question: AskedQuestion, words: ReadonlySet<string>): AskedQuestion {
  const subjects = question.subjects.filter(({ typed }) => !words.has(typed));
  return subjects.length === 0 ? question : { ...question, subjects };
}
