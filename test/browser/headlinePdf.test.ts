import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { packageExtension } from '../../bench/emptyExtension.ts';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';
import { fileOnce } from '../support/fileOnce.ts';

const pdfName = 'XETR_ALBM_2024_SR.pdf';

/** Another extension that opens PDFs. */
async function otherPdfEditor(): Promise<string> {
  const script = `
    exports.activate = () => require('vscode').window.registerCustomEditorProvider('other.pdf', {
      openCustomDocument: (uri) => ({ uri, dispose() {} }),
      resolveCustomEditor: (document, panel) => { panel.webview.html = '<h1>Another PDF editor</h1>'; },
    });`;
  const editor = { viewType: 'other.pdf', displayName: 'Other PDF', selector: [{ filenamePattern: '*.pdf' }] };
  const manifest = {
    name: 'other-pdf',
    displayName: 'Other PDF',
    main: './main.js',
    contributes: { customEditors: [editor] },
  };
  return packageExtension(join(await mkdtemp(join(tmpdir(), 'other-pdf-')), 'other-pdf'), manifest, script);
}

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
  /** What asks, says or offers something, at the lower right or in the list that the bell opens. */
  const message = (text: string | RegExp) => editor.page.locator('.notification-list-item', { hasText: text });
  const menuItem = (name: string) => editor.page.getByRole('menuitem', { name });

  async function download(): Promise<void> {
    await editor.openContainer('Report Library');
    await editor.loaded();
    await editor.treeRow('Watchlist', 'Altenbruch').click();
    await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
    await editor.rowButton(editor.treeRow('Watchlist', /^Sustainability Report/).first(), /Download/);
    await editor.view('Watchlist').locator('[aria-label*="PDF here, verified"]').first().waitFor();
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

  async function openAsFile(): Promise<Locator> {
    await goToFile();
    await editor.command('File: Reveal Active File in Explorer View');
    return row();
  }

  it('never ends up as text while the offer waits in the bell, however it is opened', async () => {
    const offer = editor.notification(/PDFs in reports would open as text/);
    const summary = editor.notification(/Downloaded and verified/);
    await summary.waitFor();
    assert.equal(await offer.count(), 0, 'one message at a time');
    await editor.command('Notifications: Clear All Notifications');
    await offer.waitFor();
    await editor.notification(/Downloading PDF/).waitFor({ state: 'detached' });
    await editor.page.keyboard.press('Escape');
    await offer.waitFor({ state: 'hidden' });
    await goToFile();
    await shown().waitFor();
    // The keyboard went to the file, as with any other.
    await editor.panelFocused();
    assert.equal(await editor.editorTab(pdfName).count(), 1);
    await editor.screenshot('headline-moved');
    await editor.command('File: Reveal Active File in Explorer View');
    await editor.command('View: Close All Editors');
    await editor.editorTab(pdfName).first().waitFor({ state: 'detached' });
    // A click in the Explorer leaves the keyboard there.
    await row().click();
    await shown().waitFor();
    await editor.focusedRow(pdfName).waitFor();
    assert.equal(await editor.editorTab(pdfName).count(), 1);
    await editor.screenshot('headline-moved-explorer');
    await editor.page.keyboard.press('Enter');
    await editor.panelFocused();
    await editor.command('View: Reopen Editor With...');
    await editor.quickRow('Text Editor').first().click();
    await editor.page.locator('.view-line', { hasText: '%PDF-' }).first().waitFor();
    // What a person chose stays, also when it comes to the front again.
    await editor.command('Go to File...');
    await editor.quickInput().fill('portfolio.csv');
    await editor.quickRow('portfolio.csv').first().click();
    await editor.editorTab(pdfName).click();
    await editor.page.locator('.view-line', { hasText: '%PDF-' }).first().waitFor();
    await editor.command('Notifications: Show Notifications');
    await editor.page.locator('.notifications-center').locator(message('would open as text')).waitFor();
    await editor.screenshot('headline-offer');
    assert.equal(existsSync(settingsFile()) && /pdfPreview/.test(await settings()), false);
  });

  it('opens in the preview once a person says so, which can be taken back, and its menu knows the report', async () => {
    const offer = message(/PDFs in reports would open as text/);
    assert.match(
      await offer.innerText(),
      /\*\*\/reports\/\*\*\/\*\.pdf .*editorAssociations in \.vscode\/settings\.json/,
    );
    await offer.getByRole('button', { name: 'Open in Preview' }).click();
    const undo = message('now open in the preview').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await fileOnce(settingsFile(), (text) => text.includes('pdfPreview'));
    await undo.click();
    await editor.statusItem('PDFs open as before').waitFor();
    await fileOnce(settingsFile(), (text) => !text.includes('pdfPreview'));
    await editor.command('Report Library: Open Downloaded PDFs in the Preview');
    await undo.waitFor();
    await editor.command('View: Close All Editors');
    await editor.editorTab(pdfName).first().waitFor({ state: 'detached' });
    const pdf = await openAsFile();
    await editor.webview().locator('.page .textLayer span').first().waitFor();
    await pdf.click({ button: 'right' });
    for (const name of ['Open PDF', 'Show Report', 'Insert into Notebook', 'Copy Citation…']) {
      await menuItem(name).waitFor();
    }
    assert.doesNotMatch(
      await menuItem('Insert into Notebook').innerText(),
      /Enter/,
      'the key is another command’s here',
    );
    await editor.screenshot('headline-explorer');
    await menuItem('Show Report').click();
    await editor.webview().getByRole('heading', { level: 1 }).waitFor();
    await editor.panelFocused();
    await editor.command('Report Library: Stop Opening Downloaded PDFs in the Preview');
    await editor.statusItem('PDFs open as before').waitFor();
    await fileOnce(settingsFile(), (text) => !text.includes('pdfPreview'));
  });

  it('is left to another extension that opens PDFs: nothing is offered or changed', async () => {
    await editor.close();
    editor = await openEditor('headlineOther', { extensions: [await otherPdfEditor()] });
    const before = existsSync(settingsFile()) ? await settings() : undefined;
    await download();
    await openAsFile();
    await editor.webview().getByText('Another PDF editor').waitFor();
    await editor.command('Report Library: Open Downloaded PDFs in the Preview');
    await editor.notification(/Another editor opens PDFs here/).waitFor();
    assert.equal(await editor.notification(/would open as text/).count(), 0);
    assert.equal(existsSync(settingsFile()) ? await settings() : undefined, before);
  });
});
