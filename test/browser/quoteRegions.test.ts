import assert from 'node:assert/strict';
import type { Passage } from '../../src/protocol/pdfPreview.ts';
import { smallPdf } from '../support/text/smallPdf.ts';
import { panelStage } from './panelStage.ts';
import { openReadable, type Preview } from './pdfStage.ts';

describe('what is selected in a PDF', function () {
  this.timeout(60_000);
  const stage = panelStage(['pdfPreview']);

  /** Selects from the beginning of one line to the end of another, and quotes it. */
  async function quoted(panel: Preview, from: string, to: string): Promise<Passage> {
    const passage = new Promise<Passage>((resolve) => {
      const subscription = panel.port.onMessage((message) => {
        const { params } = message as { params?: { passage?: Passage } };
        if (params?.passage)
          queueMicrotask(() => {
            subscription.dispose();
            resolve(params.passage as Passage);
          });
      });
    });
    for (const words of [from, to]) await panel.page.locator('.textLayer span', { hasText: words }).first().waitFor();
    await panel.page.evaluate(`(() => {
      const of = (words) => [...document.querySelectorAll('.textLayer span')].find((one) => one.textContent.includes(words)).firstChild;
      const end = of(${JSON.stringify(to)});
      document.getSelection().setBaseAndExtent(of(${JSON.stringify(from)}), 0, end, end.length);
    })()`);
    await panel.page.keyboard.press('q');
    return passage;
  }

  it('has a rectangle for each line, on a page that is turned, too', async () => {
    const lines = ['Our own emissions fell, as', 'planned, by a tenth in 2024.', 'More.'];
    for (const turned of [undefined, 90, 270] as const) {
      const panel = await openReadable(stage, smallPdf({ pages: [lines], ...(turned && { turned }) }));
      const { regions } = await quoted(panel, 'Our own', 'planned');
      const rectangles = regions[0]?.rectangles ?? [];
      assert.equal(rectangles.length, 2, `${turned}: ${JSON.stringify(regions)}`);
      // A character is 6 points wide.
      const along = turned ? [1, 3] : [0, 2];
      const widths = rectangles.map((box) => Math.round((box[along[1] ?? 0] ?? 0) - (box[along[0] ?? 0] ?? 0)));
      assert.deepEqual(
        widths,
        lines.slice(0, 2).map((line) => 6 * line.length),
        `${turned}`,
      );
      await panel.close();
    }
  });

  it('goes over a page break without foot and head, and is marked on both pages', async () => {
    const page = (number: number, ...lines: string[]) => ['Example AG', ...lines, `Report 2024 ${number}`];
    const pages = [
      page(1, 'Alpha.'),
      page(2, 'Our emissions fell,', 'as everybody had'),
      page(3, 'hoped for, by a tenth.', 'More.'),
    ];
    const panel = await openReadable(stage, smallPdf({ pages }), { position: { page: 2, zoom: 0.4 } });
    const { text, start, end, regions } = await quoted(panel, 'Our emissions', 'hoped for');
    assert.equal(
      text.slice(start, end).replace(/\s+/g, ' '),
      'Our emissions fell, as everybody had hoped for, by a tenth.',
    );
    assert.deepEqual(
      regions.map(({ page: number, rectangles }) => [number, rectangles.length]),
      [
        [2, 2],
        [3, 1],
      ],
    );
    await panel.close();
    const [first, second] = regions;
    assert.ok(first && second);
    const place = { page: first.page, rectangles: first.rectangles, further: [second] };
    const again = await openReadable(stage, smallPdf({ pages }), {
      position: { page: 2, zoom: 0.4 },
      place: { ...place, further: [{ page: second.page, rectangles: second.rectangles }] },
    });
    await again.page.waitForSelector('.page[data-page-number="3"] .region-mark');
    assert.equal(await again.page.locator('.page[data-page-number="2"] .region-mark').count(), 2);
    await again.screenshot('quote-two-pages');
    await again.close();
  });
});
