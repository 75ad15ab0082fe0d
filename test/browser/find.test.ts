import assert from 'node:assert/strict';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

describe('Find Company or Report', () => {
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('find', {
      settings: { 'reportLibrary.demo.openAtStart': true, 'workbench.startupEditor': 'none' },
    });
    await editor.openContainer('Report Library');
    await editor.treeRow('Watchlist', 'Altenbruch').waitFor();
    await editor.loaded();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  it('shows the company and its reports of the year that is typed, typo and all, and reads no icon aloud', async () => {
    await editor.command('Report Library: Find Company or Report…');
    await editor.quickInput().fill('altenbuch 2024');
    await editor.quickRow('Umwelterklärung').first().waitFor();
    await editor.screenshot('find-typo-and-year');
    const spoken: string[] = [];
    for (const row of await editor.quickRow(/./).all()) spoken.push((await row.getAttribute('aria-label')) ?? '');
    assert.match(spoken[0] ?? '', /^Altenbruch/);
    for (const label of spoken.slice(1, 6)) assert.match(label, /^2024 /);
    for (const label of spoken) assert.doesNotMatch(label, /organization|\$\(/);
    const separators = editor.page.locator(
      '.quick-input-list-separator:visible, .quick-input-list .label-name:visible',
    );
    const words = (await separators.allTextContents()).join('|');
    assert.match(words, /Companies/);
    assert.match(words, /Reports/);
    await editor.page.keyboard.press('Escape');
  });

  const words = 'altenbruch sustainability report 2024';
  const report = () => editor.quickRow(/^2024 Sustainability/).first();
  const calls = () =>
    editor.page.locator('.notebookOverlay .view-line:visible', { hasText: /^report\s=\sload_report\(/ });
  const verified = () => editor.treeRow('Watchlist', /^Altenbruch.*, 1 of \d+ here/).waitFor();

  it('inserts a report into the notebook by four keys: the palette, Find, down, Ctrl+Enter', async () => {
    const { keyboard } = editor.page;
    await editor.command('Report Library: Find Company or Report…');
    await editor.page.getByPlaceholder(/^Name, title, identifier/).waitFor();
    await editor.quickInput().fill(words);
    await report().waitFor();
    await keyboard.press('ArrowDown');
    await report().and(editor.page.locator('.focused')).waitFor();
    await keyboard.press('Control+Enter');
    await calls().first().waitFor();
    await verified();
    // The next key is for the notebook.
    await editor.page.locator('.notebookOverlay .monaco-list:focus').waitFor();
    await editor.screenshot('find-inserted');
  });

  it('inserts by two clicks: Find in the title of the view, and the button on the report', async () => {
    const title = editor.view('Watchlist').locator('.pane-header');
    await title.hover();
    await title.getByRole('button', { name: /^Find Company or Report/ }).click();
    await editor.page.getByPlaceholder(/^Name, title, identifier/).waitFor();
    await editor.quickInput().fill(words);
    await report().waitFor();
    await editor.rowButton(report(), /Insert into Notebook/);
    await calls().nth(1).waitFor();
  });

  it('offers what was opened last first, not what came back with the window', async () => {
    const open = async (text: string, tab: RegExp) => {
      await editor.command('Report Library: Find Company or Report…');
      await editor.page.getByPlaceholder(/^Name, title, identifier/).waitFor();
      await editor.quickInput().fill(text);
      await editor
        .quickRow(/^2024 /)
        .first()
        .waitFor();
      await editor.page.keyboard.press('Enter');
      await editor.editorTab(tab).waitFor();
    };
    const recent = () => editor.quickRow(/./).first();
    await open('altenbruch 2024', /^Altenbruch/);
    await open('aarhorn 2024', /^Aarhorn/);
    await editor.command('View: Close Editor');
    await editor.editorTab(/^Aarhorn/).waitFor({ state: 'detached' });
    await editor.reloadInOrder();
    await editor.webview().locator('h1', { hasText: 'Altenbruch' }).waitFor();
    await editor.loaded();
    await editor.command('Report Library: Find Company or Report…');
    await recent().filter({ hasText: 'Aarhorn' }).waitFor();
    await editor.page.keyboard.press('Escape');
    await editor.treeRow('Watchlist', 'Altenbruch').click();
    await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
    await editor
      .treeRow('Watchlist', /^Sustainability/)
      .first()
      .click();
    await editor.webview().getByRole('button', { name: 'Open PDF' }).waitFor();
    await editor.command('Report Library: Find Company or Report…');
    await recent().filter({ hasText: '2024 Sustainability' }).waitFor();
    await editor.page.keyboard.press('Escape');
  });
});
