import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter, type Event } from '../../base/disposable.ts';
import { lockName } from '../../downloads/manifest.ts';
import { folderProblem } from '../../downloads/path.ts';
import { type HeldFile, HeldFiles } from '../../downloads/verify.ts';
import type { PdfMark, PdfMarks } from '../common/pdfMarks.ts';
import { onDidChangeSetting } from '../common/settings.ts';
import { knownRoots } from './downloadRoot.ts';

/** What is known on this machine about a report at the service. */
export interface Upstream {
  /** Published hash, lower-case hex; null when none is known. */
  readonly sha256: string | null;
  readonly withdrawn: boolean;
}

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
    tooltip: vscode.l10n.t('Withdrawn by the service; the file is kept'),
    words: vscode.l10n.t('PDF kept'),
  },
  newer: {
    state: 'newer',
    badge: '↑',
    color: 'charts.blue',
    tooltip: vscode.l10n.t('The service has a newer version. Update Changed PDFs gets it'),
    words: vscode.l10n.t('newer PDF upstream'),
  },
  unverified: {
    state: 'unverified',
    badge: '?',
    color: 'charts.yellow',
    tooltip: vscode.l10n.t('Not verified: the service published no hash'),
    words: vscode.l10n.t('PDF not verified'),
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
export function fileLook({ row, state }: HeldFile, upstream: Upstream | undefined): PdfMark | undefined {
  if (state === 'missing') return undefined;
  if (state === 'unreadable' || state === 'edited') return pdfMarks[state];
  if (upstream?.withdrawn) return pdfMarks.withdrawn;
  if (upstream && upstream.sha256 !== null && upstream.sha256 !== row.sha256) return pdfMarks.newer;
  return pdfMarks[state];
}

/** What is known locally about reports at the service; those of which nothing is known are left out. */
export type UpstreamPort = (reportIds: readonly number[]) => Promise<ReadonlyMap<number, Upstream>>;

/** Marks the PDFs of lock files, in file lists and in trees. Reads files when they are shown, never the network. */
export class PdfDecorations implements Pick<PdfMarks, 'look'>, Disposable {
  readonly #upstream: UpstreamPort;
  readonly #store = new DisposableStore();
  readonly #folders: WatchedFolders;
  readonly #changed: vscode.EventEmitter<vscode.Uri | undefined>;

  /**
   * @param globalFolder stands for a workspace folder while none is open
   * @param changed told which PDF may have another mark now, or undefined for all
   */
  constructor(upstream: UpstreamPort, globalFolder: vscode.Uri, changed: vscode.EventEmitter<vscode.Uri | undefined>) {
    this.#upstream = upstream;
    this.#changed = changed;
    this.#folders = this.#store.add(new WatchedFolders(globalFolder));
    this.#store.add(this.#folders.onDidChange((file) => changed.fire(file)));
  }

  async decoration(uri: vscode.Uri, token: vscode.CancellationToken): Promise<vscode.FileDecoration | undefined> {
    const folder = this.#folders.all.find(({ prefix }) => uri.path.startsWith(prefix));
    if (!folder) return undefined;
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      const held = await folder.files.look(uri.path.slice(folder.prefix.length), abort.signal);
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

  async look(reportIds: readonly number[]): Promise<ReadonlyMap<number, PdfMark>> {
    const held = new Map<number, HeldFile>();
    for (const folder of this.#folders.all) {
      const left = reportIds.filter((id) => !held.has(id));
      for (const { isTouched, ...file } of await folder.files.glance(left)) {
        if (file.state === 'missing') continue;
        held.set(file.row.report_id, file);
        if (isTouched) void this.#read(folder, file);
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

  dispose(): void {
    this.#store.dispose();
  }

  /** Reads a file that changed after it came, while the tree shows what was known; tells when that was wrong. */
  async #read({ prefix, files }: WatchedFolder, { row, state }: HeldFile): Promise<void> {
    const found = await files.look(row.path);
    if (found?.state !== state) this.#changed.fire(vscode.Uri.file(`${prefix}${row.path}`));
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
  readonly #changed = new Emitter<vscode.Uri | undefined>();
  readonly #subscriptions: vscode.Disposable;
  #watchers: readonly vscode.Disposable[] = [];
  #folders: readonly WatchedFolder[] = [];

  /** Fires with a PDF that changed, or without one when any may have another state now. */
  readonly onDidChange: Event<vscode.Uri | undefined> = this.#changed.event;

  /** @param globalFolder stands for a workspace folder while none is open */
  constructor(globalFolder: vscode.Uri) {
    this.#globalFolder = globalFolder;
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
      const files = new HeldFiles({ root: uri.fsPath, folder });
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(base, '**/*.{pdf,json}'));
      const note = (file: vscode.Uri) => {
        if (file.path.endsWith('.pdf')) this.#changed.fire(file);
        if (!file.path.endsWith(`/${lockName}`)) return;
        files.forgetLock();
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
