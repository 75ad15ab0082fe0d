type Values = readonly (string | number)[];

let words: ReadonlyMap<string, string> = new Map();
let language = 'en';

function find(message: string): string {
  return words.get(message) ?? message;
}

/** The product's words in the reader's language, set at the start by the editor and each page; else English. */
export const l10n = {
  /** A sentence in the reader's language; `{0}` stands for the first of the values. Give it one plain literal. */
  t(message: string, ...values: Values): string {
    const told = find(message);
    if (values.length === 0) return told;
    return told.replace(/\{(\d+)\}/g, (whole, place) => `${values[place] ?? whole}`);
  },
  /** Marks a literal of a table, which {@link word} puts into the reader's language when it is shown. */
  later: (message: string): string => message,
  /** What {@link later} marked, in the reader's language. */
  word: find,
  /** BCP 47 tag of the reader's language, for numbers and dates. */
  language: (): string => language,
  speak(tag: string, bundle: Readonly<Record<string, string>> = {}): void {
    words = new Map(Object.entries(bundle));
    language = tag;
  },
};
