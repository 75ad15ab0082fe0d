import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable, Event } from '../../base/disposable.ts';
import { type LockProblem, lockName } from '../../downloads/manifest.ts';
import { folderProblem } from '../../downloads/path.ts';
import { demoOrigin, type Upstream, type UpstreamPort } from '../../downloads/ports.ts';
import { type HeldFile, HeldFiles, stateOf } from '../../downloads/verify.ts';
import { ownPdfs } from '../common/arguments.ts';
import { setContextKey } from '../common/commands.ts';
import { showProblem } from '../common/messages.ts';
import type { PdfMark, PdfMarks } from '../common/pdfMarks.ts';
import { abortable } from '../common/progress.ts';
import { onDidChangeSetting } from '../common/settings.ts';
import { upstream } from '../common/upstream.ts';
import { originInUse } from './boundSource.ts';
import { knownRoots } from './downloadRoot.ts';
import type { WorkspaceDownloads } from './workspaceDownloads.ts';

const { l10n } = vscode;

/** The marks by their states: badge, color, a sentence for the tooltip, and the same in a few words for rows. */
const pdfMarks: Readonly<Record<PdfMark['state'], readonly [string, string, string, string]>> = {
  unreadable: ['!', 'list.warningForeground', l10n.t('Couldn’t be read'), l10n.t('PDF unreadable')],
  edited: ['E', 'list.warningForeground', l10n.t('Edited since it was downloaded'), l10n.t('PDF edited')],
  'lfs-pointer': [
    'L',
    'list.warningForeground',
    l10n.t('A Git LFS pointer, not the PDF. Run git lfs pull, or restore the PDF'),
    l10n.t('Git LFS pointer, not the PDF'),
  ],
  'line-ends': [
    '↵',
    'list.warningForeground',
    l10n.t('Line endings changed by Git. Restore the PDF, and mark *.pdf as binary in .gitattributes'),
    l10n.t('PDF changed by Git'),
  ],
  withdrawn: ['W', 'charts.red', l10n.t('Withdrawn by the service. The file is kept'), l10n.t('PDF kept')],
  'other-key': [
    '≠',
    'list.warningForeground',
    l10n.t('Its key in the lock file doesn’t match the library'),
    l10n.t('PDF doesn’t match the library'),
  ],
  newer: [
    '↑',
    'charts.blue',
    l10n.t('The service has a newer version. Run Update Changed PDFs to get it'),
    l10n.t('newer PDF available'),
  ],
  unverified: ['?', 'charts.yellow', l10n.t('Not verified: the service published no hash'), l10n.t('PDF not verified')],
  'matches-lock': [
    '=',
    'charts.yellow',
    l10n.t('Matches the lock file; not yet checked with the service'),
    l10n.t('PDF matches the lock file'),
  ],
  unread: ['…', 'disabledForeground', l10n.t('PDF being checked'), l10n.t('PDF being checked')],
  verified: [
    '✓',
    'charts.green',
    l10n.t('Verified: identical to the published file'),
    l10n.t('PDF downloaded, verified'),
  ],
};

/** States that say more than that the service withdrew the report. */
const ofFile: ReadonlySet<string> = new Set(['unreadable', 'edited', 'lfs-pointer', 'line-ends', 'other-key']);

/**
 * The mark of a file; local changes take precedence over those of the service. Undefined for a missing file.
 */
export function fileLook(held: HeldFile, upstream: Upstream | undefined): PdfMark | undefined {
  const found = stateOf(held, upstream);
  if (found === 'missing') return undefined;
  const state = upstream?.withdrawn && !ofFile.has(found) ? 'withdrawn' : found;
  const [badge, color, tooltip, words] = pdfMarks[state];
  return { state, badge, color, tooltip, words };
}

/** Called when the lock of a workspace folder, or of the folder that stands for it, can't be read. */
export type LockProblemListener = (root: vscode.Uri, problem: LockProblem) => void;

/** How long, in ms, a tree waits for its PDFs to be read before it shows them as being checked. */
const patience = 100;

/** Most files that are told one by one: of longer lists the editor looks at a part only. */
const maxTold = 250;

/** How often, in ms, it is told which were read meanwhile: each time the trees look at all of their rows. */
const tellInterval = 1000;

/** Most PDFs for which the Explorer's menu has our commands: those that it showed last. */
const maxNoted = 1000;

/** A downloads folder of this window, watched. */
interface WatchedFolder extends Disposable {
  readonly base: vscode.Uri;
  /** Path of the downloads folder, with a slash at its end. */
  readonly prefix: string;
  readonly files: HeldFiles;
}

