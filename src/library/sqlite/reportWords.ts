import type { FoundBy } from '../searchWords.ts';

/** What reports of one company have in common. */
interface Shared {
  readonly name: string | null;
  readonly isin: string | null;
  readonly lei: string | null;
  readonly figi: string | null;
  readonly ticker: string | null;
  readonly words: ReadonlySet<string>;
  readonly text: string;
}

/** The words of a report, for the index. */
export interface WordsOfReport {
  /** Text to be indexed. */
  readonly text: string;
  /** Pieces of it that hold no separator of ASCII. */
  readonly own: readonly string[];
  readonly shared: ReadonlySet<string>;
}

/** So many companies are remembered; a page of reports seldom names more. */
const mostRemembered = 2000;

/**
 * The words of `reportText`, each once: the index keeps none twice, but is asked to for each that comes. What the
 * reports of a company have in common is gathered once.
 */
export class ReportWords {
  readonly #companies = new Map<string, Shared>();

  of(report: FoundBy): WordsOfReport {
    const { words: shared, text } = this.#shared(report);
    const own: string[] = [];
    addWords(report.metadata.title || report.report_title, own, shared);
    addWords(report.report_key, own, shared);
    if (!report.report_key.startsWith(report.company_key)) addWords(report.company_key, own, shared);
    return { text: `${own.join(' ')} ${text}`.toWellFormed(), own, shared };
  }

  #shared(report: FoundBy): Shared {
    const known = this.#companies.get(report.company_key);
    if (
      known &&
      known.name === report.company_name &&
      known.isin === report.company_isin &&
      known.lei === report.company_lei &&
      known.figi === report.company_figi &&
      known.ticker === report.company_ticker
    ) {
      return known;
    }
    if (this.#companies.size >= mostRemembered) this.#companies.clear();
    const { company_name: name, company_isin: isin, company_lei: lei, company_figi: figi } = report;
    const ticker = report.company_ticker;
    const list: string[] = [];
    for (const part of [name, isin, lei, figi, ticker]) addWords(part, list, none);
    const made = { name, isin, lei, figi, ticker, words: new Set(list), text: list.join(' ') };
    this.#companies.set(report.company_key, made);
    return made;
  }
}

const none: ReadonlySet<string> = new Set();

/** Adds what stands between separators, unless it is there already. In ASCII all but letters and digits separate. */
function addWords(text: string | null, words: string[], also: ReadonlySet<string>): void {
  if (text === null) return;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !isSeparator(text.charCodeAt(at))) continue;
    if (at > start) {
      const word = text.slice(start, at);
      if (!also.has(word) && !words.includes(word)) words.push(word);
    }
    start = at + 1;
  }
}

function isSeparator(code: number): boolean {
  return code < 48 || (code > 57 && code < 65) || (code > 90 && code < 97) || (code > 122 && code < 128);
}
