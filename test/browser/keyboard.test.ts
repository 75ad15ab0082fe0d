import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Side } from '../../src/base/rpc.ts';
import { compareBlocks, inReadingOrder } from '../../src/panels/compare.ts';
import type { ResolveEntry } from '../../src/panels/lookups.ts';
import { resolveRows, resultsBlocks } from '../../src/panels/results.ts';
import { blocksProtocol } from '../../src/protocol/blocks.ts';
import { hostileComparison, threeYears } from '../support/panels/compared.ts';
import { countedLibrary } from '../support/panels/fieldUse.ts';
import { hostileReport, sampleReport } from '../support/panels/reports.ts';
import { manyResolved, resolvedSample, sampleAbout } from '../support/panels/resolved.ts';
import { sampleUsage } from '../support/panels/usage.ts';
import { neverReached } from './keyboardWalk.ts';
import {
  type OpenPanel,
  open,
  openCompare,
  openReport,
  openResolved,
  openSchema,
  openUsage,
  waitForCall,
} from './openPanel.ts';
import { panelStage } from './panelStage.ts';

const available = { kind: 'available' } as const;

describe('panels by keyboard and message', () => {
  const stage = panelStage(['blocks']);

  it('copies any value and opens its meaning with the arrow keys, in one stop of the Tab key', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: available });
    await panel.page.locator('.filter input').focus();
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    await waitForCall(panel, 'copy');
    await panel.page.keyboard.press('ArrowLeft');
    await panel.page.keyboard.press('End');
    await panel.page.keyboard.press('Enter');
    await waitForCall(panel, 'explain');
    await panel.page.keyboard.press('Tab');
    assert.equal(await focusedRow(panel.page), 'company_key');
    assert.deepEqual(panel.calls, [
      ['copy', 'Nordwerk Antriebstechnik SE'],
      ['explain', 'sha256'],
    ]);
    await panel.close();
  });

  it('filters by label, column and value, says how many are left, and Escape shows all', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: available });
    await panel.page.locator('.filter input').fill('climate action');
    await panel.page.getByText('1 of 63 fields').waitFor();
    assert.equal(await panel.page.locator('.row[data-row]').count(), 1);
    assert.equal(((await panel.state()) as { filter: string }).filter, 'climate action');
    await panel.page.keyboard.press('Escape');
    await panel.page.locator('[data-row=isin]').waitFor();
    assert.equal(await panel.page.locator('.row[data-row]').count(), 63);
    await panel.close();
    // In a comparison, a field that is the same everywhere is found too.
    const { page, close } = await openCompare(stage, threeYears);
    await page.locator('.filter input').fill('NACE');
    await page.getByText('1 of 63 fields').waitFor();
    assert.equal(await page.locator('tr[data-row=nace_code]').count(), 1);
    await close();
  });

  it('restores filter and place, and ignores a state that is not its own', async () => {
    const own = { filter: 'ISIN', status: null, showsSame: false, row: 0, column: 0, texts: [] };
    const state = { version: 1, ...own, scroll: 0 };
    const restored = await openReport(stage, { report: sampleReport(), file: available }, { state });
    assert.equal(await restored.page.locator('[data-row=title]').count(), 0);
    await restored.close();
    const foreign = { ...state, filter: 7, evil: '<img>' };
    const fresh = await openReport(stage, { report: sampleReport(), file: available }, { state: foreign });
    assert.equal(await fresh.page.locator('[data-row=title]').count(), 1);
    await fresh.close();
  });

  it('shows why a report could not be read, and tries again', async () => {
    const panel = await open(stage, 'blocks?look=report', blocksProtocol, {}, (channel) =>
      channel.send('problem', { message: 'The service could not be reached.' }),
    );
    await panel.page.getByRole('alert').getByText('The service could not be reached.').waitFor();
    await panel.page.getByRole('button', { name: 'Try Again' }).click();
    await waitForCall(panel, 'retry');
    await panel.page.locator('.skeleton').waitFor();
    await panel.close();
    const usage = await openUsage(stage, sampleUsage());
    await usage.page.getByRole('button', { name: 'Refresh' }).press('Enter');
    await waitForCall(usage, 'refresh');
    await usage.close();
  });

  it('reveals a column of the dictionary and searches meanings', async () => {
    const panel = await openSchema(stage, { kind: 'failed', message: 'The service could not be reached.' });
    assert.equal(await panel.page.locator('[data-row]').count(), 50);
    panel.channel.send('go', { row: 'assurance_scope' });
    const row = panel.page.locator('.row.marked');
    await row.waitFor();
    assert.match((await row.textContent()) ?? '', /50\s*assurance_scope/);
    assert.equal(await panel.page.evaluate('document.activeElement.ariaLabel'), 'Copy assurance_scope');
    await panel.page.locator('.filter input').fill('megabytes');
    await panel.page.getByText('1 of 50 fields').waitFor();
    await panel.page.getByRole('button', { name: 'Try Again' }).click();
    await waitForCall(panel, 'retry');
    await panel.close();
  });

  it('compares by keyboard: copies a cell, opens a report and a field, and unfolds what is the same, which stays so', async () => {
    const panel = await openCompare(stage, threeYears);
    const { page } = panel;
    await page.getByRole('button', { name: 'View as Text' }).focus();
    await page.keyboard.press('Tab');
    const focused = await page.evaluate('document.activeElement?.textContent.trim()');
    assert.match(String(focused), /^Nachhaltigkeitsbericht 2021\/22/);
    assert.equal(await page.locator('[data-row=company]').count(), 0);
    await page.locator('.fold').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-row=company]').waitFor();
    // What changes in the library folds nothing.
    const [earliest, ...others] = threeYears;
    assert.ok(earliest);
    const changed = { ...earliest, report: { ...earliest.report, assurance_provider: 'Another Auditor' } };
    panel.channel.send('show', { blocks: compareBlocks(inReadingOrder([changed, ...others]), [], 'en') });
    await page.getByText('Another Auditor').waitFor();
    await page.locator('[data-row=company]').waitFor();
    const state = await panel.state();
    await page.locator('[data-row=pages] .label-link').focus();
    await page.keyboard.press('Enter');
    await waitForCall(panel, 'explain');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await waitForCall(panel, 'copy');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await waitForCall(panel, 'openReport');
    assert.deepEqual(panel.calls, [
      ['explain', 'pages'],
      ['copy', '121'],
      ['openReport', 2],
    ]);
    assert.deepEqual(panel.faults, []);
    await panel.close();
    const again = await openCompare(stage, threeYears, { state });
    await again.page.locator('[data-row=company]').waitFor();
    assert.deepEqual(await again.state(), state);
    await again.close();
  });

  it('keeps head and first column of a comparison in sight, wherever it is scrolled to', async () => {
    const panel = await openCompare(stage, hostileComparison, { width: 700 });
    const place = async (selector: string) => {
      const box = await panel.page.locator(selector).first().boundingBox();
      return box && [Math.round(box.x), Math.round(box.y)];
    };
    const [head, first] = [await place('.corner'), (await place('th[scope=row]'))?.[0]];
    await panel.page.locator('.scroller').evaluate((element) => element.scrollTo(300, 900));
    assert.deepEqual(await place('.corner'), head);
    assert.equal((await place('th[scope=row]'))?.[0], first);
    await panel.close();
  });

  const walks: Readonly<Record<string, () => Promise<OpenPanel<Side>>>> = {
    report: () => openReport(stage, { report: hostileReport, file: available }),
    dictionary: () => openSchema(stage, { kind: 'reading' }, {}, countedLibrary()),
    comparison: () => openCompare(stage, threeYears, { state: null }),
    usage: () => openUsage(stage, sampleUsage()),
    results: () => openResolved(stage, resolvedSample),
  };
  it('reaches everything that can be clicked with Tab and arrow keys alone', async () => {
    for (const [name, openPanel] of Object.entries(walks)) {
      const panel = await openPanel();
      assert.deepEqual(await neverReached(panel.page), [], name);
      await panel.close();
    }
  });

  it('narrows results, opens a company by row, copies all, refines by row, writes back, downloads and asks again', async () => {
    const panel = await openResolved(stage, resolvedSample);
    await panel.page.getByRole('button', { name: /^Ambiguous/ }).press('Enter');
    assert.equal(await panel.page.locator('[data-row]').count(), 1);
    await panel.page.getByRole('button', { name: /^All/ }).press('Enter');
    await panel.page.getByRole('button', { name: 'Cedarline Logistics Inc.' }).press('Enter');
    await panel.page.getByRole('button', { name: 'Copy as CSV' }).press('Enter');
    await waitForCall(panel, 'copyAs');
    await panel.page.getByRole('button', { name: /^Refine… for / }).press('Enter');
    await waitForCall(panel, 'refine');
    for (const [name, call] of [
      ['Write Back…', 'writeBack'],
      ['Download PDFs…', 'download'],
      ['Ask Again', 'askAgain'],
    ] as const) {
      // A button is held back while the one before it is at work.
      await panel.page.getByRole('button', { name }).and(panel.page.locator(':not([disabled])')).press('Enter');
      await waitForCall(panel, call);
    }
    assert.deepEqual(panel.calls, [
      ['openCompany', 2],
      ['copyAs', 'csv'],
      ['refine', 4],
      ['writeBack'],
      ['download'],
      ['askAgain'],
    ]);
    await panel.close();
  });

  it('names the row in links that repeat, chooses a candidate, keeps the focus in its row, and takes it back', async () => {
    const [matched, , , ambiguous] = resolvedSample;
    assert.ok(matched && ambiguous);
    const candidates = ['One', 'Two', 'Three', 'Four'].map((name) => ({
      name: `Atlas ${name} plc`,
      text: `XLON:${name}`,
    }));
    const before = { ...ambiguous, candidates };
    const refined = { ...matched, query: before.query, refined: { text: 'XLON:Two', before } };
    const show = (entry: ResolveEntry) => () =>
      panel.channel.send('show', { blocks: resultsBlocks('companies', resolveRows([matched, entry]), sampleAbout) });
    const panel = await openResolved(stage, [matched, before], {}, { refine: show(refined), undoRefine: show(before) });
    const { page } = panel;
    await page.getByRole('button', { name: /^Ambiguous/ }).press('Enter');
    assert.deepEqual(
      await page.locator('[data-row] [data-stop]').evaluateAll((links) => links.map((link) => link.ariaLabel)),
      [
        'Refine… for “Atlas Group”',
        'Atlas One plc for “Atlas Group”',
        'Atlas Two plc for “Atlas Group”',
        'Atlas Three plc for “Atlas Group”',
        'More… for “Atlas Group”',
      ],
    );
    await page.getByRole('button', { name: 'Atlas Two plc' }).press('Enter');
    await page.locator('[data-row] .refined', { hasText: 'looked up as XLON:Two' }).waitFor();
    // Nothing is ambiguous any more: the page shows all rows, says so, and keeps the keyboard where it was.
    const undo = page.getByRole('button', { name: 'Undo for “Atlas Group”' });
    await page.locator('[aria-label="Undo for “Atlas Group”"]:focus').waitFor();
    assert.equal(await page.getByRole('button', { name: /^All/ }).getAttribute('aria-pressed'), 'true');
    await undo.press('Enter');
    await page.locator('[aria-label="Refine… for “Atlas Group”"]:focus').waitFor();
    assert.deepEqual(panel.calls, [
      ['refine', [2, 1]],
      ['undoRefine', 2],
    ]);
    await panel.close();
  });

  it('keeps few rows of a long list in the page wherever it is scrolled, and reaches the last one', async () => {
    const panel = await openResolved(stage, manyResolved(10_000));
    // Every frame of the way, however long frames take here: the page never holds the list.
    const most = await panel.page.evaluate(`(async () => {
      let most = 0;
      for (let step = 1; step <= 25; step += 1) {
        window.scrollTo(0, (document.documentElement.scrollHeight * step) / 25);
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        most = Math.max(most, document.querySelectorAll('[data-row]').length);
      }
      return most;
    })()`);
    assert.ok((most as number) < 200, `${most} rows`);
    await panel.page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await panel.page.locator('[data-row][aria-rowindex="10001"]').waitFor();
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });
});

const focusedRow = (page: Page) => page.evaluate(`document.activeElement?.closest('[data-row]')?.dataset.row`);
