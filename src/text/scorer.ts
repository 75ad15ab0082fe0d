import type { Phrase } from './query.ts';
import { type AskedQuestion, standsAt } from './question.ts';
import type { PageText } from './textIndex.ts';
import { pairsOf, wordsOf } from './words.ts';

/** A page that was read, and what of the question stands on it. */
export interface ScoredPage {
  readonly sha256: string;
  readonly page: number;
  readonly text: PageText;
  /** How likely its report is meant. */
  readonly lift: number;
  readonly length: number;
  readonly places: readonly AskedPlace[];
  /** Where numbers stand. */
  readonly numbers: readonly number[];
  /** What makes it no answer by itself: contents, or an index of disclosures. */
  readonly damp: number;
}

/** Where a subject stands on a page, in words from its beginning. */
interface AskedPlace {
  readonly subject: number;
  readonly at: number;
  /** 1 as it was asked for, less by another name. */
  readonly worth: number;
}

interface Form {
  readonly phrase: Phrase;
  readonly subject: number;
  readonly worth: number;
}

/** Another name of what is asked for counts so much of the asked one. */
const otherName = 0.8;
/** Words of a page's heading, and of what counts as near to one another. */
const headingWords = 10;
const nearWords = 24;
const numberReach = 14;
const weights = { near: 0.6, heading: 0.6, number: 0.15, neighbour: 0.08, coverage: 0.6 };

/** Weighs pages for one question, among one another. */
export class PageScorer {
  readonly #question: AskedQuestion;
  /** Forms by the first letter of their first word. */
  readonly #forms: ReadonlyMap<string, readonly Form[]>;
  /** Forms by the words of pages that they may begin with; pages share most of their words. */
  readonly #byWord = new Map<string, readonly Form[]>();

  constructor(question: AskedQuestion) {
    this.#question = question;
    const forms = question.subjects.flatMap(({ asked, phrases }, subject) => [
      ...asked.map((phrase) => ({ phrase, subject, worth: 1 })),
      ...phrases.map((phrase) => ({ phrase, subject, worth: otherName })),
    ]);
    this.#forms = Map.groupBy(forms, ({ phrase }) => phrase.words[0]?.charAt(0) ?? '');
  }

