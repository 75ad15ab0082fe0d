import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Report } from '../../src/api/schemas/report.ts';
import { compareView, inReadingOrder } from '../../src/protocol/compareView.ts';
import { metadataView } from '../../src/protocol/metadataView.ts';
import { threeYears } from '../support/panels/compared.ts';
import { sampleReport } from '../support/panels/reports.ts';
import { openCompare, openReport } from './openPanel.ts';
import { panelStage } from './panelStage.ts';

const announced = (page: Page) => page.locator('.visually-hidden[role=status]').filter({ hasText: 'updated' });
const scrollTop = (page: Page) => page.evaluate('Math.round(document.scrollingElement.scrollTop)');
const focused = (page: Page) => page.evaluate('document.activeElement?.closest("[data-row]")?.dataset.row');

describe('an open panel whose data changes', () => {
  const stage = panelStage(['metadata', 'compare']);

  it('shows it where the person is: same place, same filter, same focus, told once', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: { kind: 'available' } });
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
    assert.equal(await focused(page), 'assurance_provider');
    assert.equal(await page.locator('.filter input').inputValue(), 'a');
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('gives way to the reason when nobody is signed in any more, and comes back', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: { kind: 'available' } });
    panel.channel.send('problem', { message: 'You are not signed in.', signedOut: true });
    await panel.page.getByRole('alert').filter({ hasText: 'You are not signed in.' }).waitFor();
    assert.equal(await panel.page.locator('h1').count(), 0);
    await panel.page.getByRole('button', { name: 'Sign In…' }).click();
    await panel.page.getByRole('button', { name: 'Open Demo Library' }).click();
    assert.equal(await panel.page.getByRole('button', { name: 'Try Again' }).count(), 0);
    await panel.screenshot('panel-signed-out');
    const asked = panel.calls.filter(([name]) => name === 'enter').map(([, params]) => params);
    assert.deepEqual(asked, [{ how: 'signIn' }, { how: 'openDemoLibrary' }]);
    panel.channel.send('show', metadataView(sampleReport(), false, 'en'));
    await panel.page.locator('h1').waitFor();
    await panel.close();
  });

  it('keeps a comparison unfolded and filtered', async () => {
    const panel = await openCompare(stage, threeYears);
    const { page } = panel;
    await page.locator('button.fold').click();
    const [first, ...rest] = threeYears;
    assert.ok(first);
    const changed = [{ ...first, report: { ...first.report, assurance_provider: 'Another Auditor' } }, ...rest];
    panel.channel.send('show', compareView(inReadingOrder(changed), [], 'en'));
    await page.getByText('Another Auditor').waitFor();
    await announced(page).waitFor({ state: 'attached' });
    assert.equal(await page.locator('button.fold').getAttribute('aria-expanded'), 'true');
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });
});
