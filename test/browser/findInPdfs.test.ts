import assert from 'node:assert/strict';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

const view = 'Find in PDFs';

describe('Find in PDFs', () => {
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

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  const press = (key: string) => editor.page.keyboard.press(key);
  const coverage = () => editor.treeRow(view, /PDFs? searchable/);
  const hits = () => editor.view(view).locator('[role=treeitem][aria-label^="Page "]');
  const highlights = () => editor.webview().locator('.textLayer .highlight');
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
    await editor.screenshot('find-in-pdfs-none');
    await editor.command('Notifications: Clear All Notifications');
  });

  it('reads a company’s PDFs after they were downloaded, and says how many can be searched', async () => {
    await editor.command('Find in PDFs: Focus on Find in PDFs View');
    await editor.view(view).getByText('There are no PDFs to search').waitFor();
    await editor.rowMenu(editor.treeRow('Watchlist', 'Altenbruch').first(), 'Download PDFs…');
    await editor.page.locator('.monaco-dialog-box').waitFor();
    await press('Enter');
    await coverage().waitFor();
    await editor.screenshot('find-in-pdfs-reading');
    await editor
      .treeRow(view, /^\d+ of \d+ PDFs searchable, \d+ without text \(scanned\)$|^\d+ PDFs searchable$/)
      .waitFor();
    await editor.command('Notifications: Clear All Notifications');
    await editor.screenshot('find-in-pdfs-read');
  });

  it('finds a phrase while it is typed, and shows all pages with it', async () => {
    await ask('“scope 3”');
    await editor.screenshot('find-in-pdfs-box');
    await press('Enter');
    await hits().nth(4).waitFor();
    await editor.screenshot('find-in-pdfs-hits');
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
      editor.webview().locator(`.page[data-page-number="${number}"] .textLayer .highlight.selected`);
    await marked(page).first().waitFor();
    assert.match(await marked(page).first().innerText(), /scope 3/i);
    await says(label.split(':')[0] ?? '');
    await editor.screenshot('find-in-pdfs-third-hit');
    await editor.chooseTheme('Light Modern');
    await editor.page.locator('.monaco-workbench.vs').waitFor();
    await highlights().first().waitFor();
    await editor.screenshot('find-in-pdfs-third-hit-light');
    await editor.chooseTheme('Dark Modern');
    await editor.page.locator('.monaco-workbench.vs-dark').waitFor();
    const others = await hits().evaluateAll((rows) => rows.map((one) => one.getAttribute('aria-label') ?? ''));
    await press('F4');
    await says(others[3]?.split(':')[0] ?? '');
    await highlights().first().waitFor();
    await press('Shift+F4');
    await press('Shift+F4');
    await says(others[1]?.split(':')[0] ?? '');
    await editor.screenshot('find-in-pdfs-f4');
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
    await editor.screenshot('find-in-pdfs-coverage');
  });

  it('shows nothing of the text any more once it is deleted', async () => {
    await hits().first().waitFor();
    await editor.rowButton(editor.treeRow(view, /^Text index: /), /Delete Text Index…/);
    await editor.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete', exact: true }).click();
    await hits().first().waitFor({ state: 'detached' });
  });
});
