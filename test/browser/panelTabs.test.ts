import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { packageExtension } from '../../bench/emptyExtension.ts';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

/**
 * An extension whose command leaves tabs open as version 0.1.0 did: webview panels of its kinds, with what its pages
 * kept, as `old.json` in the workspace has it.
 */
async function oldTabs(): Promise<string> {
  const script = `
    const vscode = require('vscode');
    exports.activate = () => vscode.commands.registerCommand('oldTabs.open', async () => {
      const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'old.json');
      const states = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
      for (const [kind, state] of Object.entries(states)) {
        const panel = vscode.window.createWebviewPanel('reportLibrary.' + kind, 'Old ' + kind, 1, { enableScripts: true });
        const kept = new Promise((resolve) => panel.webview.onDidReceiveMessage(resolve));
        const script = 'const editor = acquireVsCodeApi(); editor.setState(' + JSON.stringify(state) + ')';
        panel.webview.html = '<script>' + script + '; editor.postMessage(0)</script>' + kind;
        await kept;
      }
    });`;
  const contributes = { commands: [{ command: 'oldTabs.open', title: 'Open', category: 'Old Tabs' }] };
  const manifest = { name: 'old-tabs', displayName: 'Old Tabs', main: './main.js', contributes };
  return packageExtension(join(await mkdtemp(join(tmpdir(), 'old-tabs-')), 'old-tabs'), manifest, script);
}

