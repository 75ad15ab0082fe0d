import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

const pdfPath = 'reports/XETR_ALBM/2024/XETR_ALBM_2024_SR.pdf';
const reportTitle = 'Sustainability Report 2023/2024';

const themes = {
  dark: { theme: 'Dark Modern', look: 'vs-dark' },
  'high-contrast': { theme: 'Dark High Contrast', look: 'hc-black' },
} as const;

/** The numbers of the status bar, from the sentence that a screen reader gets. */
async function usage(editor: EditorWindow): Promise<{ requests: number; downloads: number; left: number }> {
  const words = (await editor.usage().getAttribute('aria-label')) ?? '';
  const [requests, downloads, left] = [...words.matchAll(/\d+/g)].map(Number);
  assert.ok(requests !== undefined && downloads !== undefined && left !== undefined, words);
  return { requests, downloads, left };
}

describe('first light', () => {
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('first-light');
    editor.page.setDefaultTimeout(60_000);
    // Tall enough for all rows: a tree only draws those that can be seen.
    await editor.page.setViewportSize({ width: 1400, height: 1300 });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  it('shows the demo’s 24 companies behind the icon in the activity bar', async () => {
    await editor.openContainer('Report Library');
    await editor.treeRow('Watchlist', 'Altenbruch').waitFor();
    const rows = editor.view('Watchlist').getByRole('treeitem');
    await rows.nth(23).waitFor();
    assert.equal(await rows.count(), 24);
    // Its reports are counted while they come.
    await editor.view('Watchlist').getByLabel('Aarhorn Pharma AG, 22 reports, Switzerland, Health Care').waitFor();
    await editor.usage().waitFor();
    await editor.screenshot('first-light-1-watchlist');
  });

  it('opens a company into its fiscal years and their reports', async () => {
    await editor.treeRow('Watchlist', 'Altenbruch').click();
    await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
    await editor.treeRow('Watchlist', 'EMAS Environmental Statement').waitFor();
    const labels = await editor.treeRow('Watchlist', /^Fiscal year/).allInnerTexts();
    assert.deepEqual(
      labels.map((label) => label.slice(0, 7)),
      [2025, 2024, 2023, 2022, 2021, 2020, 2019, 2017, 2016, 2015].map((year) => `FY ${year}`),
    );
    await editor.screenshot('first-light-2-company');
  });

  it('opens a report’s metadata: 50 columns in three groups, three looks of booleans, the API’s own fields', async () => {
    await editor.treeRow('Watchlist', reportTitle).first().click();
    const panel = editor.webview();
    await panel.getByRole('heading', { level: 1, name: reportTitle }).waitFor();
    await editor.editorTab(reportTitle).waitFor();
    const groups = await panel.locator('section').evaluateAll((sections) =>
      sections.map((section) => {
        const heading = section.querySelector('h2')?.textContent?.replace(/\s+/g, ' ').trim();
        return `${heading}: ${section.querySelectorAll('[data-row]').length} rows`;
      }),
    );
    assert.deepEqual(groups, [
      'Report 16: 16 rows',
      'Company 12: 12 rows',
      'Standards, materiality and assurance 22: 22 rows',
      'API-only fields 13: 13 rows',
    ]);
    const value = (column: string) => panel.locator(`[data-row="${column}"] .value`);
    assert.equal((await value('std_gri').innerText()).trim(), 'Yes');
    assert.equal((await value('std_issb').innerText()).trim(), 'No');
    assert.match(await value('std_sasb').innerText(), /Undetermined/);
    const looks = await Promise.all(
      ['std_gri', 'std_issb', 'std_sasb'].map((column) => value(column).locator('.answer').first().innerHTML()),
    );
    assert.equal(new Set(looks.map((look) => look.replace(/<!--.*?-->/g, ''))).size, 3);
    await editor.screenshot('first-light-3-report');
    await panel.locator('[data-row="std_sasb"]').scrollIntoViewIfNeeded();
    await editor.screenshot('first-light-3-report-standards');
    await panel.locator('section').last().scrollIntoViewIfNeeded();
    await editor.screenshot('first-light-3-report-api-only');
  });

  it('downloads the PDF to its place, with the bytes that the panel’s SHA-256 names', async () => {
    await editor.loaded();
    const panel = editor.webview();
    const before = await usage(editor);
    await panel.getByRole('button', { name: 'Download PDF' }).click();
    await panel.locator('#file-state', { hasText: 'Downloaded and verified' }).waitFor();
    assert.match(await panel.locator('#file-state').innerText(), new RegExp(`${pdfPath}\\s*$`));
    const bytes = await readFile(join(editor.workspace, pdfPath));
    assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
    const published = (await panel.locator('[data-row="sha256"] .value').innerText()).trim();
    assert.equal(createHash('sha256').update(bytes).digest('hex'), published);
    await panel.getByRole('button', { name: 'Open PDF' }).waitFor();
    await editor
      .usage()
      .and(editor.page.locator(`[aria-label*=" ${before.downloads + 1} download"]`))
      .waitFor();
    await editor.screenshot('first-light-4-downloaded');
  });

  it('says that a PDF is here already, and asks for no link again', async () => {
    const before = await usage(editor);
    const row = editor.treeRow('Watchlist', reportTitle).first();
    await row.getByRole('button', { name: 'Open PDF' }).waitFor({ state: 'attached' });
    // The row itself offers Open PDF now.
    await row.click();
    await editor.command('Report Library: Download PDFs…');
    await editor.notification(`Already here: ${pdfPath}. Nothing was downloaded.`).waitFor();
    await editor.screenshot('first-light-4-already-here');
    // The numbers come anew after a download command; a second download would show in them.
    await editor
      .usage()
      .and(editor.page.locator(`:not([aria-label*=" ${before.requests} requests"])`))
      .waitFor();
    assert.equal((await usage(editor)).downloads, before.downloads);
  });

  it('shows usage in the status bar, and licence and key prefix in its tooltip', async () => {
    const { downloads, left } = await usage(editor);
    assert.equal(downloads, 1);
    assert.ok(left > 500 && left <= 600, String(left));
    await editor.hoverSays(editor.usage(), 'Companies');
    const rows = (await editor.hover().innerText()).split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
    const row = (label: string) => rows.find((each) => each.startsWith(label));
    assert.equal(rows[0], 'Report Library · Demo Library');
    assert.equal(row('Downloads'), 'Downloads this month 1');
    assert.match(row('Left this minute') ?? '', /^Left this minute \d+ of 600 requests$/);
    assert.equal(row('Fiscal years'), 'Fiscal years from 2015, open-ended');
    assert.equal(row('Report types'), 'Report types all');
    assert.equal(row('Companies'), 'Companies 24');
    assert.match(row('Key') ?? '', /^Key rlk_demo_live_.$/);
    await editor.screenshot('first-light-5-status');
  });

  it('opens the schema dictionary with its 50 fields', async () => {
    await editor.command('Report Library: Open Schema Dictionary');
    const panel = editor.webview();
    await panel.getByRole('heading', { level: 1, name: /^Schema Dictionary/ }).waitFor();
    await panel.locator('.source', { hasText: /service/i }).waitFor();
    await panel.locator('[data-row]').nth(49).waitFor();
    assert.equal(await panel.locator('[data-row]').count(), 50);
    await editor.panelFocused();
    await editor.screenshot('first-light-6-schema');
  });

  it('resolves identifiers, and tells the five results apart in input order', async () => {
    await editor.command('Report Library: Resolve Identifiers…');
    await editor.quickInput().fill('DE000A99ALB2, XLON:BYYFX, Orlestone Group, XLON:GONE, DE000A99ALB3');
    await editor.screenshot('first-light-6-resolve-ask');
    await editor.quickInput().press('Enter');
    const panel = editor.webview();
    await panel.getByRole('heading', { level: 1, name: 'Resolved Identifiers' }).waitFor();
    const results = await panel.locator('[data-row] .result').allInnerTexts();
    assert.deepEqual(
      results.map((text) => text.replace(/\s+/g, ' ').trim()),
      [
        'Matched',
        'Not in your licence',
        'Ambiguous: several companies match Refine…',
        'No match Try Another…',
        'Malformed: The check digit does not fit the rest of the ISIN: a character may be mistyped. Correct…',
      ],
    );
    assert.match(await panel.locator('[data-row] .company').first().innerText(), /Altenbruch Maschinenbau/);
    await editor.panelFocused();
    await editor.screenshot('first-light-6-resolve');
  });

  it('opens a report by its key', async () => {
    await editor.closeTabs();
    await editor.answer('Report Library: Open Report…', 'XSWX_AHRN_2024_IR');
    await editor.webview().locator('[data-row="report_key"]', { hasText: 'XSWX_AHRN_2024_IR' }).waitFor();
    await editor.panelFocused();
    await editor.screenshot('first-light-6-open-report');
  });

  it('says in a sentence that no report has a key', async () => {
    await editor.answer('Report Library: Open Report…', 'XSWX_AHRN_1901_IR');
    await editor.notification('No report in your licence has that key.').waitFor();
    await editor.screenshot('first-light-6-no-such-report');
  });

  it('opens a report and downloads its PDF without a mouse', async () => {
    const { keyboard } = editor.page;
    await editor.closeTabs();
    await editor.command('Notifications: Clear All Notifications');
    const focused = (text: string) => editor.focusedRow(text).waitFor();
    await editor.command('Report Library: Focus on Watchlist View');
    await editor.page.locator('.monaco-list:focus').waitFor();
    await keyboard.press('Home');
    await focused('Aarhorn Pharma AG');
    await keyboard.press('ArrowRight');
    // No other company that is open has this year.
    await editor.treeRow('Watchlist', 'Fiscal year 2018').waitFor();
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
      await editor.panelFocused();
      await editor.hoverSays(editor.usage(), 'Companies');
      await editor.screenshot(`theme-${name}-status`);
      const background = await panel
        .locator('body')
        .evaluate((body) => body.ownerDocument.defaultView?.getComputedStyle(body).backgroundColor ?? '');
      const channels = [...background.matchAll(/[\d.]+/g)].slice(0, 3).map(Number);
      assert.ok(channels.length === 3 && Math.max(...channels) < 60, background);
    });
  }
});
