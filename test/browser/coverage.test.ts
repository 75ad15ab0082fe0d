import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { cellState, type coverageProtocol } from '../../src/protocol/coverage.ts';
import { CellReader } from '../../src/protocol/coverageRows.ts';
import type { StateOf } from '../../src/protocol/page.ts';
import { sampleCompanyInput, sampleCoverage } from '../support/panels/coverage.ts';
import { until } from './editorPage.ts';
import { openCompany, openCoverage, waitForCall } from './openPanel.ts';
import { panelStage } from './panelStage.ts';

/** The focused cell of the coverage grid: its row's place and its column. */
const cellSource = `[document.activeElement?.closest('[data-index]')?.dataset.index, document.activeElement?.dataset.column].join(' ')`;

describe('the coverage panel', () => {
  const stage = panelStage(['blocks', 'coverage']);

  it('is one stop of the Tab key, and reaches every cell of 5,000 companies by keyboard', async () => {
    const panel = await openCoverage(stage, sampleCoverage(5000));
    const { page } = panel;
    await page.getByRole('button', { name: 'View as Text' }).focus();
    await page.keyboard.press('Tab');
    await focused(page, '0 0');
    for (const [key, place] of [
      ['ArrowDown', '1 0'],
      ['ArrowRight', '1 1'],
      ['End', '1 17'],
      ['Home', '1 0'],
      ['Control+End', '4999 17'],
      ['ArrowDown', '4999 17'],
      ['PageUp', undefined],
      ['Control+ArrowUp', '-1 17'],
      ['ArrowUp', '-1 17'],
      ['Control+Home', '-1 0'],
      ['ArrowDown', '0 0'],
    ] as const) {
      await page.keyboard.press(key);
      if (place === undefined) await until(page, `${cellSource} !== '4999 17' && ${cellSource} !== ' '`);
      else await focused(page, place);
    }
    assert.ok((await page.locator('.row').count()) < 200, 'only the rows near the screen are in the page');
    assert.equal(await page.locator('.grid').getAttribute('aria-rowcount'), '5001');
    assert.equal(await page.locator('.grid').getAttribute('aria-colcount'), '18');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await page.evaluate('document.activeElement?.textContent?.trim()'), 'View as Text');
    // The row with the stop is scrolled away.
    await page.evaluate(`document.querySelector('.grid').scrollTop = 60000`);
    await until(page, `document.querySelector('.grid').tabIndex === 0`);
    await page.keyboard.press('Tab');
    await focused(page, '0 0');
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('keeps the keyboard in its cell while other rows pass by, and goes on from there', async () => {
    const panel = await openCoverage(stage, sampleCoverage(5000));
    const { page } = panel;
    await page.locator('[data-index="2"] > [data-column="3"]').focus();
    await page.evaluate(`document.querySelector('.grid').scrollTop = 60000`);
    await page.locator('[data-index="2307"]').waitFor({ state: 'attached' });
    assert.equal(await page.evaluate(cellSource), '2 3');
    await page.keyboard.press('ArrowDown');
    await focused(page, '3 3');
    assert.equal(await page.locator('[data-index="3"]').count(), 1);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('fits twelve years into an editor beside the side bar, and scrolls sideways below that, newest years first', async () => {
    const sideways = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.grid'))`;
    const wide = await openCoverage(stage, sampleCoverage(60), { width: 1000 });
    assert.equal(await wide.page.evaluate(sideways), 0);
    const cut = `[...document.querySelectorAll('.body .country bdi')].filter((each) => each.scrollWidth > each.clientWidth)`;
    assert.deepEqual(await wide.page.evaluate(`${cut}.map((each) => each.textContent)`), []);
    await wide.page.getByText('Gaps are years without a report between a company’s first and latest one').waitFor();
    await wide.close();
    const narrow = await openCoverage(stage, sampleCoverage(60), { width: 400 });
    await until(narrow.page, `document.querySelector('.grid').scrollLeft > 0`);
    const grid = await narrow.page.locator('.grid').boundingBox();
    const newest = await narrow.page.getByRole('columnheader', { name: '2025' }).boundingBox();
    const name = await narrow.page.locator('[data-index="1"] > .name').boundingBox();
    assert.ok(grid && newest && name);
    assert.ok(newest.x + newest.width <= grid.x + grid.width + 1);
    assert.equal(Math.round(name.x), Math.round(grid.x));
    assert.ok(name.width >= 150, 'twenty characters and more');
    await narrow.close();
  });

  it('opens a company, a cell and nothing where nothing is', async () => {
    const view = sampleCoverage(40);
    const reader = new CellReader(view, 'all');
    const columns = view.years.map((_, column) => column).slice(1);
    const filled = columns.find((column) => cellState(reader.cell(2, column)) !== 'none') ?? -1;
    const isNothing = (column: number) =>
      cellState(reader.cell(2, column)) === 'none' && !reader.cell(2, column).coveredBySplit;
    const empty = columns.find(isNothing) ?? -1;
    assert.ok(filled > 0 && empty > 0);
    const panel = await openCoverage(stage, view);
    const { page } = panel;
    const cell = (column: number) => page.locator(`[data-index="2"] > [data-column="${column}"]`);
    await cell(0).click();
    await waitForCall(panel, 'openCompany');
    await cell(empty).focus();
    await page.keyboard.press('Enter');
    await page.getByText('No report here').waitFor({ state: 'attached' });
    await cell(filled).focus();
    await page.keyboard.press('Enter');
    await waitForCall(panel, 'openCell');
    assert.deepEqual(panel.calls, [
      ['openCompany', { row: 2 }],
      ['openCell', { row: 2, year: view.years[filled], family: 'all' }],
    ]);
    await panel.close();
  });

  it('finds companies without a sustainability report for a year, and exports what it shows', async () => {
    const view = sampleCoverage(300);
    const gaps = new CellReader(view, 'SR');
    const expected = view.keys.filter((_, row) => gaps.isGap(row, view.years.indexOf(2024))).length;
    assert.ok(expected > 0 && expected < 300);
    const panel = await openCoverage(stage, view);
    const { page } = panel;
    await page.getByRole('combobox', { name: 'Reports' }).selectOption('SR');
    await page.getByRole('combobox', { name: 'Missing in' }).selectOption('2024');
    await page.getByText(`${expected} of 300 companies without a sustainability report for 2024`).waitFor();
    assert.equal(await page.locator('.grid').getAttribute('aria-rowcount'), String(expected + 1));
    const gapsHead = page.getByRole('columnheader', { name: 'Gaps' });
    await gapsHead.focus();
    await page.keyboard.press('Enter');
    assert.equal(await gapsHead.getAttribute('aria-sort'), 'descending');
    await page.getByText('Sorted by Gaps, descending').waitFor({ state: 'attached' });
    const look = { family: 'SR', sort: 'gaps', descending: true, gapYear: 2024, filter: '' };
    await page.getByRole('button', { name: 'Copy as CSV' }).press('Enter');
    await waitForCall(panel, 'copyAs');
    await page.getByRole('button', { name: 'Save…' }).press('Enter');
    await waitForCall(panel, 'save');
    await page.getByRole('button', { name: 'View as Text' }).press('Enter');
    await waitForCall(panel, 'viewAsText');
    assert.deepEqual(panel.calls, [
      ['copyAs', { look, format: 'csv' }],
      ['save', { look }],
      ['viewAsText', { look }],
    ]);
    const year = page.getByRole('columnheader', { name: '2024' });
    await year.press('Enter');
    await page.getByText('300 companies', { exact: true }).waitFor();
    await panel.close();
  });

  it('comes back after a reload as it was, and ignores a state that is not its own', async () => {
    const state: StateOf<typeof coverageProtocol> = {
      version: 1,
      look: { family: 'IR', sort: 'name', descending: true, gapYear: null, filter: 'Energie' },
      row: 5,
      column: 2,
      top: 400,
    };
    const panel = await openCoverage(stage, sampleCoverage(900), { state });
    await until(panel.page, `document.querySelector('.grid').scrollTop === 400`);
    assert.equal(await panel.page.locator('.filter input').inputValue(), 'Energie');
    assert.equal(await panel.page.getByRole('combobox', { name: 'Reports' }).inputValue(), 'IR');
    await panel.close();
    const fresh = await openCoverage(stage, sampleCoverage(9), { state: { ...state, evil: '<img>' } });
    assert.equal(await fresh.page.locator('.filter input').inputValue(), '');
    await fresh.close();
  });

  it('of one company is worked by keyboard: copy, open, choose a range, download', async () => {
    const panel = await openCompany(stage, sampleCompanyInput);
    const { page } = panel;
    // Behind the star come the key's label and its button.
    await page.getByRole('button', { name: 'Favorite' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitForCall(panel, 'copy');
    // Said once the answer is here: it would take the place of what is said later.
    await page.getByText(/^Copied /).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'View as Text' }).focus();
    await page.keyboard.press('Tab');
    await focusedPlace(page, '0 11');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await waitForCall(panel, 'openCell');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowDown');
    await focusedPlace(page, '2 10');
    assert.equal(await page.locator('[aria-selected=true]').count(), 4);
    await page.getByText('Selected cells: 4').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Download Selected PDFs…' }).press('Enter');
    await waitForCall(panel, 'download');
    await page.locator('[data-place="2 10"]').press('Escape');
    await page.getByRole('button', { name: 'Download All PDFs…' }).waitFor();
    await page.getByText('Selection cleared').waitFor({ state: 'attached' });
    assert.deepEqual(panel.calls, [
      ['copy', 'XFRA_NWK'],
      ['openCell', '2025 IR'],
      ['download', ['2024 IR', '2025 IR', '2024 AR2', '2025 AR2']],
    ]);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('of one company has a scroll bar in sight where it is narrow, which moves the years', async () => {
    const panel = await openCompany(stage, sampleCompanyInput, { width: 640, height: 700 });
    const { page } = panel;
    const bar = page.locator('.side-bar');
    const box = await bar.boundingBox();
    assert.ok(box && box.y + box.height <= 700, 'at the lower edge of the window');
    const left = `document.querySelector('.years').scrollLeft`;
    assert.ok(Number(await page.evaluate(left)) > 0, 'the newest years show first');
    assert.equal(await page.evaluate(`document.querySelector('.side-bar').scrollLeft`), await page.evaluate(left));
    await page.evaluate(`document.querySelector('.side-bar').scrollLeft = 0`);
    await until(page, `${left} === 0`);
    await page.setViewportSize({ width: 1400, height: 700 });
    await bar.waitFor({ state: 'hidden' });
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('of one company chooses a range with the mouse too', async () => {
    const panel = await openCompany(stage, sampleCompanyInput);
    const { page } = panel;
    await page.locator('[data-place="3 0"]').click();
    await waitForCall(panel, 'openCell');
    await page.locator('[data-place="4 2"]').click({ modifiers: ['Shift'] });
    assert.equal(await page.locator('[aria-selected=true]').count(), 6);
    const { row, column } = (await panel.state()) as { row: number; column: number };
    assert.deepEqual([row, column], [4, 2]);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });
});

async function focused(page: Page, place: string): Promise<void> {
  await until(page, `${cellSource} === '${place}'`).catch(async () => {
    assert.equal(await page.evaluate(cellSource), place);
  });
}

async function focusedPlace(page: Page, place: string): Promise<void> {
  await until(page, `document.activeElement?.dataset.place === '${place}'`);
}
