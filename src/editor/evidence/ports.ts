import type * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import type { PlacedText } from '../../base/placedText.ts';
import type { LockRow } from '../../downloads/manifest.ts';
import type { QuoteWords } from '../../evidence/anchor.ts';
import type { PdfOfReport, TextOfPdf } from '../../evidence/check.ts';
import type { Rectangle, Region } from '../../evidence/record.ts';
import type { PageText } from '../../text/textIndex.ts';
import type { InsertionKind, InsertionPlace } from '../common/insertion.ts';
import type { Log } from '../common/log.ts';

/** A folder of this window that may hold PDFs. */
export interface EvidenceRoot {
  readonly uri: vscode.Uri;
  /** The downloads folder below it. */
  readonly folder: string;
  /** False for the folder that stands for a workspace while none is open. */
  readonly isWorkspace: boolean;
}

/** A downloaded PDF of this window. */
export interface QuotedPdf {
  readonly root: EvidenceRoot;
  readonly row: LockRow;
  readonly uri: vscode.Uri;
}

/** What quotes ask of the downloads. */
interface QuotedFiles {
  readonly roots: readonly EvidenceRoot[];
  /** The PDFs that are there, by the lock files. */
  localPdfs(
    isWanted: (named: { readonly root: EvidenceRoot; readonly row: LockRow }) => boolean,
  ): Promise<readonly QuotedPdf[]>;
}

/** What quotes need from the rest of the product. */
export interface EvidencePorts {
  readonly log: Log;
  /** Remembers the form that was chosen last. */
  readonly memory: vscode.Memento;
  downloads(): Promise<QuotedFiles>;
  /** What the library on this machine knows of a report; undefined where it knows nothing. */
  report(id: number): Promise<Report | undefined>;
  /** Downloads the PDFs of reports, as the command does. */
  downloadReports(ids: readonly number[]): Promise<void>;
  insertionPlace(kind: InsertionKind): Promise<InsertionPlace | undefined>;
  /** Below the line, or the cell, that something is dropped on. */
  placeAt(document: vscode.TextDocument, position: vscode.Position, kind: InsertionKind): Promise<InsertionPlace>;
  /** The text of a PDF, from what was read before where it can be. */
  text(pdf: PdfOfReport, signal: AbortSignal): Promise<TextOfPdf>;
  /** Where words lie on a page of it, a line each; none where they are not found there once. */
  rectangles(
    pdf: PdfOfReport,
    words: Pick<QuoteWords, 'exact' | 'prefix'> & { readonly page: number },
    signal: AbortSignal,
  ): Promise<Rectangle[]>;
  /** The one text of a page, from 1, with its boxes; null where it can't be read, or has another hash than is given. */
  placedText(
    pdf: Pick<PdfOfReport, 'path'> & { readonly sha256?: string },
    page: number,
    signal?: AbortSignal,
  ): Promise<(PlacedText & Pick<PageText, 'label'>) | null>;
  /** A PNG of a page around rectangles that are marked on it; null where it can't be drawn. */
  picture(pdf: PdfOfReport, part: Pick<Region, 'page' | 'rectangles'>, signal: AbortSignal): Promise<Uint8Array | null>;
  /** Whether a folder of this window has a file of quotes, which is not read. */
  hasEvidence(): Promise<boolean>;
}
