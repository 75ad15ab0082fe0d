import de from '../data/words.de.json' with { type: 'json' };
import en from '../data/words.en.json' with { type: 'json' };
import es from '../data/words.es.json' with { type: 'json' };
import fr from '../data/words.fr.json' with { type: 'json' };
import it from '../data/words.it.json' with { type: 'json' };
import nl from '../data/words.nl.json' with { type: 'json' };
import pt from '../data/words.pt.json' with { type: 'json' };
import sv from '../data/words.sv.json' with { type: 'json' };
import { isShown } from './paper.ts';

/** Everything a PDF says in one language. Only characters of the standard fonts. */
export type DocumentWords = typeof en;

const all: Readonly<Record<string, DocumentWords>> = { de, en, es, fr, it, nl, pt, sv };

/** The words of a language; English where we have none. */
export function wordsIn(language: string): DocumentWords {
  return Object.hasOwn(all, language) ? (all[language] ?? en) : en;
}

/** The text with each `{name}` replaced; names without a value stay. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Writes YYYY-MM-DD out, by own tables: the engine's may change from one release to the next. */
export function writtenDate(iso: string, words: DocumentWords): string {
  const [year = '', month = '1', day = '1'] = iso.split('-');
  const values: Readonly<Record<string, string | undefined>> = {
    d: Number(day) === 1 ? words.firstDay : String(Number(day)),
    m: words.months[Number(month) - 1],
    y: year,
  };
  return words.date.replace(/\b[dmy]\b/g, (part) => values[part] ?? part);
}

/** The parts of a bilingual text (separated by ` / `) that the standard fonts can show; empty when none can be. */
export function shownPart(text: string): string {
  return isShown(text) ? text : text.split(' / ').filter(isShown).join(' / ');
}

/** A whole number with its digits in groups of three. */
export function grouped(value: number, words: DocumentWords): string {
  const digits = String(Math.abs(Math.round(value))).replace(/\B(?=(?:\d{3})+$)/g, words.group);
  return value < 0 ? `–${digits}` : digits;
}

/** A number with one decimal. */
export function oneDecimal(value: number, words: DocumentWords): string {
  const tenths = Math.round(Math.abs(value) * 10);
  const text = `${grouped(Math.floor(tenths / 10), words)}${words.decimal}${tenths % 10}`;
  return value < 0 && tenths > 0 ? `–${text}` : text;
}

/** The change from one value to another, in per cent with a sign. */
export function changeBetween(from: number, to: number, words: DocumentWords): string {
  const change = from === 0 ? 0 : (to / from - 1) * 100;
  const text = oneDecimal(change, words);
  return change > 0 ? `+${text}` : text;
}
