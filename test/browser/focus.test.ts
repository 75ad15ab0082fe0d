import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PdfState } from '../../src/panels/pdfState.ts';
import { reportBlocks } from '../../src/panels/report.ts';
import { sampleCoverage } from '../support/panels/coverage.ts';
import { downloadedPdf, sampleReport } from '../support/panels/reports.ts';
import { openCoverage, openReport, waitForCall } from './openPanel.ts';
import { panelStage } from './panelStage.ts';

/** What has the keyboard, in words. */
const focused = (page: Page) =>
  page.evaluate(
    `(() => { const at = document.activeElement; return at?.localName + ' ' + at?.textContent.trim().slice(0, 40); })()`,
  );
const focusedRow = (page: Page) => page.evaluate('document.activeElement?.closest("[data-row]")?.dataset.row');
const announced = (page: Page) => page.locator('.visually-hidden[role=status]').filter({ hasText: 'updated' });
const scrollTop = (page: Page) => page.evaluate('Math.round(document.scrollingElement.scrollTop)');

const available = { kind: 'available' } as const;
const shown = (file: PdfState, changes: Parameters<typeof sampleReport>[0] = {}) =>
  reportBlocks({ report: sampleReport(changes), withdrawn: false, file }, 'en');

describe('panels while things go on', () => {
  const stage = panelStage(['coverage', 'blocks']);

  describe('the keyboard in panels', () => {
    it('goes to what is there now when the element it was on is gone', async () => {
      const panel = await openReport(stage, { report: sampleReport(), file: available });
      const { page, channel } = panel;
      await page.locator('[data-row=std_gri] .icon-button').focus();
      channel.send('problem', { message: 'You are not signed in.' });
      await page.locator('vscode-button:focus', { hasText: 'Try Again' }).waitFor();
      await panel.close();
    });

    it('comes back to the row it was on when the page is made anew, and when the window gets the focus back', async () => {
      const first = await openReport(stage, { report: sampleReport(), file: available });
      const copy = '[data-row=std_gri] .icon-button';
      await first.page.locator(copy).focus();
      await first.page.evaluate('document.activeElement.blur(); window.dispatchEvent(new Event("focus"))');
      assert.equal(await first.page.evaluate('document.activeElement.ariaLabel'), 'Copy GRI Standards');
      const state = await first.state();
      await first.close();
      const again = await openReport(stage, { report: sampleReport(), file: available }, { state });
      await again.page.locator(`${copy}:focus`).waitFor();
      await again.close();
      const coverage = await openCoverage(stage, sampleCoverage(60));
      await coverage.page.locator('[data-index="2"] > [data-column="3"]').focus();
      const kept = await coverage.state();
      await coverage.close();
      const back = await openCoverage(stage, sampleCoverage(60), { state: kept });
      await back.page.locator('[data-index="2"] > [data-column="3"]:focus').waitFor();
      await back.close();
    });

    it('goes on to the next year only in a window that has it, else when it comes back', async () => {
      const { page, channel, close } = await openReport(stage, { report: sampleReport(), file: available });
      const years = sampleReport({ report_fcyear: 2024 });
      const other = { report_id: 2, fiscal_year: 2025, title: 'Report 2025', report_key: 'KEY', language: 'de' };
      const blocks = (file: PdfState) => reportBlocks({ report: years, withdrawn: false, file, others: [other] }, 'en');
      channel.send('show', { blocks: blocks(available) });
      const button = page.getByRole('button', { name: 'Next year' });
      await button.waitFor();
      await page.evaluate('document.hasFocus = () => false');
      channel.send('go', { acts: ['next', 'previous'] });
      // Messages keep their order: when this one is drawn, the one before it has had its effect.
      channel.send('show', { blocks: blocks(downloadedPdf) });
      await page.getByRole('button', { name: 'Open PDF' }).waitFor();
      assert.equal(await page.evaluate('document.activeElement === document.body'), true);
      await page.evaluate('window.dispatchEvent(new Event("focus"))');
      assert.equal(await page.evaluate('document.activeElement.dataset.act'), 'next');
      await close();
    });

    it('goes through the menu of a report with arrow keys, and back to its button', async () => {
      const panel = await openReport(stage, { report: sampleReport(), file: downloadedPdf });
      const { page } = panel;
      await page.getByRole('button', { name: 'More' }).press('Enter');
      await page.locator('.menu button:focus', { hasText: 'Reveal in Explorer' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await waitForCall(panel, 'exportReports');
      assert.equal(await focused(page), 'vscode-button More');
      await page.keyboard.press('Enter');
      await page.locator('.menu button:focus').waitFor();
      await page.keyboard.press('End');
      assert.equal(await focused(page), 'button View as Text');
      await page.keyboard.press('Escape');
      assert.equal(await page.getByRole('menu').count(), 0);
      assert.equal(await focused(page), 'vscode-button More');
      assert.deepEqual(panel.calls, [['exportReports']]);
      assert.deepEqual(panel.faults, []);
      await panel.close();
    });
  });

  describe('a report’s PDF in its panel', () => {
    it('downloads, shows progress and tells the end, with the keyboard on the button of the PDF', async () => {
      const panel = await openReport(stage, { report: sampleReport(), file: available });
      await panel.page.locator('.company button').focus();
      await panel.page.keyboard.press('Tab');
      await panel.page.keyboard.press('Space');
      await waitForCall(panel, 'download');
      assert.equal(await panel.page.evaluate('window.scrollY'), 0);
      const send = (file: PdfState, said?: string) =>
        panel.channel.send('show', { blocks: shown(file), ...(said !== undefined && { said }) });
      const waiting = 'Waiting for the PDF…';
      send({ kind: 'downloading', received: 0, total: null, words: waiting }, waiting);
      await panel.page.locator('progress:indeterminate').waitFor();
      assert.equal(await focused(panel.page), 'vscode-button Cancel Download');
      const said = panel.page.locator('.visually-hidden[role=status]');
      assert.equal(await said.textContent(), 'Waiting for the PDF…');
      const words = '0.9 MB of 4.0 MB';
      send({ kind: 'downloading', received: 0.9e6, total: 4e6, words });
      await panel.page.locator('main').getByText(words).waitFor();
      assert.equal(await said.textContent(), waiting);
      assert.equal(await panel.page.locator('progress').getAttribute('max'), '4000000');
      send(downloadedPdf, 'Downloaded and verified');
      await panel.page.getByRole('button', { name: 'Open PDF' }).waitFor();
      assert.equal(await said.textContent(), 'Downloaded and verified');
      assert.equal(await focused(panel.page), 'vscode-button Open PDF');
      assert.deepEqual(panel.faults, []);
      await panel.close();
    });

    it('downloads at a double click, whose second half is not taken for a cancel', async () => {
      const panel = await openReport(stage, { report: sampleReport(), file: available });
      const { page } = panel;
      const box = await page.getByRole('button', { name: 'Download PDF' }).boundingBox();
      assert.ok(box);
      const [x, y] = [box.x + 40, box.y + box.height / 2];
      const click = async (clickCount: number) => {
        await page.mouse.down({ clickCount });
        await page.mouse.up({ clickCount });
      };
      await page.mouse.move(x, y);
      await click(1);
      await waitForCall(panel, 'download');
      const words = 'Waiting for the PDF…';
      panel.channel.send('show', { blocks: shown({ kind: 'downloading', received: 0, total: null, words }) });
      await page.getByRole('button', { name: 'Cancel Download' }).waitFor();
      await click(2);
      await page.getByRole('button', { name: 'Insert into Notebook' }).click();
      await waitForCall(panel, 'insertIntoNotebook');
      assert.deepEqual(
        panel.calls.map(([name]) => name),
        ['download', 'insertIntoNotebook'],
      );
      await page.getByRole('button', { name: 'Cancel Download' }).click();
      await waitForCall(panel, 'cancelDownload');
      await panel.close();
    });
  });

  describe('an open panel whose data changes', () => {
    it('shows it where the person is: same place, same filter, same focus, told once', async () => {
      const panel = await openReport(stage, { report: sampleReport(), file: available });
      const { page } = panel;
      await page.locator('.filter input').fill('a');
      const copy = page.locator('[data-row="assurance_provider"] .icon-button');
      await copy.focus();
      await copy.scrollIntoViewIfNeeded();
      const top = await scrollTop(page);
      assert.equal(await announced(page).count(), 0);
      const blocks = shown(available, { assurance_provider: 'Another Auditor' });
      panel.channel.send('show', { blocks, said: 'The page was updated' });
      await page.locator('[data-row="assurance_provider"]', { hasText: 'Another Auditor' }).waitFor();
      await announced(page).waitFor({ state: 'attached' });
      assert.equal(await scrollTop(page), top);
      assert.equal(await focusedRow(page), 'assurance_provider');
      assert.equal(await page.locator('.filter input').inputValue(), 'a');
      assert.deepEqual(panel.faults, []);
      await panel.close();
    });

    it('gives way to the reason when nobody is signed in any more, and comes back', async () => {
      const panel = await openReport(stage, { report: sampleReport(), file: available });
      panel.channel.send('problem', { message: 'You are not signed in.', signedOut: true });
      await panel.page.getByRole('alert').filter({ hasText: 'You are not signed in.' }).waitFor();
      assert.equal(await panel.page.locator('h1').count(), 0);
      await panel.page.getByRole('button', { name: 'Sign In…' }).click();
      await panel.page.getByRole('button', { name: 'Open Demo Library' }).click();
      assert.equal(await panel.page.getByRole('button', { name: 'Try Again' }).count(), 0);
      const asked = panel.calls.filter(([name]) => name === 'enter').map(([, params]) => params);
      assert.deepEqual(asked, [{ how: 'signIn' }, { how: 'openDemoLibrary' }]);
      panel.channel.send('show', { blocks: shown(available) });
      await panel.page.locator('h1').waitFor();
      await panel.close();
    });
  });
});
