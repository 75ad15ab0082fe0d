import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

const themes = {
  dark: { theme: 'Dark Modern', look: 'vs-dark' },
  'high-contrast': { theme: 'Dark High Contrast', look: 'hc-black' },
} as const;

describe('first light, by keyboard and in other themes', () => {
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('looks');
    // Tall enough for all rows: a tree only draws those that can be seen.
    await editor.page.setViewportSize({ width: 1400, height: 1300 });
    editor.page.setDefaultTimeout(60_000);
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

  it('opens a report and downloads its PDF without a mouse', async () => {
    const { keyboard } = editor.page;
    const focused = (text: string) => editor.focusedRow(text).waitFor();
    await editor.command('Report Library: Focus on Watchlist View');
    await editor.page.locator('.monaco-list:focus').waitFor();
    await keyboard.press('Home');
    await focused('Aarhorn Pharma AG');
    await keyboard.press('ArrowRight');
    await editor.treeRow('Watchlist', 'Fiscal year 2024').waitFor();
    await keyboard.press('ArrowDown');
    await focused('Fiscal year 2025');
    await keyboard.press('ArrowDown');
    await focused('Fiscal year 2024');
    await keyboard.press('ArrowRight');
    await editor.treeRow('Watchlist', 'Integrated Report').first().waitFor();
    await keyboard.press('ArrowDown');
    await focused('Integrated Report 2024');
    await keyboard.press('Enter');

    const panel = editor.webview();
    const download = panel.getByRole('button', { name: 'Download PDF' });
    await download.waitFor();
    const reached = panel.locator('vscode-button:focus-within', { hasText: 'Download PDF' });
    for (let presses = 0; presses < 5 && (await reached.count()) === 0; presses++) await keyboard.press('Tab');
    assert.equal(await reached.count(), 1, 'Tab does not lead to the download button');
    await editor.screenshot('keyboard-download');
    await keyboard.press('Enter');
    await panel.locator('#file-state', { hasText: 'Downloaded and verified' }).waitFor();
    await access(join(editor.workspace, 'reports/XSWX_AHRN/2024/XSWX_AHRN_2024_IR.pdf'));
  });

  for (const [name, { theme, look }] of Object.entries(themes)) {
    it(`keeps its looks in ${name}`, async () => {
      await editor.command('Preferences: Color Theme');
      await editor.quickInput().fill(theme);
      await editor.quickRow(theme).first().waitFor();
      await editor.quickInput().press('Enter');
      await editor.page.locator(`.monaco-workbench.${look}`).waitFor();
      const panel = editor.webview();
      await panel.getByRole('heading', { level: 1, name: 'Integrated Report 2024' }).waitFor();
      await editor.screenshot(`theme-${name}-report`);
      await panel.locator('[data-row="std_gri"]').scrollIntoViewIfNeeded();
      await editor.screenshot(`theme-${name}-standards`);
      await editor.command('Report Library: Open Schema Dictionary');
      await editor
        .webview()
        .getByRole('heading', { level: 1, name: /^Schema Dictionary/ })
        .waitFor();
      await editor.screenshot(`theme-${name}-schema`);
      await editor.command('View: Close Editor');
      await editor.usage().hover();
      await editor.hover().getByText('Companies').waitFor();
      await editor.screenshot(`theme-${name}-status`);
      const background = await panel
        .locator('body')
        .evaluate((body) => body.ownerDocument.defaultView?.getComputedStyle(body).backgroundColor ?? '');
      const channels = [...background.matchAll(/[\d.]+/g)].slice(0, 3).map(Number);
      assert.ok(channels.length === 3 && Math.max(...channels) < 60, background);
    });
  }
});
