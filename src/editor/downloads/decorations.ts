import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, Emitter, type Event } from '../../base/disposable.ts';
import { type LockProblem, lockName } from '../../downloads/manifest.ts';
import { folderProblem } from '../../downloads/path.ts';
import type { Upstream, UpstreamPort } from '../../downloads/ports.ts';
import { type HeldFile, HeldFiles, stateOf } from '../../downloads/verify.ts';
import { ownPdfs } from '../common/arguments.ts';
import { setContextKey } from '../common/commands.ts';
import type { PdfMark, PdfMarks } from '../common/pdfMarks.ts';
import { onDidChangeSetting } from '../common/settings.ts';
import { knownRoots } from './downloadRoot.ts';

/** Every mark by its state. */
const pdfMarks: { readonly [State in PdfMark['state']]: PdfMark } = {
  unreadable: {
    state: 'unreadable',
    badge: '!',
    color: 'list.warningForeground',
    tooltip: vscode.l10n.t('Could not be read'),
    words: vscode.l10n.t('PDF unreadable'),
  },
  edited: {
    state: 'edited',
    badge: 'E',
    color: 'list.warningForeground',
    tooltip: vscode.l10n.t('Edited since it was downloaded'),
    words: vscode.l10n.t('PDF edited'),
  },
  withdrawn: {
    state: 'withdrawn',
    badge: 'W',
    color: 'charts.red',
    tooltip: vscode.l10n.t('Withdrawn by the service. The file is kept'),
    words: vscode.l10n.t('PDF kept'),
  },
  newer: {
    state: 'newer',
    badge: '↑',
    color: 'charts.blue',
    tooltip: vscode.l10n.t('The service has a newer version. Run Update Changed PDFs to get it'),
    words: vscode.l10n.t('newer PDF available'),
  },
  unverified: {
    state: 'unverified',
    badge: '?',
    color: 'charts.yellow',
    tooltip: vscode.l10n.t('Not verified: the service published no hash'),
    words: vscode.l10n.t('PDF not verified'),
  },
  'matches-lock': {
    state: 'matches-lock',
    badge: '=',
    color: 'charts.yellow',
    tooltip: vscode.l10n.t('Matches the lock file, not compared with the service'),
    words: vscode.l10n.t('PDF matches the lock file'),
  },
  unread: {
    state: 'unread',
    badge: '…',
    color: 'disabledForeground',
    tooltip: vscode.l10n.t('Being checked'),
    words: vscode.l10n.t('PDF being checked'),
  },
  verified: {
    state: 'verified',
    badge: '✓',
    color: 'charts.green',
    tooltip: vscode.l10n.t('Verified: the bytes that the service published'),
    words: vscode.l10n.t('PDF here, verified'),
  },
};

/**
 * The mark of a file. What happened to it here counts first, then what the service did; without knowledge of the
 * service nothing is claimed about it. Undefined for a file that is gone.
 */
export function fileLook(held: HeldFile, upstream: Upstream | undefined): PdfMark | undefined {
  const found = stateOf(held, upstream);
  if (found === 'missing') return undefined;
  if (found === 'unreadable' || found === 'edited') return pdfMarks[found];
  return upstream?.withdrawn ? pdfMarks.withdrawn : pdfMarks[found];
}

/** Told when the lock of a workspace folder, or of the folder that stands for it, can't be read. */
type LockProblemPort = (root: vscode.Uri, problem: LockProblem) => void;

/** How long, in ms, a tree waits for its PDFs to be read before it shows them as being checked. */
const patience = 100;

/** Marks the PDFs of lock files, in file lists and in trees. Reads files when they are shown, never the network. */
export class PdfDecorations implements Pick<PdfMarks, 'look'>, Disposable {
  readonly #upstream: UpstreamPort;
  readonly #store = new DisposableStore();
  readonly #folders: WatchedFolders;
  readonly #changed: vscode.EventEmitter<vscode.Uri | undefined>;
  /** The Explorer's menu is about to be told which PDFs are ours. */
  #isNoted = false;

  /**
   * @param globalFolder stands for a workspace folder while none is open
   * @param changed told which PDF may have another mark now, or undefined for all
   * @param onProblem told when a lock can't be read
   */
  constructor(
    upstream: UpstreamPort,
    globalFolder: vscode.Uri,
    changed: vscode.EventEmitter<vscode.Uri | undefined>,
    onProblem: LockProblemPort = () => {},
  ) {
    this.#upstream = upstream;
    this.#changed = changed;
    this.#folders = this.#store.add(new WatchedFolders(globalFolder, onProblem));
    this.#store.add(this.#folders.onDidChange((file) => changed.fire(file)));
  }

