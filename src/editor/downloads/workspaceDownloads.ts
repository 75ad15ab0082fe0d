import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { systemClock } from '../../base/clock.ts';
import type { Event } from '../../base/disposable.ts';
import { ContentCache } from '../../downloads/cache.ts';
import { DownloadFolder, type DownloadFolderOptions } from '../../downloads/folder.ts';
import type { LockRow } from '../../downloads/manifest.ts';
import { openedCopy } from '../../downloads/openedCopy.ts';
import type { PendingBatches } from '../../downloads/pendingBatches.ts';
import type { LinkSource } from '../../downloads/ports.ts';
import { DownloadQueue, type QueueEvent, type QueueJob } from '../../downloads/queue.ts';
import type { KnownReport } from '../../downloads/result.ts';
import type { Services } from '../../services.ts';
import type { Log } from '../common/log.ts';
import { type DownloadRoot, downloadRoot, forgetRoot, knownRoots } from './downloadRoot.ts';
import { mergeConflict } from './lockConflict.ts';

/** Most bytes the machine's store of verified PDFs may take. */
const cacheBytes = 2 * 1024 ** 3;
const readsAtOnce = 8;

/** A downloaded PDF of this window. */
export interface LocalPdf {
  readonly row: LockRow;
  readonly uri: vscode.Uri;
  /** Relative to the workspace folder. */
  readonly path: string;
}

/** A downloads folder, and where it is. */
export interface DownloadPlace {
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
    this.#remember = (batch, id) => {
      const { session } = services;
      return pending.begin({ ...batch, connection: 'connection' in session ? session.connection.id : '' }, id);
    };
    this.#globalFolder = globalFolder;
    this.source = {
      report: (id, options) => services.call((client) => client.report(id, options)),
      downloadLink: (id, options) => services.call((client) => client.downloadLink(id, options)),
      openLink: (link, options) => services.call((client) => client.openLink(link, options)),
    };
    const directory = vscode.Uri.joinPath(globalFolder, 'pdf').fsPath;
    this.#cache = new ContentCache({ directory, maxBytes: cacheBytes, clock: systemClock });
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
   * Does a download that failed again: the report is read anew, or the very bytes of the lock are looked for again when
   * that was meant.
   * @throws Error when its folder is not open any more, and as the service's calls do
   */
  async retry({ report, target }: QueueJob, signal: AbortSignal): Promise<void> {
    const folder = this.placeAt(target.root)?.folder;
    if (!folder)
      throw new Error(vscode.l10n.t('The folder of this download is not open any more. Open it, then download again.'));
    const ids = [report.report_id];
    if (target.exactly !== undefined) await folder.restore(this.source, { only: ids, signal, priority: 'interactive' });
    else await folder.download(await this.reports(ids, signal), { signal, priority: 'interactive' });
  }

  /** The folder to download to, or to look after; undefined when the person leaves the question. */
  async folder(mayAsk: boolean, question?: string): Promise<DownloadPlace | undefined> {
    const root = await downloadRoot(this.#globalFolder, { memory: this.#memory, mayAsk, question });
    if (!root) return undefined;
    const folder = this.#open(root);
    if (mayAsk) await mergeConflict(folder);
    return { root, folder };
  }

  /** The folder to download to, asked for anew. */
  async otherFolder(): Promise<DownloadPlace | undefined> {
    await forgetRoot(this.#memory);
    return this.folder(true);
  }

  /** The downloads folder of one of this window's folders; undefined for any other, and in Restricted Mode. */
  placeAt(root: string): DownloadPlace | undefined {
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
      template: root.template,
      queue: this.#queue,
      clock: systemClock,
      logger: this.#log,
      stores: [this.#cache],
      remember: this.#remember,
    });
  }
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
