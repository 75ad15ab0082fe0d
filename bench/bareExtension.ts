import { join } from 'node:path';
import { type EmptyExtension, packageExtension } from './emptyExtension.ts';

const commands = 45;
const panels = 7;
const views = 4;

/** As many registrations as ours, each as short as it can be. */
const script = `
const vscode = require('vscode');
const nothing = () => undefined;
const tree = () => ({ getChildren: () => [], getTreeItem: () => new vscode.TreeItem('') });
const languages = ['python', 'markdown', 'csv', 'tsv', 'json', 'jsonc', 'r', 'plaintext'];
exports.activate = ({ subscriptions: kept }) => {
  kept.push(vscode.window.createOutputChannel('Bare', { log: true }));
  kept.push(vscode.commands.registerCommand('bare.wake', nothing));
  for (let n = 1; n < ${commands}; n += 1) kept.push(vscode.commands.registerCommand('bare.' + n, nothing));
  for (let n = 0; n < ${views}; n += 1)
    kept.push(vscode.window.createTreeView('bare.view' + n, { treeDataProvider: tree(), canSelectMany: true }));
  for (let n = 0; n < ${panels}; n += 1)
    kept.push(vscode.window.registerWebviewPanelSerializer('bare.panel' + n, { deserializeWebviewPanel: nothing }));
  const document = { openCustomDocument: nothing, resolveCustomEditor: nothing };
  kept.push(vscode.window.registerCustomEditorProvider('bare.editor', document));
  kept.push(vscode.window.registerFileDecorationProvider({ provideFileDecoration: nothing }));
  kept.push(vscode.window.registerUriHandler({ handleUri: nothing }));
  kept.push(vscode.languages.registerHoverProvider(languages, { provideHover: nothing }));
  kept.push(vscode.languages.registerDocumentLinkProvider(languages, { provideDocumentLinks: nothing }));
  kept.push(vscode.languages.registerCompletionItemProvider('python', { provideCompletionItems: nothing }, '"', "'"));
  kept.push(vscode.languages.registerDocumentDropEditProvider(languages, { provideDocumentDropEdits: nothing }));
};
`;

/** Packages an extension that registers as much as ours with nothing behind it: what the editor itself takes for that. */
export async function packageBareExtension(folder: string): Promise<EmptyExtension> {
  const displayName = 'Bare registrations';
  const ids = Array.from({ length: views }, (_, n) => ({ id: `bare.view${n}`, name: `Bare ${n}`, when: 'false' }));
  const contributes = {
    commands: [{ command: 'bare.wake', title: 'Wake', category: displayName }],
    views: { explorer: ids },
    customEditors: [
      {
        viewType: 'bare.editor',
        displayName,
        priority: 'option',
        selector: [{ filenamePattern: '*.bare' }],
      },
    ],
  };
  const manifest = { name: 'bare', displayName, type: 'commonjs', main: './main.js', contributes };
  const vsix = await packageExtension(join(folder, 'bare'), manifest, script);
  return { displayName, wake: `${displayName}: Wake`, vsix };
}
