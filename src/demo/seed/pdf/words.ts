import { de } from './words/de.ts';
import { en } from './words/en.ts';
import { es } from './words/es.ts';
import { fr } from './words/fr.ts';
import { it } from './words/it.ts';
import { nl } from './words/nl.ts';
import { pt } from './words/pt.ts';
import { sv } from './words/sv.ts';
import type { Words } from './words/words.ts';

const all: Readonly<Record<string, Words>> = { de, en, es, fr, it, nl, pt, sv };

/** The words of a language; English where we have none. */
export function wordsIn(language: string): Words {
  return Object.hasOwn(all, language) ? (all[language] ?? en) : en;
}
