import type * as vscode from 'vscode';
import type { Report } from '../api/schemas/report.ts';
import type { Event } from '../base/disposable.ts';
import type { PlacedText } from '../base/placedText.ts';
import type { FolderAt } from '../downloads/lockFile.ts';
import type { DownloadResult } from '../downloads/ports.ts';
import type { FavoriteMarks } from '../editor/common/favoriteMarks.ts';
import type { InsertionKind, InsertionPlace } from '../editor/common/insertion.ts';
import type { Log } from '../editor/common/log.ts';
import type { PdfMarks } from '../editor/common/pdfMarks.ts';
import type { SyncState } from '../editor/common/syncState.ts';
import type { TreeDragController } from '../editor/common/treeDrag.ts';
import type { WorkspaceDownloads } from '../editor/downloads/workspaceDownloads.ts';
import type { ReportQuery } from '../library/reportQuery.ts';
import type { PublishedElsewhere } from '../library/store.ts';
import type { LookupResults } from '../panels/lookups.ts';
import type { CopiedTable, Passage, Place } from '../protocol/pdfPreview.ts';
import type { LocalLibrary, Services } from './session.ts';

/** What a program gets of a download; a merged report answers under the id that was asked for (RID-1). */
export type DownloadOutcome = Pick<DownloadResult, 'report_id' | 'status' | 'path' | 'sha256' | 'replaced' | 'reason'>;

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** The id of the connection that is meant. */
  readonly connection?: string;
  onStart?(): void;
  /** Gets the number of reports for which the service gave a link. */
  onEnd?(withLink: number): void;
}

export interface DownloadsApi {
  open(): Promise<WorkspaceDownloads>;
  /** Fires with the ids of reports whose local file changed. */
  readonly onDidChange: Event<readonly number[]>;
  /** The downloads folders in this window's workspace folders; none while the workspace is not trusted. */
  folders(): Promise<readonly FolderAt[]>;
  /** Shows a person the plan, downloads, and says how it ended. Without reports they choose some. */
  offer(reports?: readonly (Report | number)[]): Promise<void>;
  /** Downloads without a question; undefined where there is no folder for it. */
  run(ids: readonly number[], options?: RunOptions): Promise<readonly DownloadOutcome[] | undefined>;
  /** Opens a report's PDF at a place in it. @throws Error where it is not on this computer */
  openPdf(id: number, place: Place): Promise<void>;
  /** Fetches PDFs: plan, progress and cancel for a person, progress alone for a program. Undefined when they leave. */
  fetch(reports: readonly Report[], mayAsk: boolean): Promise<readonly DownloadResult[] | undefined>;
  /** Notes files that another feature changed, and reported itself. */
  noteChanged(reportIds: readonly number[]): void;
}

export interface DocumentsApi {
  /** Where a text goes: the document worked in last, or one that the person chooses; undefined when they leave. */
  insertionPlace(kind: InsertionKind): Promise<InsertionPlace | undefined>;
  /** The name of the document that the next insertion goes into; null if the person is asked. */
  targetName(): Promise<string | null>;
  /** Below the line, or the cell, that something is dropped on. */
  placeAt(document: vscode.TextDocument, position: vscode.Position, kind: InsertionKind): Promise<InsertionPlace>;
}

export interface EvidenceApi {
  /** Opens a quote or table of this window's files by its id. */
  open(id: string): Promise<void>;
  /** Quotes what is selected in a PDF; gives what was done, in words. */
  quote(file: vscode.Uri, passage: Passage, mayPick: boolean): Promise<string | null>;
  /** The target of the next quote, to be shown; null if the person is asked. */
  quoteTarget(): Promise<string | null>;
  /** Copies a table in the same way. */
  table(file: vscode.Uri, table: CopiedTable, mayPick: boolean): Promise<string | null>;
  /** The text of a page of a file, from 1; null where it can't be read. */
  placedText(path: string, page: number, signal: AbortSignal): Promise<PlacedText | null>;
}

export interface PdfTextApi {
  /** The pages that the index holds of these bytes; null where it has not read them. */
  pagesOf(sha256: string): Promise<readonly { readonly label: string | null; readonly text: string }[] | null>;
}

export interface SyncApi {
  /** Starts background sync; does nothing the second time. */
  start(): void;
  /** Runs now, in the background; the views show a failure. */
  again(): Promise<void>;
  readonly onDidChangeState: Event<SyncState>;
  /** The latest; undefined before the first. */
  state: SyncState | undefined;
  /** The time by which a large load is due, ms since the epoch; tests move it. */
  now: () => number;
}

export interface ReportsViewApi {
  /** What the view is filtered to, and in words; undefined before it was loaded, empty words for everything. */
  filter(): Promise<{ readonly query: ReportQuery; readonly words: string } | undefined>;
  readonly onDidChange: Event<unknown>;
}

/** What there is: the features, each behind a typed interface that loads its code on first use. */
export interface App {
  readonly extension: vscode.ExtensionContext;
  readonly log: Log;
  /** Who is signed in, and the client and library of that connection. */
  readonly services: Services;
  readonly treeDrag: TreeDragController;
  readonly favorites: FavoriteMarks;
  readonly marks: PdfMarks;
  readonly sync: SyncApi;
  readonly downloads: DownloadsApi;
  readonly documents: DocumentsApi;
  readonly evidence: EvidenceApi;
  readonly pdfText: PdfTextApi;
  readonly reportsView: ReportsViewApi;
  /** Shows what became of identifiers or report keys. */
  showResults(results: LookupResults): Promise<void>;
  /** Fires after the library of a removed connection was deleted. */
  readonly onDidRemoveLibrary: Event<void>;
  /** Which of these hashes the libraries on this computer publish, other than the one in use. */
  publishedElsewhere(
    sha256s: readonly string[],
    own: Pick<LocalLibrary, 'connection' | 'library'> | undefined,
  ): Promise<PublishedElsewhere>;
}
