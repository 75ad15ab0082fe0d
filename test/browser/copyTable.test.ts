import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { EvidenceRecord } from '../../src/evidence/record.ts';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';
import { fileOnce } from '../support/fileOnce.ts';

describe('a table of a PDF, on its way into an analysis', function () {
  this.timeout(240_000);
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('copyTable', {
      settings: { 'reportLibrary.demo.openAtStart': true, 'workbench.colorTheme': 'Dark Modern' },
    });
    await editor.page.setViewportSize({ width: 1600, height: 1400 });
    await editor.openContainer('Report Library');
    await editor.loaded();
    await editor.treeRow('Watchlist', 'Altenbruch').click();
    await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
    const row = editor.treeRow('Watchlist', 'Sustainability Report').first();
    await editor.page.keyboard.press('Control+P');
    await editor.quickInput().fill('analysis.ipynb');
    await editor.quickRow('analysis.ipynb').first().click();
    await editor.editorTab('analysis.ipynb').waitFor();
    await editor.command('View: Split Editor Right');
    await editor.command('View: Focus First Editor Group');
    await editor.rowButton(row, /Download PDFs/);
    await editor.notification('Downloaded and verified').getByRole('button', { name: 'Open', exact: true }).click();
    await editor.editorTab(/XETR_ALBM_2024_SR\.pdf/).waitFor();
    await panel().locator('.textLayer span').first().waitFor();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  const panel = () => editor.webview();
  const text = (words: string) => panel().locator('.textLayer span').getByText(words, { exact: true }).first();
  const summary = (words: string) => panel().locator('.table-summary').filter({ hasText: words }).waitFor();

  async function goToPage(label: string): Promise<void> {
    const box = panel().getByRole('textbox', { name: 'Page' });
    await box.fill(label);
    await box.press('Enter');
  }

  async function boxOf(words: string) {
    await text(words).scrollIntoViewIfNeeded();
    const box = await text(words).boundingBox();
    assert.ok(box, `${words}: not to be seen`);
    return box;
  }

  /** Draws the frame around the table of emissions. */
  async function frameTable(): Promise<void> {
    const last = await boxOf('Total (market-based)');
    const first = await boxOf('Scope 1: direct emissions');
    const right = (await panel().locator('.page').first().boundingBox()) ?? first;
    const { mouse } = editor.page;
    await mouse.move(first.x - 6, first.y - 24);
    await mouse.down();
    await mouse.move(first.x + 100, first.y + 10, { steps: 4 });
    await mouse.move(right.x + right.width * 0.92, last.y + last.height + 3, { steps: 4 });
    await mouse.up();
  }

  /** From the preview's pages to a form, and back again. */
  async function copyByKeys(form: string): Promise<void> {
    const { keyboard } = editor.page;
    const press = async (key: string, times = 1) => {
      for (let count = 0; count < times; count += 1) await keyboard.press(key);
    };
    await panel().locator('.pages:focus').waitFor();
    await press('c');
    await panel().locator('.table-frame:focus').waitFor();
    await press('ArrowDown', 3);
    await press('Shift+ArrowUp', 18);
    await press('Enter');
    await summary('5 columns · 6 rows');
    await press('Enter');
    await panel().locator('.copy-table:focus').waitFor();
    await press('Tab');
    await press('Enter');
    await editor.quickRow(form).first().waitFor();
    await keyboard.insertText(form);
    await press('Enter');
    await panel().locator('.pages:focus').waitFor();
  }

  /** A link that the notebook shows in the window: the editor keeps what a tab hides far beside it. */
  async function notebookLink(name: string): Promise<Locator> {
    const frames = editor.page.locator('iframe.webview.ready:visible');
    for (;;) {
      await frames.first().waitFor();
      for (const frame of await frames.all()) {
        const box = await frame.boundingBox();
        const link = frame.contentFrame().frameLocator('#active-frame').getByRole('link', { name });
        if (box && box.x >= 0 && (await link.count()) > 0) return link;
      }
    }
  }

  async function saved(words: string): Promise<string> {
    const file = join(editor.workspace, 'analysis.ipynb');
    await editor.command('File: Save All');
    await fileOnce(file, (whole) => whole.includes(words));
    return readFile(file, 'utf8');
  }

  async function records(count: number): Promise<EvidenceRecord[]> {
    const file = join(editor.workspace, 'reports/reports.evidence.json');
    await fileOnce(file, (whole) => whole.split('"kind":"table"').length === count + 1);
    return (JSON.parse(await readFile(file, 'utf8')) as { evidence: EvidenceRecord[] }).evidence;
  }

  it('is framed with the mouse and goes into the notebook beside it as code', async () => {
    await goToPage('2');
    await text('Scope 1: direct emissions').waitFor();
    await panel().getByRole('button', { name: 'Copy Table' }).click();
    await panel().locator('.table-frame').waitFor();
    await frameTable();
    await summary('5 columns · 6 rows');
    await editor.screenshot('copyTable-1-proposed');
    await panel().getByRole('button', { name: 'Copy As…' }).click();
    await editor.quickRow('pandas').first().click();
    await editor.notification(/Table inserted into analysis\.ipynb: \d+ × \d+ cells/).waitFor();
    await editor.screenshot('copyTable-2-inserted');
    const [record] = await records(1);
    assert.deepEqual(record?.regions[0]?.cells?.at(-1), [
      'Total (market-based)',
      ...['3,709,806', '3,600,162', '3,408,183', '3,298,295'],
    ]);
    const notebook = await saved('table = pd.DataFrame');
    assert.ok(notebook.includes(`/evidence/${record?.id}`));
  });

  it('goes there as Markdown, and as CSV to the clipboard, by keyboard alone', async () => {
    await panel().locator('.pages').focus();
    await copyByKeys('Table with Source');
    for (const { regions } of await records(2)) assert.deepEqual([regions[0]?.page, regions[0]?.label], [5, '2']);
    await saved('| Scope 1: direct emissions | 43,748 |');
    await copyByKeys('CSV');
    await records(3);
    await editor.statusItem('Table copied: ').waitFor();
  });

  it('is unchanged for a check, and its link shows it where it is', async () => {
    await goToPage('9');
    await editor.command('Report Library: Check Evidence');
    await editor.view('Evidence').getByText('3 tables', { exact: true }).waitFor();
    await editor.treeRow('Evidence', 'Table: 2021').first().waitFor();
    await editor.screenshot('copyTable-3-checked');
    // The cells above may have grown since it was scrolled to: all fit in the window from the top.
    await editor.page
      .locator('.notebook-editor .cell-list-container:visible')
      .first()
      .hover({ position: { x: 200, y: 10 } });
    await editor.page.mouse.wheel(0, -10_000);
    await (await notebookLink('Show table')).click();
    const mark = panel().locator('.region-mark');
    const open = editor.page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true });
    await mark.or(open).first().waitFor();
    if (await open.isVisible()) await open.click();
    await mark.waitFor();
    await editor.screenshot('copyTable-4-link');
    const [shown, label, total] = [
      await mark.boundingBox(),
      await boxOf('Scope 1: direct emissions'),
      await boxOf('3,298,295'),
    ];
    assert.ok(shown && shown.x <= label.x && shown.y <= label.y);
    assert.ok(shown.x + shown.width >= total.x + total.width && shown.y + shown.height >= total.y + total.height - 2);
    assert.ok(shown.height < (8 * (total.y - label.y)) / 4, 'only the table is marked');
  });
});
