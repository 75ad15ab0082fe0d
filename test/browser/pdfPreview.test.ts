import assert from 'node:assert/strict';
import { columns } from '../../src/api/schemas/fields.ts';
import { createFieldGuide } from '../../src/demo/pdf/report.ts';
import type { Passage } from '../../src/protocol/pdfPreview.ts';
import { Looks } from '../support/browser/looks.ts';
import { bookPdf, hostilePdf, mappedPdf, scannedPdf, webAddress } from '../support/panels/pdfs.ts';
import { smallPdf } from '../support/text/smallPdf.ts';
import { themeNames } from './editorPage.ts';
import { axeFindings } from './openPanel.ts';
import { panelStage } from './panelStage.ts';
import { isOnPage, openPdf, openReadable, type Preview, told, until } from './pdfStage.ts';

type Rest = [bytes: Parameters<typeof openPdf>[1], options?: Parameters<typeof openPdf>[2]];

describe('the PDF preview in the browser', () => {
  const stage = panelStage(['pdfPreview']);
  const guide = createFieldGuide(columns);
  let looks: Looks;

  before(async () => {
    looks = await Looks.open(stage.browser);
  });

  const preview = (...[bytes, options]: Rest) => openReadable(stage, bytes, options);
  const unread = (...[bytes, options]: Rest) => openPdf(stage, bytes, options);

  it('looks as it did, is accessible and keeps its policy in every theme', async function () {
    for (const theme of themeNames) {
      const panel = await preview(guide, { theme });
      await panel.page.keyboard.press('Control+f');
      await panel.page.keyboard.insertText('scope');
      await panel.page.waitForSelector('.matches:has-text(" of ")');
      const opacities = await panel.page.evaluate(
        `[...document.querySelectorAll('.pdf-tools > .group > button')].map((tool) => getComputedStyle(tool).opacity)`,
      );
      assert.deepEqual(opacities, Array(9).fill('1'), 'a tool cannot be seen');
      assert.deepEqual(await axeFindings(panel.page, theme === 'dark' ? 'all' : 'colors'), [], theme);
      assert.deepEqual(panel.faults, []);
      await looks.compare(await panel.screenshot(`pdf-${theme}`), `pdf-${theme}`);
      await panel.close();
    }
    if (looks.reason !== undefined) this.skip();
    assert.deepEqual(looks.missing, []);
  });

  it('fits a narrow column and 200 % zoom', async () => {
    for (const [size, options] of [
      ['narrow', { width: 340 }],
      ['zoom', { zoom: 2 }],
    ] as const) {
      const panel = await preview(guide, options);
      await panel.page.keyboard.press('Control+f');
      await panel.page.waitForSelector('.find-box');
      assert.ok(
        ((await panel.page.evaluate('document.documentElement.scrollWidth - window.innerWidth')) as number) <= 0,
      );
      assert.deepEqual(await axeFindings(panel.page), [], size);
      await panel.close();
    }
  });

  it('lays the sidebar over the pages of a narrow pane on demand alone, until an entry is chosen', async () => {
    const reading = { darkPages: false, sidebar: 'pages' } as const;
    const panel = await preview(bookPdf(), { reading, width: 520 });
    const sidebar = panel.page.locator('.pdf-sidebar');
    const button = panel.page.getByRole('button', { name: 'Sidebar' });
    assert.ok(await sidebar.isHidden());
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    await button.click();
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    await panel.page.locator('.thumbnails button').nth(1).click();
    await isOnPage(panel, 'ii');
    assert.ok(await sidebar.isHidden());
    await panel.page.keyboard.press('s');
    await panel.page.keyboard.press('Escape');
    assert.ok(await sidebar.isHidden());
    await until(panel, `document.activeElement.className === 'pages'`);
    await panel.page.setViewportSize({ width: 900, height: 700 });
    await panel.page.locator('.thumbnails').waitFor();
    await panel.close();
  });

  it('is worked by keyboard: pages, zoom, page box; and tells the editor the place', async () => {
    const panel = await preview(guide, { position: { page: 2, zoom: 1 } });
    await isOnPage(panel, 'ii');
    assert.equal(await panel.page.locator('#pages').innerText(), '(2 of 6)');
    await panel.page.locator('.pages').focus();
    await panel.page.keyboard.press('ArrowRight');
    await isOnPage(panel, '1');
    await panel.page.keyboard.press('Home');
    await isOnPage(panel, 'i');
    await panel.page.keyboard.press('+');
    await panel.page.waitForSelector('.zoom-value:has-text("110%")');
    await panel.page.keyboard.press('p');
    await panel.page.waitForSelector('[role="menuitemcheckbox"]:has-text("Fit Page")[aria-checked="true"]', {
      state: 'attached',
    });
    // A page is found by what the PDF calls it, and by its number.
    const box = panel.page.getByRole('textbox', { name: 'Page' });
    for (const [typed, wanted] of [
      ['ii', 'ii'],
      ['5', '3'],
      ['99', '4'],
      ['x', '4'],
    ] as const) {
      await box.fill(typed);
      await box.press('Enter');
      await isOnPage(panel, wanted);
    }
    await told(panel, '{"page":6,"zoom":"page-fit"}');
    await panel.close();
  });

  it('finds words on every page, forwards and back, and says when there are none', async () => {
    const panel = await preview(guide);
    await panel.page.keyboard.press('Control+f');
    // At once: matches of its beginning would be counted on the way, and Enter would go on from one of these.
    await panel.page.keyboard.insertText('assurance');
    const matches = panel.page.locator('.matches');
    // How many there are in all grows while pages are read.
    await matches.filter({ hasText: /^\s*1 of \d+/ }).waitFor();
    await panel.page.keyboard.press('Enter');
    await matches.filter({ hasText: /^\s*2 of \d+/ }).waitFor();
    await panel.page.keyboard.press('Shift+Enter');
    await matches.filter({ hasText: /^\s*1 of \d+/ }).waitFor();
    await panel.page.keyboard.press('Shift+Enter');
    await matches.filter({ hasText: /^\s*([2-9]|\d{2,}) of \1(?!\d)/ }).waitFor();
    await panel.page.waitForSelector('.highlight.selected');
    await panel.page.locator('.find-box').fill('no such words in it');
    await matches.filter({ hasText: 'No results' }).waitFor();
    await panel.page.keyboard.press('Escape');
    await panel.page.waitForSelector('.find', { state: 'detached' });
    assert.equal(await panel.page.evaluate('document.activeElement.className'), 'pages');
    await panel.close();
  });

  it('gives the keyboard to the pages once they are there, and selects all of them but nothing around them', async () => {
    const panel = await preview(bookPdf());
    await until(panel, `document.activeElement.getAttribute('aria-label') === 'Pages'`);
    await panel.page.keyboard.press('Control+a');
    const selected = (await panel.page.evaluate('document.getSelection().toString()')) as string;
    assert.match(selected, /Contents of the book/);
    assert.doesNotMatch(selected, /of 5|%|Quote/);
    await panel.close();
  });

  it('says that it searches until the match that is shown was found, whatever was found before it', async () => {
    const panel = await preview(bookPdf(), { position: { page: 5, zoom: 1 } });
    await isOnPage(panel, '3');
    // All that is told of a search is drawn, as it is where pages are long.
    await panel.page.evaluate(`window.requestAnimationFrame = (draw) => setTimeout(draw, 0);
      window.said = [];
      const note = () => said.push(document.querySelector('.matches')?.textContent.trim());
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });`);
    await panel.page.keyboard.press('Control+f');
    await panel.page.keyboard.insertText('the');
    await panel.page.locator('.matches').filter({ hasText: '2 of 2' }).waitFor();
    const said = (await panel.page.evaluate('window.said')) as string[];
    assert.ok(said.includes('Searching…'), said.join());
    assert.ok(!said.includes('No results'), said.join());
    await panel.close();
  });

  it('runs nothing of a hostile PDF, and passes on a click on a web link alone', async () => {
    const panel = await preview(hostilePdf(), { position: { page: 1, zoom: 1 } });
    const requests: string[] = [];
    panel.page.on('request', (request) => requests.push(request.url()));
    await panel.page.waitForSelector('.annotationLayer a');
    const links = panel.page.locator('.annotationLayer a');
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    assert.ok(addresses.length >= 2, 'no link was shown');
    assert.ok(
      addresses.every((address) => address === '#' || address === '' || address === null),
      String(addresses),
    );
    const before = panel.page.url();
    for (const link of await links.all()) await link.click();
    await isOnPage(panel, 2);
    assert.deepEqual(
      panel.calls.filter(([name]) => name === 'openLink'),
      [['openLink', { address: webAddress }]],
    );
    assert.equal(panel.page.url().replace(/#$/, ''), before);
    assert.notEqual(await panel.page.title(), 'hacked');
    assert.equal(panel.page.context().pages().length, 1);
    assert.deepEqual(requests, []);
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('says in a sentence that a file is no PDF, and tries again', async () => {
    for (const bytes of [Buffer.from('<html>no</html>'), Buffer.alloc(0), Buffer.from('%PDF-1.7\nbroken')]) {
      const panel = await unread(bytes);
      await panel.page.getByRole('alert').filter({ hasText: 'is damaged or isn’t a PDF' }).waitFor();
      await panel.page.getByRole('button', { name: 'Try Again' }).click();
      await panel.page.getByRole('alert').filter({ hasText: 'is damaged or isn’t a PDF' }).waitFor();
      assert.deepEqual(await axeFindings(panel.page), []);
      await panel.close();
    }
  });

  it('reads texts by maps that the PDF names and does not hold', async () => {
    for (const [map, collection, codes, words] of [
      ['90ms-RKSJ-H', 'Japan1', '93fa967b8cea95f18d908f91', '日本語報告書'],
      ['UniJIS-UTF16-H', 'Japan1', '65e5672c8a9e5831544a66f800a5', '日本語報告書¥'],
      ['KSCms-UHC-H', 'Korea1', 'b0a8bbe7b1e2b0fc', '감사기관'],
      ['ETen-B5-H', 'CNS1', 'a6dbb3f8', '自報'],
      ['UniGB-UCS2-H', 'GB1', '5e74514d62a5544a', '年免报告'],
    ] as const) {
      const panel = await preview(mappedPdf(map, collection, Buffer.from(codes, 'hex')));
      const shown = panel.page.locator('.textLayer').filter({ hasText: words });
      await shown.waitFor().catch(async () => {
        assert.equal(await panel.page.locator('.textLayer').innerText(), words);
      });
      await panel.page.keyboard.press('Control+f');
      await panel.page.locator('.find-box').fill(words.slice(0, 2));
      await panel.page.locator('.matches').filter({ hasText: '1 of 1' }).waitFor();
      const asked = panel.calls.flatMap(([, params]) => JSON.stringify(params));
      assert.equal(asked.filter((params) => params.includes(`"${map}.bcmap"`)).length, 1);
      await panel.close();
    }
  });

  it('draws fonts that the PDF names and does not hold in the widths that the PDF counts on', async () => {
    for (const [font, asked] of [
      ['Helvetica', ['LiberationSans-Regular.ttf']],
      ['Courier  ', ['FoxitFixed.pfb']],
    ] as const) {
      const pdf = Buffer.from(hostilePdf()).toString('latin1').replaceAll('Helvetica', font);
      const panel = await preview(Buffer.from(pdf, 'latin1'));
      // One of the machine's own would be drawn by its name.
      const drawn = `[...document.fonts].some(({ family, status }) => /^g_d\\d+_f/.test(family) && status === 'loaded')`;
      assert.ok(await panel.page.evaluate(drawn));
      const files = panel.calls.flatMap(([call, params]) =>
        call === 'pdfjs' ? [(params as { readonly name: string }).name] : [],
      );
      assert.deepEqual(files, asked);
      await panel.close();
    }
  });

  it('draws scanned pages, however they are packed', async () => {
    for (const filter of ['CCITTFaxDecode', 'JBIG2Decode', 'JPXDecode'] as const) {
      const panel = await preview(scannedPdf(filter));
      await panel.page.waitForSelector('.page canvas');
      const wanted = filter === 'JPXDecode' ? [200, 30, 60] : [0, 0, 0];
      // The picture has one color from edge to edge, in the middle of a white page.
      const isDrawn = `(() => {
        const canvas = document.querySelector('.page canvas');
        const at = (x, y) => [...canvas.getContext('2d').getImageData(canvas.width * x, canvas.height * y, 1, 1).data];
        const isNear = (color) => [${wanted}].every((part, index) => Math.abs(part - color[index]) < 8);
        return isNear(at(0.5, 0.5)) && at(0.1, 0.1)[0] > 200;
      })()`;
      await until(panel, isDrawn);
      assert.deepEqual(panel.faults, [], filter);
      await panel.close();
    }
  });

  it('shows the other bytes of a changed file, where the person went while it was being opened', async () => {
    const asked = Promise.withResolvers<undefined>();
    const answer = Promise.withResolvers<undefined>();
    const onOpen = (version: number) => {
      if (version === 2) asked.resolve(undefined);
      return version === 2 ? answer.promise : Promise.resolve(undefined);
    };
    let bytes: Uint8Array = guide;
    const panel = await unread(() => bytes, { position: { page: 1, zoom: 1 }, onOpen });
    await panel.page.waitForSelector('#pages:has-text("of 6")');
    bytes = hostilePdf();
    panel.channel.send('changed', null);
    await asked.promise;
    const box = panel.page.getByRole('textbox', { name: 'Page' });
    await box.fill('2');
    await box.press('Enter');
    await isOnPage(panel, 2);
    answer.resolve(undefined);
    await panel.page.waitForSelector('#pages:has-text("of 2")');
    await until(panel, `document.querySelector('.page[data-page-number="2"][data-loaded]') !== null`);
    await isOnPage(panel, 2);
    assert.equal(panel.page.workers().length, 1, 'the worker was started again');
    await panel.close();
  });

  describe('what is selected', () => {
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
      await again.close();
    });
  });
});
