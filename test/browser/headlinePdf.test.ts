import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

const pdfName = 'XETR_ALBM_2024_SR.pdf';

describe('a downloaded PDF in the Explorer', function () {
  this.timeout(240_000);
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('headlinePdf');
    await download();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  const settingsFile = () => join(editor.workspace, '.vscode/settings.json');
  const settings = () => readFile(settingsFile(), 'utf8');
  const menuItem = (name: string) => editor.page.getByRole('menuitem', { name });

  async function download(): Promise<void> {
    await editor.openContainer('Report Library');
    await editor.loaded();
    await editor.treeRow('Watchlist', 'Altenbruch').click();
    await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
    await editor.rowButton(editor.treeRow('Watchlist', /^Sustainability Report/).first(), /Download/);
    await editor.view('Watchlist').locator('[aria-label*="PDF downloaded, verified"]').first().waitFor();
  }

  const row = () => editor.page.locator('.explorer-folders-view').getByRole('treeitem', { name: pdfName });
  const shown = () => editor.webview().locator('.page .textLayer span').first();

  /** Opens the PDF as any file is opened. */
  async function goToFile(): Promise<void> {
    await editor.command('Go to File...');
    await editor.quickInput().fill(pdfName);
    await editor.quickRow(pdfName).first().waitFor();
    await editor.page.keyboard.press('Enter');
    await editor.editorTab(pdfName).first().waitFor();
  }

  it('opens in the preview however it is opened, and its menu knows the report', async () => {
    await editor.command('Notifications: Clear All Notifications');
    await goToFile();
    await shown().waitFor();
    // The keyboard went to the file, as with any other.
    await editor.panelFocused();
    await editor.command('File: Reveal Active File in Explorer View');
    await editor.command('View: Close All Editors');
    await editor.editorTab(pdfName).first().waitFor({ state: 'detached' });
    // A click in the Explorer leaves the keyboard there.
    await row().click();
    await shown().waitFor();
    await editor.focusedRow(pdfName).waitFor();
    await row().click({ button: 'right' });
    const entries = [
      'Open PDF',
      'Show Report',
      'Insert into Notebook',
      'Copy Citation…',
      'Toggle PDF Preview for Folder',
    ];
    for (const name of entries) await menuItem(name).waitFor();
    assert.doesNotMatch(
      await menuItem('Insert into Notebook').innerText(),
      /Enter/,
      'the key is another command’s here',
    );
    await editor.screenshot('headline-explorer');
    await menuItem('Show Report').click();
    await editor.webview().getByRole('heading', { level: 1 }).waitFor();
    await editor.panelFocused();
    assert.equal(existsSync(settingsFile()) && /pdfPreview/.test(await settings()), false);
  });
});
