import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Report } from '../../src/api/schemas/report.ts';
import type { Side } from '../../src/base/rpc.ts';
import { metadataView } from '../../src/protocol/metadataView.ts';
import { threeYears } from '../support/panels/compared.ts';
import { sampleCompanyInput, sampleCoverage } from '../support/panels/coverage.ts';
import { countedLibrary } from '../support/panels/fieldUse.ts';
import { hostileReport, sampleReport } from '../support/panels/reports.ts';
import { sampleUsage } from '../support/panels/usage.ts';
import {
  type OpenPanel,
  openCompany,
  openCompare,
  openCoverage,
  openReport,
  openSchema,
  openUsage,
  waitForCall,
} from './openPanel.ts';
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
const downloaded = {
  kind: 'downloaded',
  path: 'reports/a.pdf',
  verified: true,
  outdated: false,
  served: true,
  edited: false,
} as const;

describe('panels while things go on', () => {
  const stage = panelStage(['metadata', 'compare', 'coverage', 'blocks', 'schemaDictionary', 'usage']);

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
      const view = metadataView(sampleReport(), false, 'en');
      channel.send('show', { ...view, next: { reportId: 2, year: '2024', title: 'Report 2024' } });
      const button = page.getByRole('button', { name: 'Next year' });
      await button.waitFor();
      await page.evaluate('document.hasFocus = () => false');
      channel.send('stepped', { step: 'next' });
      // Messages keep their order: when this one is drawn, the one before it has had its effect.
      channel.send('file', downloaded);
      await page.getByRole('button', { name: 'Open PDF' }).waitFor();
      assert.equal(await page.evaluate('document.activeElement === document.body'), true);
      await page.evaluate('window.dispatchEvent(new Event("focus"))');
      assert.equal(await page.evaluate('document.activeElement.dataset.step'), 'next');
      await close();
    });

    it('goes through the menu of a report with arrow keys, and back to its button', async () => {
      const panel = await openReport(stage, { report: sampleReport(), file: downloaded });
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
  });

  describe('a report’s PDF in its panel', () => {
    it('downloads, shows progress and tells the end, with the keyboard on the button of the PDF', async () => {
      const panel = await openReport(stage, { report: sampleReport(), file: available });
      await panel.page.locator('.company button').focus();
      await panel.page.keyboard.press('Tab');
      await panel.page.keyboard.press('Space');
      await waitForCall(panel, 'download');
      assert.equal(await panel.page.evaluate('window.scrollY'), 0);
      panel.channel.send('file', { kind: 'downloading', received: 0, total: null, words: 'Waiting for the PDF…' });
      await panel.page.locator('progress:indeterminate').waitFor();
      assert.equal(await focused(panel.page), 'vscode-button Cancel Download');
      const said = panel.page.locator('.visually-hidden[role=status]');
      assert.equal(await said.textContent(), 'Waiting for the PDF…');
      for (const [received, words, heard] of [
        [0.9e6, '0.9 MB of 4.0 MB', 'Waiting for the PDF…'],
        [1e6, '1.0 MB of 4.0 MB', '1.0 MB of 4.0 MB'],
        [1.9e6, '1.9 MB of 4.0 MB', '1.0 MB of 4.0 MB'],
        [3.1e6, '3.1 MB of 4.0 MB', '3.1 MB of 4.0 MB'],
      ] as const) {
        panel.channel.send('file', { kind: 'downloading', received, total: 4e6, words });
        await panel.page.locator('main').getByText(words).waitFor();
        assert.equal(await said.textContent(), heard);
      }
      assert.equal(await panel.page.locator('progress').getAttribute('max'), '4000000');
      panel.channel.send('file', downloaded);
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
      panel.channel.send('file', { kind: 'downloading', received: 0, total: null, words: 'Waiting for the PDF…' });
      await page.getByRole('button', { name: 'Cancel Download' }).waitFor();
      await click(2);
      await page.getByRole('button', { name: 'Insert into Notebook' }).click();
      await waitForCall(panel, 'run');
      assert.deepEqual(
        panel.calls.map(([name]) => name),
        ['download', 'run'],
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
      const changed: Report = { ...sampleReport(), assurance_provider: 'Another Auditor' };
      panel.channel.send('show', metadataView(changed, false, 'en'));
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
      panel.channel.send('show', metadataView(sampleReport(), false, 'en'));
      await panel.page.locator('h1').waitFor();
      await panel.close();
    });
  });

  describe('a panel as text', () => {
    /** The document that View as Text shows. */
    async function textOf(panel: OpenPanel<Side>): Promise<string> {
      const more = panel.page.getByRole('button', { name: 'More' });
      if ((await more.count()) > 0) await more.click();
      await panel.page.getByText('View as Text').click();
      await waitForCall(panel, 'showText');
      assert.deepEqual(panel.faults, []);
      await panel.close();
      const [, shown] = panel.calls.find(([name]) => name === 'showText') ?? [];
      return (shown as { text: string }).text;
    }

    it('has a report’s title, facts, notices, and each field with its whole value and its column', async () => {
      const text = await textOf(await openReport(stage, { report: sampleReport(), file: available, withdrawn: true }));
      assert.match(text, /^# Bewegung mit Maß: Nachhaltigkeitsbericht/m);
      assert.match(text, /^- Fiscal year: 2023\/24 filed under 2024$/m);
      assert.match(text, /^- Withdrawn: the service no longer serves this report/m);
      assert.match(text, /^\| Field \| Value \| Column \|$/m);
      assert.match(text, /^\| SASB \| No \| std\\_sasb \|$/m);
      assert.match(text, /^\| ISSB \| Undetermined \| std\\_issb \|$/m);
      assert.doesNotMatch(text, /Download PDF|Copy/);
      const hostile = await textOf(await openReport(stage, { report: hostileReport, file: available }));
      assert.match(hostile, /(long ){400}/);
      assert.match(hostile, /\\<img src=x onerror="alert\(1\)"\\>/);
      assert.doesNotMatch(hostile, /(?<!\\)<(img|script|b)|(?<!\\)\]\(command|Show all|[\u202A-\u202E]/);
    });

    it('has a company’s years cell by cell, a comparison folded or not, the dictionary and the usage', async () => {
      const company = await textOf(await openCompany(stage, sampleCompanyInput));
      assert.match(company, /^\| SR Sustainability Report \| 2014: Downloaded \|/m);
      assert.match(company, /not an audit/);
      assert.match(company, /^- 2017: limited · Hartmann/m);
      const compared = await textOf(await openCompare(stage, threeYears));
      assert.match(compared, /^\| Pages pages \| 96 \| 121 \| 148 \|$/m);
      const [differs, agrees] = [compared.indexOf('| Pages pages |'), compared.indexOf('| Company company |')];
      assert.ok(differs > 0 && agrees > differs);
      const schema = await textOf(await openSchema(stage, { kind: 'reading' }, {}, countedLibrary()));
      assert.match(schema, /^\| 9 \| filesize File size \| report\\_filesize float \|.*\| \d+% \|$/m);
      const usage = await textOf(await openUsage(stage, sampleUsage()));
      assert.match(usage, /^- Requests: 48,213$/m);
    });
  });
});
