import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { metadataView } from '../../src/protocol/metadataView.ts';
import { threeYears } from '../support/panels/compared.ts';
import { sampleCoverage } from '../support/panels/coverage.ts';
import { sampleReport } from '../support/panels/reports.ts';
import { openCompare, openCoverage, openReport, waitForCall } from './openPanel.ts';
import { panelStage } from './panelStage.ts';

/** What has the keyboard, in words. */
const focused = (page: Page) =>
  page.evaluate(
    `(() => { const at = document.activeElement; return at?.localName + ' ' + at?.textContent.trim().slice(0, 40); })()`,
  );

const downloaded = { kind: 'downloaded', path: 'a.pdf', verified: true, outdated: false, served: true } as const;

describe('the keyboard in panels', () => {
  const stage = panelStage(['metadata', 'compare', 'coverage']);

  it('stays on the button of the PDF from Download PDF over Cancel Download to Open PDF', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: { kind: 'available' } });
    const { page, channel } = panel;
    await page.getByRole('button', { name: 'Download PDF' }).press('Enter');
    await waitForCall(panel, 'download');
    channel.send('file', { kind: 'downloading', received: 0, total: null, words: 'Waiting' });
    await page.getByRole('button', { name: 'Cancel Download' }).waitFor();
    assert.equal(await focused(page), 'vscode-button Cancel Download');
    channel.send('file', { ...downloaded, edited: false });
    await page.getByRole('button', { name: 'Open PDF' }).waitFor();
    assert.equal(await focused(page), 'vscode-button Open PDF');
    await panel.close();
  });

  it('goes to what is there now when the element it was on is gone', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: { kind: 'available' } });
    const { page, channel } = panel;
    await page.locator('[data-row=std_gri] .icon-button').focus();
    channel.send('problem', { message: 'You are not signed in.' });
    await page.locator('vscode-button:focus', { hasText: 'Try Again' }).waitFor();
    await panel.close();
  });

  it('comes back to the row it was on when the page is made anew, and when the window gets the focus back', async () => {
    const first = await openReport(stage, { report: sampleReport(), file: { kind: 'available' } });
    const copy = '[data-row=std_gri] .icon-button';
    await first.page.locator(copy).focus();
    await first.page.evaluate('document.activeElement.blur(); window.dispatchEvent(new Event("focus"))');
    assert.equal(await first.page.evaluate('document.activeElement.ariaLabel'), 'Copy GRI Standards');
    const state = await first.state();
    await first.close();
    const again = await openReport(stage, { report: sampleReport(), file: { kind: 'available' } }, { state });
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

  it('goes through the menu of a report with arrow keys, and back to its button', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: { ...downloaded, edited: false } });
    const { page } = panel;
    await page.getByRole('button', { name: 'More' }).press('Enter');
    await page.locator('.menu button:focus', { hasText: 'Reveal in Explorer' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await waitForCall(panel, 'run');
    assert.equal(await focused(page), 'vscode-button More');
    await page.keyboard.press('Enter');
    await page.locator('.menu button:focus').waitFor();
    await page.keyboard.press('End');
    assert.equal(await focused(page), 'button View as Text');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('menu').count(), 0);
    assert.equal(await focused(page), 'vscode-button More');
    assert.deepEqual(panel.calls, [['run', { action: 'exportReports' }]]);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('leads to the years before and after', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: { kind: 'available' } });
    const others = [2022, 2025].map((fiscal_year) => ({
      report_id: fiscal_year,
      fiscal_year,
      title: `Report ${fiscal_year}`,
      report_key: '',
      language: null,
    }));
    panel.channel.send('show', metadataView(sampleReport(), false, 'en', others));
    await panel.page.getByRole('button', { name: 'Next year: Report 2025' }).press('Enter');
    await waitForCall(panel, 'openOther');
    await panel.page.getByRole('button', { name: 'Previous year: Report 2022' }).waitFor();
    assert.deepEqual(panel.calls, [['openOther', { which: 'next' }]]);
    await panel.close();
  });

  it('enters a comparison at its first report', async () => {
    const panel = await openCompare(stage, threeYears);
    const { page } = panel;
    await page.getByRole('button', { name: 'View as Text' }).focus();
    await page.keyboard.press('Tab');
    assert.match(String(await focused(page)), /^button Nachhaltigkeitsbericht 2021\/22/);
    await panel.close();
  });
});
