import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import type { Connection, Services } from '../../app/session.ts';
import { isAbortError, systemClock } from '../../base/clock.ts';
import type { Disposable, Event } from '../../base/disposable.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { ContentCache, type KeptFile, openedCopy } from '../../downloads/cache.ts';
import { DownloadFolder, type DownloadFolderOptions, type FolderBatchOptions } from '../../downloads/folder.ts';
import { inFolder } from '../../downloads/lockFile.ts';
import { LockProblem, lockName } from '../../downloads/manifest.ts';
import type { PendingBatches } from '../../downloads/pendingBatches.ts';
import {
  type DownloadResult,
  failureOf,
  type KnownReport,
  type LinkSource,
  publishedHash,
  type UpstreamPort,
} from '../../downloads/ports.ts';
import { DownloadQueue, type QueueEvent, type QueueJob } from '../../downloads/queue.ts';
import { reportOfRow } from '../../downloads/restore.ts';
import { sharedStore } from '../../downloads/sharedStore.ts';
import { type FileCheck, gitProblem, lookAtFile, stateOf } from '../../downloads/verify.ts';
import { isThere, notThroughLinks } from '../../files/guard.ts';
import { machineLeases } from '../../machine/lease.ts';
import { machineFolder } from '../../machine/machineState.ts';
import type { Log } from '../common/log.ts';
import { problemText } from '../common/messages.ts';
import { withCancellableProgress } from '../common/progress.ts';
import { applicationSetting } from '../common/settings.ts';
import { boundSource, pdfsOf } from './boundSource.ts';
import {
  type ChosenFolder,
  type DownloadRoot,
  downloadRoot,
  downloadsFolderAt,
  fileOf,
  forgetRoot,
  knownRoots,
  type LocalPdf,
  type NamedPdf,
  thereOf,
} from './downloadRoot.ts';
import { offerRepair } from './lockRepair.ts';
import { type DownloadsTree, newestSince } from './tree.ts';
import type { DoneEarlier, DownloadEntry } from './treeItems.ts';

const readsAtOnce = 8;

/** Set in the workspace while a batch runs, so that a start without one looks for nothing. */
const pendingHint = 'reportLibrary.downloads.pending';

/** Whether the license of the connection in use holds these bytes now; the demo's are no business of a team. */
async function isPublished(services: Services, sha256: string): Promise<boolean> {
  const { library, connection } = await services.library();
  return !connection.isDemo && (await library.reportsOfHashes([sha256])).length > 0;
}

export interface WorkspaceOptions {
  readonly services: Services;
  readonly log: Log;
  /** Where PDFs go while no folder is open. */
  readonly globalFolder: vscode.Uri;
  /** What this user's editors and command lines share on this machine; {@link machineFolder} when left out. */
  readonly machine?: string | undefined;
  /** Remembers what was asked in this workspace. */
  readonly state: vscode.Memento;
  /** What is known locally about reports at the service. */
  readonly upstream: UpstreamPort;
}

export interface DownloadsContext extends WorkspaceOptions {
  readonly downloads: WorkspaceDownloads;
  readonly pending: PendingBatches;
  readonly tree: DownloadsTree;
  noteChanged(reportIds: readonly number[]): void;
  /** Tries failed downloads again. */
  retry(entries: readonly DownloadEntry[]): Promise<void>;
}

/** A download that failed, and its report as it was last read. */
export interface FailedDownload {
  readonly job: QueueJob;
  readonly report: KnownReport;
}

/** The downloads of this window: one queue, and the folder that is asked about. */
export class WorkspaceDownloads implements Disposable {
  readonly #options: WorkspaceOptions;
  readonly #pending: PendingBatches;
  readonly #cache: ContentCache;
  readonly #queue: DownloadQueue;
  /** Failed downloads that are tried again. */
  readonly #retries = new Map<QueueJob, AbortController>();
  readonly #said = new Set<string>();
  #batches = 0;

