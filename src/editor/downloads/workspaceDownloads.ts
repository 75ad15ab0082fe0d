import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { systemClock } from '../../base/clock.ts';
import type { Event } from '../../base/disposable.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { ContentCache, openedCopy } from '../../downloads/cache.ts';
import { DownloadFolder, type DownloadFolderOptions } from '../../downloads/folder.ts';
import type { FolderAt } from '../../downloads/lockFile.ts';
import { LockProblem, type LockRow } from '../../downloads/manifest.ts';
import type { PendingBatches } from '../../downloads/pendingBatches.ts';
import type { KnownReport, LinkSource, UpstreamPort } from '../../downloads/ports.ts';
import { DownloadQueue, type QueueEvent, type QueueJob } from '../../downloads/queue.ts';
import { type FileCheck, lookAtFile, stateOf } from '../../downloads/verify.ts';
import type { Services } from '../../services.ts';
import type { Log } from '../common/log.ts';
import type { EndedEarlier } from './activity.ts';
import { type ChosenFolder, type DownloadRoot, downloadRoot, forgetRoot, knownRoots } from './downloadRoot.ts';
import { offerRepair } from './lockRepair.ts';

/** Most bytes the machine's store of verified PDFs may take. */
const cacheBytes = 2 * 1024 ** 3;
const readsAtOnce = 8;

/** Set in the workspace while a batch runs, so that a start without one looks for nothing. */
const pendingHint = 'reportLibrary.downloads.pending';

/** A downloaded PDF of this window. */
export interface LocalPdf {
  readonly root: DownloadRoot;
  readonly row: LockRow;
  readonly uri: vscode.Uri;
  /** Relative to the workspace folder. */
  readonly path: string;
}

/** What the downloads of a window need from outside. */
export interface WorkspaceOptions {
  readonly services: Services;
  readonly log: Log;
  /** Where PDFs go while no folder is open, and where the machine's cache is. */
  readonly globalFolder: vscode.Uri;
  /** Remembers what was asked in this workspace. */
  readonly state: vscode.Memento;
  /** What is known locally about reports at the service. */
  readonly upstream: UpstreamPort;
}

/** The downloads of this window: one queue, and the folder that is asked about. */
export class WorkspaceDownloads {
  readonly #services: Services;
  readonly #log: Log;
  readonly #upstream: UpstreamPort;
  readonly #globalFolder: vscode.Uri;
  readonly #memory: vscode.Memento;
  readonly #cache: ContentCache;
  readonly #queue: DownloadQueue;
  readonly #remember: DownloadFolderOptions['remember'];
  readonly #said = new Set<string>();
  readonly source: LinkSource;

  constructor({ services, log, globalFolder, state, upstream }: WorkspaceOptions, pending: PendingBatches) {
    this.#services = services;
    this.#log = log;
    this.#memory = state;
    this.#upstream = upstream;
    let batches = 0;
    this.#remember = async (batch, id) => {
      const { session } = services;
      if (++batches === 1) void state.update(pendingHint, true);
      const connection = 'connection' in session ? session.connection.id : '';
      const { done, end } = await pending.begin({ ...batch, connection }, id);
      return {
        done,
        async end() {
          await end();
          if (--batches === 0) void state.update(pendingHint, undefined);
        },
      };
    };
    this.#globalFolder = globalFolder;
    this.source = {
      report: async (id, options) => {
        const report = await services.call((client) => client.report(id, options));
        await this.#keep(report);
        return report;
      },
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
      throw new Error(vscode.l10n.t('The folder of this download is no longer open. Open it, then download again.'));
    const options = { priority: 'interactive' } as const;
    const { report_id: id } = report;
    if (target.exactly !== undefined) await folder.restore({ only: [id], ...options });
    else await folder.download([{ id, report: isWhole(report) ? report : undefined }], options);
  }