  async decoration(uri: vscode.Uri, token: vscode.CancellationToken): Promise<vscode.FileDecoration | undefined> {
    const folder = this.#folders.all.find(({ prefix }) => uri.path.startsWith(prefix));
    if (!folder) return undefined;
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      const held = await folder.files.look(uri.path.slice(folder.prefix.length), abort.signal);
      this.#note(uri.fsPath, held?.row.report_id);
      if (!held) return undefined;
      const id = held.row.report_id;
      const mark = fileLook(held, (await this.#upstream([id])).get(id));
      return mark && new vscode.FileDecoration(mark.badge, mark.tooltip, new vscode.ThemeColor(mark.color));
    } catch (error) {
      if (token.isCancellationRequested) return undefined;
      throw error;
    } finally {
      subscription.dispose();
    }
  }

  /** Lets the Explorer's menu offer our commands for a PDF that it shows; it shows many at once. */
  #note(path: string, reportId: number | undefined): void {
    if (ownPdfs.get(path) === reportId) return;
    if (reportId === undefined) ownPdfs.delete(path);
    else ownPdfs.set(path, reportId);
    if (this.#isNoted) return;
    this.#isNoted = true;
    setImmediate(() => {
      this.#isNoted = false;
      void setContextKey('reportLibrary.pdfs', [...ownPdfs.keys()]);
    });
  }

  async look(reportIds: readonly number[]): Promise<ReadonlyMap<number, PdfMark>> {
    const held = new Map<number, HeldFile>();
    for (const folder of this.#folders.all) {
      const left = reportIds.filter((id) => !held.has(id));
      for (const file of await this.#filesIn(folder, left)) {
        if (file.state !== 'missing') held.set(file.row.report_id, file);
      }
    }
    if (held.size === 0) return new Map();
    const upstream = await this.#upstream([...held.keys()]);
    const marks = new Map<number, PdfMark>();
    for (const [id, file] of held) {
      const mark = fileLook(file, upstream.get(id));
      if (mark) marks.set(id, mark);
    }
    return marks;
  }

  /** The files of these reports. Those that nobody has read yet are read; what takes longer is told when it is done. */
  async #filesIn({ prefix, files }: WatchedFolder, ids: readonly number[]): Promise<readonly HeldFile[]> {
    const seen = await files.glance(ids);
    const unread = seen.filter(({ state }) => state === 'unread');
    if (unread.length === 0) return seen;
    let isLate = false;
    const reading = unread.map(async ({ row }) => {
      await files.look(row.path);
      if (isLate) this.#changed.fire(vscode.Uri.file(`${prefix}${row.path}`));
    });
    await Promise.race([Promise.all(reading), systemClock.sleep(patience)]);
    isLate = true;
    return files.glance(ids);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** A downloads folder of this window. */
interface WatchedFolder {
  /** Path of the downloads folder, with a slash at its end. */
  readonly prefix: string;
  readonly files: HeldFiles;
}

/** The downloads folders of this window, and word of what changes in them. */
class WatchedFolders implements Disposable {
  readonly #globalFolder: vscode.Uri;
  readonly #onProblem: LockProblemPort;
  readonly #changed = new Emitter<vscode.Uri | undefined>();
  readonly #subscriptions: vscode.Disposable;
  #watchers: readonly vscode.Disposable[] = [];
  #folders: readonly WatchedFolder[] = [];

  /** Fires with a PDF that changed, or without one when any may have another state now. */
  readonly onDidChange: Event<vscode.Uri | undefined> = this.#changed.event;

  /** @param globalFolder stands for a workspace folder while none is open */
  constructor(globalFolder: vscode.Uri, onProblem: LockProblemPort) {
    this.#globalFolder = globalFolder;
    this.#onProblem = onProblem;
    this.#watch();
    const again = () => {
      this.#unwatch();
      this.#watch();
      this.#changed.fire(undefined);
    };
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeWorkspaceFolders(again),
      vscode.workspace.onDidGrantWorkspaceTrust(again),
      onDidChangeSetting('reportLibrary.downloads.folder')(again),
    );
  }

  /** The usual folder first. */
  get all(): readonly WatchedFolder[] {
    return this.#folders;
  }

  dispose(): void {
    this.#unwatch();
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  #watch(): void {
    const roots = knownRoots(this.#globalFolder).filter(({ folder }) => folderProblem(folder) === undefined);
    const watched = roots.map(({ uri, folder }) => {
      const base = vscode.Uri.joinPath(uri, folder);
      const files = new HeldFiles({ root: uri.fsPath, folder }, (problem) => this.#onProblem(uri, problem));
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(base, '**/*.{pdf,json}'));
      const note = (file: vscode.Uri) => {
        if (file.path.endsWith('.pdf')) this.#changed.fire(file);
        if (!file.path.endsWith(`/${lockName}`)) return;
        this.#changed.fire(undefined);
      };
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) event(note);
      return { prefix: `${base.path}/`, files, watcher };
    });
    this.#folders = watched;
    this.#watchers = watched.map(({ watcher }) => watcher);
  }

  #unwatch(): void {
    for (const watcher of this.#watchers) watcher.dispose();
  }
}
