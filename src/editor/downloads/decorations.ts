import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { HeldFile } from '../../downloads/heldFiles.ts';
import { markScheme, type PdfMark, type PdfMarks } from '../common/pdfMarks.ts';
import { fileLook, pdfMarks, type Upstream } from './fileLook.ts';
import { type WatchedFolder, WatchedFolders } from './watchedFolders.ts';

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
    if (uri.scheme === markScheme) return rowDecoration(uri);
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

/** A row's mark is in its address. Only what asks for something is coloured: a tree is no list of files. */
function rowDecoration({ query }: vscode.Uri): vscode.FileDecoration | undefined {
  const mark = Object.hasOwn(pdfMarks, query) ? pdfMarks[query as PdfMark['state']] : undefined;
  if (!mark) return undefined;
  const color = mark.state === 'verified' ? undefined : new vscode.ThemeColor(mark.color);
  return new vscode.FileDecoration(mark.badge, mark.tooltip, color);
}
