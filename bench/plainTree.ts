import { join } from 'node:path';
import { packageExtension } from './emptyExtension.ts';

/** An extension with a tree whose rows come from memory: what a tree of an extension takes at least. */
export interface PlainTree {
  readonly container: string;
  readonly view: string;
  /** Text of one of its rows, each with `children` rows below. */
  rowOf(turn: number): string;
  readonly vsix: string;
}

const container = 'Plain trees';
const view = 'Plain tree';
const rowOf = (turn: number) => `Plain row ${100 + turn}`;

const script = (rows: readonly string[], children: number) => `
const vscode = require('vscode');
const item = (label, icon, state) =>
  Object.assign(new vscode.TreeItem(label, state), { description: 'of many', iconPath: new vscode.ThemeIcon(icon) });
const roots = ${JSON.stringify(rows)}.map((label) => item(label, 'folder', 1));
exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.window.createTreeView('plainTree.view', { treeDataProvider: {
    getChildren: (node) => node ? Array.from({ length: ${children} }, (_, n) => item('Child ' + n, 'file-text', 0)) : roots,
    getTreeItem: (node) => node,
  } }));
};
`;

/** Packages it into a VSIX in `folder`, with a container of its own. */
export async function packagePlainTree(folder: string, turns: number, children: number): Promise<PlainTree> {
  const rows = Array.from({ length: turns + 1 }, (_, turn) => rowOf(turn));
  const manifest = {
    name: 'plain-tree',
    displayName: view,
    main: './main.js',
    type: 'commonjs',
    contributes: {
      viewsContainers: { activitybar: [{ id: 'plainTree', title: container, icon: '$(list-tree)' }] },
      views: { plainTree: [{ id: 'plainTree.view', name: view }] },
    },
  };
  const vsix = await packageExtension(join(folder, 'plain-tree'), manifest, script(rows, children));
  return { container, view, rowOf, vsix };
}
