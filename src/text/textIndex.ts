/** A PDF that is here for this window. */
export interface HerePdf {
  readonly path: string;
  /** As a lock row or the cache's name claims; what counts is what its bytes give once they were hashed. */
  readonly sha256: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  /** Days since 1970 by which its pages are sorted newest first: of publication, else the end of the fiscal year, else 0. */
  readonly day: number;
}

/** A listed report of the library in use, and the hash that it publishes for its PDF. */
export interface ReportOfPdf {
  readonly sha256: string;
  readonly report_id: number;
  readonly report_key: string;
}

export interface CoveredPdf {
  readonly path: string;
  /** Its own where it is known, else the claimed one. */
  readonly sha256: string;
  /** Null as long as it has not been read. */
  readonly pages: number | null;
}

/** Why nothing is read at the moment: a person paused it, the machine runs on its battery, or the setting is off. */
export type PauseReason = 'person' | 'battery' | 'off';

/** How many of the PDFs here can be searched, and which not, and why. Each PDF counts once, by its hash. */
export interface TextCoverage {
  readonly searchable: number;
  readonly withoutText: number;
  readonly failed: number;
  readonly waiting: number;
  /** What is being read, in whichever window; where it is this one, with how many of how many pages were. */
  readonly reading: {
    readonly path: string;
    readonly pages?: number | undefined;
    readonly of?: number | undefined;
  } | null;
  readonly paused: PauseReason | null;
  readonly lists: {
    readonly withoutText: readonly CoveredPdf[];
    /** A file with other bytes than are claimed for it is `changed`, by the claimed hash. */
    readonly failed: readonly (CoveredPdf & { readonly reason: ReadFailure })[];
    readonly waiting: readonly CoveredPdf[];
    /** Searchable, but for these pages: damaged ones by number from 1, and how many lie beyond the cap. */
    readonly partly: readonly (CoveredPdf & { readonly damaged: readonly number[]; readonly left: number })[];
  };
}

export interface PageHit {
  readonly sha256: string;
  /** From 1. */
  readonly page: number;
  /** The printed label, null when the PDF names none. */
  readonly label: string | null;
  /** The best place of the page in the normal form, on one line, without control characters. */
  readonly snippet: string;
  /** What was found in the snippet, from and to, in order. */
  readonly marks: readonly (readonly [start: number, end: number])[];
  /** How many places of the page answer the query. */
  readonly count: number;
}

/** A part of the hits, newest first. */
export interface FoundPages {
  readonly hits: readonly PageHit[];
  /** Where the next part begins; null at the end. */
  readonly next: string | null;
  /** What a preview highlights, each a word, the beginning of one, or a phrase, in the normal form. */
  readonly terms: readonly string[];
}

export interface FindPages {
  readonly query: string;
  /** Narrowed to these; null for all that reports of the library in use are known for. */
  readonly shas: readonly string[] | null;
  readonly limit: number;
  /** `next` of the part before, null for the first. */
  readonly cursor: string | null;
}

export interface ReadOutcome {
  /** As it was asked for. */
  readonly sha256: string;
  readonly status: 'read' | 'known' | 'without-text' | 'failed';
  readonly pages?: number | undefined;
  readonly reason?: ReadFailure | undefined;
}

/** What a window is like, for the order in which windows read. */
export interface WindowState {
  readonly focused: boolean;
  /** Whether PDFs are read without being asked for. */
  readonly enabled: boolean;
}

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
