import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { systemClock } from '../../base/clock.ts';
import type { Event } from '../../base/disposable.ts';
import { ContentCache, openedCopy } from '../../downloads/cache.ts';
import { DownloadFolder, type DownloadFolderOptions } from '../../downloads/folder.ts';
import { LockProblem, type LockRow } from '../../downloads/manifest.ts';
import type { PendingBatches } from '../../downloads/pendingBatches.ts';
import type { KnownReport, LinkSource } from '../../downloads/ports.ts';
import { DownloadQueue, type QueueEvent, type QueueJob } from '../../downloads/queue.ts';
import type { Services } from '../../services.ts';
import type { Log } from '../common/log.ts';
import { type DownloadRoot, downloadRoot, forgetRoot, knownRoots } from './downloadRoot.ts';

/** Most bytes the machine's store of verified PDFs may take. */
const cacheBytes = 2 * 1024 ** 3;
const readsAtOnce = 8;

/** Set in the workspace while a batch runs, so that a start without one looks for nothing. */
const pendingHint = 'reportLibrary.downloads.pending';

/** A downloaded PDF of this window. */
export interface LocalPdf {
  readonly row: LockRow;
  readonly uri: vscode.Uri;
  /** Relative to the workspace folder. */
  readonly path: string;
}

/** A downloads folder that was chosen, and where it is. */
export interface ChosenFolder {
  readonly root: DownloadRoot;
  readonly folder: DownloadFolder;
}

/** The downloads of this window: one queue, and the folder that is asked about. */
export class WorkspaceDownloads {
  readonly #log: Log;
  readonly #globalFolder: vscode.Uri;
  readonly #memory: vscode.Memento;
  readonly #cache: ContentCache;
  readonly #queue: DownloadQueue;
  readonly #remember: DownloadFolderOptions['remember'];
  readonly source: LinkSource;

