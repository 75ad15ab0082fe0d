import type { LibraryCalls } from '../../library/library.ts';
import type { ReportQuery } from '../../library/reportQuery.ts';

/** What the company and coverage panels need from the rest of the product. */
export interface CoveragePorts {
  /** The library of who is signed in; calls end with the signal. May throw an `ApiError`. */
  library(signal: AbortSignal): Promise<LibraryCalls>;
  /** Brings a company's reports while a first load has not come to it yet. */
  loadCompany(companyKey: string): Promise<void>;
  /** What the Reports view is narrowed to, with the same in words; null when it shows everything. */
  reportsFilter(): Promise<{ readonly query: ReportQuery; readonly words: string } | null>;
  /** SHA-256, if known, of the PDFs in this window's folders, by report. */
  localFiles(): Promise<ReadonlyMap<number, string | null>>;
  openReport(reportId: number): Promise<void>;
  showCompany(companyKey: string): Promise<void>;
  revealCompany(companyKey: string): Promise<void>;
  /** Downloads PDFs after a question that says what it comes to. */
  download(reportIds: readonly number[]): Promise<void>;
}
