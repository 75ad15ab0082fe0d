import { concepts, disclosureCodes, questionWords } from './concepts.ts';
import { normalForm } from './normalForm.ts';
import { type Phrase, parseQuery } from './query.ts';
import { wordsOf } from './words.ts';

/** One thing that a question is about, and all that it may be called on a page. */
export interface AskedThing {
  readonly phrases: readonly Phrase[];
  /** Of them, those that the question itself uses. */
  readonly asked: readonly Phrase[];
  /** How much it says, 1 for what the table of concepts knows. */
  readonly weight: number;
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
  /** Whether a number is asked for. */
  readonly wantsNumber: boolean;
  /** Whether a disclosure of a standard is named, such as `GRI 305-1`. */
  readonly namesCode: boolean;
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
  readonly of: readonly (readonly Phrase[])[];
  readonly isCode: boolean;
}

let known: ReadonlyMap<string, readonly Name[]> | null = null;

/** Names by the first three letters of their first word, the longest first. Made on first use. */
function names(): ReadonlyMap<string, readonly Name[]> {
  if (known) return known;
  const subjects = concepts.map((line) => line.map(phraseOf));
  const all: Name[] = subjects.flatMap((phrases) =>
    phrases.map((phrase) => ({ phrase, of: [phrases], isCode: false })),
  );
  const called = (name: string) => subjects.filter((_, at) => concepts[at]?.includes(name));
  for (const [code, thingNames] of disclosureCodes) {
    const phrase = phraseOf(code);
    all.push({ phrase, of: [[phrase], ...thingNames.flatMap(called)], isCode: true });
  }
  all.sort((a, b) => b.phrase.words.length - a.phrase.words.length || b.phrase.typed.length - a.phrase.typed.length);
  known = Map.groupBy(all, ({ phrase }) => keyOf(phrase.words[0] ?? ''));
  return known;
}

const keyOf = (word: string) => word.slice(0, 2);

/** Whether a phrase stands at a place of a list of words. */
export function standsAt(words: readonly string[], at: number, phrase: Phrase): boolean {
  const last = phrase.words.length - 1;
  return phrase.words.every((word, n) => {
    const there = words[at + n];
    return phrase.prefix && n === last ? there?.startsWith(word) : there === word;
  });
}

const quantity =
  /\b(?:how (?:much|many|big|large|high|often|long)|what (?:share|part|percentage|proportion|rate)|rate|total|percent|wie ?viele?|wie (?:hoch|groß|oft)|anteil|quote|combien|quel(?:le)? (?:est le taux|part)|taux|cuánt[oa]s?|porcentaje|tasa|quant[aeio]s?|percentuale|hoeveel|hoe (?:groot|hoog|vaak)|hur (?:mycket|många|stor|ofta)|andel|percentagem)\b/iu;

/**
 * Reads a question in one of the eight languages of the concepts (other words count as they are): which things it asks about,
 * with what those are called elsewhere; years; and whether it wants a number. Never throws.
 */
export function readQuestion(question: string): AskedQuestion {
  const text = normalForm(question.slice(0, longest));
  const found = wordsOf(text);
  const words = found.map(({ word }) => word.replace(/^fy(?=\d{2}(?:\d{2})?$)/, ''));
  const capital = found.filter(({ start }) => /^\p{Lu}/u.test(text.slice(start, start + 2)));
  const subjects: AskedThing[] = [];
  const topical = new Set<string>();
  let namesCode = false;
  for (let at = 0; at < words.length && subjects.length < maxSubjects; ) {
    const word = words[at] ?? '';
    const matching = (names().get(keyOf(word)) ?? []).filter(({ phrase }) => standsAt(words, at, phrase));
    const length = matching[0]?.phrase.words.length ?? 0;
    const best = matching.filter(({ phrase }) => phrase.words.length === length);
    for (const { phrase, of, isCode } of best) {
      namesCode ||= isCode;
      const own = { ...phrase, words: words.slice(at, at + length), prefix: phrase.prefix && length === 1 };
      const asked = own.prefix ? { ...own, words: [stemOf(word)] } : own;
      for (const phrases of of)
        subjects.push({ phrases, asked: [asked, phrase], weight: isCode && of.length > 1 ? 0.8 : 1 });
    }
    for (const known of words.slice(at, at + length)) topical.add(known);
    if (length === 0 && !isYear(word) && !questionWords.has(word)) {
      const phrases = found[at]?.isRun ? runPhrases(word) : [plainPhrase(word)];
      if (phrases.length > 0) subjects.push({ phrases, asked: phrases, weight: 0.9 });
    }
    at += Math.max(1, length);
  }
  return {
    ...{ subjects: withoutDoubles(subjects), words, topical, capital: new Set(capital.map(({ word }) => word)) },
    ...{ years: yearsOf(text, words), wantsNumber: quantity.test(text), namesCode },
  };
}

/** A thing that is asked for twice is one thing. */
function withoutDoubles(subjects: readonly AskedThing[]): AskedThing[] {
  const byName = new Map<string, AskedThing>();
  for (const subject of subjects) {
    const key = subject.phrases.map(({ typed, prefix }) => `${typed}${prefix ? '*' : ''}`).join();
    const other = byName.get(key);
    const asked = [...(other?.asked ?? []), ...subject.asked];
    byName.set(key, { ...subject, asked, weight: Math.max(other?.weight ?? 0, subject.weight) });
  }
  return [...byName.values()];
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
  const subjects = question.subjects.filter(({ asked }) => !asked.some(({ typed }) => words.has(typed)));
  return subjects.length === 0 ? question : { ...question, subjects };
}
