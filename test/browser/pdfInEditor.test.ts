import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';
import { fileOnce } from '../support/fileOnce.ts';
import { hostilePdf } from '../support/panels/pdfs.ts';

/** Themes by the name that people choose, and the class that panels wear. */
const themes = {
  light: ['Light Modern', 'vscode-light'],
  contrast: ['Dark High Contrast', 'vscode-high-contrast'],
} as const;

describe('a downloaded PDF in the editor', () => {
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('pdf', {
      settings: { 'reportLibrary.demo.openAtStart': true, 'workbench.colorTheme': 'Dark Modern' },
    });
    editor.page.setDefaultTimeout(60_000);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  /** Waits until the editor's storage for the workspace holds a place that reads like this. */
  async function keptPlace(text: string): Promise<void> {
    const storage = join(editor.folder, 'user', 'User', 'workspaceStorage');
    const [workspace = '', ...others] = await readdir(storage);
    assert.deepEqual(others, []);
    const file = join(storage, workspace, 'report-library.report-library', 'pdf-places.json');
    await fileOnce(file, (places) => places.includes(text));
  }

  const isOnPage = (wanted: number) =>
    editor.webview().locator(`.page[data-page-number="${wanted}"] .textLayer span`).first().waitFor();

  /** Waits until pages are shown whole. */
  const isWhole = () =>
    editor
      .webview()
      .locator('[role="menuitemcheckbox"][aria-checked="true"]', { hasText: 'Fit Page' })
      .waitFor({ state: 'attached' });

  /** What holds a panel and is scrolled: the panel then lies a few pixels too high. */
  const scrolledAround = () =>
    editor.page.locator('iframe.webview.ready').evaluateAll((panels) =>
      panels.flatMap((panel) => {
        const scrolled: string[] = [];
        for (let box = panel.parentElement; box !== null; box = box.parentElement) {
          if (box.scrollTop !== 0) scrolled.push(`${box.className}: ${box.scrollTop}`);
        }
        return scrolled;
      }),
    );

  it('opens from the message that it was downloaded, in our preview, and the row says that it is here', async () => {
    await editor.openContainer('Report Library');
    await editor.loaded();
    await editor.treeRow('Watchlist', 'Altenbruch').click();
    await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
    const row = editor.treeRow('Watchlist', 'Sustainability Report').first();
    await editor.rowButton(row, /Download PDFs/);
    await editor.notification('Downloaded and verified').getByRole('button', { name: 'Open', exact: true }).click();
    await editor.editorTab(/XETR_ALBM_2024_SR\.pdf/).waitFor();
    await editor.webview().locator('.textLayer span').first().waitFor();
    await editor.view('Watchlist').locator('[aria-label*="PDF downloaded, verified"]').first().waitFor();
    await editor.screenshot('pdf-editor-dark');
  });

  it('goes to a page, zooms, and finds a word', async () => {
    const panel = editor.webview();
    await panel.getByRole('button', { name: 'Next Page' }).click();
    await isOnPage(2);
    await panel.getByRole('button', { name: 'More Actions…' }).click();
    await panel.getByRole('menuitemcheckbox', { name: 'Fit Page' }).click();
    await isWhole();
    await panel.getByRole('button', { name: 'Find' }).click();
    await panel.getByRole('textbox', { name: 'Find in this PDF' }).fill('emissions');
    await panel.locator('.matches', { hasText: /\d+ of \d+/ }).waitFor();
    await panel.locator('.highlight.selected').waitFor();
    assert.deepEqual(await scrolledAround(), [], 'finding scrolls the preview, not the editor around it');
    await editor.page.keyboard.press('Escape');
    await panel.locator('.find').waitFor({ state: 'detached' });
  });

  it('is on the same page, at the same zoom, when it is opened again', async () => {
    const panel = editor.webview();
    const box = panel.getByRole('textbox', { name: 'Page' });
    // Three pages before it are i to iii.
    await box.fill('1');
    await box.press('Enter');
    await isOnPage(4);
    await editor.command('View: Close All Editors');
    await editor.command('Report Library: Open PDF');
    await isOnPage(4);
    assert.equal(await editor.webview().getByRole('textbox', { name: 'Page' }).inputValue(), '1');
    await isWhole();
  });

  it('is on the same page, at the same zoom, after the window was reloaded', async () => {
    const box = editor.webview().getByRole('textbox', { name: 'Page' });
    await box.fill('iii');
    await box.press('Enter');
    await isOnPage(3);
    // A person's reload comes no sooner than the page has told the editor, which writes it down at once.
    await keptPlace('"page":3,"zoom":"page-fit"');
    await editor.reload();
    // A browser may be gone before the editor wrote down which tabs were open.
    await editor.command('Report Library: Open PDF');
    await isOnPage(3);
    assert.equal(await editor.webview().getByRole('textbox', { name: 'Page' }).inputValue(), 'iii');
    await isWhole();
    await editor.panelFocused();
    await editor.screenshot('pdf-editor-reloaded');
  });

  it('opens at the page of a link, also where it is open already, and leads to its report', async () => {
    const lock: unknown = JSON.parse(
      await readFile(join(editor.workspace, 'reports-demo', 'reports.lock.json'), 'utf8'),
    );
    const id = /"report_id":(\d+)/.exec(JSON.stringify(lock))?.[1];
    for (const page of [5, 2]) {
      await editor.command('Developer: Open URL');
      await editor.quickInput().fill(`code-oss://report-library.report-library/report/${id}#page=${page}`);
      await editor.page.keyboard.press('Enter');
      // The editor asks before a link reaches an extension.
      await editor.page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
      await isOnPage(page);
    }
    const panel = editor.webview();
    await panel.getByRole('button', { name: 'More Actions…' }).click();
    await editor.screenshot('pdf-editor-menu');
    await panel.getByRole('menuitem', { name: 'Show Report' }).click();
    await editor.webview().getByRole('button', { name: 'Open PDF' }).first().waitFor();
  });

  it('asks before it follows a web link of a PDF', async () => {
    await writeFile(join(editor.workspace, 'reports-demo', 'hostile.pdf'), hostilePdf());
    await editor.command('View: Close All Editors');
    await editor.command('Go to File...');
    await editor.quickInput().fill('hostile.pdf');
    await editor.quickRow('hostile.pdf').first().click();
    await editor.editorTab(/hostile\.pdf/).waitFor();
    const link = editor.webview().locator('.annotationLayer a[title^="https://example.com"]');
    await link.waitFor();
    assert.equal(await editor.page.title().then((title) => title.includes('hacked')), false);
    await link.click();
    await editor.page.getByText('https://example.com/report?year=2024').first().waitFor();
    await editor.screenshot('pdf-editor-link');
    await editor.page.keyboard.press('Escape');
  });

  it('opens the field guide from the schema dictionary', async () => {
    await editor.command('Report Library: Open Schema Dictionary');
    await editor.webview().getByText('Field Guide', { exact: true }).click();
    await editor.editorTab('Field Guide.pdf').waitFor();
    await editor.webview().locator('.textLayer span').first().waitFor();
    await editor.panelFocused();
  });

  for (const [name, [theme, kind]] of Object.entries(themes)) {
    it(`wears the editor’s ${name} theme`, async () => {
      await editor.chooseTheme(theme);
      const panel = editor.webview();
      await panel.locator(`body.${kind}`).waitFor();
      await panel.locator('.pages').focus();
      await editor.page.keyboard.press('Control+f');
      await panel.getByRole('textbox', { name: 'Find in this PDF' }).fill('assurance');
      await panel.locator('.highlight.selected').waitFor();
      await editor.screenshot(`pdf-editor-${name}`);
    });
  }
});
