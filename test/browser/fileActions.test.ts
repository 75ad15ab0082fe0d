import assert from 'node:assert/strict';
import { sampleReport } from '../support/panels/reports.ts';
import { openReport, waitForCall } from './openPanel.ts';
import { panelStage } from './panelStage.ts';

const available = { kind: 'available' } as const;

describe('a report’s PDF in its panel', () => {
  const stage = panelStage(['metadata']);

  it('downloads, shows progress and tells the end without moving the focus', async () => {
    const panel = await openReport(stage, { report: sampleReport(), file: available });
    await panel.page.locator('.company button').focus();
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Space');
    await waitForCall(panel, 'download');
    assert.equal(await panel.page.evaluate('window.scrollY'), 0);
    panel.channel.send('file', { kind: 'downloading', received: 0, total: null, words: 'Waiting for the PDF…' });
    await panel.page.locator('progress:indeterminate').waitFor();
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
    assert.equal(await said.textContent(), 'Downloaded and verified');
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
