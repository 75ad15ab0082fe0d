import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { type EditorWindow, endsWithSuite, openEditor } from '../support/browser/editor.ts';
import { fileOnce } from '../support/fileOnce.ts';

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

  endsWithSuite(() => editor);

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
    // A panel that is still coming would take the keyboard from what opens next.
    await editor.panelFocused();
  });

  it('a comparison of one report is told what it lacks', async () => {
    await editor.command('Report Library: Compare Reports');
    await editor.quickRow('Sustainability').first().waitFor();
    await editor.page.keyboard.press('Enter');
    await editor.quickTitle().getByText('select 2 to 6 reports').waitFor();
    await editor.page.keyboard.press('Escape');
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

  describe('the table of all reports', () => {
    const cell = (row: number, column = 1) =>
      editor.webview().locator(`[data-index="${row}"] > [data-column="${column}"]`);
    const focusedCell = (row: number) => editor.webview().locator(`[data-index="${row}"] > [data-column]:focus`);

    before(async () => {
      await editor.command('Report Library: All Reports as Table');
      await cell(2).waitFor();
    });

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
      await editor.command('View: Close Editor');
      await cell(3).waitFor();
      await focusedCell(3).waitFor();
    });

    it('stars the row that has the keyboard', async () => {
      const panel = editor.webview();
      await cell(5).click();
      await editor.page.keyboard.press('Control+d');
      await panel.locator('[data-index="5"] .star.starred').waitFor();
      await focusedCell(5).waitFor();
      assert.match((await panel.locator('[data-index="5"]').getAttribute('aria-label')) ?? '', /, Favorite$/);
      await editor
        .treeRow('Watchlist', /^Favorites, 1 favorite$/)
        .first()
        .waitFor();
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
    });
  });

  describe('the column of a CSV file that is resolved', () => {
    const file = () => join(editor.workspace, 'holdings.csv');
    const row = (text: string) => editor.webview().locator('[data-row]', { hasText: text });
    const focused = (name: string) => editor.webview().locator(`[aria-label="${name}"]:focus`).waitFor();

    it('names what each choice takes, by words and icon alone', async () => {
      await writeFile(file(), 'holding,weight\nOrlestone Group,0.4\nXSWX:AHRN,0.6\n');
      await editor.command('Report Library: Resolve Identifiers…');
      await editor.quickRow('Column of a CSV File…').waitFor();
      const names = await editor.quickRow(/./).evaluateAll((rows) => rows.map((each) => each.ariaLabel ?? ''));
      assert.ok(names.length > 1 && names.every((name) => !/clippy|folder-opened|search/.test(name)), names.join('; '));
      await editor.quickInput().fill('XETR:ALBM, XLON:THWK');
      await editor.quickRow('Resolve 2 Identifiers').waitFor();
      await editor.quickInput().fill('');
      // The rows are drawn anew for what was typed: a click meanwhile hits none.
      await editor.quickRow('Resolve 2 Identifiers').waitFor({ state: 'hidden' });
      await editor.quickRow('Column of a CSV File…').click();
      await editor.quickRow('holdings.csv').click();
      await editor.quickRow('holding').first().click();
      await row('Orlestone Group').waitFor();
    });

    it('shows every company that may be meant in the row; the one that is chosen can be undone', async () => {
      const one = editor.webview().getByRole('button', { name: 'Orlestone Minerals Limited for “Orlestone Group”' });
      await one.waitFor();
      await editor
        .webview()
        .getByRole('button', { name: 'Orlestone Banking Group plc for “Orlestone Group”' })
        .waitFor();
      await editor
        .webview()
        .getByText(/2 identifiers from column holding of holdings.csv · 1 request$/)
        .waitFor();
      await one.click();
      await row('looked up as XASX:ORLM').waitFor();
      assert.match(await row('Orlestone Group').innerText(), /Name[\s\S]*Matched[\s\S]*Orlestone Minerals Limited/);
      await editor
        .webview()
        .getByText(/ · 2 requests$/)
        .waitFor();
      await focused('Undo for “Orlestone Group”');
      await editor.page.keyboard.press('Enter');
      await one.waitFor();
      await focused('Refine… for “Orlestone Group”');
    });

    it('refines by keyboard alone: the list has them all, and the keyboard comes back to the row', async () => {
      await editor.page.keyboard.press('Enter');
      await editor.quickTitle().filter({ hasText: 'Refine “Orlestone Group”' }).waitFor();
      await editor.quickRow('Orlestone Minerals Limited').waitFor();
      assert.equal(await editor.quickRow(/Orlestone/).count(), 2);
      await editor.quickInput().fill('orlestone bank');
      const active = editor.page.locator('.quick-input-list .monaco-list-row.focused');
      await editor.quickRow('Ask for “orlestone bank”').waitFor();
      await active.filter({ hasText: 'XLON:ORLS' }).waitFor();
      await editor.page.keyboard.press('Enter');
      await row('looked up as XLON:ORLS').waitFor();
      await focused('Undo for “Orlestone Group”');
    });

    it('writes back what was chosen', async () => {
      await editor.webview().getByRole('button', { name: 'Write Back…' }).click();
      // The list ticks what is suggested, over a click that comes before.
      const ticked = (column: string) => editor.quickRow(column).and(editor.page.locator('[aria-checked=true]'));
      await ticked('company_key').waitFor();
      await editor.quickRow('match_status').click();
      await ticked('match_status').waitFor();
      await editor.page.keyboard.press('Enter');
      const text = await fileOnce(file(), (whole) => whole.includes('match_status'));
      assert.deepEqual(text.split('\n').slice(0, 2), [
        'holding,weight,company_key,company_name,match_status,resolved_as',
        'Orlestone Group,0.4,XLON_ORLS,Orlestone Banking Group plc,chosen,XLON:ORLS',
      ]);
    });
  });
});
