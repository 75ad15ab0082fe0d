import outlines from '../data/outlines.json' with { type: 'json' };
import type words from '../data/words.en.json';

export type SectionId = keyof (typeof words)['sections'];

const parts: Readonly<Record<string, readonly string[]>> = outlines.parts;

/** Which parts a report of a type has, in order. */
export function sectionsOf(type: string): readonly SectionId[] {
  return (parts[type] ?? outlines.parts.others) as readonly SectionId[];
}