  /** Finds on a page what the question asks about. */
  read(sha256: string, page: number, text: PageText, lift: number): ScoredPage {
    const words = wordsOf(text.text).flatMap(({ word, isRun }) => (isRun ? pairsOf(word) : [word]));
    const places: AskedPlace[] = [];
    const numbers: number[] = [];
    for (const [at, word] of words.entries()) {
      if (/^\d/.test(word)) numbers.push(at);
      const worth = new Map<number, number>();
      for (const form of this.#beginningWith(word)) {
        if (!standsAt(words, at, form.phrase)) continue;
        worth.set(form.subject, Math.max(form.worth, worth.get(form.subject) ?? 0));
      }
      for (const [subject, best] of worth) places.push({ subject, at, worth: best });
    }
    const damp = dampOf(text.text, words, this.#question);
    return { sha256, page, text, lift, length: words.length, places, numbers, damp };
  }

  #beginningWith(word: string): readonly Form[] {
    const held = this.#byWord.get(word);
    if (held) return held;
    const forms = (this.#forms.get(word.charAt(0)) ?? []).filter(({ phrase: { words, prefix } }) => {
      const first = words[0] ?? '';
      return prefix && words.length === 1 ? word.startsWith(first) : word === first;
    });
    this.#byWord.set(word, forms);
    return forms;
  }

  /** The best of pages, the best first. */
  best(pages: readonly ScoredPage[], limit: number): ScoredPage[] {
    const rarity = this.#rarity(pages);
    const mean = pages.reduce((sum, { length }) => sum + length, 0) / Math.max(1, pages.length);
    const scores = new Map(pages.map((page) => [placeName(page), this.#score(page, rarity, mean)]));
    const total = (page: ScoredPage) => {
      const beside = [-1, 1].map((step) => scores.get(placeName({ ...page, page: page.page + step })) ?? 0);
      return (scores.get(placeName(page)) ?? 0) + weights.neighbour * Math.max(...beside);
    };
    return pages
      .map((page) => ({ page, score: total(page) }))
      .sort((a, b) => b.score - a.score || a.page.page - b.page.page || (a.page.sha256 < b.page.sha256 ? -1 : 1))
      .slice(0, limit)
      .map(({ page }) => page);
  }

  /** What each subject weighs: more, the fewer pages have it. */
  #rarity(pages: readonly ScoredPage[]): number[] {
    const counts = this.#question.subjects.map(() => 0);
    for (const { places } of pages) {
      for (const subject of new Set(places.map((place) => place.subject))) counts[subject] = (counts[subject] ?? 0) + 1;
    }
    return this.#question.subjects.map(({ weight }, at) => {
      const count = counts[at] ?? 0;
      return weight * Math.log(1.2 + (pages.length - count + 0.5) / (count + 0.5));
    });
  }

  #score({ places, length, numbers, lift, damp }: ScoredPage, rarity: readonly number[], mean: number): number {
    const often = rarity.map(() => 0);
    const bySubject = rarity.map(() => 0);
    for (const { subject, at, worth } of places) {
      often[subject] = (often[subject] ?? 0) + worth;
      bySubject[subject] = Math.max(bySubject[subject] ?? 0, at < headingWords ? worth : 0);
    }
    const room = 1.2 * (0.4 + (0.6 * length) / Math.max(1, mean));
    const weightOf = (subject: number) => rarity[subject] ?? 0;
    const sum = (of: (subject: number) => number) => rarity.reduce((total, _, subject) => total + of(subject), 0);
    const all = Math.max(1e-9, sum(weightOf));
    const words = sum((subject) => {
      const count = often[subject] ?? 0;
      return weightOf(subject) * (count / (count + room));
    });
    const covered = sum((subject) => ((often[subject] ?? 0) > 0 ? weightOf(subject) : 0)) / all;
    const heading = sum((subject) => weightOf(subject) * (bySubject[subject] ?? 0));
    const near = nearest(places, rarity);
    const hasNumber = this.#question.wantsNumber && numbers.some((at) => Math.abs(at - near.at) <= numberReach);
    return (
      (words + weights.heading * heading * covered) *
      (1 - weights.coverage + weights.coverage * covered) *
      (1 + (weights.near * near.weight) / all) *
      (hasNumber ? 1 + weights.number : 1) *
      lift *
      damp
    );
  }
}

const placeName = ({ sha256, page }: Pick<ScoredPage, 'sha256' | 'page'>) => `${sha256} ${page}`;

/** The part of a page where most of the question stands near to one another, and what that weighs. */
function nearest(
  places: readonly AskedPlace[],
  rarity: readonly number[],
): { readonly at: number; readonly weight: number } {
  let best = { at: -Infinity, weight: 0 };
  for (const [from, { at }] of places.entries()) {
    const worth = new Map<number, number>();
    for (let to = from; to < places.length && (places[to]?.at ?? 0) <= at + nearWords; to += 1) {
      const place = places[to];
      if (place) worth.set(place.subject, Math.max(place.worth, worth.get(place.subject) ?? 0));
    }
    let weight = 0;
    for (const [subject, share] of worth) weight += share * (rarity[subject] ?? 0);
    if (weight > best.weight) best = { at, weight };
  }
  return best;
}

/** Contents and indexes name everything and answer nothing, unless a disclosure's code is asked for. */
function dampOf(text: string, words: readonly string[], { namesCode }: AskedQuestion): number {
  const leaders = text.split(/(?:\. ?){6}/).length - 1;
  if (leaders >= 3) return 0.3;
  const codes = words.filter((word) => word === 'gri' || word === 'esrs').length;
  return codes >= 5 && !namesCode ? 0.6 : 1;
}
