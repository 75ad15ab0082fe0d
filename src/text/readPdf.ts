/** The text of one page in the normal form. */
export interface PageText {
  /** The printed label, null when the PDF names none. */
  readonly label: string | null;
  readonly text: string;
}

/** Why a PDF could not be read. */
export type ReadFailure =
  | 'encrypted'
  | 'not-a-pdf'
  | 'damaged'
  | 'empty'
  | 'too-slow'
  | 'too-much-memory'
  | 'too-large'
  | 'reader-died'
  | 'unreadable-file'
  /** It changed while it was read. */
  | 'changed';

/** What became of reading a PDF. Hashes are SHA-256 of the bytes that were read, in lower case. */
export type ReadPdf =
  | {
      readonly kind: 'read';
      readonly sha256: string;
      readonly bytes: number;
      readonly pages: readonly PageText[];
      /** Pages that could not be read, counted from 1. */
      readonly damaged: readonly number[];
      /** Pages of whose text a reader sees only a part, counted from 1. */
      readonly hiding: readonly number[];
      /** How many pages lie beyond the cap. */
      readonly left: number;
    }
  | { readonly kind: 'without-text'; readonly sha256: string; readonly bytes: number; readonly pages: number }
  | { readonly kind: 'failed'; readonly sha256: string | null; readonly reason: ReadFailure };
