import { type Phrase, standsAt } from './query.ts';
import { hyphenated, pairsOf, type Word, wordsOf } from './words.ts';

/** Parts of a page on one line, and what was found in it, from and to, in order. */
export interface Snippet {
  readonly snippet: string;
  readonly marks: readonly (readonly [start: number, end: number])[];
  /** How many places of the whole page answer. */
  readonly count: number;
}

interface FoundPlace {
  readonly phrase: number;
  readonly start: number;
  readonly end: number;
}

/** From and to. */
type TextRange = readonly [from: number, to: number];

/** The usual length of a snippet in characters, and its most parts. */
const width = 160;
const maxParts = 3;

const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu;

/** The place of a page with all that was asked for, or several where it is far apart. Takes text in normal form. */
export function snippetOf(text: string, phrases: readonly Phrase[]): Snippet {
  const line = text.replace(controls, ' ').trim();
  const places = placesIn(line, phrases);
  const parts = partsOf(line, places);
  let snippet = parts[0]?.[0] === 0 ? '' : '…';
  const marks: TextRange[] = [];
  for (const [at, part] of parts.entries()) {
    if (at > 0) snippet += ' … ';
    const moved = snippet.length - part[0];
    for (const [start, end] of joined(within(part, places))) marks.push([start + moved, end + moved]);
    snippet += line.slice(...part);
  }
  if ((parts.at(-1)?.[1] ?? 0) < line.length) snippet += '…';
  return { snippet, marks, count: places.length };
}

/**
 * Where in a page's text the first mark of its snippet stands; undefined where the page has no such part any more. The
 * normal form has no ellipsis, so wherever one stands something was left out.
 */
export function firstMarked(text: string, hit: Pick<Snippet, 'snippet' | 'marks'>): TextRange | undefined {
  const { snippet, marks } = hit;
  const [start, end] = marks[0] ?? [0, 0];
  const from = snippet.slice(0, start).match(/^.*… ?/u)?.[0].length ?? 0;
  const [part = ''] = snippet.slice(from).split(/ ?…/u);
  const at = text.indexOf(part);
  return at === -1 ? undefined : [at + start - from, at + end - from];
}

const within = ([from, to]: TextRange, places: readonly FoundPlace[]) =>
  places.filter(({ start, end }) => start >= from && end <= to);

/** Parts or places in order, those that touch as one. */
function joined(places: readonly Pick<FoundPlace, 'start' | 'end'>[]): [number, number][] {
  const found: [number, number][] = [];
  for (const { start, end } of places) {
    const last = found.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
}

/** The part with all phrases found; else shorter ones that together have more. In order, none touching another. */
function partsOf(line: string, places: readonly FoundPlace[]): TextRange[] {
  const phrases = new Set(places.map(({ phrase }) => phrase)).size;
  const whole = bestPart(line, places, width);
  if (new Set(within(whole, places).map(({ phrase }) => phrase)).size === phrases) return [whole];
  const parts: { readonly start: number; readonly end: number }[] = [];
  for (let left = places; left.length > 0 && parts.length < maxParts; ) {
    const part = bestPart(line, left, Math.floor(width / Math.min(phrases, maxParts)));
    parts.push({ start: part[0], end: part[1] });
    const shown = new Set(within(part, places).map(({ phrase }) => phrase));
    left = left.filter(({ phrase }) => !shown.has(phrase));
  }
  return joined(parts.sort((a, b) => a.start - b.start));
}

/** Everywhere that one of the phrases stands, in order. */
function placesIn(text: string, phrases: readonly Phrase[]): FoundPlace[] {
  const found = wordsOf(text);
  const lists = { text: found.filter(({ isRun }) => !isRun), pairs: found.flatMap((word) => pairWords(word)) };
  const names = { text: lists.text.map(({ word }) => word), pairs: lists.pairs.map(({ word }) => word) };
  const joined = hyphenated(text, found);
  const places = phrases.flatMap((asked, phrase) => {
    const { column, words, prefix, typed } = asked;
    const otherwise = [
      ...(words.length === 1 && !prefix ? joined.filter(({ word }) => word === words[0]) : []),
      ...(asked.joined === undefined ? [] : found.filter(({ word }) => word === asked.joined)),
    ].map(({ start, end }) => ({ phrase, start, end }));
    return lists[column]
      .flatMap(({ start }, at): FoundPlace[] => {
        if (!standsAt(names[column], at, asked)) return [];
        // A single character is the beginning of a pair, and alone what was found.
        const end = column === 'pairs' && prefix ? start + typed.length : lists[column][at + words.length - 1]?.end;
        return [{ phrase, start, end: end ?? start }];
      })
      .concat(otherwise);
  });
  return places.sort((a, b) => a.start - b.start || a.end - b.end);
}

function pairWords({ word: run, start, isRun }: Word): Word[] {
  if (!isRun) return [];
  let at = start;
  return pairsOf(run).map((word) => {
    const pair = { word, start: at, end: at + word.length, isRun };
    at += String.fromCodePoint(word.codePointAt(0) ?? 0).length;
    return pair;
  });
}

/** The part of so many characters with most different phrases, then most places. */
function bestPart(line: string, places: readonly FoundPlace[], width: number): TextRange {
  const before = Math.floor(width / 4);
  let best = places[0];
  let bestScore = -1;
  for (const [at, place] of places.entries()) {
    const phrases = new Set<number>();
    let end = at;
    for (; (places[end]?.end ?? Infinity) <= place.start + width - before; end++) phrases.add(places[end]?.phrase ?? 0);
    const score = phrases.size * 10_000 + end - at;
    if (score > bestScore) [best, bestScore] = [place, score];
  }
  const begin = Math.min((best?.start ?? 0) - before, line.length - width);
  const from = wordBegin(line, Math.max(0, begin), best?.start ?? 0);
  return [from, wordEnd(line, from + width, best?.end ?? 0, before)];
}

/** Where the next word begins at or after a place, but not after `latest`. */
function wordBegin(line: string, at: number, latest: number): number {
  if (at <= 0) return 0;
  const blank = line.indexOf(' ', at - 1);
  const begin = blank !== -1 && blank < latest ? blank + 1 : Math.min(at, latest);
  return isInside(line, begin) ? begin + 1 : begin;
}

/** Where the last word ends at or up to `max` before a place, but not before `earliest`. */
function wordEnd(line: string, at: number, earliest: number, max: number): number {
  if (at >= line.length) return line.length;
  const blank = line.lastIndexOf(' ', at);
  const end = blank > earliest && blank > at - max ? blank : Math.max(at, earliest);
  return isInside(line, end) ? end - 1 : end;
}

/** Whether a place is in the middle of a character that takes two. */
function isInside(line: string, at: number): boolean {
  return /^[\udc00-\udfff]/.test(line.slice(at, at + 1)) && at > 0;
}
