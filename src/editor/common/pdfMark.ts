import type { Event } from '../../base/event.ts';

/** How a report's PDF that is here is marked, the same in file lists and in trees. */
export interface PdfMark {
  readonly state: 'verified' | 'unverified' | 'edited' | 'newer' | 'withdrawn' | 'unreadable';
  readonly badge: string;
  /** Id of a theme colour. */
  readonly color: string;
  /** A whole sentence. */
  readonly tooltip: string;
  /** The same in a few words. */
  readonly words: string;
}

/** What trees ask about the PDFs of the reports that they show. */
export interface PdfMarks {
  /** The marks of those reports whose PDF is here: one look for all, and no file is read for it. */
  look(reportIds: readonly number[]): Promise<ReadonlyMap<number, PdfMark>>;
  /** Fires when files or the library changed, so that a mark may be another one. */
  readonly onDidChange: Event<unknown>;
}

/** Scheme of the addresses that give a tree's row its mark; they lead nowhere. */
export const markScheme = 'report-library-mark';
