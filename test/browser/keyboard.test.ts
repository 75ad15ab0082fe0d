import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { launch } from '../../scripts/host/page.ts';
import { installBrowser } from '../../scripts/install/browser.ts';
import { metadataProtocol } from '../../src/protocol/metadata.ts';
import { hostileReport, sampleReport } from '../support/panels/reports.ts';
import { manyResolved, resolvedSample } from '../support/panels/resolved.ts';
import { open, openReport, openResolved, openSchema, type Stage } from './openPanel.ts';
import { type PreviewServer, startPreviewServer } from './previewServer.ts';

const available = { kind: 'available' } as const;

describe('panels by keyboard and message', () => {
  let server: PreviewServer;
  let browser: Browser;
  let stage: Stage;

  before(async () => {
    server = await startPreviewServer(['metadata', 'schemaDictionary', 'resolveResults']);
    browser = await launch(await installBrowser());
    stage = { browser, origin: server.origin };
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it('downloads, shows progress and tells the end without moving the focus', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: available });
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Space');
    await waitForCall(panel, 'download');
    assert.equal(await panel.page.evaluate('window.scrollY'), 0);
    panel.channel.send('file', { kind: 'downloading', received: 0, total: null, words: 'Waiting for the PDF…' });
    await panel.page.locator('progress:indeterminate').waitFor();
    panel.channel.send('file', { kind: 'downloading', received: 1e6, total: 4e6, words: '1.0 MB of 4.0 MB' });
    await panel.page.getByText('1.0 MB of 4.0 MB').waitFor();
    assert.equal(await panel.page.locator('progress').getAttribute('max'), '4000000');
    const path = 'reports/a.pdf';
    panel.channel.send('file', {
      kind: 'downloaded',
      path,
      verified: true,
      outdated: false,
      served: true,
      edited: false,
    });
    await panel.page.getByRole('button', { name: 'Open PDF' }).waitFor();
    assert.equal(await panel.page.locator('.visually-hidden[role=status]').textContent(), 'Downloaded and verified');
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('copies any value and opens its meaning with the arrow keys, in one stop of the Tab key', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: available });
    await panel.page.locator('.filter input').focus();
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    await waitForCall(panel, 'copyValue');
    await panel.page.keyboard.press('ArrowLeft');
    await panel.page.keyboard.press('End');
    await panel.page.keyboard.press('Enter');
    await waitForCall(panel, 'explainColumn');
    await panel.page.keyboard.press('Tab');
    assert.equal(await focusedRow(panel.page), 'company_key');
    assert.deepEqual(panel.calls, [
      ['copyValue', { row: 'company' }],
      ['explainColumn', { row: 'sha256' }],
    ]);
    await panel.close();
  });

  it('filters by label, column and value, says how many are left, and Escape shows all', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: available });
    await panel.page.locator('.filter input').fill('climate action');
    await panel.page.getByText('1 of 63 fields').waitFor();
    assert.equal(await panel.page.locator('[data-row]').count(), 1);
    assert.equal(((await panel.state()) as { filter: string }).filter, 'climate action');
    await panel.page.keyboard.press('Escape');
    await panel.page.locator('[data-row=isin]').waitFor();
    assert.equal(await panel.page.locator('[data-row]').count(), 63);
    await panel.close();
  });

  it('restores filter and place, and ignores a state that is not its own', async () => {
    const state = { version: 1, reportId: 100482, filter: 'ISIN', scroll: 0 };
    const restored = await openReport(stage, { report: sampleReport(), file: available }, { state });
    assert.equal(await restored.page.locator('[data-row=title]').count(), 0);
    await restored.close();
    const foreign = { ...state, filter: 7, evil: '<img>' };
    const fresh = await openReport(stage, { report: sampleReport(), file: available }, { state: foreign });
    assert.equal(await fresh.page.locator('[data-row=title]').count(), 1);
    await fresh.close();
  });

  it('keeps three answers apart in look and words', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: available });
    const look = async (row: string) => {
      const value = panel.page.locator(`[data-row=${row}] .value`);
      return [
        (await value.textContent())?.trim(),
        await value
          .locator('.codicon')
          .getAttribute('class', { timeout: 200 })
          .catch(() => null),
      ];
    };
    assert.deepEqual(await look('std_gri'), ['Yes', 'codicon codicon-check']);
    assert.deepEqual(await look('std_sasb'), ['No: the report shows it does not', 'codicon codicon-circle-slash']);
    assert.deepEqual(await look('std_issb'), ['–Undetermined', null]);
    await panel.close();
  });

  it('shows hostile metadata as text', async () => {
    const panel = await openReport(stage, { report: hostileReport, file: available });
    assert.equal(
      await panel.page.locator('main img, main b, main script, main svg, main i, main a, main u').count(),
      0,
    );
    assert.match((await panel.page.locator('h1').textContent()) ?? '', /<img src=x onerror="alert\(1\)">.*⟨U\+202E⟩/);
    await panel.page.getByRole('button', { name: /^Show all 4,1/ }).click();
    assert.ok(((await panel.page.locator('[data-row=title] .value').textContent()) ?? '').length > 4000);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('shows why a report could not be read, and tries again', async () => {
    const panel = await open(stage, 'metadata', metadataProtocol, {}, (channel) =>
      channel.send('problem', { message: 'The service could not be reached.' }),
    );
    await panel.page.getByRole('alert').getByText('The service could not be reached.').waitFor();
    await panel.page.getByRole('button', { name: 'Try Again' }).click();
    await waitForCall(panel, 'retry');
    await panel.page.locator('.skeleton').waitFor();
    await panel.close();
  });

  it('ignores messages that are not part of the conversation', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: available });
    const strangers = [
      null,
      'show',
      { kind: 'event', name: 'show', data: { html: '<b>' } },
      { kind: 'event', name: 'constructor', data: null },
      { kind: 'event', name: 'file', data: { kind: 'available', extra: 1 } },
      { kind: 'call', id: 1, name: '__proto__', params: null },
      { kind: 'result', id: 99, result: null },
      { type: 'command', command: 'x' },
    ];
    for (const stranger of strangers) panel.port.post(stranger);
    panel.channel.send('file', { kind: 'none', reason: 'The last word.' });
    await panel.page.getByText('The last word.').waitFor();
    assert.equal(await panel.page.locator('h1').textContent(), sampleReport().report_title);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('reveals a column of the dictionary and searches meanings', async () => {
    const panel = await openSchema(stage, { kind: 'failed', message: 'The service could not be reached.' });
    assert.equal(await panel.page.locator('[data-row]').count(), 50);
    panel.channel.send('reveal', { column: 'assurance_scope' });
    const row = panel.page.locator('.row.marked');
    await row.waitFor();
    assert.match((await row.textContent()) ?? '', /50\s+assurance_scope/);
    assert.equal(await panel.page.evaluate('document.activeElement.ariaLabel'), 'Copy assurance_scope');
    await panel.screenshot('schema-revealed');
    await panel.page.locator('.filter input').fill('megabytes');
    await panel.page.getByText('1 of 50 fields').waitFor();
    await panel.page.getByRole('button', { name: 'Try again' }).click();
    await waitForCall(panel, 'retry');
    await panel.close();
  });

  it('narrows results by status, opens a company by row and copies all', async () => {
    const panel = await openResolved(stage, resolvedSample);
    await panel.page.getByRole('button', { name: /^Ambiguous/ }).press('Enter');
    assert.equal(await panel.page.locator('[data-row]').count(), 1);
    await panel.page.getByRole('button', { name: /^All/ }).press('Enter');
    await panel.page.getByRole('button', { name: 'Cedarline Logistics Inc.' }).press('Enter');
    await panel.page.getByRole('button', { name: 'Copy as CSV' }).press('Enter');
    await waitForCall(panel, 'copyAs');
    assert.deepEqual(panel.calls, [
      ['openCompany', { row: 2 }],
      ['copyAs', { format: 'csv' }],
    ]);
    await panel.close();
  });

  it('keeps few rows of a long list in the page, and reaches the last one', async () => {
    const panel = await openResolved(stage, manyResolved(5000));
    assert.ok((await panel.page.locator('[data-row]').count()) < 200);
    await panel.page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await panel.page.locator('[data-row][aria-rowindex="5001"]').waitFor();
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });
});

async function waitForCall(
  panel: { page: Page; calls: readonly (readonly [string, unknown])[] },
  name: string,
): Promise<void> {
  const deadline = Date.now() + 5000;
  // Each evaluation is a round trip to the page, which is what delivers its messages.
  while (!panel.calls.some(([call]) => call === name)) {
    if (Date.now() > deadline) throw new Error(`The page never called ${name}.`);
    await panel.page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  }
}

async function focusedRow(page: Page): Promise<unknown> {
  return page.evaluate(`document.activeElement?.closest('[data-row]')?.dataset.row`);
}
