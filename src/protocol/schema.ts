import { nothing } from '../base/rpc.ts';
import type { Notice } from './metadata.ts';
import { conversation, filterText, fromEditor, keptState, plainCall } from './page.ts';

export interface FieldView {
  /** Position among the 50 columns; null for a field that the service added. */
  readonly number: number | null;
  readonly column: string;
  /** What a person calls it; null when only the service knows it. */
  readonly label: string | null;
  readonly apiField: string | null;
  readonly type: string | null;
  readonly meaning: string | null;
  readonly values: readonly string[];
}

export interface DictionaryGroup {
  readonly id: string;
  readonly title: string;
  readonly note: string | null;
  readonly rows: readonly FieldView[];
}

export interface SchemaView {
  readonly version: string;
  /** Where the words come from; a warning says what went wrong, which can be tried again. */
  readonly source: Notice;
  readonly groups: readonly DictionaryGroup[];
  /** The service's answer as it came, when its shape could not be read (META-1). */
  readonly raw: string | null;
}

export interface UsedField {
  readonly column: string;
  /** Share of the reports in which it is not empty, 0 to 1. */
  readonly share: number;
  readonly filled: string;
  /** The most frequent values, most frequent first. */
  readonly values: readonly { readonly value: string; readonly count: string }[];
  /** What there is beside those values, in words; null when they are all. */
  readonly others: string | null;
}

/** How the columns are filled in the library on this machine. */
export type FieldUseView =
  /** Nobody is signed in, so there is no library. */
  | { readonly kind: 'none' }
  /** Counting takes a while, so a person is to ask for it. */
  | { readonly kind: 'offered'; readonly words: string }
  | { readonly kind: 'counting'; readonly words: string; readonly share: number }
  | { readonly kind: 'counted'; readonly words: string; readonly fields: readonly UsedField[] }
  | { readonly kind: 'failed'; readonly message: string };

export const schemaProtocol = conversation({
  view: fromEditor<SchemaView>(),
  kept: keptState({ filter: filterText }, { filter: '' }),
  calls: { viewAsJson: plainCall, openFieldGuide: plainCall },
  hears: {
    use: fromEditor<FieldUseView>(),
    /** Scroll to a column and mark it. */
    reveal: fromEditor<{ readonly column: string }>(),
  },
  /** Count how the columns are filled, or count again. */
  tells: { count: nothing },
});
