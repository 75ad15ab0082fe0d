import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

describe('panels in tabs', () => {
  let editor: EditorWindow;
  let first: Locator;
  let second: Locator;

  before(async () => {
    editor = await openEditor('panelTabs');
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
    await editor.quickTitle().getByText('select 2 to 6 reports').waitFor();
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
});
