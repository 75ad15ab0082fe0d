import type * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import type { SchemaDictionary } from '../../api/schemas/schemaDictionary.ts';
import type { Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { LocalReport } from '../../protocol/metadataFile.ts';
import type { ResolveEntry } from '../../protocol/resolveView.ts';

/** How a download ended; the statuses of the `downloadReports` command. */
export interface DownloadOutcome {
  readonly status: 'downloaded' | 'unchanged' | 'no-file' | 'not-entitled' | 'failed' | 'cancelled';
  /** Why, in words for a person. */
  readonly reason?: string | undefined;
}

/** Told while bytes come in; the total is null when nobody told. */
export type DownloadProgress = (receivedBytes: number, totalBytes: number | null) => void;

/** What the panels need from the rest of the product. */
export interface PanelPorts {
  readonly extensionUri: vscode.Uri;
  readonly log: Logger;
  /** Reads a report by id. May throw an `ApiError`. */
  readReport(reportId: number, signal: AbortSignal): Promise<Report>;
  /** What is known locally; never asks the service. */
  localReport(reportId: number): Promise<LocalReport>;
  /** Fires with the ids of reports whose local state or metadata changed. */
  readonly onDidChangeReports: Event<readonly number[]>;
  downloadReport(reportId: number, onProgress: DownloadProgress, signal: AbortSignal): Promise<DownloadOutcome>;
  openPdf(reportId: number): Promise<void>;
  openFieldGuide(): Promise<void>;
  openCompany(companyKey: string): Promise<void>;
  /** Reads the live dictionary. May throw an `ApiError`; the panel shows the built-in one meanwhile (COL-1). */
  readSchema(signal: AbortSignal): Promise<SchemaDictionary>;
  /** Resolves identifiers as the person gave them, one entry each, in the same order (RES-2). */
  resolve(queries: readonly string[], signal: AbortSignal): Promise<readonly ResolveEntry[]>;
}

/** The ports, and what the panels' own code brings. */
export interface PanelContext extends PanelPorts {
  /** Words for a person, without key, link or stack. */
  explain(error: unknown): string;
}
