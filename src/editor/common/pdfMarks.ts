import type { Event } from '../../base/disposable.ts';
import type { FileState } from '../../downloads/verify.ts';

/** How a report's PDF that is here is marked, the same in file lists and in trees. */
export interface PdfMark {
  readonly state: Exclude<FileState, 'missing'> | 'withdrawn';
  readonly badge: string;
  /** Id of a theme color. */
  readonly color: string;
  readonly tooltip: string;
  /** The same in a few words. */
  readonly words: string;
}

export interface PdfMarks {
  /** The marks of those reports whose PDF is here: one look for all, and no file is read for it. */
  look(reportIds: readonly number[]): Promise<ReadonlyMap<number, PdfMark>>;
  here(): Promise<readonly number[]>;
  /** Fires when files or the library changed, so that a mark may be another one. */
  readonly onDidChange: Event<unknown>;
}

/** A row of a report, with the mark that it had when it was read. */
export interface MarkedRow {
  readonly report: { readonly report_id: number };
  mark?: PdfMark | undefined;
}

/**
 * A mark in a row's description: the badge where all is well, else in words. A row that had a file's address would show
 * the file's own badge, but the editor opens what is dragged with one.
 */
export function markNote(mark: PdfMark | undefined): string | null {
  if (!mark) return null;
  return mark.state === 'verified' ? mark.badge : mark.words;
}
