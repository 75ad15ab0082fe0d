import assert from 'node:assert/strict';
import { columns } from '../../src/api/schemas/fields.ts';
import { createFieldGuide } from '../../src/demo/pdf/report.ts';
import { longestRange, type Place, type Range } from '../../src/protocol/pdfPreview.ts';
import { bookPdf, lockedPdf } from '../support/panels/pdfs.ts';
import { themeNames } from './editorPage.ts';
import { axeFindings, waitForCall } from './openPanel.ts';
import { panelStage } from './panelStage.ts';
import { isMarked, isOnPage, openPdf, openReadable, type Preview, told, until } from './pdfStage.ts';

describe('reading a PDF in the preview', () => {
  const stage = panelStage(['pdfPreview']);
  const guide = createFieldGuide(columns);

  const menuItem = (panel: Preview, name: string) => panel.page.locator('.menu [data-row]').filter({ hasText: name });
  const tab = (panel: Preview, name: string) => panel.page.getByRole('tab', { name });
  const focusPages = (panel: Preview) => panel.page.locator('.pages').focus();

  async function choose(panel: Preview, name: string): Promise<void> {
    await panel.page.getByRole('button', { name: 'More Actions…' }).click();
    await menuItem(panel, name).click();
  }

  it('reads of a large file what it shows, by ranges', async () => {
    const filler = Buffer.alloc(3 * longestRange, '%'.charCodeAt(0));
    const large = Buffer.concat([bookPdf(), Buffer.from('\n'), filler]);
    // The table of objects is found from the end of a file.
    const file = Buffer.concat([large, bookPdf().subarray(bookPdf().lastIndexOf('startxref'))]);
    const asked: Range[] = [];
    const panel = await openReadable(stage, file, { head: 1024, onRange: (range) => asked.push(range) });
    await focusPages(panel);
    await panel.page.keyboard.press('End');
    await panel.page.waitForSelector('.page[data-page-number="5"] .textLayer span');
    const bytes = asked.reduce((sum, { begin, end }) => sum + end - begin, 0);
    assert.ok(bytes > 0 && bytes < longestRange, `${bytes} of ${file.length} bytes were read`);
    assert.ok(asked.every(({ version }) => version === 1));
    assert.deepEqual(panel.faults, []);
    await panel.close();
  });

  it('says why when bytes can’t be read any more, and tries again', async () => {
    let isBroken = true;
    const onRange = () => {
      if (isBroken) throw new Error('The drive is gone.');
    };
    const panel = await openPdf(stage, guide, { head: 1024, onRange });
    await panel.page.getByRole('alert').filter({ hasText: 'The drive is gone.' }).waitFor();
    isBroken = false;
    await panel.page.getByRole('button', { name: 'Try Again' }).click();
    await panel.page.waitForSelector('.textLayer span');
    await panel.close();
  });

  it('opens at a page and a text, and is sent to others', async () => {
    const panel = await openReadable(stage, bookPdf(), {
      position: { page: 2, zoom: 1 },
      place: { text: 'scope' },
    });
    await isOnPage(panel, 2);
    await isMarked(panel, 4, 'Scope one');
    await panel.page.locator('.matches').filter({ hasText: '1 of 2' }).waitFor();
    panel.channel.send('goTo', { page: 1, text: 'end' });
    await panel.page.waitForSelector('.page[data-page-number="5"] .highlight.selected');
    panel.channel.send('goTo', { page: 3 });
    await isOnPage(panel, 1);
    await panel.close();
  });

  it('marks all words of a search over many PDFs, stays on the page of its hit, and says which it is', async () => {
    const panel = await openReadable(stage, bookPdf(), {
      position: { page: 1, zoom: 1 },
      place: { page: 4, text: 'two foreword*', terms: ['two', 'foreword'], spoken: 'Page 2, hit 1 of 3' },
    });
    await isMarked(panel, 4, ' two');
    await isOnPage(panel, 2);
    assert.equal(await panel.page.locator('.find-box').inputValue(), 'two foreword*');
    await panel.page.locator('[role=status]', { hasText: 'Page 2, hit 1 of 3' }).waitFor({ state: 'attached' });
    // The words of a page are not always found there once more: it is shown all the same.
    panel.channel.send('goTo', { page: 3, text: 'foreword', terms: ['foreword'], spoken: 'Page 1, hit 2 of 3' });
    await panel.page.locator('.matches').filter({ hasText: '1 of 1' }).waitFor();
    await panel.page.locator('[role=status]', { hasText: 'Page 1, hit 2 of 3' }).waitFor({ state: 'attached' });
    await isOnPage(panel, 1);
    await panel.page.keyboard.press('F3');
    await isOnPage(panel, 'ii');
    await panel.close();
  });

  it('goes where it is sent while the file is on its way, for the first time or again', async () => {
    const asked = Promise.withResolvers<void>();
    const answers = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const onOpen = (version: number) => {
      asked.resolve();
      return answers[version - 1]?.promise ?? Promise.resolve(undefined);
    };
    const panel = await openPdf(stage, bookPdf(), { position: { page: 2, zoom: 1 }, onOpen });
    await asked.promise;
    for (const [answer, page, label] of [
      [answers[0], 5, 3],
      [answers[1], 4, 2],
    ] as const) {
      panel.channel.send('goTo', { page });
      const arrived = told(panel, '"arrived"');
      answer?.resolve(undefined);
      await arrived;
      await isOnPage(panel, label);
      panel.channel.send('changed', null);
    }
    await panel.close();
  });

  it('leaves the keyboard where the person went while it was opened, and gives it to the pages later', async () => {
    const asked = Promise.withResolvers<undefined>();
    const answer = Promise.withResolvers<Place>();
    const onOpen = () => {
      asked.resolve(undefined);
      return answer.promise;
    };
    const panel = await openPdf(stage, bookPdf(), { position: { page: 2, zoom: 1 }, onOpen });
    await asked.promise;
    // What a page in the editor focuses takes the keyboard from the rest of the editor.
    await panel.page.evaluate('document.hasFocus = () => false');
    const arrived = told(panel, '"arrived"');
    answer.resolve({ page: 4 });
    await arrived;
    assert.equal(await panel.page.evaluate('document.activeElement.localName'), 'body');
    await panel.page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    assert.equal(await panel.page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Pages');
    await panel.close();
  });

  it('leads through the outline by keyboard, and back to where that began', async () => {
    const panel = await openReadable(stage, bookPdf(), { position: { page: 2, zoom: 1 } });
    await isOnPage(panel, 'ii');
    await focusPages(panel);
    await panel.page.keyboard.press('s');
    await told(panel, '"sidebar":"outline"');
    await until(panel, `document.activeElement.getAttribute('role') === 'tab'`);
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    await isOnPage(panel, '2');
    // pdf.js gives the keyboard to a page once its text is there; the ways back are to work in the outline, too.
    await panel.page.waitForSelector('.page[data-page-number="4"] .textLayer span');
    await panel.page.locator('vscode-tree-item').first().focus();
    await panel.page.keyboard.press('Alt+ArrowLeft');
    await isOnPage(panel, 'ii');
    await panel.page.keyboard.press('Alt+ArrowRight');
    await isOnPage(panel, '2');
    await panel.close();
  });

  it('goes back to where a link was followed', async () => {
    const panel = await openReadable(stage, bookPdf(), { position: { page: 1, zoom: 1 } });
    const back = panel.page.getByRole('button', { name: 'Back' });
    assert.ok(await back.isDisabled());
    await panel.page.locator('.annotationLayer a').click();
    await isOnPage(panel, '3');
    await back.click();
    await isOnPage(panel, 'i');
    assert.ok(await back.isDisabled());
    await panel.close();
  });

  it('shows small pictures of pages, which lead there', async () => {
    const reading = { darkPages: false, sidebar: 'pages' } as const;
    const panel = await openReadable(stage, bookPdf(), { reading });
    const pictures = panel.page.locator('.thumbnails button');
    await pictures.nth(0).locator('canvas').waitFor();
    await pictures.nth(1).click();
    await isOnPage(panel, 'ii');
    await panel.page.waitForSelector('.thumbnails [data-page="2"][aria-current="page"]');
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    await isOnPage(panel, '1');
    await panel.close();
  });

  it('lists all matches with the words around them, which lead there', async () => {
    const panel = await openReadable(stage, guide);
    await panel.page.keyboard.press('Control+f');
    await panel.page.keyboard.insertText('assurance');
    await panel.page
      .locator('.matches')
      .filter({ hasText: /of \d+/ })
      .waitFor();
    await panel.page.locator('.matches[aria-busy="false"]').waitFor();
    await panel.page.getByRole('button', { name: 'List All Matches' }).click();
    const rows = panel.page.locator('.hits button');
    await until(
      panel,
      `document.querySelectorAll('.hits button').length === Number(/of (\\d+)/.exec(document.querySelector('.matches').textContent)?.[1])`,
    );
    const count = await rows.count();
    assert.ok(count > 2);
    assert.ok((await rows.locator('mark').allInnerTexts()).every((words) => /^assurance$/i.test(words)));
    await rows.nth(count - 1).click();
    await panel.page
      .locator('.matches')
      .filter({ hasText: `${count} of ${count}` })
      .waitFor();
    await panel.page.waitForSelector('.highlight.selected');
    await rows.nth(1).click();
    await panel.page
      .locator('.matches')
      .filter({ hasText: `2 of ${count}` })
      .waitFor();
    assert.equal(await panel.page.locator('.highlight.selected').count(), 1);
    await panel.page.keyboard.press('Escape');
    await panel.page.locator('.empty').filter({ hasText: 'All matches of a search' }).waitFor();
    await panel.close();
  });

  it('keeps its tools where they are, whatever is found, zoomed or shown', async () => {
    const panel = await openReadable(stage, guide, { width: 700 });
    const places = () =>
      panel.page.evaluate(
        `JSON.stringify([...document.querySelectorAll('.pdf-tools button')].map((tool) => { const { x, y } = tool.getBoundingClientRect(); return [x, y]; }))`,
      );
    const before = await places();
    await panel.page.keyboard.press('Control+f');
    await panel.page.keyboard.insertText('scope');
    await panel.page.waitForSelector('.highlight.selected');
    assert.equal(await places(), before);
    await panel.page.keyboard.press('Escape');
    await panel.page.keyboard.press('s');
    await panel.page.waitForSelector('.pdf-sidebar:not([hidden])');
    assert.equal(await places(), before);
    await focusPages(panel);
    for (let times = 0; times < 8; times += 1) await panel.page.keyboard.press('+');
    await panel.page.keyboard.press('End');
    await isOnPage(panel, '4');
    assert.equal(await places(), before);
    await panel.close();
  });

  it('turns pages, lays two side by side and darkens them, by menu and key, and tells what is kept', async () => {
    const panel = await openReadable(stage, bookPdf(), { position: { page: 3, zoom: 'page-width' } });
    await choose(panel, 'Rotate');
    await told(panel, '"page":3,"zoom":"page-width","rotation":90');
    await isOnPage(panel, '1');
    await choose(panel, 'Two Pages');
    await told(panel, '"rotation":90,"spread":true');
    await panel.page.waitForSelector('.spread');
    await choose(panel, 'Dark Pages');
    await told(panel, '"darkPages":true');
    const filter = await panel.page.evaluate(`getComputedStyle(document.querySelector('.page canvas')).filter`);
    assert.match(String(filter), /invert/);
    await focusPages(panel);
    await panel.page.keyboard.press('t');
    await told(panel, '"rotation":90}');
    await panel.page.keyboard.press('d');
    await told(panel, '"darkPages":false');
    await panel.close();
    const position = { page: 4, zoom: 'page-fit', rotation: 180, spread: true } as const;
    const again = await openReadable(stage, bookPdf(), { position });
    await isOnPage(again, '2');
    await again.page.waitForSelector('.spread');
    await again.close();
  });

  it('zooms where the mouse is with Ctrl and the wheel, and leaves the plain wheel to scroll', async () => {
    const panel = await openReadable(stage, guide, { position: { page: 1, zoom: 1 } });
    await panel.page.locator('.pages').hover();
    await panel.page.keyboard.down('Control');
    await panel.page.mouse.wheel(0, -100);
    await panel.page.waitForSelector('.zoom-value:has-text("122%")');
    await panel.page.mouse.wheel(0, 100);
    await panel.page.waitForSelector('.zoom-value:has-text("100%")');
    await panel.page.keyboard.up('Control');
    await panel.page.mouse.wheel(0, 300);
    await until(panel, `document.querySelector('.pages').scrollTop >= 300`);
    await panel.page.waitForSelector('.zoom-value:has-text("100%")');
    await panel.close();
  });

  it('passes on what is done about the file, with the page', async () => {
    const panel = await openReadable(stage, bookPdf(), { position: { page: 3, zoom: 1 } });
    await menuItem(panel, 'Copy Link to Page').waitFor({ state: 'attached' });
    assert.equal(await menuItem(panel, 'Open in System Viewer').count(), 0);
    await isOnPage(panel, '1');
    await choose(panel, 'Copy Link to Page');
    await waitForCall(panel, 'act');
    assert.deepEqual(panel.calls.at(-1), ['act', { action: 'copyLink', page: 3 }]);
    await panel.close();
  });

  it('asks for a password until it is right, tells it to be kept, and does not ask where it is known', async () => {
    const locked = lockedPdf('geheim', 'Behind the lock');
    const panel = await openPdf(stage, locked);
    const box = panel.page.getByLabel('Password');
    await box.fill('wrong');
    await box.press('Enter');
    await panel.page.getByText('The password is wrong.').waitFor();
    assert.deepEqual(await axeFindings(panel.page), []);
    await box.fill('geheim');
    await panel.page.getByText('Open', { exact: true }).click();
    await panel.page.locator('.textLayer').filter({ hasText: 'Behind the lock' }).waitFor();
    await told(panel, '"password":"geheim"');
    await panel.close();
    const again = await openReadable(stage, locked, { password: 'geheim' });
    assert.equal(await again.page.getByLabel('Password').count(), 0);
    // The reader of PDFs has no password: what needs the text says so.
    await again.page.keyboard.press('Control+f');
    await again.page.keyboard.insertText('lock');
    const note = again.page.locator('.find-note');
    await note.filter({ hasText: /Not searched: 1 page\..*The text of this page can’t be read\./ }).waitFor();
    assert.deepEqual(await axeFindings(again.page), []);
    await again.page.keyboard.press('Escape');
    await again.page.keyboard.press('Control+a');
    await again.page.keyboard.press('q');
    await again.page.getByRole('alert').filter({ hasText: 'The text of this page can’t be read.' }).waitFor();
    await again.close();
  });

  it('shows a damaged page as one, and the others as ever', async () => {
    const panel = await openReadable(stage, bookPdf({ isDamaged: true }), { position: { page: 4, zoom: 'page-fit' } });
    await panel.page.locator('.page[data-page-number="4"] .damaged').waitFor();
    await focusPages(panel);
    await panel.page.keyboard.press('End');
    await panel.page.locator('.page[data-page-number="5"] .textLayer').filter({ hasText: 'The very end' }).waitFor();
    await panel.page.keyboard.press('Control+f');
    await panel.page.keyboard.insertText('foreword');
    await panel.page.waitForSelector('.page[data-page-number="2"] .highlight.selected');
    await panel.close();
  });

  it('is accessible with sidebar and menu open in every theme', async () => {
    for (const theme of themeNames) {
      const what = theme === 'dark' ? 'all' : 'colors';
      const panel = await openReadable(stage, bookPdf(), {
        theme,
        width: theme === 'dark' ? 1440 : 700,
        reading: { darkPages: theme === 'dark', sidebar: 'outline' },
      });
      await panel.page.locator('vscode-tree-item').first().waitFor();
      assert.deepEqual(await axeFindings(panel.page, what), [], 'outline');
      await panel.page.getByRole('button', { name: 'More Actions…' }).click();
      await menuItem(panel, 'Copy Link to Page').waitFor();
      assert.deepEqual(await axeFindings(panel.page, what), [], 'menu');
      await panel.page.keyboard.press('Escape');
      await tab(panel, 'Pages').click();
      await panel.page.locator('.thumbnails canvas').first().waitFor();
      assert.deepEqual(await axeFindings(panel.page, what), [], 'pages');
      await panel.page.keyboard.press('Control+f');
      await panel.page.keyboard.insertText('scope');
      await tab(panel, 'Matches').click();
      await panel.page.locator('.hits button').first().waitFor();
      assert.deepEqual(await axeFindings(panel.page, what), [], 'matches');
      assert.deepEqual(panel.faults, []);
      await panel.close();
    }
  });
});
