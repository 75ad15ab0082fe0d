import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { countText } from '../../base/words.ts';
import type { ReportQuery } from '../../library/reportQuery.ts';
import type { Services } from '../../services.ts';
import { askForReports } from '../common/chooseReports.ts';
import type { FavoriteMarks } from '../common/favoriteMarks.ts';
import type { Log } from '../common/log.ts';
import { withCancellableProgress } from '../common/progress.ts';
import type { ReportsFilter } from '../common/reportsFilter.ts';
import type { TreeDragController } from '../common/treeDrag.ts';

/** Reports that a command was given, as far as they were handed over or the library on this machine knows them. */
export interface ChosenReports {
  readonly ids: readonly number[];
  readonly inHand: ReadonlyMap<number, Report>;
}

/** A report's PDF, here or where it would go. */
export interface PdfPlace {
  readonly uri: vscode.Uri;
  /** The downloads folder, which holds the lock file. */
  readonly home: vscode.Uri;
}

export interface FetchedPdfs {
  readonly places: ReadonlyMap<number, PdfPlace>;
  /** Why the first of the others has none, in words for a person. */
  readonly reason: string | null;
}

export interface DocumentPorts {
  readonly services: Services;
  readonly log: Log;
  /** Remembers the forms that were chosen last. */
  readonly memory: vscode.Memento;
  readonly treeDrag: TreeDragController;
  readonly favorites: FavoriteMarks;
  /** The ids of the reports among a command's arguments; companies and fiscal years stand for all of theirs. */
  chosenIds(args: readonly unknown[]): Promise<readonly number[]>;
  /** The same with the reports themselves; `ids` if they are known already. An Error when they are too many to read. */
  chosenReports(args: readonly unknown[], ids?: readonly number[]): Promise<ChosenReports>;
  /** The reports themselves, in the order of the ids, without those that can't be read. An `ApiError` when none can. */
  readReports(chosen: ChosenReports, signal: AbortSignal): Promise<readonly Report[]>;
  /**
   * Fetches the PDFs that are not here yet: plan, progress and cancel for a person, progress alone for a program.
   * Undefined when the person leaves.
   */
  fetchPdfs(reports: readonly Report[], mayAsk: boolean): Promise<FetchedPdfs | undefined>;
  /** Where the PDFs are or would be; nothing is fetched. */
  placesOf(reports: readonly Report[]): Promise<ReadonlyMap<number, PdfPlace>>;
  /** What the table of all reports is narrowed to. */
  tableFilter(): ReportsFilter;
  /** What the Reports view is narrowed to, and in words; empty words for everything. */
  filter(): Promise<{ readonly query: ReportQuery; readonly words: string }>;
}

/** Most reports that go into one document: what is longer is a table, and Export Reports… makes tables. */
const maxInserted = 500;

/**
 * The reports that a command is about: its arguments', else those selected in a tree, else those that the person ticks.
 * Undefined when they leave.
 * @throws Error when there are none in what a program, or a row, handed over
 */
export async function chosenOrAsked(
  ports: DocumentPorts,
  args: readonly unknown[],
  question: { readonly title: string; readonly among: ReportQuery },
): Promise<ChosenReports | undefined> {
  const isGiven = args.length > 0 && args[0] !== undefined;
  const given = isGiven ? args : [ports.treeDrag.selection];
  const chosen = await ports.chosenIds(given);
  if (chosen.length > 0) {
    mustFit({ ids: chosen });
    return ports.chosenReports(given, chosen);
  }
  if (isGiven) throw new Error(vscode.l10n.t('This row has no reports. Choose a report, a fiscal year or a company.'));
  const ids = await askForReports(ports.services, question, ports.log);
  return ids && ports.chosenReports([ids]);
}

/** The chosen reports, read under a progress with a cancel when that takes a while. */
export function readChosen(ports: DocumentPorts, chosen: ChosenReports): Promise<readonly Report[]> {
  return withCancellableProgress(vscode.l10n.t('Reading the reports'), (signal) => ports.readReports(chosen, signal));
}

/** @throws Error when there are more than a document should hold */
export function mustFit({ ids }: Pick<ChosenReports, 'ids'>): void {
  if (ids.length <= maxInserted) return;
  const [given, max] = [countText(ids.length), countText(maxInserted)];
  throw new Error(
    vscode.l10n.t('{0} reports are too many for a document. Choose at most {1}, or use Export Reports….', given, max),
  );
}