describe('panels in tabs', () => {
  let editor: EditorWindow;
  let first: Locator;
  let second: Locator;
  let reportId: string | null;

  before(async () => {
    editor = await openEditor('panelTabs', { extensions: [await oldTabs()] });
    await editor.openContainer('Report Library');
    await editor.loaded();
    for (const text of ['Altenbruch', 'Fiscal year 2024'])
      await editor.unfold(editor.treeRow('Watchlist', text).first());
    first = editor.treeRow('Watchlist', 'Sustainability Report 2023/2024').first();
    second = editor.treeRow('Watchlist', /Annual Report/).first();
    await first.waitFor();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  const title = (text: string) => editor.webview().locator('h1', { hasText: text }).waitFor();
  const coverage = () => editor.webview().locator('.grid .body .row:not([hidden])').first().waitFor();
  const dictionary = () => editor.webview().getByText('filename').first().waitFor();
  const resolved = () => editor.webview().getByText('XETR:ALBM').first().waitFor();
  const tabs = () => editor.page.locator('.tabs-container .tab');
  const preview = () =>
    editor.page.locator('.tabs-container .tab .monaco-icon-label.italic, .tabs-container .tab.italic');

  it('a click on a report shows it in a preview tab and leaves the keyboard in the tree', async () => {
    await first.click();
    await title('Sustainability Report 2023/2024');
    assert.equal(await tabs().count(), 1);
    assert.equal(await preview().count(), 1);
    assert.equal(await editor.focusedRow().count(), 1);
    reportId = await editor.webview().locator('[data-row="api.report_id"] .value').textContent();
  });

  it('another year takes the place of a preview, and the keyboard stays on the button that leads there', async () => {
    await editor.webview().getByRole('button', { name: 'Next year: ' }).press('Enter');
    await title('Sustainability Report 2024/2025');
    assert.equal(await tabs().count(), 1);
    assert.equal(await preview().count(), 1);
    await editor.webview().locator('nav button:focus').waitFor();
    await editor.page.keyboard.press('Enter');
    await title('Sustainability Report 2023/2024');
    assert.equal(await tabs().count(), 1);
  });

  it('the next click takes its place, and a double click keeps the tab', async () => {
    await second.click();
    await title('Geschäftsbericht');
    assert.equal(await tabs().count(), 1);
    await first.dblclick();
    await title('Sustainability Report 2023/2024');
    await preview().first().waitFor({ state: 'detached' });
    assert.equal(await tabs().count(), 1);
  });

  it('Go Back returns to the report before', async () => {
    await second.click();
    await title('Geschäftsbericht');
    assert.equal(await tabs().count(), 2);
    await editor.command('Go Back');
    await title('Sustainability Report 2023/2024');
  });

  it('Enter keeps the tab and goes into the panel', async () => {
    await second.click();
    await editor.page.keyboard.press('Enter');
    await title('Geschäftsbericht');
    await preview().first().waitFor({ state: 'detached' });
    assert.equal(await tabs().count(), 2);
  });

  it('a tab’s tooltip says what a person would, no address', async () => {
    await editor.command('Report Library: Show Coverage');
    await title('Coverage');
    await editor.hoverSays(editor.editorTab('Coverage'), 'Report Library/Coverage');
    await editor.command('View: Close Editor');
    // The report that lies below takes the keyboard once it is there, and would take it from what opens until then.
    await title('Geschäftsbericht');
    await editor.panelFocused();
  });

  it('a comparison of one report is told what it lacks', async () => {
    await editor.command('Report Library: Compare Reports');
    await editor.quickRow('Sustainability').first().waitFor();
    await editor.page.keyboard.press('Enter');
    await editor.quickTitle().getByText('choose at least one more report').waitFor();
    await editor.page.keyboard.press('Escape');
  });

  it('a panel can be split, and both halves show it', async () => {
    await editor.command('View: Split Editor Right');
    const panels = editor.page.frameLocator('iframe.webview.ready:visible');
    await title('Geschäftsbericht');
    await panels.first().frameLocator('#active-frame').locator('h1', { hasText: 'Geschäftsbericht' }).waitFor();
    const groups = editor.page.locator('.editor-group-container');
    assert.equal(await groups.count(), 2);
    await editor.command('View: Close Editor');
    await groups.nth(1).waitFor({ state: 'detached' });
  });

  it('panels show their content each time they come to the front', async () => {
    await editor.command('Report Library: Show Coverage');
    await coverage();
    await editor.command('Report Library: Open Schema Dictionary');
    await dictionary();
    await editor.editorTab('Coverage').click();
    await coverage();
    await editor.editorTab('Schema Dictionary').click();
    await dictionary();
    await editor.panelFocused();
  });

  it('open tabs come back with the window, by their titles before they are looked at, and results are asked for again', async () => {
    await editor.command('Report Library: Resolve Identifiers…');
    await editor.quickRow('Column of a CSV File…').waitFor();
    await editor.quickInput().fill('XETR:ALBM');
    await editor.quickRow('Resolve “XETR:ALBM”').waitFor();
    await editor.page.keyboard.press('Enter');
    await resolved();
    await editor.reloadInOrder();
    await resolved();
    await editor.editorTab('Sustainability Report 2023-2024').click();
    await title('Sustainability Report 2023/2024');
    await editor.editorTab('Schema Dictionary').click();
    await dictionary();
    await editor.editorTab('Coverage').click();
    await coverage();
    await editor.closeTabs();
  });

  it('tabs that version 0.1.0 left open come back as what they showed, or go', async () => {
    const states = {
      reportPanel: { version: 1, reportId: Number(reportId), filter: '', scroll: 0 },
      comparePanel: { version: 1, reportIds: ['made up'] },
      companyPanel: { version: 1, companyKey: 'XETR_ALBM', scroll: 0, row: 0, column: 0 },
      resolvePanel: { version: 2, subject: 'companies', queries: ['XETR:ALBM'], filter: '', status: null },
      schemaPanel: 'not what its page kept',
    };
    await writeFile(join(editor.workspace, 'old.json'), JSON.stringify(states));
    await editor.command('Old Tabs: Open');
    await editor.webview().getByText('schemaPanel').waitFor();
    await editor.reloadInOrder();
    await title('Schema Dictionary');
    await editor.editorTab('Old resolvePanel').click();
    await title('Resolved Identifiers');
    await resolved();
    const heads = {
      companyPanel: 'Altenbruch',
      reportPanel: 'Sustainability Report 2023/2024',
    };
    for (const [kind, head] of Object.entries(heads)) {
      await editor.editorTab(`Old ${kind}`).click();
      await title(head);
    }
    await editor.editorTab('Old comparePanel').click();
    await editor.editorTab('Old comparePanel').waitFor({ state: 'detached' });
    assert.equal(await tabs().count(), 4);
    assert.equal(await editor.editorTab(/^Old /).count(), 0);
  });
});
