import assert from 'node:assert/strict';
import { firstColumns, tableColumns } from '../../src/protocol/reportTable.ts';
import { openFacets, sampleTable } from '../support/panels/table.ts';
import { until } from './editorPage.ts';
import { axeFindings, called, openTable } from './openPanel.ts';
import { panelStage } from './panelStage.ts';

const focusedRow = `document.activeElement?.closest('[data-index]')?.dataset.index`;

describe('the table of all reports', () => {
  const stage = panelStage(['reportTable']);

  it('shows favorites, and stars by mouse and by keyboard', async () => {
    const panel = await openTable(stage, 500, { width: 1900 });
    const { page } = panel;
    const row = (place: number) => page.locator(`[data-index="${place}"]`);
    assert.equal(await page.locator('.star.starred').count(), await page.locator('[aria-label$=", Favorite"]').count());
    assert.match((await row(2).locator('.star').getAttribute('title')) ?? '', /^Remove from Favorites/);
    assert.equal(await row(4).locator('.star').isVisible(), false);
    await row(4).hover();
    await row(4).locator('.star').click();
    await called(panel, 'star', { id: 5 });
    assert.equal(panel.calls.filter(([name]) => name === 'select').length, 0);
    await row(7).locator('[data-column="1"]').focus();
    await row(7).locator('.star').waitFor();
    await page.keyboard.press('Control+d');
    await called(panel, 'star', { id: 8 });
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('offers what the tools do by a right click, on the selection or on a row that is selected first', async () => {
    const panel = await openTable(stage, 500, { width: 1500 });
    const { page } = panel;
    const cell = (place: number) => page.locator(`[data-index="${place}"] > [data-column="1"]`);
    const selected = `[...document.querySelectorAll('.row.selected')].map(({ dataset }) => dataset.index).join()`;
    const item = (name: string) => page.getByRole('menuitem', { name });
    await cell(2).click();
    await cell(10).click({ modifiers: ['Control'] });
    await cell(10).click({ button: 'right' });
    await until(page, `${selected} === '2,10'`);
    await item('Remove from Favorites').click();
    await called(panel, 'run', { action: 'removeFavourite' });
    await until(page, `${focusedRow} === '10'`);
    await cell(5).click({ button: 'right' });
    await until(page, `${selected} === '5'`);
    await item('Add to Favorites').waitFor();
    await page.keyboard.press('Escape');
    await item('Compare').waitFor({ state: 'hidden' });
    await until(page, `${focusedRow} === '5'`);
    await page.keyboard.press('Shift+F10');
    await item('Compare').click();
    await called(panel, 'run', { action: 'compareReports' });
    await page.locator('.head [data-column="1"]').click({ button: 'right' });
    assert.ok(await item('Compare').isHidden());
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('says how many columns are beyond the right edge, and leads there', async () => {
    const columns = tableColumns.map((id) => ({ id, width: 140 }));
    const panel = await openTable(stage, 500, { width: 1440 }, { columns });
    const { page } = panel;
    const more = page.locator('.more-columns');
    const count = async () => Number((await more.innerText()).replace(/\D/g, ''));
    const first = await count();
    assert.equal(await more.getAttribute('title'), `More columns: ${first}`);
    const [edge, grid] = [await more.boundingBox(), await page.getByRole('grid').boundingBox()];
    assert.ok(edge && grid && Math.abs(edge.x + edge.width - grid.x - grid.width) < 14);
    await more.click();
    await until(page, `!document.querySelector('.more-columns').textContent.includes('${first}')`);
    assert.ok((await count()) < first);
    await page.evaluate(`document.querySelector('.grid').scrollLeft = 100_000`);
    await more.waitFor({ state: 'detached' });
    await page.evaluate(`document.querySelector('.grid').scrollLeft = 0`);
    for (const isShown of [false, true]) {
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Industry' }).click();
      await page.getByRole('columnheader', { name: 'Industry' }).waitFor({ state: isShown ? 'visible' : 'detached' });
    }
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('keeps its tools to one line each, and its years apart, where it is narrow', async () => {
    const ends = `['.toolbar .chip', '.filter vscode-textfield', '[data-menu]']
      .map((one) => Math.round(document.querySelector(one).getBoundingClientRect().bottom)).join()`;
    for (const width of [600, 700, 1000, 1440]) {
      const panel = await openTable(stage, 500, { width, ...(width > 700 && { state: openFacets }) });
      const { page } = panel;
      await page.locator('.year').first().waitFor();
      // The name of the box is above it.
      if (width === 600) assert.match(String(await page.evaluate(ends)), /^(\d+),\1,\1$/);
      for (const bar of await page.locator('.toolbar').all()) {
        const { height = 0 } = (await bar.boundingBox()) ?? {};
        assert.ok(width === 600 || height < 50, `${width}: ${height}`);
      }
      await page.getByRole('button', { name: 'Download PDFs…' }).waitFor();
      const overlaps = await page.evaluate(`[...document.querySelectorAll('.years .label')]
        .filter(({ textContent }) => textContent !== '')
        .map((label) => { const range = document.createRange(); range.selectNodeContents(label); return range.getBoundingClientRect(); })
        .some((box, at, all) => at > 0 && box.left < all[at - 1].right + 2)`);
      assert.equal(overlaps, false, `the years at ${width} px`);
      assert.deepEqual(panel.faults, []);
      await panel.close();
    }
  });

  it('has no head below what says how many columns are beyond, and no fixed column where it is very narrow', async () => {
    const [wide] = firstColumns;
    const columns = [...(wide ? [wide] : []), ...tableColumns.slice(1).map((id) => ({ id, width: 92 }))];
    const panel = await openTable(stage, 50, { width: 1300 }, { columns });
    const { page } = panel;
    const isCovered = `(() => {
      const { left } = document.querySelector('.more-columns').getBoundingClientRect();
      return [...document.querySelectorAll('.head .number-cell > span')].some((span) => {
        const box = span.getBoundingClientRect();
        return box.left < left && box.right > left;
      });
    })()`;
    for (let width = 1300; width > 1180; width -= 20) {
      await page.setViewportSize({ width, height: 800 });
      await until(page, `!${isCovered}`);
    }
    await page.setViewportSize({ width: 340, height: 800 });
    await page.evaluate(`document.querySelector('.grid').scrollLeft = 150`);
    await until(page, `document.querySelector('.head .name').getBoundingClientRect().left < 0`);
    await panel.close();
  });

  it('says why rows don’t come, and has them once they do', async () => {
    let isOff = true;
    const rowsOf = sampleTable(5000).answers.rows as (asked: { offset: number }) => unknown;
    const answers = {
      rows: (asked: { offset: number }) => {
        if (isOff) throw new Error('The library on this computer is in use by another window.');
        return rowsOf(asked);
      },
    };
    const panel = await openTable(stage, 5000, {}, {}, answers);
    const { page } = panel;
    await page.evaluate(`document.querySelector('.grid').scrollTop = 60_000`);
    await page.getByRole('alert').getByText('in use by another window').waitFor();
    await page.locator('.row[aria-busy]').first().waitFor();
    isOff = false;
    await page.evaluate(`document.querySelector('.grid').scrollTop = 60_300`);
    await page.locator('.row[aria-busy]').first().waitFor({ state: 'detached' });
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('has each entry of a menu on one line, within the window, also at its edge', async () => {
    const panel = await openTable(stage, 50, { width: 900 });
    const { page } = panel;
    await page.locator('.link', { hasText: 'Select All 50' }).click();
    for (const name of ['Copy', 'More Actions…', 'Columns']) {
      await page.getByRole('button', { name, exact: true }).click();
      const places = (await page.evaluate(`(() => {
        const menu = document.querySelector('.menu:popover-open');
        const heights = [...menu.querySelectorAll('button')].map((entry) => entry.offsetHeight);
        const { right } = document.documentElement.getBoundingClientRect();
        return [right - menu.getBoundingClientRect().right, ...heights];
      })()`)) as number[];
      const [room = 0, ...heights] = places;
      assert.ok(room >= 0, `${name} ends ${-room} px beyond the window`);
      assert.deepEqual([...new Set(heights)], [26], name);
      await page.keyboard.press('Escape');
    }
    await panel.close();
  });
});
