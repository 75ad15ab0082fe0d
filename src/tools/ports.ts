import type { ReportSummary } from '../library/reportQuery.ts';
import type { LibraryStore } from '../library/sqlite/sqliteStore.ts';
import type { PageStore, StoredPdf } from '../text/pages.ts';

/** What is asked of the library in use. Nothing that writes is among it. */
export type LibraryReads = Pick<
  LibraryStore,
  | 'report'
  | 'reports'
  | 'summaries'
  | 'countReports'
  | 'reportsOfHashes'
  | 'company'
  | 'findCompanies'
  | 'companyYears'
  | 'fieldUse'
  | 'changes'
  | 'totals'
  | 'syncRecord'
>;

/** A PDF whose text is kept on this machine, and the listed reports that the library in use publishes it for. */
export interface PdfWithText {
  readonly pdf: StoredPdf;
  /** At least one. */
  readonly reports: readonly ReportSummary[];
}

/** The text of PDFs on this machine. */
export interface PageTexts {
  /** For questions to the index; of what it holds only {@link pdfs} may be answered. */
  readonly store: PageStore;
  /** By lower-case SHA-256: all that may be answered with the connection in use, and nothing else. */
  pdfs(): ReadonlyMap<string, PdfWithText>;
}

/** A PDF in the workspace, as its lock file says. */
export interface PdfInWorkspace {
  readonly report_id: number;
  /** Absolute, inside a workspace folder. */
  readonly path: string;
  readonly sha256: string;
}

/** What the tools may look at: the library of the connection in use and what is on this machine; never the network. */
export interface ToolPorts {
  readonly library: LibraryReads;
  /** Null where no PDF has been read yet. */
  readonly text: PageTexts | null;
  /** The PDFs of the workspace that was in use last. */
  localPdfs(signal: AbortSignal): Promise<readonly PdfInWorkspace[]>;
}
