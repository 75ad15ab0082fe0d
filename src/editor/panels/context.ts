import type * as vscode from 'vscode';
import type { Usage } from '../../api/schemas/meta.ts';
import type { Report } from '../../api/schemas/report.ts';
import type { SchemaDictionary } from '../../api/schemas/schemaDictionary.ts';
import type { Event } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Library } from '../../library/library.ts';
import type { LibraryChange } from '../../library/libraryChange.ts';
import type { Asked, AskHow, ColumnOrigin } from '../../protocol/askedResults.ts';
import type { LookupEntry } from '../../protocol/lookupView.ts';
import type { LocalReport } from '../../protocol/metadataFile.ts';
import type { ResolveEntry } from '../../protocol/resolveView.ts';
import type { Spent } from '../../protocol/usageView.ts';
import type { CoveragePorts } from './coveragePorts.ts';

/** How a download ended; the statuses of the `downloadReports` command. */
export interface DownloadOutcome {
  readonly status: 'downloaded' | 'unchanged' | 'no-file' | 'not-entitled' | 'failed' | 'cancelled';
  /** Why, in words for a person. */
  readonly reason?: string | undefined;
}

/** Told while bytes come in; the total is null when nobody told. */
export type DownloadProgress = (receivedBytes: number, totalBytes: number | null) => void;

/** Something that open panels follow. */
export type DataChange =
  /** The library on this machine was written to. */
  | { readonly kind: 'library'; readonly change: LibraryChange }
  /** The PDFs of these reports came, went or changed. */
  | { readonly kind: 'files'; readonly reportIds: readonly number[] }
  /** The Reports view may be narrowed to something else. */
  | { readonly kind: 'filter' }
  /** Somebody signed in or out, or changed the connection: nothing that was read before holds. */
  | { readonly kind: 'session' };

/** What the panels need from the rest of the product. */
export interface PanelPorts {
  readonly extensionUri: vscode.Uri;
  readonly log: Logger;
  /** The library on this machine. Throws an `ApiError` when nobody is signed in. */
  library(): Promise<Library>;
  /** Reads a report by id. May throw an `ApiError`. */
  readReport(reportId: number, signal: AbortSignal): Promise<Report>;
  /** What is known locally; never asks the service, and reads no whole file. */
  localReport(reportId: number): Promise<LocalReport>;
  /** Whether a report's PDF is still what was downloaded. Reads the whole file. */
  isEdited(reportId: number, signal: AbortSignal): Promise<boolean>;
  /** Tells what an open panel may have to follow. */
  readonly onDidChange: Event<DataChange>;
  downloadReport(report: Report, onProgress: DownloadProgress, signal: AbortSignal): Promise<DownloadOutcome>;
  openPdf(reportId: number): Promise<void>;
  openFieldGuide(): Promise<void>;
  openCompany(companyKey: string): Promise<void>;
  /** Puts a link to the report, or a citation in a form that is asked for, into the clipboard. */
  copyLink(reportId: number): Promise<void>;
  copyCitation(reportId: number): Promise<void>;
  readonly coverage: CoveragePorts;
  /** Reads the live dictionary. May throw an `ApiError`; the panel shows the built-in one meanwhile (COL-1). */
  readSchema(signal: AbortSignal): Promise<SchemaDictionary>;
  /** Reads the service's own count for the key. May throw an `ApiError`. */
  readUsage(signal: AbortSignal): Promise<Usage>;
  /** What this window asked of the service in use. Throws an `ApiError` when nobody is signed in. */
  spent(): Promise<Spent>;
  openReport(reportId: number): Promise<void>;
  /** Resolves identifiers as the person gave them, one entry each, in the same order (RES-2). */
  resolve(queries: readonly string[], how: AskHow): Promise<Asked<ResolveEntry>>;
  /** Looks report keys up, one entry each, in the same order (LKP-1). */
  lookup(queries: readonly string[], how: AskHow): Promise<Asked<LookupEntry>>;
  /** Asks the person for another identifier in place of one that led nowhere; undefined when the person leaves. */
  refine(entry: ResolveEntry): Promise<ResolveEntry | undefined>;
  /** Adds what was found to the document that the identifiers came from. */
  writeBack(column: ColumnOrigin, entries: readonly ResolveEntry[]): Promise<void>;
  /** Offers the PDFs of companies or reports; the person sees the plan and confirms it. */
  downloadCompanies(companyKeys: readonly string[]): Promise<void>;
  downloadReports(reportIds: readonly number[]): Promise<void>;
}

/** The ports, and what the panels' own code brings. */
export interface PanelContext extends PanelPorts {
  /** Words for a person, without key, link or stack. */
  explain(error: unknown): string;
  /** Asks which reports to compare, with those named already ticked, and shows them side by side. */
  chooseComparison(reportIds: readonly number[]): Promise<void>;
}

/** Whether a change may show in what is told of these reports. */
export function concernsReports(data: DataChange, reportIds: readonly number[]): boolean {
  switch (data.kind) {
    case 'library': {
      const { reports } = data.change;
      return reports === 'many' || reportIds.some((id) => reports.includes(id));
    }
    case 'files':
      return reportIds.some((id) => data.reportIds.includes(id));
    case 'filter':
      return false;
    case 'session':
      return true;
    default:
      return data satisfies never;
  }
}
