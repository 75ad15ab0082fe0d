import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { oneLine } from '../../protocol/format/visibleText.ts';

const scheme = 'report-library-text';

/** Read-only documents for what a panel shows: its JSON, its text. Kept while they are open. */
export class TextDocuments implements Disposable {
  readonly #contents = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registrations: vscode.Disposable;

  constructor() {
    this.#registrations = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) =>
          this.#contents.get(uri.toString()) ?? vscode.l10n.t('Reopen this document from its panel.\n'),
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#contents.delete(uri.toString())),
    );
  }

  /** Opens a document. The name's extension chooses the language; the same name shows the same document anew. */
  async show(name: string, content: string): Promise<void> {
    const uri = this.put(name.replaceAll('/', '-'), content);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  /** Makes a document ready for an editor that is given its address. A slash in the name makes a folder. */
  put(name: string, content: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, path: `/${oneLine(name, 100)}` });
    this.#contents.set(uri.toString(), content);
    this.#changed.fire(uri);
    return uri;
  }

  dispose(): void {
    this.#registrations.dispose();
    this.#contents.clear();
  }
}
