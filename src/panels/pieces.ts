import { l10n } from '../base/l10n.ts';
import type { Inline } from '../protocol/blocks.ts';

/** A missing value: quiet to the eye, in words to a screen reader. */
export function missing(words: string): Inline {
  return { text: '–', spoken: words, title: words, look: 'dash' };
}

/** The name of a field that leads to its place in the schema dictionary. */
export function columnLink(label: string, column: string, title = l10n.t('Open in the schema dictionary')): Inline {
  return { link: label, act: 'explain', at: column, look: 'label-link', title };
}

/** What there is to say of a fact: its text, where it has one, and a note. */
export function factPieces(text: string | null, note: string | null, look?: string): Inline[] {
  const value: Inline[] = text !== null ? [look === undefined ? text : { text, look }] : [];
  if (note !== null) return [...value, { text: note, look: 'quiet note' }];
  return text === null ? [missing(l10n.t('Unknown'))] : value;
}
