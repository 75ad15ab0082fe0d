import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { type EditorWindow, endsWithSuite, openEditor } from '../support/browser/editor.ts';

const pdfPath = 'reports-demo/XETR_ALBM/2024/XETR_ALBM_2024_SR.pdf';

// Long lines stay whole, so that one can be looked for.
const unwrapped = { 'editor.wordWrap': 'off' };
const settings = { 'reportLibrary.demo.openAtStart': true, ...unwrapped, '[markdown]': unwrapped };

describe('reports into documents, with a real mouse', function () {
  this.timeout(180_000);
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('documents', { settings });
    editor.page.setDefaultTimeout(60_000);
    await editor.page.setViewportSize({ width: 1400, height: 1300 });
    await editor.openContainer('Report Library');
    // While the library loads, rows move under the mouse.
    await editor.treeRow('Watchlist', /Thornwick Utilities plc, 55 reports/).waitFor({ timeout: 90_000 });
    await editor.view('Watchlist').getByText('Loading the library').waitFor({ state: 'hidden' });
    await editor.treeRow('Watchlist', 'Altenbruch').click();
    await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
    await report().waitFor();
  });

  endsWithSuite(() => editor);

  const report = () => editor.treeRow('Watchlist', /^Sustainability Report/).first();
  const cell = () => editor.page.locator('.notebookOverlay .code-cell-row .view-lines:visible').first();
  const text = () => editor.page.locator('.editor-instance .view-lines:visible').first();
  // The editor writes blanks that do not break, and only a pattern takes them for blanks.
  const words = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s'));
  const line = (within: Locator, text: string) => within.locator('.view-line', { hasText: words(text) });

  it('drop into a notebook cell as code below the line, and fetch the PDF', async () => {
    await editor.openFile('analysis.ipynb');
    await line(cell(), 'holdings = list').waitFor();
    await editor.drag(report(), line(cell(), 'sum(float'));
    await line(cell(), 'report = load_report(').waitFor();
    const lines = (await cell().locator('.view-line').allInnerTexts()).map((each) => each.replaceAll('\u00a0', ' '));
    assert.ok(lines.some((each) => each.startsWith('sum(float(holding["weight"]) for holding in holdings)')));
    assert.ok(existsSync(join(editor.workspace, pdfPath)));
    // The tree is read again for it, and has other rows from then on.
    await editor.treeRow('Watchlist', 'Fiscal year 2024, 1 of 5 downloaded').waitFor();
    await editor.page.keyboard.press('Control+Z');
    await line(cell(), 'report = load_report(').waitFor({ state: 'detached' });
  });

  it('drop into a Markdown file as a link with a citation, in another form when the menu says so', async () => {
    await editor.openFile('README.md');
    await editor.drag(report(), line(text(), 'A small portfolio'));
    await line(text(), `](${pdfPath})`).waitFor();
    await editor.page.locator('.post-edit-widget').first().click();
    await editor.page.getByText('Insert Citation', { exact: true }).click();
    await line(text(), '“').waitFor();
    assert.equal(await line(text(), `](${pdfPath})`).count(), 0);
    await editor.page.keyboard.press('Control+Z');
    await line(text(), '“').waitFor({ state: 'detached' });
  });

  it('drop in the form that was used last', async () => {
    await editor.drag(report(), line(text(), 'A small portfolio'));
    await line(text(), '“').waitFor();
    await editor.page.keyboard.press('Control+Z');
    await line(text(), '“').waitFor({ state: 'detached' });
  });

  it('go into the notebook from the menu, as a description and code', async () => {
    await editor.openFile('analysis.ipynb');
    await cell().click();
    await report().click({ button: 'right' });
    await editor.page.getByRole('menuitem', { name: 'Insert into Notebook' }).waitFor();
    await editor.page.getByRole('menuitem', { name: 'Insert into Notebook' }).click();
    await editor.page
      .locator('.notebookOverlay .view-line:visible', { hasText: words('report = load_report(') })
      .first()
      .waitFor();
  });

  it('go in from the keyboard: the rows that are selected', async () => {
    await editor.openFile('README.md');
    await line(text(), 'A small portfolio').click();
    await editor.page.keyboard.press('Control+Home');
    await report().click();
    await editor.openFile('README.md');
    await editor.command('Report Library: Focus on Watchlist View');
    await editor.page.keyboard.press('Control+Enter');
    await line(text(), '](reports-demo/').waitFor();
    const inserted = await line(text(), '](reports-demo/').allInnerTexts();
    assert.equal(inserted.length, 1, inserted.join('\n'));
    assert.match(inserted[0] ?? '', /_SR\.pdf/);
    await editor.page.keyboard.press('Shift+ArrowDown');
    await editor.page.keyboard.press('Control+Enter');
    await line(text(), '- [').nth(1).waitFor();
    assert.equal(await line(text(), '- [').count(), 2);
    // The tree is read again for it, and would take the keyboard from what opens next.
    await editor.treeRow('Watchlist', 'Fiscal year 2024, 2 of 5 downloaded').waitFor();
  });

  it('are exported in a few keys', async () => {
    await editor.command('Report Library: Export Reports…');
    await editor.quickRow('All Reports of the Library').waitFor();
    await editor.quickRow('All Reports of the Library').click();
    await editor.quickRow('Parquet Files by Fiscal Year').waitFor();
    await editor.quickRow('JSON Lines').click();
    await editor.quickTitle().filter({ hasText: 'Export Reports' }).waitFor();
    // The dialog reads the folder before it takes a key.
    await editor.quickRow('reports-demo').waitFor();
    await editor.quickInput().press('Enter');
    await editor.notification(/Exported \d+ reports to report-metadata\.jsonl/).waitFor();
    assert.ok(existsSync(join(editor.workspace, 'report-metadata.jsonl')));
  });

  it('are exported by fiscal year, and code that reads them goes into the notebook', async () => {
    await editor.openFile('analysis.ipynb');
    await cell().click();
    await editor.command('Report Library: Export Reports…');
    await editor.quickRow('All Reports of the Library').click();
    await editor.quickRow('Parquet Files by Fiscal Year').click();
    // The dialog reads the folder before it takes a key.
    await editor.quickRow('portfolio.csv').or(editor.quickRow('reports-demo')).first().waitFor();
    await editor.page.locator('.quick-input-widget .monaco-button', { hasText: 'Export' }).first().click();
    const done = editor.notification(/Exported \d+ reports to library-export\./);
    await done.waitFor();
    assert.ok(existsSync(join(editor.workspace, 'library-export', 'companies.parquet')));
    await done.getByText('Insert Snippet').click();
    await editor.quickRow('DuckDB').waitFor();
    await editor.quickRow('DuckDB').click();
    const code = editor.page.locator('.notebookOverlay .view-line:visible', {
      hasText: words('folder = "library-export"'),
    });
    await code.first().waitFor();
  });
});
