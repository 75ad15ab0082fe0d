import assert from 'node:assert/strict';
import type { CopiedTable } from '../../src/protocol/pdfPreview.ts';
import { madeTables } from '../support/tables/madeTables.ts';
import { themeNames } from './editorPage.ts';
import { axeFindings, waitForCall } from './openPanel.ts';
import { panelStage } from './panelStage.ts';
import { openReadable, type Preview, until } from './pdfStage.ts';

describe('copying a table from the preview', () => {
  const stage = panelStage(['pdfPreview']);
  const [table] = madeTables();
  assert.ok(table);
  const { bytes, box, cells } = table;

  /** A place on the page, in points from its upper left, on the screen. */
  async function onScreen({ page }: Preview, x: number, y: number) {
    const paper = await page.locator('.page').first().boundingBox();
    assert.ok(paper);
    return { x: paper.x + (x / 595) * paper.width, y: paper.y + (y / 842) * paper.height };
  }

  async function drag(panel: Preview, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
    const [start, end] = [await onScreen(panel, ...from), await onScreen(panel, ...to)];
    const { mouse } = panel.page;
    await mouse.move(start.x, start.y);
    await mouse.down();
    await mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
    await mouse.move(end.x, end.y, { steps: 4 });
    await mouse.up();
  }

  const summary = (panel: Preview, words: string | RegExp) =>
    panel.page.locator('.table-summary').filter({ hasText: words }).waitFor();
  const copied = async (panel: Preview) => {
    await waitForCall(panel, 'copyTable');
    return panel.calls.findLast(([name]) => name === 'copyTable')?.[1] as { table: CopiedTable; mayPick: boolean };
  };

  it('is framed with the mouse, its lines are dragged, added and taken away, and its cells are told', async () => {
    const panel = await openReadable(stage, bytes, { position: { page: 1, zoom: 1 }, height: 1000 });
    await panel.page.getByRole('button', { name: 'Copy Table' }).click();
    await panel.page.locator('.table-frame').waitFor();
    await drag(panel, [box.left, box.top], [box.right, box.bottom]);
    await summary(panel, '4 columns · 9 rows');
    const line = panel.page.getByRole('separator', { name: 'Line between columns 1 and 2' });
    const [at = 0, y = 0] = [Number(await line.getAttribute('aria-valuenow')), (box.top + box.bottom) / 2];
    // Through the labels, and back.
    await drag(panel, [at, y], [box.left + 30, y]);
    await summary(panel, 'to check');
    await drag(panel, [box.left + 30, y], [at, y]);
    await until(panel, `!document.querySelector('.table-summary').textContent.includes('check')`);
    await line.dblclick();
    await summary(panel, '3 columns');
    const strip = await onScreen(panel, at, box.top - 6);
    await panel.page.mouse.click(strip.x, strip.y);
    await summary(panel, '4 columns · 9 rows');
    const read = panel.page.locator('.cell-number').first();
    const numbers = panel.page.getByRole('combobox', { name: 'Numbers' });
    assert.equal(await numbers.inputValue(), '1,234.5');
    await read.filter({ hasText: /^ ?= \d+$/ }).waitFor();
    await numbers.selectOption('Keep as text');
    await read.waitFor({ state: 'detached' });
    await numbers.selectOption('1.234,5');
    await read.waitFor();
    await panel.page.getByRole('button', { name: 'Copy', exact: true }).click();
    const { table: told, mayPick } = await copied(panel);
    assert.equal(mayPick, false);
    assert.deepEqual(told.cells, cells);
    assert.equal(told.style, '1.234,5');
    const { text, start, end, regions } = told.passage;
    assert.equal(text.slice(start, end).replace(/\s+/g, ' '), cells.flat().join(' '));
    const [left = 0, bottom = 0, right = 0, top = 0] = regions[0]?.rectangles[0] ?? [];
    for (const [is, wanted] of [
      [left, box.left],
      [right, box.right],
      [842 - top, box.top],
      [842 - bottom, box.bottom],
    ] as const)
      assert.ok(Math.abs(is - wanted) < 2, `${is} ${wanted}`);
    assert.deepEqual([told.columns[0], told.columns.at(-1)], [left, right]);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('is given up with Escape, even while its frame is drawn', async () => {
    const panel = await openReadable(stage, bytes, { position: { page: 1, zoom: 1 }, height: 1000 });
    const { mouse, keyboard } = panel.page;
    const frame = panel.page.locator('.table-frame');
    await panel.page.getByRole('button', { name: 'Copy Table' }).click();
    await frame.waitFor();
    const [start, end] = [await onScreen(panel, box.left, box.top), await onScreen(panel, box.right, box.bottom)];
    await mouse.move(start.x, start.y);
    await mouse.down();
    await mouse.move(end.x, end.y, { steps: 4 });
    await keyboard.press('Escape');
    await frame.waitFor({ state: 'detached' });
    await mouse.move(end.x - 20, end.y - 20, { steps: 4 });
    assert.equal(await frame.count(), 0);
    await mouse.up();
    assert.equal(await panel.page.locator('.table-summary').count(), 0);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('is framed, corrected and copied by keyboard alone', async () => {
    const panel = await openReadable(stage, bytes, { position: { page: 1, zoom: 1 }, height: 1000 });
    const { keyboard } = panel.page;
    const press = async (key: string, times = 1) => {
      for (let count = 0; count < times; count += 1) await keyboard.press(key);
    };
    const focused = (name: string) =>
      until(panel, `document.activeElement.getAttribute('aria-label') === ${JSON.stringify(name)}`);
    const said = (words: string | RegExp) =>
      panel.page.locator('[role=status]').filter({ hasText: words }).waitFor({ state: 'attached' });
    await panel.page.locator('.pages').focus();
    await press('c');
    await focused('Table area. Arrow keys move it, Shift+arrow keys resize it, Enter accepts it.');
    // From 59, 210 to 535, 505: up to the table's head, and down to its last row.
    await press('ArrowUp', 10);
    await press('Shift+ArrowUp', 11);
    await said(/In the frame: Emissions … \d/);
    await press('Enter');
    await focused('Line between columns 1 and 2');
    await said('Proposed: 4 columns · 9 rows');
    await press('Shift+ArrowLeft', 12);
    await said(/to check/);
    await press('Control+z', 12);
    await summary(panel, /^4 columns · 9 rows$/);
    await press('Delete');
    await summary(panel, '3 columns · 9 rows');
    await press('Control+z');
    await summary(panel, '4 columns · 9 rows');
    await panel.page.getByRole('separator', { name: 'Line between rows 8 and 9' }).focus();
    await press('Delete');
    await summary(panel, '8 rows · Cells to check: 3');
    await press('r');
    await summary(panel, '9 rows');
    await press('Control+z', 2);
    await panel.page.getByRole('separator', { name: 'Right edge' }).focus();
    await press('Enter');
    await until(panel, `document.activeElement.matches('.copy-table')`);
    await press('Tab');
    await press('Enter');
    const { table: told, mayPick } = await copied(panel);
    assert.equal(mayPick, true);
    assert.deepEqual(told.cells, cells);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('says where there is no text, and leaves by Escape', async () => {
    const panel = await openReadable(stage, bytes, { position: { page: 1, zoom: 1 } });
    await panel.page.getByRole('button', { name: 'Copy Table' }).click();
    await drag(panel, [300, 500], [500, 560]);
    await panel.page.locator('.table-notice').filter({ hasText: 'No text in this area.' }).waitFor();
    await panel.page.keyboard.press('Escape');
    await panel.page.locator('.table-panel').waitFor({ state: 'detached' });
    assert.equal(await panel.page.locator('.table-frame, .table-lines').count(), 0);
    await panel.close();
  });

  it('is accessible in every theme', async () => {
    for (const theme of themeNames) {
      const panel = await openReadable(stage, bytes, {
        theme,
        position: { page: 1, zoom: 1 },
        reading: { darkPages: theme === 'dark', sidebar: null },
      });
      await panel.page.locator('.pages').focus();
      await panel.page.keyboard.press('c');
      await panel.page.locator('.table-frame').waitFor();
      await panel.page.keyboard.press('Enter');
      await summary(panel, 'columns');
      assert.deepEqual(await axeFindings(panel.page, theme === 'dark' ? 'all' : 'colors'), [], theme);
      await panel.close();
    }
  });
});
