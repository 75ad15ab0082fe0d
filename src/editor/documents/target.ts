import * as vscode from 'vscode';
import { labelText } from '../common/messages.ts';

/** Where an insertion goes: after the selected cells of a notebook, or to the cursor of a text editor. */
export type InsertionTarget =
  | { readonly kind: 'notebook'; readonly editor: vscode.NotebookEditor }
  | { readonly kind: 'text'; readonly editor: vscode.TextEditor };

const notebookType = 'jupyter-notebook';

/** Documents that a person writes in, as opposed to output and read-only views. */
const writable = new Set(['file', 'untitled', 'vscode-remote', 'vscode-userdata']);

/** What a person works in now; undefined when that is neither a notebook nor a text. */
export function activeTarget(): InsertionTarget | undefined {
  const { activeNotebookEditor, activeTextEditor } = vscode.window;
  if (activeNotebookEditor) return { kind: 'notebook', editor: activeNotebookEditor };
  const isWritable = activeTextEditor && writable.has(activeTextEditor.document.uri.scheme);
  return isWritable ? { kind: 'text', editor: activeTextEditor } : undefined;
}

interface Choice extends vscode.QuickPickItem {
  readonly open?: () => Promise<InsertionTarget>;
}

/** Asks where to insert when nothing suitable is active; undefined when the person leaves. */
export async function chooseTarget(): Promise<InsertionTarget | undefined> {
  const notebooks = vscode.workspace.notebookDocuments.filter(({ isClosed }) => !isClosed);
  const texts = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText && writable.has(input.uri.scheme) ? [input.uri] : [],
    );
  const heading: Choice = { label: vscode.l10n.t('Open Documents'), kind: vscode.QuickPickItemKind.Separator };
  const open: Choice[] = [
    ...notebooks.map((notebook) => choice('notebook', notebook.uri, () => showNotebook(notebook))),
    ...texts.map((uri) => choice('file', uri, () => showText(uri))),
  ];
  const fresh: Choice = { label: vscode.l10n.t('$(new-file) New Jupyter Notebook'), open: newNotebook };
  const choices = open.length === 0 ? [fresh] : [fresh, heading, ...open];
  const options = {
    title: vscode.l10n.t('Insert into Notebook'),
    placeHolder: vscode.l10n.t('No notebook or text is active. Where should it go?'),
  };
  return (await vscode.window.showQuickPick(choices, options))?.open?.();
}

function choice(icon: string, uri: vscode.Uri, open: () => Promise<InsertionTarget>): Choice {
  const path = vscode.workspace.asRelativePath(uri);
  return { label: `$(${icon}) ${labelText(path.split('/').at(-1) ?? path)}`, description: labelText(path), open };
}

async function newNotebook(): Promise<InsertionTarget> {
  return showNotebook(await vscode.workspace.openNotebookDocument(notebookType, new vscode.NotebookData([])));
}

async function showNotebook(notebook: vscode.NotebookDocument): Promise<InsertionTarget> {
  return { kind: 'notebook', editor: await vscode.window.showNotebookDocument(notebook) };
}

async function showText(uri: vscode.Uri): Promise<InsertionTarget> {
  return { kind: 'text', editor: await vscode.window.showTextDocument(uri) };
}
