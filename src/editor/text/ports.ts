import type * as vscode from 'vscode';
import type { Event } from '../../base/disposable.ts';
import type { KeptFile } from '../../downloads/cache.ts';
import type { KnownReport } from '../../downloads/ports.ts';
import type { ReportQuery } from '../../library/reportQuery.ts';
import type { PublishedElsewhere } from '../../library/store.ts';
import type { LocalLibrary, Services } from '../../services.ts';
import type { TextIndex } from '../../text/textIndex.ts';
import type { Log } from '../common/log.ts';
import type { TreeDragController } from '../common/treeDrag.ts';

/** A PDF that a lock file of a trusted folder names, and that is there. */
interface NamedFile {
  readonly uri: vscode.Uri;
  readonly row: { readonly report_id: number; readonly sha256: string; readonly bytes: number };
}

/** The downloads of this window, as far as the text of PDFs is concerned. */
export interface DownloadedFiles {
  /** In folders that are trusted, and not where a link leads to. */
  readablePdfs(): Promise<readonly NamedFile[]>;
  /** What this machine keeps by its hash. */
  keptFiles(): Promise<readonly KeptFile[]>;
  /** A file that was read and has the bytes that are published for a report; undefined when there is none here. */
  checkedFile(report: KnownReport, signal?: AbortSignal): Promise<vscode.Uri | undefined>;
  readonly onDidChange: Event<{ readonly state: 'waiting' | 'active' | 'done'; readonly job: unknown }>;
}

/** The library of the connection in use. */
export type LibraryInUse = Pick<LocalLibrary, 'library' | 'connection'>;

export interface TextPorts {
  readonly services: Services;
  readonly log: Log;
  readonly extension: Pick<vscode.ExtensionContext, 'extensionPath' | 'globalStorageUri' | 'globalState'>;
  readonly treeDrag: TreeDragController;
  readonly files: {
    downloads(): Promise<DownloadedFiles>;
    readonly onDidChange: Event<unknown>;
    readonly marks: {
      /** Watches the folders from its first call on. */
      here(): Promise<unknown>;
      /** Fires when files came or went, or a lock file changed. */
      readonly onDidChange: Event<unknown>;
    };
  };
  readonly onDidChangeSync: Event<{ readonly running: boolean }>;
  /** What the Reports view is narrowed to; empty words when it shows all. */
  narrowed(): Promise<{ readonly query: ReportQuery; readonly words: string } | undefined>;
  /** Which of these hashes the libraries on this machine publish, other than the one in use. */
  publishedElsewhere(sha256s: readonly string[], own: LibraryInUse | undefined): Promise<PublishedElsewhere>;
  readonly onDidRemoveLibrary: Event<void>;
  hasIndex(): Promise<boolean>;
  openIndex(): Promise<TextIndex>;
}
