import assert from 'node:assert/strict';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

describe('the table of all reports in the editor', () => {
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('table', {
      settings: { 'reportLibrary.demo.openAtStart': true, 'workbench.colorTheme': 'Dark Modern' },
    });
    await editor.openContainer('Report Library');
    await editor.loaded();
    await editor.command('Report Library: All Reports as Table');
    await cell(2).waitFor();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  const cell = (row: number, column = 1) =>
    editor.webview().locator(`[data-index="${row}"] > [data-column="${column}"]`);
  const focusedCell = (row: number) => editor.webview().locator(`[data-index="${row}"] > [data-column]:focus`);

  it('has the keyboard on the row it was on after a download, and after what opened was closed', async () => {
    const panel = editor.webview();
    await cell(2).click();
    await panel.getByRole('button', { name: 'Download PDFs…' }).click();
    await editor.notification(/Downloaded and verified|The service has no PDF/).waitFor();
    await focusedCell(2).waitFor();
    await editor.page.keyboard.press('ArrowDown');
    await focusedCell(3).waitFor();
    await editor.page.keyboard.press('Space');
    await panel.getByText('2 reports selected').first().waitFor();
    await panel.getByRole('button', { name: 'Compare', exact: true }).press('Enter');
    await editor.editorTab(/Compare/).waitFor();
    await editor.panelFocused();
    await editor.screenshot('table-1-compare');
    await editor.command('View: Close Editor');
    await cell(3).waitFor();
    await focusedCell(3).waitFor();
    await editor.screenshot('table-2-back');
  });

  it('stars the row that has the keyboard, and one by mouse', async () => {
    const panel = editor.webview();
    await cell(5).click();
    await editor.page.keyboard.press('Control+d');
    await panel.locator('[data-index="5"] .star.starred').waitFor();
    await focusedCell(5).waitFor();
    assert.match((await panel.locator('[data-index="5"]').getAttribute('aria-label')) ?? '', /, favorite$/);
    await editor
      .treeRow('Watchlist', /^Favorites, 1 favorite$/)
      .first()
      .waitFor();
    await cell(6).hover();
    await panel.locator('[data-index="6"] .star').click();
    await panel.locator('[data-index="6"] .star.starred').waitFor();
    await panel.locator('[data-index="6"] .star').click();
    await panel.locator('[data-index="6"] .star.starred').waitFor({ state: 'detached' });
    await editor.screenshot('table-3-starred');
  });

  it('gives its filter to the Reports view and takes that one’s, and has a link that carries it', async () => {
    const panel = editor.webview();
    const more = async (name: string) => {
      await panel.getByRole('button', { name: 'More Actions…' }).click();
      await panel.getByRole('menuitem', { name }).click();
    };
    await panel.getByRole('checkbox', { name: /^Integrated Report/ }).click();
    await panel.getByRole('button', { name: 'Remove Integrated Report' }).waitFor();
    await more('Copy Link to This Table');
    await editor.statusItem('Link copied').first().waitFor();
    await more('Show in Reports View');
    await editor.view('Reports').getByText('Integrated Report', { exact: true }).first().waitFor();
    await panel.getByRole('button', { name: 'Clear Filter', exact: true }).click();
    // The demo publishes another one from time to time.
    await panel
      .getByText(/^75\d reports$/)
      .first()
      .waitFor();
    await more('Use Filter of Reports View');
    await panel.getByRole('button', { name: 'Remove Integrated Report' }).waitFor();
    await editor.screenshot('table-4-filter');
  });
});
