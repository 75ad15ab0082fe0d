/** The text of reports for benchmarks: words as frequent as those of a language, the same ones in every run. */

const syllables =
  'ba be bi bo ca ce ci co da de di do fa fe fi fo ga ge gi go la le li lo ma me mi mo na ne ni no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi vo'.split(
    ' ',
  );
const frequent =
  'the of and to in a for is on our with as by we are that at from this be or an emissions climate energy report company management risk financial sustainability business group water employees governance data waste suppliers scope carbon year million total'.split(
    ' ',
  );
const vocabulary = 120_000;

/** The word of a rank: short ones first, as in a language. */
function wordOf(rank: number): string {
  const known = frequent[rank];
  if (known !== undefined) return known;
  let word = '';
  for (let n = rank + 40; n > 0 || word.length < 4; n = Math.floor(n / syllables.length)) {
    word += syllables[n % syllables.length];
  }
  return word;
}

const words = Array.from({ length: vocabulary }, (_, rank) => wordOf(rank));
/** How many words stand in front of each rank, of all that a text has. */
const upTo = new Float64Array(vocabulary);
let sum = 0;
for (let rank = 0; rank < vocabulary; rank++) {
  sum += 1 / (rank + 2.7);
  upTo[rank] = sum;
}

function rankAt(share: number): number {
  let [low, high] = [0, vocabulary - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((upTo[middle] ?? 0) < share * sum) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Numbers between 0 and 1 that follow from a seed. */
function randoms(seed: number): () => number {
  let state = (Math.imul(seed, 2_654_435_761) ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const wordsOfPage = 420;

/** Page `page` of report `report`: sentences and a few figures. */
export function reportPage(report: number, page: number): string {
  const random = randoms(report * 20_011 + page);
  const text: string[] = [];
  for (let n = 0; n < wordsOfPage; n++) {
    const end = n % 17 === 16;
    const word = n % 29 === 28 ? String(Math.floor(random() * 10_000)) : (words[rankAt(random())] ?? '');
    text.push((n % 17 === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word) + (end ? '.' : ''));
  }
  return text.join(' ');
}

/** Words of the benchmark's texts, from one on every page to one on a single page. */
export const wordOfRank = (rank: number): string => words[rank] ?? '';

const base = new Map<number, readonly string[]>();

/** The pages of a report, of which `different` are made and all others repeated with changed words. */
export function changedPages(report: number, different: number, pages: number): string[] {
  const origin = report % different;
  const turn = Math.floor(report / different);
  let texts = base.get(origin);
  if (!texts) {
    texts = Array.from({ length: pages }, (_, at) => reportPage(origin, at + 1));
    base.set(origin, texts);
  }
  const ending = `${'xyzuvw'[turn % 6]}${'abcdefgh'[(turn >> 2) % 8]}`;
  return texts.map((text, page) => {
    const changed = text.replace(/\b(\w{6,})\b/g, (word, _, at: number) =>
      turn > 0 && (at * 7 + turn * 13 + page) % 11 === 0 ? word.slice(0, -2) + ending : word,
    );
    return `${changed} report${report}number`;
  });
}
