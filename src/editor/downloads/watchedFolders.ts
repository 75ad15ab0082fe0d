import * as vscode from 'vscode';
import { type Disposable, Emitter, type Event } from '../../base/disposable.ts';
import { HeldFiles } from '../../downloads/heldFiles.ts';
import { lockName } from '../../downloads/manifest.ts';
import { folderProblem } from '../../downloads/path.ts';
import { onDidChangeSetting } from '../common/settings.ts';
import { knownRoots } from './downloadRoot.ts';

/** A downloads folder of this window. */
export interface WatchedFolder {
  /** Path of the downloads folder, with a slash at its end. */
  readonly prefix: string;
  readonly files: HeldFiles;
}

/** The downloads folders of this window, and word of what changes in them. */
export class WatchedFolders implements Disposable {
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
