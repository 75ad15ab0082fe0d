import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { silentLogger } from '../../src/base/logger.ts';
import { once } from '../../src/base/once.ts';
import { Channel } from '../../src/base/rpc.ts';
import { fillPage, type OpenPage } from '../../src/editor/panels/panelPage.ts';
import { resolveRows, resultsBlocks } from '../../src/panels/results.ts';
import { blocksProtocol } from '../../src/protocol/blocks.ts';
import { coverageProtocol } from '../../src/protocol/coverage.ts';
import { sampleCoverage } from '../../test/support/panels/coverage.ts';
import { manyResolved, sampleAbout } from '../../test/support/panels/resolved.ts';

declare const sizes: { readonly companies: number; readonly years: number; readonly results: number };

const plainPage = `<!DOCTYPE html><html><body><script>
  const editor = acquireVsCodeApi();
  addEventListener('message', ({ data }) => {
    const line = document.createElement('p');
    line.id = 'painted';
    line.textContent = data;
    document.body.append(line);
  });
  editor.postMessage('ready');
</script></body></html>`;

/** A panel that shows one line: what a panel costs at least. */
function openPlain(): void {
  const panel = vscode.window.createWebviewPanel('peers.plain', 'Plain', vscode.ViewColumn.Active, {
    enableScripts: true,
  });
  panel.webview.onDidReceiveMessage(() => panel.webview.postMessage('One line of text'));
  panel.webview.html = plainPage;
}

/** The product's pages, styles and policy, with content that the demo library is too small for. */
function openProduct(bundle: string, connect: (panel: OpenPage) => void, look = bundle): void {
  const product = vscode.extensions.getExtension('report-library.report-library');
  if (!product) throw new Error('The product is not installed.');
  const { extensionUri } = product;
  const tab = vscode.window.createWebviewPanel(`peers.${bundle}`, bundle, vscode.ViewColumn.Active);
  fillPage(tab, { bundle, look, title: bundle, icon: 'table' }, { extensionUri, log: silentLogger }, connect);
}

/** Answers every call with nothing: only opening and looking are measured. */
const answers = (names: object) => Object.fromEntries(Object.keys(names).map((name) => [name, () => null])) as never;

// Made once: how content is read from a library is measured elsewhere.
const coverage = once(() => sampleCoverage(sizes.companies, sizes.years));
const results = once(() => manyResolved(sizes.results));

function openCoverage(): void {
  const view = coverage.get();
  openProduct('coverage', (panel) => {
    const { host: mine, page: theirs } = coverageProtocol;
    const events = { ready: () => channel.send('show', view), restore: () => {}, retry: () => {} };
    const handlers = { calls: answers(mine.calls), events };
    const channel = new Channel({ port: panel.port, mine, theirs, handlers, explain: String, log: silentLogger });
  });
}

function openResults(): void {
  const entries = results.get();
  openProduct(
    'blocks',
    (panel) => {
      const { host: mine, page: theirs } = blocksProtocol;
      const view = () => ({ blocks: resultsBlocks('companies', resolveRows(entries), sampleAbout) });
      const events = { ready: () => channel.send('show', view()), retry: () => {} };
      const handlers = { calls: answers(mine.calls), events };
      const channel = new Channel({ port: panel.port, mine, theirs, handlers, explain: String, log: silentLogger });
    },
    'results',
  );
}

/** The built-in Markdown preview of a page with as many rows as a report has. */
async function openMarkdown(): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), 'peers-')), 'peer.md');
  const rows = Array.from({ length: 60 }, (_, row) => `| Field ${row} | Value ${row} |`);
  await writeFile(file, ['# Peer', '', '| Field | Value |', '|---|---|', ...rows, ''].join('\n'));
  await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.file(file));
}

const commands = { openPlain, openCoverage, openResults, openMarkdown };

/** A tree with a row for each peer. */
export function activate({ subscriptions }: vscode.ExtensionContext): void {
  const items = Object.keys(commands).map((name) => {
    const item = new vscode.TreeItem(name);
    item.command = { command: `peers.${name}`, title: name };
    return item;
  });
  const tree: vscode.TreeDataProvider<vscode.TreeItem> = {
    getChildren: (parent) => (parent ? [] : items),
    getTreeItem: (item) => item,
  };
  subscriptions.push(
    vscode.window.registerTreeDataProvider('peers.view', tree),
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(`peers.${name}`, run)),
  );
}
