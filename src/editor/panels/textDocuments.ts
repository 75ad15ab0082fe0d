import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { oneLine } from '../../protocol/format/visibleText.ts';
import type { NamedText } from './panel.ts';

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

  /** Opens a document; the same name shows the same document anew. */
  async show(name: string, content: string): Promise<void> {
    const uri = this.#put({ name: name.replaceAll('/', '-'), content });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  /** Shows two documents in the editor's own diff. A slash in a name makes a folder. */
  async diff(left: NamedText, right: NamedText, title: string): Promise<null> {
    await vscode.commands.executeCommand('vscode.diff', this.#put(left), this.#put(right), title);
    return null;
  }

  #put({ name, content }: NamedText): vscode.Uri {
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