  constructor(options: WorkspaceOptions, pending: PendingBatches) {
    this.#options = options;
    this.#pending = pending;
    const { services, log, machine = machineFolder() } = options;
    const shared = { clock: systemClock, logger: log };
    this.#cache = new ContentCache({ directory: join(machine, 'pdf'), ...shared });
    const team = sharedStore({
      folder: () => applicationSetting('reportLibrary.downloads.sharedStore'),
      isPublished: (sha256) => isPublished(services, sha256),
      ...shared,
    });
    const ports = { stores: [this.#cache, team], lease: machineLeases().lease, ...shared };
    this.#queue = new DownloadQueue({ source: boundSource(services, log), ...ports });
  }

  /** The folders of this window that may hold PDFs. */
  get roots(): readonly DownloadRoot[] {
    return knownRoots(this.#options.globalFolder, pdfsOf(this.#options.services));
  }

  /** Fires as any download of this window goes on. */
  get onDidChange(): Event<QueueEvent> {
    return this.#queue.onDidChange;
  }

  /** Ends with the window: running batches stay remembered, so that the next window resumes them. */
  dispose(): void {
    this.#pending.dispose();
    this.#queue.dispose();
  }

  /** Cancels one download that waits or runs, or that is about to be tried again. */
  cancel(job: QueueJob): void {
    this.#queue.cancel(job);
    this.#retries.get(job)?.abort();
  }

  /**
   * Downloads again what failed, as one batch for each folder and connection; restores where that was meant. Gives a
   * result for each, in their order.
   */
  async retry(
    failed: readonly FailedDownload[],
    options: Pick<FolderBatchOptions, 'signal' | 'onResult'> = {},
  ): Promise<readonly DownloadResult[]> {
    const results = new Map<QueueJob, DownloadResult>();
    // Of the connection that each began with: the one in use now may be another.
    for (const begunWith of Map.groupBy(failed, ({ job }) => job.source).values())
      for (const batch of Map.groupBy(begunWith, ({ job }) => `${isExact(job)} ${job.target.root}`).values())
        for (const [{ job }, result] of await this.#retryBatch(batch, options)) results.set(job, result);
    return failed.flatMap(({ job }) => results.get(job) ?? []);
  }

  async #retryBatch(
    batch: readonly FailedDownload[],
    { signal, onResult }: Pick<FolderBatchOptions, 'signal' | 'onResult'>,
  ): Promise<readonly (readonly [FailedDownload, DownloadResult])[]> {
    const [first] = batch;
    if (!first) return [];
    const { job } = first;
    const abort = new AbortController();
    // One alone may be cancelled while its report is still read; of several each one once it waits in the queue.
    if (batch.length === 1) this.#retries.set(job, abort);
    try {
      const folder = this.folderAt(job.target.root, job.source)?.folder;
      const closed = vscode.l10n.t('The folder of this download is no longer open. Open it, then download again.');
      if (!folder) throw new Error(closed);
      const options = {
        priority: 'interactive',
        signal: AbortSignal.any([abort.signal, ...(signal ? [signal] : [])]),
        onResult,
      } as const;
      const results = isExact(job)
        ? await folder.restore({ only: batch.map((each) => each.job.askedId), ...options })
        : await folder.download(
            batch.map((each) => ({ id: each.job.askedId, report: isWhole(each.report) ? each.report : undefined })),
            options,
          );
      const byId = new Map(results.map((result) => [result.report_id, result]));
      const gone = vscode.l10n.t('The lock file no longer lists this PDF. Download the report again to get it.');
      return batch.map((each) => {
        const result = byId.get(each.job.askedId) ?? failedAgain(each, new Error(gone));
        return [each, { ...result, report: isWhole(result.report) ? result.report : each.report }];
      });
    } catch (error) {
      return batch.map((each) => [each, failedAgain(each, error)]);
    } finally {
      this.#retries.delete(job);
    }
  }

  /** The folder to download to, or to look after; undefined when the person leaves the question. */
  async folder(
    mayAsk: boolean,
    question?: string,
    source: LinkSource = this.sourceOf(),
  ): Promise<ChosenFolder | undefined> {
    const { globalFolder, state, services } = this.#options;
    const root = await downloadRoot(globalFolder, state, mayAsk, question, pdfsOf(services));
    const chosen = root && this.#chosen(root, source);
    return chosen && (!mayAsk || (await this.#isReadable(chosen))) ? chosen : undefined;
  }

  /** The folder to download to, asked for anew. */
  async otherFolder(source: LinkSource): Promise<ChosenFolder | undefined> {
    await forgetRoot(this.#options.state);
    return this.folder(true, undefined, source);
  }

  /** The downloads folder of one of this window's folders; undefined for any other, and in Restricted Mode. */
  folderAt(root: string, source?: LinkSource): ChosenFolder | undefined {
    const known = this.roots.find(({ uri }) => uri.fsPath === root);
    return known && (vscode.workspace.isTrusted || !known.isWorkspace) ? this.#chosen(known, source) : undefined;
  }

  /** Tells that the lock of one of this window's folders can't be read, once for each thing that is wrong with it. */
  async tellLockProblem(root: vscode.Uri, problem: LockProblem): Promise<void> {
    const said = `${root} ${problem.message}`;
    const known = this.roots.find(({ uri }) => uri.toString() === root.toString());
    if (!known || this.#said.has(said)) return;
    this.#said.add(said);
    await offerRepair(this.#chosen(known), problem, this.#options.services, false);
  }

  /** Whether the lock can be read, or was mended; false when the person leaves. @throws DiskProblem or LockProblem */
  async #isReadable(chosen: ChosenFolder): Promise<boolean> {
    try {
      const title = vscode.l10n.t('Reading {0}', lockName);
      await withCancellableProgress(title, (signal) => chosen.folder.rows(signal));
      return true;
    } catch (error) {
      if (isAbortError(error)) return false;
      if (!(error instanceof LockProblem) || error.code === 'newer') throw error;
      return offerRepair(chosen, error, this.#options.services, true);
    }
  }

  /** Where the reports of a connection come from; of the one in use when none is given. */
  sourceOf(connection?: Connection): LinkSource {
    const { services, log } = this.#options;
    return boundSource(services, log, connection);
  }

  /** The reports of the given ids, in their order, read where they are not in hand: a result for each, or its error. */
  reports(
    ids: readonly number[],
    signal: AbortSignal,
    inHand: ReadonlyMap<number, Report>,
  ): Promise<readonly PromiseSettledResult<Report>[]> {
    const turns = new Semaphore(readsAtOnce);
    const source = this.sourceOf();
    const read = (id: number) => turns.run(() => source.report(id, { signal, priority: 'interactive' }), true, signal);
    return Promise.allSettled(ids.map((id) => inHand.get(id) ?? read(id)));
  }

  /** What a PDF of this window is. A look that may read hashes the file unless it is known unchanged since it was. */
  async check({ root, row }: LocalPdf, mayRead: boolean, signal?: AbortSignal): Promise<FileCheck> {
    const held = await lookAtFile(downloadsFolderAt(root), row, mayRead ? 'read' : 'glance', signal);
    const upstream = await this.#options.upstream([row.report_id]);
    return { ...held, state: stateOf(held, upstream.get(row.report_id)) };
  }

  /** The PDF of a report in this window's folders; undefined when there is none. Reads the lock files alone. */
  async find(reportId: number): Promise<LocalPdf | undefined> {
    return (await this.ownPdfs(({ row }) => row.report_id === reportId))[0];
  }

  /** The report that a file of this window's folders is of, by the lock files; undefined when they don't name it. */
  async reportAt(file: vscode.Uri): Promise<number | undefined> {
    const named = await this.#namedAt(file);
    return named && !(await this.#chosen(named.root).folder.isForeign()) ? named.row.report_id : undefined;
  }

  /** What Git did to a file that the lock files name, and what to do; undefined where it did nothing. */
  async gitProblemAt(file: vscode.Uri): Promise<string | undefined> {
    const named = await this.#namedAt(file);
    return named && gitProblem(downloadsFolderAt(named.root), named.row);
  }

  /** The PDFs of this window's folders that are there, by the lock files: all, or some. */
  async localPdfs(isWanted: (named: NamedPdf) => boolean = () => true): Promise<LocalPdf[]> {
    return thereOf((await this.#named()).filter(isWanted));
  }

  /** The same without folders of another service, whose ids mean other reports. */
  async ownPdfs(isWanted: (named: NamedPdf) => boolean): Promise<LocalPdf[]> {
    const pdfs = await this.localPdfs(isWanted);
    const foreign = new Set<DownloadRoot>();
    for (const root of new Set(pdfs.map((pdf) => pdf.root)))
      if (await this.#chosen(root).folder.isForeign()) foreign.add(root);
    return pdfs.filter(({ root }) => !foreign.has(root));
  }

  /** The PDFs that may be read unasked: in trusted folders whose lock can be read, and not behind a link. */
  async readablePdfs(): Promise<LocalPdf[]> {
    const { isTrusted } = vscode.workspace;
    const roots = this.roots.filter(({ isWorkspace }) => isTrusted || !isWorkspace);
    const found = roots.map(async (root) => {
      try {
        const named = await this.#namedIn(root);
        const pathOf = ({ row }: NamedPdf) => `${root.folder}/${row.path}`;
        const plain = await notThroughLinks(root.uri.fsPath, named.map(pathOf));
        return await thereOf(named.filter((one) => plain.has(pathOf(one))));
      } catch (error) {
        // One folder's lock keeps no PDF of another one from being read; the marks tell what is wrong with it.
        this.#options.log.warn(`The PDFs of a folder are not read: ${problemText(error)}`);
        return [];
      }
    });
    return (await Promise.all(found)).flat();
  }

  /** PDFs of this window that came after a time, by the lock files. */
  async doneSince(time: number): Promise<DoneEarlier> {
    const { services } = this.#options;
    const { newest, more } = newestSince(await this.#named(), time, Date.now());
    if (newest.length === 0 || !('connection' in (await services.ready()))) return { newest: [], more: 0 };
    const { library } = await services.library();
    const found = newest.map(async ({ root, row }) => {
      if (!(await isThere(fileOf(root, row)))) return [];
      const { report_id, sha256: heldSha256 } = row;
      const report = (await library.report(report_id))?.report ?? reportOfRow(row);
      const target = { ...inFolder(downloadsFolderAt(root), row.path), heldSha256 };
      return { job: { report, target, askedId: report_id }, endedAt: Date.parse(row.downloaded_at), bytes: row.bytes };
    });
    return { newest: (await Promise.all(found)).flat(), more };
  }

  /** What this machine keeps, whatever workspace it came for. */
  keptFiles(): Promise<readonly KeptFile[]> {
    return this.#cache.files();
  }

  /** A file whose hash is the published one of a report; undefined without one. */
  async checkedFile(report: KnownReport, signal?: AbortSignal): Promise<vscode.Uri | undefined> {
    const sha256 = publishedHash(report);
    for (const pdf of (await this.readablePdfs()).filter(({ row }) => row.sha256 === sha256)) {
      const { state } = await lookAtFile(downloadsFolderAt(pdf.root), pdf.row, 'read', signal);
      if (state === 'same') return pdf.uri;
    }
    return this.keptCopy(report);
  }

  /** A copy, for reading, of what this machine's store has of a report; undefined when it has none. Works offline. */
  async keptCopy(report: KnownReport): Promise<vscode.Uri | undefined> {
    const { globalFolder, log } = this.#options;
    const isInUse = (folder: string) =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(({ input }) => input instanceof vscode.TabInputCustom && dirname(input.uri.fsPath) === folder);
    const options = { root: globalFolder.fsPath, store: this.#cache, clock: systemClock, logger: log, isInUse };
    const path = await openedCopy(report, options);
    return path === undefined ? undefined : vscode.Uri.file(path);
  }

  /** What the lock files of this window's folders name, whether it is there or not. */
  async #named(): Promise<NamedPdf[]> {
    return (await Promise.all(this.roots.map((root) => this.#namedIn(root)))).flat();
  }

  async #namedAt(file: vscode.Uri): Promise<NamedPdf | undefined> {
    return (await this.#named()).find(({ root, row }) => fileOf(root, row) === file.fsPath);
  }

  async #namedIn(root: DownloadRoot): Promise<NamedPdf[]> {
    return (await this.#chosen(root).folder.rows()).map((row) => ({ root, row }));
  }

  #chosen(root: DownloadRoot, source: LinkSource = this.sourceOf()): ChosenFolder {
    const { upstream, log } = this.#options;
    const shared = { queue: this.#queue, source, clock: systemClock, logger: log, upstream };
    const options = { ...downloadsFolderAt(root), template: root.template, remember: this.#remember, ...shared };
    return { root, source, folder: new DownloadFolder(options) };
  }

  readonly #remember: NonNullable<DownloadFolderOptions['remember']> = async (batch, id) => {
    const { state } = this.#options;
    if (++this.#batches === 1) void state.update(pendingHint, true);
    const forget = await this.#pending.begin(batch, id);
    return async () => {
      await forget();
      if (--this.#batches === 0) void state.update(pendingHint, undefined);
    };
  };
}

const isExact = ({ target }: QueueJob) => target.exactly !== undefined;

function failedAgain({ report }: FailedDownload, error: unknown): DownloadResult {
  return { ...failureOf(error), reason: problemText(error), report_id: report.report_id, report, links: 0 };
}

function isWhole(report: KnownReport): report is Report {
  return report.metadata !== undefined;
}
