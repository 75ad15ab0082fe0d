import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { tableColumns, tableProtocol } from '../../src/protocol/reportTable.ts';
import { openFacets, sampleRow, sampleTable } from '../support/panels/table.ts';
import { until } from './editorPage.ts';
import { axeFindings, called, open, openTable } from './openPanel.ts';
import { panelStage } from './panelStage.ts';

const many = 200_000;

/** The focused cell of the grid: its row's place and its column. */
const cellSource = `[document.activeElement?.closest('[data-index]')?.dataset.index, document.activeElement?.dataset.column].join(' ')`;

/** The places of the rows that can be seen between head and lower edge, in the order in which they stand. */
const seenSource = `(() => {
  const { top, bottom } = document.querySelector('.grid').getBoundingClientRect();
  return [...document.querySelectorAll('.body > .row')].filter((row) => {
    const box = row.getBoundingClientRect();
    return box.top >= top + 25 && box.bottom <= bottom + 1;
  }).sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((row) => Number(row.dataset.index));
})()`;

describe('the table of all reports', () => {
  const stage = panelStage(['reportTable']);

  it('reaches the first and the last of 200,000 rows by keyboard, with few of them in the page', async () => {
    const panel = await openTable(stage, many);
    const { page } = panel;
    await page.locator('.link', { hasText: 'Select All 200,000' }).focus();
    await page.keyboard.press('Tab');
    await focused(page, '0 0');
    for (const [key, place] of [
      ['ArrowDown', '1 0'],
      ['End', '1 12'],
      ['Control+End', '199999 12'],
      ['ArrowDown', '199999 12'],
      ['PageUp', undefined],
      ['Control+ArrowDown', '199999 12'],
      ['Home', '199999 0'],
    ] as const) {
      await page.keyboard.press(key);
      if (place === undefined) await until(page, `${cellSource} !== '199999 12' && ${cellSource} !== ' '`);
      else await focused(page, place);
    }
    const last = page.locator('[data-index="199999"]');
    assert.equal(await last.getAttribute('aria-rowindex'), '200001');
    await last.getByText(sampleRow(199_999).cells.title ?? '').waitFor();
    const seen = (await page.evaluate(seenSource)) as number[];
    assert.equal(seen.at(-1), 199_999);
    assert.ok(seen.every((row, at) => at === 0 || row === (seen[at - 1] ?? 0) + 1));
    assert.ok((await page.locator('.row').count()) < 200);
    assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '200001');
    await page.keyboard.press('Control+Home');
    await focused(page, '-1 0');
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('leads anywhere by its scroll bar, and goes on from there row by row', async () => {
    const panel = await openTable(stage, many);
    const { page } = panel;
    await page.evaluate(`document.querySelector('.grid').scrollTop = 2_600_000`);
    await until(page, `${seenSource}[0] === 100_000`);
    const middle = (await page.evaluate(seenSource)) as number[];
    assert.ok(middle.length > 10 && middle.every((row, at) => at === 0 || row === (middle[at - 1] ?? 0) + 1));
    await page.locator('.grid').hover();
    await page.mouse.wheel(0, 260);
    await until(page, `${seenSource}[0] === ${(middle[0] ?? 0) + 10}`);
    const [first = 0] = (await page.evaluate(seenSource)) as number[];
    await page
      .locator(`[data-index="${first}"]`)
      .getByText(sampleRow(first).cells.title ?? '')
      .waitFor();
    await page.evaluate(`document.querySelector('.grid').scrollTop = 10_000_000`);
    await until(page, `${seenSource}.at(-1) === 199_999`);
    const asked = panel.calls.filter(([name]) => name === 'rows');
    assert.ok(asked.length < 12, `${asked.length} blocks`);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('shows the first 300,000 of more rows than a browser can scroll over, and says so', async () => {
    const panel = await openTable(stage, 1_000_000);
    const { page } = panel;
    await page.getByText('1,000,000 reports. The table shows the first 300,000.').waitFor();
    await page.locator('[data-index="0"] > [data-column="1"]').focus();
    await page.keyboard.press('Control+End');
    await focused(page, '299999 12');
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('selects by click, Shift and Ctrl, all and none, and runs what is asked on that', async () => {
    const panel = await openTable(stage, 12_431);
    const { page } = panel;
    const name = (row: number) => page.locator(`[data-index="${row}"] > [data-column="1"]`);
    await name(2).click();
    await selected(page, 1);
    await name(5).click({ modifiers: ['Shift'] });
    await selected(page, 4);
    await name(8).click({ modifiers: ['Control'] });
    await selected(page, 5);
    await page.locator('[data-index="3"] .tick').click();
    await page.getByText('4 reports selected').first().waitFor();
    for (const [button, action] of [
      ['Download PDFs…', 'downloadReports'],
      ['Compare', 'compareReports'],
      ['Insert into Notebook', 'insertIntoNotebook'],
      ['Export…', 'exportReports'],
      ['Resolve Companies', 'resolveIdentifiers'],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      await called(panel, 'run', { action });
    }
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Copy as TSV' }).click();
    await called(panel, 'copyAs', { form: 'tsv' });
    await page.getByRole('button', { name: 'More Actions…' }).click();
    await page.getByRole('menuitem', { name: 'View as Text' }).click();
    await called(panel, 'viewAsText', null);
    await page.getByRole('button', { name: 'Select All 12,431' }).click();
    await page.getByText('12,431 reports selected').first().waitFor();
    await page.getByRole('button', { name: 'Clear Selection' }).click();
    await page.getByText('None selected').waitFor();
    await selected(page, 0);
    await name(4).dblclick();
    await called(panel, 'openReport', { id: 5 });
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('does the same by keyboard alone', async () => {
    const panel = await openTable(stage, 12_431);
    const { page } = panel;
    await page.locator('[data-index="0"] > [data-column="1"]').focus();
    await page.keyboard.press('Space');
    await selected(page, 1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await selected(page, 3);
    assert.deepEqual(
      await page.evaluate(`[...document.querySelectorAll('.row[aria-selected=true]')].map((row) => row.dataset.index)`),
      ['1', '2', '3'],
    );
    await page.keyboard.press('Control+c');
    await called(panel, 'copyAs', { form: 'tsv' });
    await page.keyboard.press('Control+a');
    await page.getByText('12,431 reports selected').first().waitFor();
    await page.keyboard.press('Space');
    await page.getByText('12,430 reports selected').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('None selected').waitFor();
    await page.keyboard.press('Enter');
    await called(panel, 'openReport', { id: 4 });
    await page.keyboard.press('Control+ArrowUp');
    await focused(page, '-1 1');
    await page.keyboard.press('Enter');
    await called(panel, 'sort', { column: 'title', descending: false });
    await page.keyboard.press('Shift+ArrowRight');
    const columns = sampleTable(1)
      .view()
      .columns.map(({ id, width }) => ({ id, width: id === 'title' ? width + 16 : width }));
    await called(panel, 'arrange', { columns });
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('narrows by a value, an answer, words and years, and takes each part away again', async () => {
    const chips = [{ part: 'type', words: 'Integrated Report' }];
    const panel = await openTable(stage, 12_431, { state: openFacets, width: 1300 }, { chips });
    const { page } = panel;
    await page.getByRole('checkbox', { name: 'Integrated Report, 2,735 reports' }).click();
    await called(panel, 'narrow', { by: 'value', facet: 'type', value: 'IR' });
    await page.getByRole('button', { name: 'GRI: Yes, 7,707 reports' }).press('Enter');
    await called(panel, 'narrow', { by: 'fact', field: 'standards_gri', answer: 'yes' });
    await page.getByRole('button', { name: /^ESRS: Undetermined/ }).press('Enter');
    await called(panel, 'narrow', { by: 'fact', field: 'standards_esrs', answer: 'undetermined' });
    await page.getByRole('button', { name: 'Show all 13' }).click();
    await page.getByRole('checkbox', { name: /^Specialty 8/ }).waitFor();
    await page.getByRole('button', { name: 'Remove Integrated Report' }).click();
    await called(panel, 'narrow', { by: 'without', part: 'type' });
    await page.locator('.filter input').fill('wind power');
    await called(panel, 'narrow', { by: 'text', text: 'wind power' });
    await page.getByRole('button', { name: 'Clear Filter', exact: true }).click();
    await called(panel, 'narrow', { by: 'everything' });
    const bar = async (year: number) => {
      const box = await page.getByRole('button', { name: new RegExp(`^${year}:`) }).boundingBox();
      assert.ok(box);
      return [box.x + box.width / 2, box.y + 20] as const;
    };
    await page.mouse.move(...(await bar(2017)));
    await page.mouse.down();
    await page.mouse.move(...(await bar(2018)));
    await page.mouse.move(...(await bar(2019)));
    assert.equal(await page.locator('.year.within').count(), 3);
    await page.mouse.up();
    await called(panel, 'narrow', { by: 'years', years: [2017, 2018, 2019] });
    await page.getByRole('button', { name: /^2021:/ }).focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await called(panel, 'narrow', { by: 'years', years: [2021, 2022, 2023] });
    await page.locator('summary', { hasText: 'Country' }).press('Enter');
    await called(panel, 'open', { sections: ['type', 'standards', 'files', 'country'] });
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('reaches the last of many columns by keyboard, and sizes one by pointer', async () => {
    const columns = tableColumns.map((id) => ({ id, width: 140 }));
    const panel = await openTable(stage, 500, { width: 900 }, { columns });
    const { page } = panel;
    assert.equal(await page.getByRole('grid').getAttribute('aria-colcount'), String(columns.length));
    await page.locator('[data-index="2"] > [data-column="1"]').focus();
    await page.keyboard.press('End');
    await focused(page, `2 ${columns.length - 1}`);
    const lastCell = await page.locator(`[data-index="2"] > [data-column="${columns.length - 1}"]`).boundingBox();
    const grid = await page.getByRole('grid').boundingBox();
    const first = await page.locator('[data-index="2"] > [data-column="0"]').boundingBox();
    assert.ok(lastCell && grid && first);
    assert.ok(lastCell.x + lastCell.width <= grid.x + grid.width + 1);
    assert.equal(Math.round(first.x), Math.round(grid.x));
    await page.keyboard.press('Home');
    await focused(page, '2 0');
    const sizer = await page.locator('.head [data-column="2"] .sizer').boundingBox();
    assert.ok(sizer);
    await page.mouse.move(sizer.x + 3, sizer.y + 10);
    await page.mouse.down();
    await page.mouse.move(sizer.x + 33, sizer.y + 10, { steps: 3 });
    await page.mouse.up();
    await called(panel, 'arrange', { columns: columns.map((each, at) => (at === 2 ? { ...each, width: 170 } : each)) });
    assert.equal(panel.calls.filter(([name]) => name === 'sort').length, 0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Industry' }).click();
    await until(page, `document.querySelector('.grid').ariaColCount === '${columns.length - 1}'`);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('says all of a row to a screen reader, and has nothing that axe finds', async () => {
    const panel = await openTable(stage, 300, { state: openFacets, width: 1300 });
    const words = await panel.page.locator('[data-index="1"]').getAttribute('aria-label');
    assert.match(words ?? '', /^Company: .*, Title: Company 1 Report 2025, Type: Integrated Report, Fiscal year: 2025/);
    assert.match(words ?? '', /GRI Standards: (Yes|No|Undetermined)/);
    assert.deepEqual(await axeFindings(panel.page), []);
    assert.equal(await panel.page.locator('main img, main b, main script, main a').count(), 0);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('says what to do where nothing is: nothing matches, the first load, signed out', async () => {
    const none = await openTable(stage, 0);
    await none.page.getByText('No report matches the filter.').waitFor();
    await none.page.getByRole('button', { name: 'Clear Filter', exact: true }).click();
    await called(none, 'narrow', { by: 'everything' });
    none.channel.send('show', { ...none.table.view(), total: 0, isLoading: true });
    await none.page.getByText('They appear here while the library loads.').waitFor();
    none.channel.send('show', { ...none.table.view(), total: 0 });
    await none.page.getByText('Your license includes no reports yet.').waitFor();
    await none.close();
    const out = await open(stage, 'reportTable', tableProtocol, {}, (channel) =>
      channel.send('problem', { message: 'You are not signed in.', signedOut: true }),
    );
    await out.page.getByRole('button', { name: 'Open Demo Library' }).waitFor();
    await out.close();
  });

  it('keeps place, keyboard and rows in sight while the library changes, and comes back so', async () => {
    const panel = await openTable(stage, 5000);
    const { page } = panel;
    await page.locator('[data-index="3"] > [data-column="2"]').focus();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageDown');
    const at = String(await page.evaluate(cellSource));
    const [row = ''] = at.split(' ');
    panel.channel.send('show', { ...panel.table.view(), version: 2, count: 5001, total: 50_001 });
    await page.getByText('5,001 of 50,001 reports').waitFor();
    await focused(page, at);
    await page
      .locator(`[data-index="${row}"]`)
      .getByText(sampleRow(Number(row)).cells.title ?? '')
      .waitFor();
    const state = await panel.state();
    await panel.close();
    const back = await openTable(stage, 5000, { state });
    await until(back.page, `document.querySelector('.grid').scrollTop > 300`);
    await focused(back.page, at);
    assert.deepEqual(back.faults, []);
    await back.close();
  });
});

async function focused(page: Page, place: string): Promise<void> {
  await until(page, `${cellSource} === '${place}'`).catch(async () => {
    assert.equal(await page.evaluate(cellSource), place);
  });
}

async function selected(page: Page, count: number): Promise<void> {
  await until(page, `document.querySelectorAll('.row[aria-selected=true]').length === ${count}`);
}