  /** The folder to download to, or to look after; undefined when the person leaves the question. */
  async folder(mayAsk: boolean, question?: string): Promise<ChosenFolder | undefined> {
    const root = await downloadRoot(this.#globalFolder, { memory: this.#memory, mayAsk, question });
    if (!root) return undefined;
    const chosen = { root, folder: this.#open(root) };
    return !mayAsk || (await this.#isReadable(chosen)) ? chosen : undefined;
  }

  /** Tells that the lock of one of this window's folders can't be read, once for each thing that is wrong with it. */
  async tellLockProblem(root: vscode.Uri, problem: LockProblem): Promise<void> {
    const said = `${root} ${problem.message}`;
    const known = knownRoots(this.#globalFolder).find(({ uri }) => uri.toString() === root.toString());
    if (!known || this.#said.has(said)) return;
    this.#said.add(said);
    await offerRepair({ root: known, folder: this.#open(known) }, problem, this.#services, false);
  }

  /** Whether the lock can be read, or a person had it mended. @throws DiskProblem, or a LockProblem nobody can mend */
  async #isReadable(chosen: ChosenFolder): Promise<boolean> {
    try {
      await chosen.folder.rows();
      return true;
    } catch (error) {
      if (!(error instanceof LockProblem) || error.code === 'newer') throw error;
      return offerRepair(chosen, error, this.#services, true);
    }
  }

  /** What was read on the way is known from then on: downloaded bytes are compared with it later. */
  async #keep(report: Report): Promise<void> {
    try {
      await (await this.#services.library()).library.applyReport(report, null);
    } catch (error) {
      // Without SQLite, or on a full disk, a report is downloaded all the same.
      this.#log.warn(`A report could not be kept: ${String(error)}`);
    }
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

  /** The reports of the given ids, in their order, read where they are not in hand: a result for each, or its error. */
  reports(
    ids: readonly number[],
    signal: AbortSignal,
    inHand: ReadonlyMap<number, Report> = new Map(),
  ): Promise<readonly PromiseSettledResult<Report>[]> {
    const turns = new Semaphore(readsAtOnce);
    const read = (id: number) =>
      turns.run(() => this.source.report(id, { signal, priority: 'interactive' }), true, signal);
    return Promise.allSettled(ids.map((id) => inHand.get(id) ?? read(id)));
  }

  /** What a PDF of this window is. A look that may read hashes the file unless it is known unchanged since it was. */
  async check({ root, row }: LocalPdf, mayRead: boolean, signal?: AbortSignal): Promise<FileCheck> {
    const held = await lookAtFile(folderAt(root), row, mayRead ? 'read' : 'glance', signal);
    return { ...held, state: stateOf(held, (await this.#upstream([row.report_id])).get(row.report_id)) };
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

  /** The PDFs of this window's folders that are there, by the lock files: all, or those of some rows. */
  async localPdfs(isWanted: (row: LockRow) => boolean = () => true): Promise<LocalPdf[]> {
    const found = await Promise.all(
      knownRoots(this.#globalFolder).map(async (root) =>
        Promise.all((await this.#open(root).rows()).filter(isWanted).map((row) => localPdf(root, row))),
      ),
    );
    return found.flat().filter((pdf) => pdf !== undefined);
  }

  /** PDFs of this window that came after a time, by the lock files, with the titles that the library knows. */
  async doneSince(time: number): Promise<readonly EndedEarlier[]> {
    const endedAt = ({ downloaded_at }: LockRow) => Date.parse(downloaded_at);
    const pdfs = await this.localPdfs((row) => endedAt(row) >= time && endedAt(row) <= Date.now());
    if (pdfs.length === 0 || !('connection' in (await this.#services.ready()))) return [];
    const { library } = await this.#services.library();
    const known = await library.summaries(pdfs.map(({ row }) => row.report_id));
    const summaries = new Map(known.map((summary) => [summary.report_id, summary]));
    return pdfs
      .sort((a, b) => endedAt(a.row) - endedAt(b.row))
      .map(({ root, row, path }) => {
        const {
          title = null,
          company_name = null,
          fiscal_year = null,
          year = null,
        } = summaries.get(row.report_id) ?? {};
        const named = { report_title: title, company_name, report_fcyear: fiscal_year, report_year: year };
        const { report_id, report_key, company_key, sha256: heldSha256 } = row;
        const report = { report_id, report_key, company_key, has_file: true, content_sha256: undefined, ...named };
        const target = { ...folderAt(root), root: root.uri.fsPath, path, heldSha256 };
        return { job: { report, target }, endedAt: endedAt(row), bytes: row.bytes };
      });
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
      ...folderAt(root),
      template: root.template,
      queue: this.#queue,
      clock: systemClock,
      logger: this.#log,
      stores: [this.#cache],
      upstream: this.#upstream,
      remember: this.#remember,
    });
  }
}

function isWhole(report: KnownReport): report is Report {
  return report.metadata !== undefined;
}

function folderAt({ uri, folder, isWorkspace }: DownloadRoot): FolderAt {
  return { root: uri.fsPath, folder, isPrivate: !isWorkspace };
}

/** The file of a lock's row; undefined when it is gone. */
async function localPdf(root: DownloadRoot, row: LockRow): Promise<LocalPdf | undefined> {
  const path = `${root.folder}/${row.path}`;
  const file = join(root.uri.fsPath, path);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  return isThere ? { root, row, uri: vscode.Uri.file(file), path } : undefined;
}
