import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { HeldFiles } from '../../downloads/heldFiles.ts';
import { lockName } from '../../downloads/manifest.ts';
import { folderProblem } from '../../downloads/path.ts';
import { onDidChangeSetting } from '../common/onDidChangeSetting.ts';
import { knownRoots } from './downloadRoot.ts';
import { fileLook, type Upstream } from './fileLook.ts';

/** What is known locally about a report at the service; undefined when nothing is. */
export type UpstreamPort = (reportId: number) => Promise<Upstream | undefined>;

interface WatchedFolder {
  /** Path of the downloads folder, with a slash at its end. */
  readonly prefix: string;
  readonly files: HeldFiles;
  readonly watcher: vscode.FileSystemWatcher;
}

/** Marks the PDFs of lock files in file lists. Reads files when they are shown, never the network. */
export class PdfDecorations implements Disposable {
  readonly #upstream: UpstreamPort;
  readonly #changed: vscode.EventEmitter<vscode.Uri | undefined>;
  readonly #subscriptions: vscode.Disposable;
  #folders: readonly WatchedFolder[];

  /** @param changed told which files are to be marked anew */
  constructor(upstream: UpstreamPort, changed: vscode.EventEmitter<vscode.Uri | undefined>) {
    this.#upstream = upstream;
    this.#changed = changed;
    this.#folders = this.#watch();
    const again = () => {
      this.#unwatch();
      this.#folders = this.#watch();
      changed.fire(undefined);
    };
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeWorkspaceFolders(again),
      vscode.workspace.onDidGrantWorkspaceTrust(again),
      onDidChangeSetting('reportLibrary.downloads.folder')(again),
    );
  }

  async decoration(uri: vscode.Uri, token: vscode.CancellationToken): Promise<vscode.FileDecoration | undefined> {
    const folder = this.#folders.find(({ prefix }) => uri.path.startsWith(prefix));
    if (!folder) return undefined;
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      const held = await folder.files.look(uri.path.slice(folder.prefix.length), abort.signal);
      const look = held && fileLook(held, await this.#upstream(held.row.report_id));
      return look && new vscode.FileDecoration(look.badge, look.tooltip, new vscode.ThemeColor(look.color));
    } catch (error) {
      if (token.isCancellationRequested) return undefined;
      throw error;
    } finally {
      subscription.dispose();
    }
  }

  dispose(): void {
    this.#unwatch();
    this.#subscriptions.dispose();
  }

  #watch(): WatchedFolder[] {
    const roots = knownRoots(undefined).filter(({ folder }) => folderProblem(folder) === undefined);
    return roots.map(({ uri, folder }) => {
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
  }

  #unwatch(): void {
    for (const { watcher } of this.#folders) watcher.dispose();
  }
}
