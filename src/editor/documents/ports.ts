import type * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import type { ReportQuery } from '../../library/reportQuery.ts';
import type { Services } from '../../services.ts';
import type { Log } from '../common/log.ts';
import type { TreeDragController } from '../common/treeDrag.ts';

/** Reports that a command was given, with what the library on this machine knows of them. */
export interface ChosenReports {
  readonly ids: readonly number[];
  readonly inHand: ReadonlyMap<number, Report>;
}

/** A report's PDF, here or where it would go. */
export interface PdfPlace {
  /** The PDF itself. */
  readonly uri: vscode.Uri;
  /** The downloads folder, which holds the lock file. */
  readonly home: vscode.Uri;
}

/** How the fetching of PDFs ended. */
export interface FetchedPdfs {
  readonly places: ReadonlyMap<number, PdfPlace>;
  /** Why the first of the others has none, in words for a person. */
  readonly reason: string | null;
}

/** What documents need from the rest of the product. */
export interface DocumentPorts {
  readonly services: Services;
  readonly log: Log;
  /** Remembers the forms that were chosen last. */
  readonly memory: vscode.Memento;
  readonly treeDrag: TreeDragController;
  /** The reports among a command's arguments; companies and fiscal years stand for all of theirs. */
  chosenReports(args: readonly unknown[]): Promise<ChosenReports>;
  /** The reports themselves, in the order of the ids. May throw an `ApiError`. */
  readReports(chosen: ChosenReports, signal: AbortSignal): Promise<readonly Report[]>;
  /**
   * Fetches the PDFs that are not here yet: plan, progress and cancel for a person, progress alone for a program.
   * Undefined when the person leaves.
   */
  fetchPdfs(reports: readonly Report[], mayAsk: boolean): Promise<FetchedPdfs | undefined>;
  /** Where the PDFs are or would be; nothing is fetched. */
  placesOf(reports: readonly Report[]): Promise<ReadonlyMap<number, PdfPlace>>;
  /** What the Reports view is narrowed to, and in words; empty words for everything. */
  filter(): Promise<{ readonly query: ReportQuery; readonly words: string }>;
}
