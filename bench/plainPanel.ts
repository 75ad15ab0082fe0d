import { join } from 'node:path';
import { packageExtension } from './emptyExtension.ts';

/** An extension with one tree row, and a panel behind it that shows one line: what a panel costs at least. */
export interface PlainPanel {
  /** Text of the row that opens the panel. */
  readonly row: string;
  readonly view: string;
  readonly vsix: string;
}

const row = 'Open the plain panel';
const view = 'Plain';

const script = `
const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  const item = new vscode.TreeItem(${JSON.stringify(row)});
  item.command = { command: 'plainPanel.open', title: 'Open' };
  const tree = { getChildren: (parent) => (parent ? [] : [item]), getTreeItem: (node) => node };
  subscriptions.push(
    vscode.window.registerTreeDataProvider('plainPanel.view', tree),
    vscode.commands.registerCommand('plainPanel.open', () => {
      const panel = vscode.window.createWebviewPanel('plainPanel.panel', 'Plain', vscode.ViewColumn.Active, { enableScripts: true });
      panel.webview.onDidReceiveMessage(() => panel.webview.postMessage('One line of text'));
      panel.webview.html = \`<!DOCTYPE html><html><body><script>
        const editor = acquireVsCodeApi();
        addEventListener('message', ({ data }) => {
          const line = document.createElement('p');
          line.id = 'painted';
          line.textContent = data;
          document.body.append(line);
        });
        editor.postMessage('ready');
      </script></body></html>\`;
    }),
  );
};
`;

/** Packages it into a VSIX in `folder`. Its row stands in the Report Library's container, where our own rows are. */
export async function packagePlainPanel(folder: string): Promise<PlainPanel> {
  const manifest = {
    name: 'plain-panel',
    displayName: 'Plain panel',
    main: './main.js',
    contributes: { views: { reportLibrary: [{ id: 'plainPanel.view', name: view }] } },
  };
  return { row, view, vsix: await packageExtension(join(folder, 'plain-panel'), manifest, script) };
}
