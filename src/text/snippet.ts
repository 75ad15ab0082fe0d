import type { Phrase } from './query.ts';
import { pairsOf, type Word, wordsOf } from './words.ts';

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
type Part = readonly [from: number, to: number];

/** So many characters a snippet has, more or less, in at most so many parts. */
const width = 160;
const maxParts = 3;

const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu;

/** The place of a page with all that was asked for, or several where it stands far apart. The text is in the normal form. */
export function snippetOf(text: string, phrases: readonly Phrase[]): Snippet {
  const line = text.replace(controls, ' ').trim();
  const places = placesIn(line, phrases);
  const parts = partsOf(line, places);
  let snippet = parts[0]?.[0] === 0 ? '' : '…';
  const marks: [number, number][] = [];
  for (const [at, part] of parts.entries()) {
    if (at > 0) snippet += ' … ';
    const moved = snippet.length - part[0];
    for (const [start, end] of joined(within(part, places))) marks.push([start + moved, end + moved]);
    snippet += line.slice(...part);
  }
  if ((parts.at(-1)?.[1] ?? 0) < line.length) snippet += '…';
  return { snippet, marks, count: places.length };
}

const within = ([from, to]: Part, places: readonly FoundPlace[]) =>
  places.filter(({ start, end }) => start >= from && end <= to);

/** Parts or places in order, those that touch as one. */
function joined(places: readonly FoundPlace[]): [number, number][] {
  const found: [number, number][] = [];
  for (const { start, end } of places) {
    const last = found.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
}

/** The part with all phrases that there are; where none has, shorter ones that together have more. In order, none touching another. */
function partsOf(line: string, places: readonly FoundPlace[]): Part[] {
  const phrases = new Set(places.map(({ phrase }) => phrase));
  const whole = bestPart(line, places, width);
  const shown = new Set(within(whole, places).map(({ phrase }) => phrase));
  if (shown.size === phrases.size) return [whole];
  shown.clear();
  const each = Math.floor(width / Math.min(phrases.size, maxParts));
  const parts: FoundPlace[] = [];
  for (let left = places; left.length > 0 && parts.length < maxParts; ) {
    const [start, end] = bestPart(line, left, each);
    parts.push({ phrase: 0, start, end });
    for (const { phrase } of within([start, end], places)) shown.add(phrase);
    left = places.filter(({ phrase }) => !shown.has(phrase));
  }
  return joined(parts.sort((a, b) => a.start - b.start));
}

/** Everywhere that one of the phrases stands, in order. */
function placesIn(text: string, phrases: readonly Phrase[]): FoundPlace[] {
  const words: Word[] = [];
  const pairs: Word[] = [];
  for (const word of wordsOf(text)) {
    if (word.isRun) pairs.push(...pairWords(word));
    else words.push(word);
  }
  const places = phrases.flatMap((phrase, at) => {
    const found = phrase.column === 'text' ? wordPlaces(words, phrase) : pairPlaces(pairs, phrase);
    return found.map(([start, end]) => ({ phrase: at, start, end }));
  });
  return places.sort((a, b) => a.start - b.start || a.end - b.end);
}

function pairWords({ word: run, start }: Word): Word[] {
  let at = start;
  return pairsOf(run).map((word) => {
    const pair = { word, start: at, end: at + word.length, isRun: true };
    at += String.fromCodePoint(word.codePointAt(0) ?? 0).length;
    return pair;
  });
}

function wordPlaces(list: readonly Word[], { words, prefix }: Phrase): [number, number][] {
  const found: [number, number][] = [];
  const last = words.length - 1;
  for (let at = 0; at + last < list.length; at++) {
    const fits = words.every((word, n) => {
      const there = list[at + n]?.word;
      return prefix && n === last ? there?.startsWith(word) : there === word;
    });
    if (fits) found.push([list[at]?.start ?? 0, list[at + last]?.end ?? 0]);
  }
  return found;
}

/** A single character is the beginning of a pair, and alone what was found. */
function pairPlaces(list: readonly Word[], phrase: Phrase): [number, number][] {
  const places = wordPlaces(list, phrase);
  return phrase.prefix ? places.map(([start]) => [start, start + phrase.typed.length]) : places;
}

/** The part of so many characters with most different phrases, then most places. */
function bestPart(line: string, places: readonly FoundPlace[], width: number): Part {
  const before = Math.floor(width / 4);
  let best = places[0];
  let bestScore = -1;
  let last = 0;
  const inPart = new Map<number, number>();
  for (const place of places) {
    for (; last < places.length && (places[last]?.end ?? 0) <= place.start + width - before; last++) {
      const { phrase } = places[last] ?? place;
      inPart.set(phrase, (inPart.get(phrase) ?? 0) + 1);
    }
    let all = 0;
    for (const count of inPart.values()) all += count;
    const score = inPart.size * 10_000 + all;
    if (score > bestScore) [best, bestScore] = [place, score];
    const left = (inPart.get(place.phrase) ?? 0) - 1;
    if (left > 0) inPart.set(place.phrase, left);
    else inPart.delete(place.phrase);
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

/** Where the last word ends at or up to `most` before a place, but not before `earliest`. */
function wordEnd(line: string, at: number, earliest: number, most: number): number {
  if (at >= line.length) return line.length;
  const blank = line.lastIndexOf(' ', at);
  const end = blank > earliest && blank > at - most ? blank : Math.max(at, earliest);
  return isInside(line, end) ? end - 1 : end;
}

/** Whether a place is in the middle of a character that takes two. */
function isInside(line: string, at: number): boolean {
  return /^[\udc00-\udfff]/.test(line.slice(at, at + 1)) && at > 0;
}
