import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launch } from '../../scripts/host/page.ts';
import { installBrowser } from '../../scripts/install/browser.ts';
import { columns } from '../../src/api/schemas/fields.ts';
import { createFieldGuide } from '../../src/demo/pdf/report.ts';
import { Looks } from '../support/browser/looks.ts';
import { bookPdf, hostilePdf, mappedPdf, scannedPdf, webAddress } from '../support/panels/pdfs.ts';
import { themeNames } from './editorPage.ts';
import { axeFindings, type Stage } from './openPanel.ts';
import { isOnPage, openPdf, openReadable, told, until } from './pdfStage.ts';
import { type PreviewServer, startPreviewServer } from './previewServer.ts';

type Rest = [bytes: Parameters<typeof openPdf>[1], options?: Parameters<typeof openPdf>[2]];

describe('the PDF preview in the browser', () => {
  let server: PreviewServer;
  let browser: Browser;
  let stage: Stage;
  let guide: Uint8Array;
  let looks: Looks;

  before(async () => {
    server = await startPreviewServer(['pdfPreview']);
    browser = await launch(await installBrowser());
    stage = { browser, origin: server.origin };
    looks = await Looks.open(browser);
    guide = createFieldGuide(columns);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const preview = (...[bytes, options]: Rest) => openReadable(stage, bytes, options);
  const unread = (...[bytes, options]: Rest) => openPdf(stage, bytes, options);

  for (const theme of themeNames) {
    it(`looks as it did, is accessible and keeps its policy in ${theme}`, async () => {
      const panel = await preview(guide, { theme });
      await panel.page.keyboard.press('Control+f');
      await panel.page.keyboard.insertText('scope');
      await panel.page.waitForSelector('.matches:has-text(" of ")');
      const opacities = await panel.page.evaluate(
        `[...document.querySelectorAll('.pdf-tools > .group > button')].map((tool) => getComputedStyle(tool).opacity)`,
      );
      assert.deepEqual(opacities, Array(9).fill('1'), 'a tool cannot be seen');
      assert.deepEqual(await axeFindings(panel.page), []);
      assert.deepEqual(panel.faults, []);
      await looks.compare(await panel.screenshot(`pdf-${theme}`), `pdf-${theme}`);
      await panel.close();
    });
  }

  it('has a picture to be compared with in each theme', function () {
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
      await panel.screenshot(`pdf-${size}`);
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
    await panel.screenshot('pdf-sidebar-narrow');
    await panel.page.keyboard.press('Escape');
    assert.ok(await sidebar.isHidden());
    await until(panel, `document.activeElement.className === 'pages'`);
    await panel.page.setViewportSize({ width: 900, height: 700 });
    await panel.page.locator('.thumbnails').waitFor();
    await panel.close();
  });

  it('draws pages as they come into view, and no others', async () => {
    const panel = await preview(guide, { position: { page: 1, zoom: 'page-fit' } });
    assert.equal(await panel.page.locator('.page').count(), 6);
    assert.ok((await panel.page.locator('.page[data-page-number="6"] canvas').count()) === 0);
    await panel.page.locator('.pages').focus();
    await panel.page.keyboard.press('End');
    await panel.page.waitForSelector('.page[data-page-number="6"] canvas');
    await panel.close();
  });

  it('is worked by keyboard: pages, zoom, page box; and tells the editor the place', async () => {
    const panel = await preview(guide, { position: { page: 2, zoom: 1 } });
    await isOnPage(panel, 'ii');
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
    const box = panel.page.getByRole('textbox', { name: 'Page' });
    await box.fill('5');
    await box.press('Enter');
    await isOnPage(panel, '3');
    await box.fill('99');
    await box.press('Enter');
    await isOnPage(panel, '4');
    await box.fill('x');
    await box.press('Enter');
    await isOnPage(panel, '4');
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
      await panel.page.getByRole('alert').filter({ hasText: 'can’t be read as a PDF' }).waitFor();
      await panel.page.getByRole('button', { name: 'Try Again' }).click();
      await panel.page.getByRole('alert').filter({ hasText: 'can’t be read as a PDF' }).waitFor();
      assert.deepEqual(await axeFindings(panel.page), []);
      await panel.close();
    }
  });

  for (const [map, collection, codes, words] of [
    ['90ms-RKSJ-H', 'Japan1', '93fa967b8cea95f18d908f91', '日本語報告書'],
    ['UniJIS-UTF16-H', 'Japan1', '65e5672c8a9e5831544a66f800a5', '日本語報告書¥'],
    ['UniJIS-UCS2-H', 'Japan1', '71b167008b706696', '熱最議暖'],
    ['Ext-RKSJ-H', 'Japan1', '93fa967b', '日本'],
    ['EUC-H', 'Japan1', 'c6fccbdc', '日本'],
    ['KSCms-UHC-H', 'Korea1', 'b0a8bbe7b1e2b0fc', '감사기관'],
    ['UniKS-UTF16-H', 'Korea1', 'ac10c0acae30ad00b620', '감사기관똠'],
    ['ETen-B5-H', 'CNS1', 'a6dbb3f8', '自報'],
    ['UniGB-UCS2-H', 'GB1', '5e74514d62a5544a', '年免报告'],
    ['GBK-EUC-H', 'GB1', 'c4eab1a8b8e6', '年报告'],
  ] as const) {
    it(`reads ${map}, which the PDF names and does not hold`, async () => {
      const panel = await preview(mappedPdf(map, collection, Buffer.from(codes, 'hex')));
      const shown = panel.page.locator('.textLayer').filter({ hasText: words });
      await shown.waitFor().catch(async () => {
        assert.equal(await panel.page.locator('.textLayer').innerText(), words);
      });
      await panel.page.keyboard.press('Control+f');
      await panel.page.locator('.find-box').fill(words.slice(0, 2));
      await panel.page.locator('.matches').filter({ hasText: '1 of 1' }).waitFor();
      await panel.screenshot(`pdf-map-${map}`);
      const asked = panel.calls.flatMap(([, params]) => JSON.stringify(params));
      assert.equal(asked.filter((params) => params.includes(`"${map}.bcmap"`)).length, 1);
      await panel.close();
    });
  }

  for (const [font, asked] of [
    ['Helvetica', []],
    ['Courier  ', ['FoxitFixed.pfb']],
  ] as const) {
    it(`draws ${font.trim()}, which the PDF names and does not hold, in the widths that the PDF counts on`, async () => {
      const pdf = Buffer.from(hostilePdf()).toString('latin1').replaceAll('Helvetica', font);
      const panel = await preview(Buffer.from(pdf, 'latin1'));
      // One of the machine's own would be drawn by its name.
      const drawn = `[...document.fonts].some(({ family, status }) => /^g_d\\d+_f/.test(family) && status === 'loaded')`;
      assert.ok(await panel.page.evaluate(drawn));
      const files = panel.calls.flatMap(([call, params]) =>
        call === 'pdfjs' ? [(params as { readonly name: string }).name] : [],
      );
      assert.deepEqual(files, asked);
      await panel.screenshot(`pdf-standard-font-${font.trim()}`);
      await panel.close();
    });
  }

  for (const filter of ['CCITTFaxDecode', 'JBIG2Decode', 'JPXDecode'] as const) {
    it(`draws a scanned page that is packed with ${filter}`, async () => {
      const panel = await preview(scannedPdf(filter));
      await panel.page.waitForSelector('.page canvas');
      const wanted = filter === 'JPXDecode' ? [200, 30, 60] : [0, 0, 0];
      // The picture has one colour from edge to edge, in the middle of a white page.
      const isDrawn = `(() => {
        const canvas = document.querySelector('.page canvas');
        const at = (x, y) => [...canvas.getContext('2d').getImageData(canvas.width * x, canvas.height * y, 1, 1).data];
        const isNear = (colour) => [${wanted}].every((part, index) => Math.abs(part - colour[index]) < 8);
        return isNear(at(0.5, 0.5)) && at(0.1, 0.1)[0] > 200;
      })()`;
      await until(panel, isDrawn);
      await panel.screenshot(`pdf-scan-${filter}`);
      assert.deepEqual(panel.faults, []);
      await panel.close();
    });
  }

  it('shows the other bytes when the file changed, at the same place', async () => {
    let bytes: Uint8Array = guide;
    const panel = await unread(() => bytes, { position: { page: 2, zoom: 1 } });
    await panel.page.waitForSelector('#pages:has-text("of 6")');
    bytes = hostilePdf();
    panel.channel.send('changed', null);
    await panel.page.waitForSelector('#pages:has-text("of 2")');
    await isOnPage(panel, 2);
    assert.equal(panel.page.workers().length, 1, 'the worker was started again');
    await panel.close();
  });

  it('stays where the person went while the changed file was being opened', async () => {
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
    await panel.close();
  });
});
