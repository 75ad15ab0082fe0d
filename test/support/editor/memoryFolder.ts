import * as vscode from 'vscode';

/** A folder that is on no disk: files in memory, as virtual workspaces have them. Tells what was written to it. */
export class MemoryFolder implements vscode.FileSystemProvider {
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #registration: vscode.Disposable;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly uri: vscode.Uri;
  /** Every path that anything was to be written to, removed from or renamed. */
  readonly changes: string[] = [];

  constructor(scheme: string, files: Readonly<Record<string, string>>) {
    this.#files = new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
    this.#registration = vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true });
    this.uri = vscode.Uri.from({ scheme, path: '/folder' });
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const bytes = this.#files.get(this.#pathOf(uri));
    if (!bytes && this.#pathOf(uri) !== '') throw vscode.FileSystemError.FileNotFound(uri);
    const type = bytes ? vscode.FileType.File : vscode.FileType.Directory;
    return { type, ctime: 0, mtime: 0, size: bytes?.length ?? 0 };
  }

  readDirectory(): [string, vscode.FileType][] {
    return [...this.#files.keys()].map((name) => [name, vscode.FileType.File]);
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const bytes = this.#files.get(this.#pathOf(uri));
    if (!bytes) throw vscode.FileSystemError.FileNotFound(uri);
    return bytes;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  writeFile(uri: vscode.Uri): void {
    this.changes.push(uri.path);
  }

  createDirectory(uri: vscode.Uri): void {
    this.changes.push(uri.path);
  }

  delete(uri: vscode.Uri): void {
    this.changes.push(uri.path);
  }

  rename(uri: vscode.Uri): void {
    this.changes.push(uri.path);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #pathOf(uri: vscode.Uri): string {
    return uri.path.slice('/folder/'.length);
  }
}
