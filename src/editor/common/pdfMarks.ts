import type { Disposable, Event } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { FileState } from '../../downloads/verify.ts';
import { problemText } from './messages.ts';

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

export interface MarkedRow {
  readonly report: { readonly report_id: number };
  mark?: PdfMark | undefined;
}

/** Keeps the marks of a tree's rows true while they are shown. */
export class MarkedRows<Row extends MarkedRow> implements Disposable {
  readonly #marks: PdfMarks;
  readonly #log: Logger;
  readonly #subscription: Disposable;
  readonly #rows = new Set<Row>();
  /** One look after the other, so that the newest answer stays. */
  #looking: Promise<unknown> = Promise.resolve();
  #isDue = false;

  /** @param redraw gets the rows that have another mark now */
  constructor(marks: PdfMarks, log: Logger, redraw: (rows: Row[]) => void) {
    this.#marks = marks;
    this.#log = log;
    this.#subscription = marks.onDidChange(() => {
      // Many files may change at once: one look waits while another is under way.
      if (this.#isDue || this.#rows.size === 0) return;
      this.#isDue = true;
      this.#looking = this.#looking.then(async () => {
        this.#isDue = false;
        const changed = (await this.#look([...this.#rows])).filter((row) => this.#rows.has(row));
        if (changed.length > 0) redraw(changed);
      });
    });
  }

  /** Gives rows their marks before they are shown, and follows them from then on. */
  async add(rows: readonly Row[]): Promise<void> {
    for (const row of rows) this.#rows.add(row);
    this.#looking = this.#looking.then(() => this.#look(rows));
    await this.#looking;
    // A change during the look has had another one added.
    if (this.#isDue) await this.#looking;
  }

  /** Follows no row from now on: all are about to be replaced. */
  clear(): void {
    this.#rows.clear();
  }

  dispose(): void {
    this.#rows.clear();
    this.#subscription.dispose();
  }

  /** @returns the rows whose mark is another one than before */
  async #look(rows: readonly Row[]): Promise<Row[]> {
    if (rows.length === 0) return [];
    try {
      const marks = await this.#marks.look([...new Set(rows.map(({ report }) => report.report_id))]);
      return rows.filter((row) => {
        const mark = marks.get(row.report.report_id);
        const isNew = mark?.state !== row.mark?.state;
        row.mark = mark;
        return isNew;
      });
    } catch (error) {
      // A row without a mark claims nothing; the commands that need the files say what is wrong with them.
      this.#log.warn(`The PDFs of a tree could not be checked: ${problemText(error)}`);
      return [];
    }
  }
}

/**
 * A mark in a row's description: the badge where all is well, else in words. A row that had a file's address would show
 * the file's own badge, but the editor opens what is dragged with one.
 */
export function markNote(mark: PdfMark | undefined): string | null {
  if (!mark) return null;
  return mark.state === 'verified' ? mark.badge : mark.words;
}
