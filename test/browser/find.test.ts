import assert from 'node:assert/strict';
import { type EditorWindow, endsWithSuite, openEditor } from '../support/browser/editor.ts';

const view = 'Find in PDFs';

describe('what a person looks for', () => {
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('findInPdfs', {
      settings: {
        'reportLibrary.demo.openAtStart': true,
        'workbench.startupEditor': 'none',
        'workbench.colorTheme': 'Dark Modern',
      },
    });
    await editor.openContainer('Report Library');
    await editor.treeRow('Watchlist', 'Altenbruch').waitFor();
    await editor.loaded();
  });

  endsWithSuite(() => editor);

  describe('Find in PDFs', () => {
    const press = (key: string) => editor.page.keyboard.press(key);
    const coverage = () => editor.treeRow(view, /PDFs? searchable/);
    const hits = () => editor.view(view).locator('[role=treeitem][aria-label^="Page "]');
    const highlights = () => editor.webview().locator('.highlight');
    const spoken = () => editor.webview().locator('.visually-hidden[role=status]');
    const focused = async () => (await editor.focusedRow().getAttribute('aria-label')) ?? '';
    /** Waits until the preview has said which hit it shows. */
    const says = (words: string) =>
      editor.webview().locator('.visually-hidden[role=status]', { hasText: words }).waitFor({ state: 'attached' });
    const ask = async (query: string) => {
      await editor.command('Report Library: Find in PDFs…');
      await editor.page.getByPlaceholder(/^Words, “a phrase”/).waitFor();
      await editor.quickInput().fill(query);
      await editor.quickRow('Show All Results').waitFor();
    };

    it('says what to do while no PDF is here', async () => {
      await editor.command('Report Library: Find in PDFs…');
      await editor.notification('no PDFs to search').waitFor();
      await editor.command('Notifications: Clear All Notifications');
    });

    it('reads a company’s PDFs after they were downloaded, and says how many can be searched', async () => {
      await editor.command('Find in PDFs: Focus on Find in PDFs View');
      await editor.view(view).getByText('There are no PDFs to search').waitFor();
      await editor.rowMenu(editor.treeRow('Watchlist', 'Altenbruch').first(), 'Download PDFs…');
      await editor.page.locator('.monaco-dialog-box').waitFor();
      await press('Enter');
      await coverage().waitFor();
      await editor
        .treeRow(view, /^\d+ of \d+ PDFs searchable, \d+ without text \(scanned\)$|^\d+ PDFs searchable$/)
        .waitFor();
      await editor.command('Notifications: Clear All Notifications');
    });

    it('finds a phrase while it is typed, and shows all pages with it', async () => {
      await ask('“scope 3”');
      await press('Enter');
      await hits().nth(4).waitFor();
      assert.match(
        (await hits().first().getAttribute('aria-label')) ?? '',
        /^Page .*\d+ of \d+, hit 1 of \d+: .*scope 3/i,
      );
    });

    it('opens the third hit on its page with its words marked, in dark and light, and F4 walks on', async () => {
      const row = hits().nth(2);
      const label = (await row.getAttribute('aria-label')) ?? '';
      const [, page = ''] = /, (\d+) of \d+, hit/.exec(label) ?? [];
      await row.click();
      const marked = (number: string) =>
        editor.webview().locator(`.page[data-page-number="${number}"] .highlight.selected`);
      await marked(page).first().waitFor();
      const mark = await marked(page).first().boundingBox();
      const lines = await editor
        .webview()
        .locator('.textLayer span', { hasText: /scope 3/i })
        .all();
      const boxes = await Promise.all(lines.map((line) => line.boundingBox()));
      const isIn = (at: number, start: number, size: number) => at > start && at < start + size;
      const isMarked = boxes.some(
        (box) =>
          box &&
          mark &&
          isIn(mark.x + mark.width / 2, box.x, box.width) &&
          isIn(mark.y + mark.height / 2, box.y, box.height),
      );
      assert.ok(isMarked, 'the words are under the mark');
      await says(label.split(':')[0] ?? '');
      await editor.chooseTheme('Light Modern');
      await editor.page.locator('.monaco-workbench.vs').waitFor();
      await highlights().first().waitFor();
      await editor.chooseTheme('Dark Modern');
      await editor.page.locator('.monaco-workbench.vs-dark').waitFor();
      const others = await hits().evaluateAll((rows) => rows.map((one) => one.getAttribute('aria-label') ?? ''));
      await press('F4');
      await says(others[3]?.split(':')[0] ?? '');
      await highlights().first().waitFor();
      await press('Shift+F4');
      await says(others[2]?.split(':')[0] ?? '');
      await press('Shift+F4');
      await says(others[1]?.split(':')[0] ?? '');
    });

    it('is worked by keyboard alone: from a view’s key to a hit, and to the next one', async () => {
      await editor.closeTabs();
      await editor.command('Find in PDFs: Focus on Find in PDFs View');
      await editor.page.locator('.part.panel').getByRole('button', { name: 'Clear Search Results' }).click();
      await editor.view(view).locator('.monaco-list:focus').waitFor();
      await press('Control+Shift+F');
      await editor.page.getByPlaceholder(/^Words, “a phrase”/).waitFor();
      await editor.quickRow('“scope 3”').waitFor();
      await editor.page.keyboard.type('emission* -water');
      await editor.quickRow('Show All Results').waitFor();
      await press('Enter');
      // Those of the question before may still be painted.
      await hits()
        .filter({ hasText: /emission/i })
        .first()
        .waitFor();
      await editor.view(view).locator('.monaco-list:focus').waitFor();
      // How the PDFs stand, the first report, its first page.
      for (let steps = 0; steps < 3; steps += 1) await press('ArrowDown');
      assert.match(await focused(), /^Page /);
      await press('Enter');
      await editor.panelFocused();
      await highlights().first().waitFor();
      const before = await spoken().textContent();
      await press('F4');
      await editor
        .webview()
        .locator('.visually-hidden[role=status]', { hasNotText: before ?? '' })
        .waitFor();
    });

    it('says why a PDF is not searched, and what is on the disk', async () => {
      await editor.unfold(coverage());
      await editor.treeRow(view, /^Text index: .* on disk/).waitFor();
    });

    it('shows nothing of the text any more once it is deleted', async () => {
      await hits().first().waitFor();
      await editor.rowButton(editor.treeRow(view, /^Text index: /), /Delete Text Index…/);
      await editor.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete', exact: true }).click();
      await hits().first().waitFor({ state: 'detached' });
    });
  });

  describe('Find Company or Report', () => {
    it('shows the company and its reports of the year that is typed, typo and all, and reads no icon aloud', async () => {
      await editor.command('Report Library: Find Company or Report…');
      await editor.quickInput().fill('altenbuch 2024');
      await editor.quickRow('Umwelterklärung').first().waitFor();
      const spoken: string[] = [];
      for (const row of await editor.quickRow(/./).all()) spoken.push((await row.getAttribute('aria-label')) ?? '');
      assert.match(spoken[0] ?? '', /^Altenbruch/);
      for (const label of spoken.slice(1, 6)) assert.match(label, /^2024 /);
      for (const label of spoken) assert.doesNotMatch(label, /organization|\$\(/);
      const separators = editor.page.locator(
        '.quick-input-list-separator:visible, .quick-input-list .label-name:visible',
      );
      const words = (await separators.allTextContents()).join('|');
      assert.match(words, /Companies/);
      assert.match(words, /Reports/);
      await editor.page.keyboard.press('Escape');
    });

    const words = 'altenbruch sustainability report 2024';
    const report = () => editor.quickRow(/^2024 Sustainability/).first();
    const calls = () =>
      editor.page.locator('.notebookOverlay .view-line:visible', { hasText: /^report\s=\sload_report\(/ });

    it('inserts a report into the notebook by four keys: the palette, Find, down, Ctrl+Enter', async () => {
      const { keyboard } = editor.page;
      await editor.command('Report Library: Find Company or Report…');
      await editor.page.getByPlaceholder(/^Name, title, identifier/).waitFor();
      await editor.quickInput().fill(words);
      await report().waitFor();
      await keyboard.press('ArrowDown');
      await report().and(editor.page.locator('.focused')).waitFor();
      await keyboard.press('Control+Enter');
      await calls().first().waitFor();
      // The next key is for the notebook.
      await editor.page.locator('.notebookOverlay .monaco-list:focus').waitFor();
    });

    it('inserts by two clicks: Find in the title of the view, and the button on the report', async () => {
      const title = editor.view('Watchlist').locator('.pane-header');
      await title.hover();
      await title.getByRole('button', { name: /^Find Company or Report/ }).click();
      await editor.page.getByPlaceholder(/^Name, title, identifier/).waitFor();
      await editor.quickInput().fill(words);
      await report().waitFor();
      await editor.rowButton(report(), /Insert into Notebook/);
      await calls().nth(1).waitFor();
    });

    it('offers what was opened last first, not what came back with the window', async () => {
      const open = async (text: string, tab: RegExp) => {
        await editor.command('Report Library: Find Company or Report…');
        await editor.page.getByPlaceholder(/^Name, title, identifier/).waitFor();
        await editor.quickInput().fill(text);
        await editor
          .quickRow(/^2024 /)
          .first()
          .waitFor();
        await editor.page.keyboard.press('Enter');
        await editor.editorTab(tab).waitFor();
        // Its page takes the keyboard, which would close the next list.
        await editor.webview().locator('h1', { hasText: tab }).waitFor();
        await editor.panelFocused();
      };
      const recent = () => editor.quickRow(/./).first();
      await open('altenbruch 2024', /^Altenbruch/);
      await open('aarhorn 2024', /^Aarhorn/);
      await editor.command('View: Close Editor');
      await editor.editorTab(/^Aarhorn/).waitFor({ state: 'detached' });
      await editor.reloadInOrder();
      await editor.webview().locator('h1', { hasText: 'Altenbruch' }).waitFor();
      await editor.loaded();
      await editor.command('Report Library: Find Company or Report…');
      await recent().filter({ hasText: 'Aarhorn' }).waitFor();
      await editor.page.keyboard.press('Escape');
      await editor.treeRow('Watchlist', 'Altenbruch').click();
      await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
      await editor
        .treeRow('Watchlist', /^Sustainability/)
        .first()
        .click();
      await editor.webview().getByRole('button', { name: 'Open PDF' }).waitFor();
      await editor.command('Report Library: Find Company or Report…');
      await recent().filter({ hasText: '2024 Sustainability' }).waitFor();
      await editor.page.keyboard.press('Escape');
    });
  });
});