  constructor(services: Services, log: Log, globalFolder: vscode.Uri, pending: PendingBatches, memory: vscode.Memento) {
    this.#log = log;
    this.#memory = memory;
    let batches = 0;
    this.#remember = async (batch, id) => {
      const { session } = services;
      if (++batches === 1) void memory.update(pendingHint, true);
      const connection = 'connection' in session ? session.connection.id : '';
      const { done, end } = await pending.begin({ ...batch, connection }, id);
      return {
        done,
        async end() {
          await end();
          if (--batches === 0) void memory.update(pendingHint, undefined);
        },
      };
    };
    this.#globalFolder = globalFolder;
    this.source = {
      report: (id, options) => services.call((client) => client.report(id, options)),
      downloadLink: (id, options) => services.call((client) => client.downloadLink(id, options)),
      openLink: (link, options) => services.call((client) => client.openLink(link, options)),
    };
    const directory = vscode.Uri.joinPath(globalFolder, 'pdf').fsPath;
    this.#cache = new ContentCache({ directory, maxBytes: cacheBytes, clock: systemClock, logger: log });
    const ports = { source: this.source, clock: systemClock, logger: log, stores: [this.#cache] };
    this.#queue = new DownloadQueue(ports);
  }

  /** Fires as any download of this window goes on. */
  get onDidChange(): Event<QueueEvent> {
    return this.#queue.onDidChange;
  }

  /** Cancels one download that waits or runs. */
  cancel(job: QueueJob): void {
    this.#queue.cancel(job);
  }

  /**
   * Does a download that failed again; the very bytes of the lock are looked for when those were meant.
   * @param report as it was last read: a hash that changed meanwhile is found out by the download itself
   * @throws Error when its folder is not open any more
   */
  async retry({ target }: QueueJob, report: KnownReport): Promise<void> {
    const folder = this.folderAt(target.root)?.folder;
    if (!folder)
      throw new Error(vscode.l10n.t('The folder of this download is not open any more. Open it, then download again.'));
    const options = { priority: 'interactive' } as const;
    const { report_id: id } = report;
    if (target.exactly !== undefined) await folder.restore({ only: [id], ...options });
    else await folder.download([{ id, report: isWhole(report) ? report : undefined }], options);
  }

  /** The folder to download to, or to look after; undefined when the person leaves the question. */
  async folder(mayAsk: boolean, question?: string): Promise<ChosenFolder | undefined> {
    const root = await downloadRoot(this.#globalFolder, { memory: this.#memory, mayAsk, question });
    if (!root) return undefined;
    const folder = this.#open(root);
    if (mayAsk) await mergeConflict(folder);
    return { root, folder };
  }

  /** The folder to download to, asked for anew. */
  async otherFolder(): Promise<ChosenFolder | undefined> {
    await forgetRoot(this.#memory);
    return this.folder(true);
  }

  /** The downloads folder of one of this window's folders; undefined for any other, and in Restricted Mode. */
  folderAt(root: string): ChosenFolder | undefined {
    const known = knownRoots(this.#globalFolder).find(({ uri }) => uri.fsPath === root);
    if (!known || (known.isWorkspace && !vscode.workspace.isTrusted)) return undefined;
    return { root: known, folder: this.#open(known) };
  }

  /** The reports of the given ids, in their order, read where they are not in hand; each call may throw an ApiError. */
  async reports(
    ids: readonly number[],
    signal: AbortSignal,
    inHand: ReadonlyMap<number, Report> = new Map(),
  ): Promise<Report[]> {
    const reports: Report[] = [];
    for (let start = 0; start < ids.length; start += readsAtOnce) {
      const batch = ids.slice(start, start + readsAtOnce);
      const read = batch.map((id) => inHand.get(id) ?? this.source.report(id, { signal, priority: 'interactive' }));
      reports.push(...(await Promise.all(read)));
    }
    return reports;
  }

  /** The PDF of a report in this window's folders; undefined when there is none. Reads the lock files alone. */
  async find(reportId: number): Promise<LocalPdf | undefined> {
    for (const root of knownRoots(this.#globalFolder)) {
      const row = (await this.#open(root).rows()).find((row) => row.report_id === reportId);
      const pdf = row && (await localPdf(root, row));
      if (pdf) return pdf;
    }
    return undefined;
  }

  /** All PDFs of this window's folders that are there, by the lock files. */
  async localPdfs(): Promise<readonly LocalPdf[]> {
    const found = await Promise.all(
      knownRoots(this.#globalFolder).map(async (root) =>
        Promise.all((await this.#open(root).rows()).map((row) => localPdf(root, row))),
      ),
    );
    return found.flat().filter((pdf) => pdf !== undefined);
  }

  /** A copy for reading of what this machine keeps of a report; undefined when it keeps none. Asks the service nothing. */
  async keptCopy(report: KnownReport): Promise<vscode.Uri | undefined> {
    const options = { root: this.#globalFolder.fsPath, store: this.#cache, clock: systemClock, logger: this.#log };
    const path = await openedCopy(report, options);
    return path === undefined ? undefined : vscode.Uri.file(path);
  }

  /** Ids of all reports whose PDF is in this window's folders, by the lock files alone. */
  async localReports(): Promise<readonly number[]> {
    return (await this.localRows()).map((row) => row.report_id);
  }

  /** The rows of all lock files of this window's folders. */
  async localRows(): Promise<readonly LockRow[]> {
    const rows = await Promise.all(knownRoots(this.#globalFolder).map((root) => this.#open(root).rows()));
    return rows.flat();
  }

  #open(root: DownloadRoot): DownloadFolder {
    return new DownloadFolder({
      root: root.uri.fsPath,
      folder: root.folder,
      isPrivate: !root.isWorkspace,
      template: root.template,
      queue: this.#queue,
      clock: systemClock,
      logger: this.#log,
      stores: [this.#cache],
      remember: this.#remember,
    });
  }
}

function isWhole(report: KnownReport): report is Report {
  return report.metadata !== undefined;
}

/** The file of a lock's row; undefined when it is gone. */
async function localPdf(root: DownloadRoot, row: LockRow): Promise<LocalPdf | undefined> {
  const path = `${root.folder}/${row.path}`;
  const file = join(root.uri.fsPath, path);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  return isThere ? { row, uri: vscode.Uri.file(file), path } : undefined;
}

/**
 * Offers to join the two sides of a merge conflict in a folder's lock file: reports of either side, and the later
 * download of a report on both.
 * @throws LockProblem when the person would rather do it by hand, and for any other trouble with the file
 */
async function mergeConflict(folder: DownloadFolder): Promise<void> {
  try {
    await folder.rows();
  } catch (error) {
    if (!(error instanceof LockProblem && error.code === 'conflict')) throw error;
    const merge = vscode.l10n.t('Merge Both Sides');
    const detail = vscode.l10n.t(
      'Merging keeps the reports of both sides, and the later download of a report that both have.',
    );
    if ((await vscode.window.showWarningMessage(error.message, { modal: true, detail }, merge)) !== merge) throw error;
    await folder.mergeConflict();
  }
}
