import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { EvidenceRecord } from '../../src/evidence/record.ts';
import { type EditorWindow, endsWithSuite, openEditor } from '../support/browser/editor.ts';
import { fileOnce } from '../support/fileOnce.ts';

const evidencePath = 'reports-demo/reports.evidence.json';

describe('quotes from a PDF', function () {
  this.timeout(240_000);
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('quotes', {
      settings: { 'reportLibrary.demo.openAtStart': true, 'workbench.colorTheme': 'Dark Modern' },
    });
    editor.page.setDefaultTimeout(60_000);
    await editor.page.setViewportSize({ width: 1600, height: 1000 });
    await editor.openContainer('Report Library');
    await editor.loaded();
    await editor.treeRow('Watchlist', 'Altenbruch').click();
    await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
    const row = editor.treeRow('Watchlist', 'Sustainability Report').first();
    await editor.openFile('analysis.ipynb');
    await editor.command('View: Split Editor Right');
    await editor.page.locator('.editor-group-container').nth(1).waitFor();
    await editor.command('View: Focus First Editor Group');
    await editor.rowButton(row, /Download PDFs/);
    await editor.notification('Downloaded and verified').getByRole('button', { name: 'Open', exact: true }).click();
    await editor.editorTab(/XETR_ALBM_2024_SR\.pdf/).waitFor();
    await editor.webview().locator('.textLayer span').first().waitFor();
  });

  endsWithSuite(() => editor);

  const panel = () => editor.webview();
  async function records(count: number): Promise<EvidenceRecord[]> {
    const file = join(editor.workspace, evidencePath);
    await fileOnce(file, (text) => text.split('"TextQuoteSelector"').length === count + 1);
    return (JSON.parse(await readFile(file, 'utf8')) as { evidence: EvidenceRecord[] }).evidence;
  }

  /** The first of these that stands in the window: the editor keeps what a tab hides far beside it. */
  async function inWindow(all: Locator): Promise<Locator> {
    for (;;) {
      await all.first().waitFor();
      for (const one of await all.all()) {
        const box = await one.boundingBox();
        if (box && box.x >= 0 && box.y >= 0) return one;
      }
    }
  }

  /** A line of the page that its label leads to. */
  const line = (words: string) => panel().locator('.textLayer span', { hasText: words }).first();

  async function goToPage(label: string): Promise<void> {
    const box = panel().getByRole('textbox', { name: 'Page' });
    await box.fill(label);
    await box.press('Enter');
  }

  async function boxOf(place: Locator) {
    const box = await place.boundingBox();
    assert.ok(box, 'not to be seen');
    return box;
  }

  /** Selects from the beginning of one line to the end of another with the mouse. */
  async function selectByMouse(from: Locator, to: Locator): Promise<void> {
    const [start, end] = [await boxOf(from), await boxOf(to)];
    const { mouse } = editor.page;
    await mouse.move(start.x + 1, start.y + start.height / 2);
    await mouse.down();
    await mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 });
    await mouse.move(end.x + end.width - 1, end.y + end.height / 2, { steps: 3 });
    await mouse.up();
  }

  /** Where the words of a line are when they are selected. */
  const selectedBox = (words: Locator) =>
    words.evaluate((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect();
    });

  /** A cell of the table on the page. */
  const cell = (words: string) => panel().locator('.textLayer span').getByText(words, { exact: true }).first();
  const summary = (words: string) => panel().locator('.table-summary').filter({ hasText: words }).waitFor();

  /** Draws the frame around the table of emissions. */
  async function frameTable(): Promise<void> {
    const boxes = [];
    for (const words of ['Total (market-based)', 'Scope 1: direct emissions']) {
      await cell(words).scrollIntoViewIfNeeded();
      boxes.push(await boxOf(cell(words)));
    }
    const [last, first] = boxes;
    assert.ok(last && first);
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

  async function saved(words: string): Promise<string> {
    const file = join(editor.workspace, 'analysis.ipynb');
    await editor.command('File: Save All');
    await fileOnce(file, (text) => text.includes(words));
    return readFile(file, 'utf8');
  }

  it('go into the notebook beside it with a real mouse, with a link and a record', async () => {
    await goToPage('2');
    const [first, second] = [line('Direct emissions amounted'), line('combustion, our own')];
    await first.waitFor();
    await selectByMouse(first, second);
    const quote = panel().getByRole('button', { name: 'Quote → analysis.ipynb' });
    await quote.waitFor();
    await quote.click();
    await editor.notification('Quote inserted into analysis.ipynb').waitFor();
    const [record] = await records(1);
    assert.match(record?.selector?.exact ?? '', /^Direct emissions amounted.* from stationary combustion, our own/);
    assert.equal(record?.regions[0]?.page, 5);
    assert.equal(record?.regions[0]?.label, '2');
    assert.equal(record?.regions[0]?.rectangles.length, 2);
    const notebook = await saved('Direct emissions amounted');
    assert.match(notebook, /> “Direct emissions amounted to 39,533 tonnes/);
    assert.ok(notebook.includes(`/evidence/${record?.id})`));
    assert.ok(notebook.includes('(reports-demo/XETR_ALBM/2024/XETR_ALBM_2024_SR.pdf#page=5)'));
  });

  it('are checked, noted in the list, and open at the very place, which is marked', async () => {
    const [first, second] = [line('Direct emissions amounted'), line('combustion, our own')];
    await goToPage('9');
    await editor.command('Report Library: Check Evidence');
    await editor.statusItem('Evidence checked: 1 quote · PDF unchanged: 1').waitFor();
    const row = editor.treeRow('Evidence', 'Direct emissions amounted');
    await row.waitFor();
    assert.match((await row.textContent()) ?? '', /^Direct emissions amounted.*p\. 2 \(5\)/);
    await editor.rowButton(row, /Note/);
    await editor.quickInput().fill('Compare with 2023');
    await editor.page.keyboard.press('Enter');
    const noted = editor.treeRow('Evidence', 'Compare with 2023');
    await noted.waitFor();
    assert.equal((await records(1))[0]?.note, 'Compare with 2023');
    await editor.rowMenu(noted, 'Remove Quote');
    await records(0);
    await editor.notification('1 quote removed').getByRole('button', { name: 'Undo' }).click();
    assert.equal((await records(1))[0]?.note, 'Compare with 2023');
    await noted.waitFor();
    await noted.click();
    const marks = panel().locator('.region-mark');
    await marks.first().waitFor();
    assert.equal(await marks.count(), 2);
    for (const [mark, words] of [
      [marks.first(), first],
      [marks.last(), second],
    ] as const) {
      const [a, b] = [await mark.evaluate((element) => element.getBoundingClientRect()), await selectedBox(words)];
      const shared = (start: number, size: number, other: number, otherSize: number) =>
        Math.max(0, Math.min(start + size, other + otherSize) - Math.max(start, other));
      const both = shared(a.x, a.width, b.x, b.width) * shared(a.y, a.height, b.y, b.height);
      const either = a.width * a.height + b.width * b.height - both;
      assert.ok(both / either >= 0.9, `${both / either}`);
    }
  });

  it('are made by keyboard alone: find, Escape, longer with Shift, q', async () => {
    await panel().locator('.pages').focus();
    const { keyboard } = editor.page;
    await keyboard.press('Control+f');
    await keyboard.insertText('Scope 3 is dominated by purchased goods');
    await panel().locator('.highlight.selected').first().waitFor();
    await keyboard.press('Escape');
    await panel().locator('.find').waitFor({ state: 'detached' });
    await panel().getByRole('button', { name: 'Quote → analysis.ipynb' }).waitFor();
    for (let word = 0; word < 4; word += 1) await keyboard.press('Control+Shift+ArrowRight');
    await keyboard.press('q');
    const found = (await records(2)).find(({ selector }) => selector?.exact.startsWith('Scope 3'));
    assert.match(found?.selector?.exact ?? '', /^Scope 3 is dominated by purchased goods and by/);
    await saved('Scope 3 is dominated');
  });

  it('are made of a search result, and whole pages go into the notebook as rows', async () => {
    const { keyboard } = editor.page;
    await editor.command('Notifications: Clear All Notifications');
    await editor.command('Report Library: Find in PDFs…');
    await editor.page.getByPlaceholder(/^Words, “a phrase”/).waitFor();
    await editor.quickInput().fill('"stationary combustion"');
    await editor.quickRow('Show All Results').first().click();
    const hit = editor.view('Find in PDFs').locator('[role=treeitem][aria-label^="Page "]').first();
    await hit.waitFor();
    await editor.rowButton(hit, /Quote Sentence/);
    const found = (await records(3)).find(({ selector }) => selector?.exact.startsWith('They come from'));
    assert.match(found?.selector?.exact ?? '', /^They come from stationary combustion, .*emissions\.$/);
    assert.ok((found?.regions[0]?.rectangles.length ?? 0) >= 1);
    await saved('They come from stationary combustion, our own vehicles and process emissions.”');
    await panel().locator('.pages').focus();
    await editor.command('Report Library: Insert Page Text…');
    await editor.quickInput().fill('5-6');
    await keyboard.press('Enter');
    await editor.quickRow('Rows').first().click();
    await editor.notification('Inserted 2 pages').getByRole('button', { name: 'Undo' }).waitFor();
    const notebook = await saved('pages = [');
    assert.match(notebook, /XETR_ALBM_2024_SR.*\\"page\\": 6, \\"label\\": \\"3\\"/s);
  });

  it('have a table beside them, framed with the mouse as code in the notebook, and by keys to the clipboard', async () => {
    await editor.page.setViewportSize({ width: 1600, height: 1400 });
    await goToPage('2');
    await cell('Scope 1: direct emissions').waitFor();
    await panel().getByRole('button', { name: 'Copy Table' }).click();
    await panel().locator('.table-frame').waitFor();
    await frameTable();
    await summary('5 columns · 6 rows');
    await panel().getByRole('button', { name: 'Copy As…' }).click();
    await editor.quickRow('pandas').first().click();
    await editor.notification(/Table inserted into analysis\.ipynb: \d+ × \d+ cells/).waitFor();
    const framed = (await records(4)).find(({ kind }) => kind === 'table');
    assert.deepEqual(framed?.regions[0]?.cells?.at(-1), [
      'Total (market-based)',
      ...['3,709,806', '3,600,162', '3,408,183', '3,298,295'],
    ]);
    assert.ok((await saved('table = pd.DataFrame')).includes(`/evidence/${framed?.id}`));
    await panel().locator('.pages').focus();
    await copyByKeys('CSV');
    const copied = (await records(5)).filter(({ kind }) => kind === 'table');
    for (const { regions } of copied) assert.deepEqual([regions[0]?.page, regions[0]?.label], [5, '2']);
    await editor.statusItem('Table copied: ').waitFor();
  });

  it('are dropped: a search result below a cell, and a row of the list below a line of text', async () => {
    await editor.page.setViewportSize({ width: 1600, height: 1500 });
    const lines = editor.page.locator('.notebookOverlay .code-cell-row .view-line:visible');
    // The first group holds the notebook too, out of the window. The cell that came last is in view.
    const below = await inWindow(lines.filter({ hasText: /^table\s=/ }));
    await editor.drag(editor.view('Find in PDFs').locator('[role=treeitem][aria-label^="Page "]').first(), below);
    const dropped = (await records(6)).filter(({ selector }) => selector?.exact.startsWith('They come from'));
    for (const { id } of dropped) await saved(`/evidence/${id})`);
    await editor.command('View: Focus First Editor Group');
    await editor.openFile('README.md');
    const lineOfText = editor.page.locator('.editor-instance .view-line:visible', { hasText: /portfolio/ }).first();
    await editor.drag(editor.treeRow('Evidence', 'Compare with 2023'), lineOfText);
    const file = join(editor.workspace, 'README.md');
    await editor.page
      .locator('.editor-instance .view-line:visible', { hasText: /Direct/ })
      .first()
      .waitFor();
    await records(6);
    const link = editor.page.locator('.editor-instance .view-line:visible', { hasText: /evidence\// }).first();
    await link
      .locator('span', { hasText: /evidence\// })
      .last()
      .hover();
    const picture = editor.page.locator('.monaco-hover:visible img[src^="data:image/png"]');
    await picture.waitFor();
    assert.equal(await picture.evaluate((image: { naturalWidth?: number }) => image.naturalWidth), 600);
    await editor.page.keyboard.press('Escape');
    await editor.command('File: Save All');
    await fileOnce(file, (text) => /^> “Direct emissions amounted.*^> — [^\n]*\/evidence\//ms.test(text));
  });

  it('are shown by their link, and say what they are where it stands', async () => {
    const [record] = await records(6);
    await editor.command('View: Close All Editors');
    await editor.command('Developer: Open URL');
    await editor.quickInput().fill(`code-oss://report-library.report-library/evidence/${record?.id}`);
    await editor.page.keyboard.press('Enter');
    await editor.page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
    await panel().locator('.region-mark').first().waitFor();
  });
});
