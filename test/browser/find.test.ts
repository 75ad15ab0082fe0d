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
});