/** Opens the marks of a window. The first lock that can't be read is shown to the person. */
export async function openMarks(
  { services, log, extension }: App,
  changed: vscode.EventEmitter<vscode.Uri[] | undefined>,
  downloads: () => Promise<WorkspaceDownloads>,
): Promise<PdfDecorations> {
  const known: UpstreamPort = (ids, signal) => upstream(services, ids, signal, log);
  const onLockProblem: LockProblemListener = (root, problem) => {
    downloads()
      .then((opened) => opened.tellLockProblem(root, problem))
      .catch((error: unknown) => showProblem(error, log));
  };
  const origin = () => originInUse(services);
  // The demo has a downloads folder of its own.
  const { onDidChangeSession } = services;
  return new PdfDecorations(known, extension.globalStorageUri, changed, onLockProblem, origin, onDidChangeSession);
}

/** Marks the PDFs of lock files, in file lists and in trees. Reads files when they are shown, never the network. */
export class PdfDecorations implements Omit<PdfMarks, 'onDidChange'>, Disposable {
  readonly #upstream: UpstreamPort;
  readonly #globalFolder: vscode.Uri;
  readonly #changed: vscode.EventEmitter<vscode.Uri[] | undefined>;
  readonly #onLockProblem: LockProblemListener | undefined;
  readonly #origin: () => string | null | undefined;
  readonly #subscriptions: vscode.Disposable;
  /** The usual one first. */
  #folders: readonly WatchedFolder[];
  /** PDFs that are being read for trees, by path. */
  readonly #reading = new Map<string, Promise<HeldFile | undefined>>();
  /** PDFs that were read after their trees had gone on without. */
  readonly #late: vscode.Uri[] = [];
  /** What runs once soon, whatever asks for it meanwhile. */
  readonly #due = new Set<() => void>();
  readonly #ended = new AbortController();

  /**
   * @param globalFolder stands for a workspace folder while none is open
   * @param changed told which PDFs may have another mark now, or undefined for all: those lose theirs until it is found
   * @param origin of the service that `upstream` knows of
   */
  constructor(
    upstream: UpstreamPort,
    globalFolder: vscode.Uri,
    changed: vscode.EventEmitter<vscode.Uri[] | undefined>,
    onLockProblem?: LockProblemListener,
    origin: () => string | null | undefined = () => undefined,
    onDidChangeOrigin: Event<unknown> = () => ({ dispose() {} }),
  ) {
    this.#upstream = upstream;
    this.#globalFolder = globalFolder;
    this.#changed = changed;
    this.#onLockProblem = onLockProblem;
    this.#origin = origin;
    this.#folders = this.#watch();
    const again = () => {
      for (const folder of this.#folders) folder.dispose();
      this.#folders = this.#watch();
      changed.fire(undefined);
    };
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeWorkspaceFolders(again),
      vscode.workspace.onDidGrantWorkspaceTrust(again),
      onDidChangeSetting('reportLibrary.downloads.folder')(again),
      onDidChangeOrigin(again),
    );
  }

  async decoration(uri: vscode.Uri, token: vscode.CancellationToken): Promise<vscode.FileDecoration | undefined> {
    try {
      const folder = this.#folders.find(({ base }) => isBelow(uri, base));
      const held = await abortable(token, async (signal) =>
        folder?.files.look(uri.path.slice(folder.prefix.length), signal),
      );
      const id = folder?.files.isForeign ? undefined : held?.row.report_id;
      this.#note(uri.fsPath, id);
      if (!held) return undefined;
      const mark = fileLook(held, id === undefined ? undefined : (await this.#upstream([id])).get(id));
      return mark && new vscode.FileDecoration(mark.badge, mark.tooltip, new vscode.ThemeColor(mark.color));
    } catch (error) {
      if (token.isCancellationRequested) return undefined;
      throw error;
    }
  }

  async look(reportIds: readonly number[]): Promise<ReadonlyMap<number, PdfMark>> {
    const held = new Map<number, HeldFile>();
    for (const folder of this.#folders) {
      const left = reportIds.filter((id) => !held.has(id));
      for (const file of await this.#filesIn(folder, left)) {
        if (file.state !== 'missing') held.set(file.row.report_id, file);
      }
    }
    if (held.size === 0) return new Map();
    const upstream = await this.#upstream([...held.keys()]);
    return new Map(
      [...held].flatMap(([id, file]) => {
        const mark = fileLook(file, upstream.get(id));
        return mark ? [[id, mark]] : [];
      }),
    );
  }

  async here(): Promise<readonly number[]> {
    return (await Promise.all(this.#folders.map(({ files }) => files.here()))).flat();
  }

  dispose(): void {
    this.#ended.abort();
    for (const folder of this.#folders) folder.dispose();
    this.#subscriptions.dispose();
  }

  /** The files of these reports. Those that nobody has read yet are read; what takes longer is told when it is done. */
  async #filesIn({ base, files }: WatchedFolder, ids: readonly number[]): Promise<readonly HeldFile[]> {
    const seen = await files.glance(ids);
    const unread = seen.filter(({ state }) => state === 'unread');
    if (unread.length === 0) return seen;
    const found = new Map<string, HeldFile>();
    const reading = unread.map(async ({ row: { path } }) => {
      const held = await this.#read(files, path, vscode.Uri.joinPath(base, path));
      if (held) found.set(path, held);
    });
    await Promise.race([Promise.all(reading), systemClock.sleep(patience)]);
    return seen.map((file) => found.get(file.row.path) ?? file);
  }

  /** Reads a file once, however many trees wait for it. */
  #read(files: HeldFiles, path: string, uri: vscode.Uri): Promise<HeldFile | undefined> {
    const key = uri.path;
    const begun = performance.now();
    const read = async () => {
      const held = await files.look(path).finally(() => this.#reading.delete(key));
      const isLate = performance.now() - begun >= patience;
      // One that can't be read has no other mark than before.
      if (isLate && held?.state !== 'unreadable') {
        this.#late.push(uri);
        this.#soon(tellInterval, this.#tellLate);
      }
      return held;
    };
    const reading = this.#reading.get(key) ?? read();
    this.#reading.set(key, reading);
    return reading;
  }

  readonly #tellLate = () => this.#tell(this.#late.splice(0));

  #tell(files: vscode.Uri[]): void {
    if (files.length > 0) this.#changed.fire(files.length > maxTold ? undefined : files);
  }

  /** Lets the Explorer's menu offer our commands for a PDF that it shows; it shows many at once. */
  #note(path: string, reportId: number | undefined): void {
    const before = ownPdfs.get(path);
    ownPdfs.delete(path);
    if (reportId !== undefined) ownPdfs.set(path, reportId);
    const [oldest] = ownPdfs.keys();
    if (ownPdfs.size > maxNoted && oldest !== undefined) ownPdfs.delete(oldest);
    if (before !== reportId) this.#soon(patience, this.#offerCommands);
  }

  readonly #offerCommands = () => void setContextKey('reportLibrary.pdfs', [...ownPdfs.keys()]);

  #soon(wait: number, work: () => void): void {
    if (this.#due.has(work)) return;
    this.#due.add(work);
    systemClock.sleep(wait, this.#ended.signal).then(
      () => {
        this.#due.delete(work);
        work();
      },
      // Nobody is left to be told.
      () => {},
    );
  }

  #watch(): readonly WatchedFolder[] {
    const of = { isDemo: this.#origin() === demoOrigin };
    const roots = knownRoots(this.#globalFolder, of).filter(({ folder }) => folderProblem(folder) === undefined);
    return roots.map(({ uri, folder }) => {
      const base = vscode.Uri.joinPath(uri, folder);
      const tell = (problem: LockProblem) => this.#onLockProblem?.(uri, problem);
      const files = new HeldFiles({ root: uri.fsPath, folder }, tell, this.#origin);
      const prefix = `${base.path}/`;
      // All of it: of a folder that comes or goes with its files, nothing may be told of those.
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(base, '**'));
      // A batch writes the lock again and again: only the files whose rows it changed are told.
      const noteLock = async () => this.#tell((await files.changed()).map((path) => vscode.Uri.joinPath(base, path)));
      const note = (file: vscode.Uri, isKnown = false) => {
        if (file.path.endsWith('.pdf')) this.#tell([file]);
        else if (isKnown) this.#changed.fire(undefined);
        // What goes wrong with the lock comes out when its files are looked at.
        else if (file.path.endsWith(`/${lockName}`)) noteLock().catch(() => this.#changed.fire(undefined));
      };
      const noteMove = (file: vscode.Uri) => note(file, files.forget(file.path.slice(prefix.length)));
      watcher.onDidChange((file) => note(file));
      for (const event of [watcher.onDidCreate, watcher.onDidDelete]) event(noteMove);
      return { base, prefix, files, dispose: () => watcher.dispose() };
    });
  }
}

/** True for a file below a folder of the same file system: what Git shows of a file has the same path. */
function isBelow(file: vscode.Uri, folder: vscode.Uri): boolean {
  const isThere = file.scheme === folder.scheme && file.authority === folder.authority;
  return isThere && file.path.startsWith(`${folder.path.replace(/\/$/, '')}/`);
}
