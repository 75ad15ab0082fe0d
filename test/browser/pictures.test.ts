import assert from 'node:assert/strict';
import { join } from 'node:path';
import { results, root } from '../../scripts/places.ts';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';
import { difference, fileBytes, gif, keep, webp } from '../support/browser/picture.ts';

const looks = {
  light: { theme: 'Light Modern', kind: 'vs' },
  dark: { theme: 'Dark Modern', kind: 'vs-dark' },
} as const;
// Half-scrolled text may differ everywhere; a page that looks another way differs more.
const maxDifferent = 0.4;

/*
 * The pictures of the walkthrough and the README come from this walk through the real product. `npm run pictures`
 * keeps what it takes; a test run only compares, so that no picture shows what the product has stopped to look like.
 */
const keeps = process.env.REPORT_LIBRARY_KEEP_PICTURES !== undefined;

for (const [look, { theme, kind }] of Object.entries(looks)) {
  // What has changed shows in one look as in the other.
  if (look === 'dark' && !keeps) continue;
  describe(`the pictures of the walkthrough, ${look}`, () => {
    let editor: EditorWindow;

    before(async () => {
      editor = await openEditor(`pictures-${look}`, {
        settings: {
          'reportLibrary.demo.openAtStart': true,
          'workbench.colorTheme': theme,
          'workbench.startupEditor': 'none',
          'workbench.layoutControl.enabled': false,
          'window.commandCenter': false,
          'breadcrumbs.enabled': false,
        },
      });
      editor.page.setDefaultTimeout(60_000);
      await editor.page.setViewportSize({ width: 760, height: 460 });
      await editor.page.locator(`.monaco-workbench.${kind}`).waitFor();
      await editor.openContainer('Report Library');
      await editor.treeRow('Watchlist', 'Altenbruch').waitFor();
      await editor.usage().waitFor();
      await editor.loaded();
    });

    afterEach(async function () {
      if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-picture-${look}`);
    });

    after(async () => {
      await editor?.close();
    });

    /** Frames of the README's animation. */
    const frames: Buffer[] = [];
    async function frame(): Promise<void> {
      if (keeps) frames.push(await editor.page.screenshot());
    }

    async function picture(name: string): Promise<void> {
      // Nothing stands to the right of these that would say more; what stands at the right end differs in width.
      const last = editor.page.locator('.statusbar .left-items .statusbar-item:visible').last();
      const { right, top, height } = await last.evaluate((item) => item.getBoundingClientRect());
      await editor.pointAtNothing({ x: right + 24, y: top + height / 2 });
      const taken = await webp(editor.page, 0.3);
      const path = join('media', 'walkthrough', `${name}-${look}.webp`);
      await keep(join(results, path), taken);
      if (keeps) await keep(join(root, path), taken);
      const kept = await fileBytes(join(root, path));
      assert.ok(kept, `${path} is missing: npm run pictures makes it`);
      const share = await difference(editor.page, kept, taken);
      assert.ok(share <= maxDifferent, `${Math.round(share * 100)} % of ${path} has changed: npm run pictures`);
    }

    it('connect', async () => {
      await picture('connect');
    });

    it('read', async () => {
      await editor.treeRow('Watchlist', 'Altenbruch').click();
      await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
      await editor.treeRow('Watchlist', 'Sustainability Report 2023/2024').first().click();
      await editor.webview().getByRole('heading', { level: 1 }).waitFor();
      await picture('read');
    });

    it('download', async () => {
      await editor.webview().getByRole('button', { name: 'Download PDF' }).click();
      await editor.webview().locator('#file-state', { hasText: 'Downloaded and verified' }).waitFor();
      await editor.openContainer('Explorer');
      await editor.page
        .getByRole('treeitem', { name: /^reports/ })
        .first()
        .click();
      await editor.page
        .getByRole('treeitem', { name: /XETR_ALBM/ })
        .first()
        .waitFor();
      await picture('download');
    });

    it('notebook', async () => {
      await editor.openContainer('Report Library');
      const row = editor.treeRow('Watchlist', /^Sustainability Report/).first();
      await row.waitFor();
      await editor.openFile('analysis.ipynb');
      await editor.page.locator('.notebookOverlay .code-cell-row .view-lines:visible').first().click();
      await frame();
      await row.click({ button: 'right' });
      const insert = editor.page.getByRole('menuitem', { name: 'Insert into Notebook' });
      await insert.hover();
      await frame();
      await insert.click();
      const code = editor.page.locator('.notebookOverlay .view-line:visible', { hasText: /load_report\(/ });
      await editor.page.locator('.notebookOverlay .monaco-list-row.focused.code-cell-row').waitFor();
      await frame();
      // At the edge: a button that scrolls under the pointer would show its tooltip, and keep it.
      await editor.page
        .locator('.notebookOverlay .monaco-list')
        .first()
        .hover({ position: { x: 5, y: 120 } });
      while ((await code.count()) === 0) {
        await editor.page.mouse.wheel(0, 120);
        await editor.page.locator('.notebookOverlay .code-cell-row').last().waitFor();
        await frame();
      }
      await editor.page.mouse.wheel(0, 240);
      await frame();
      await picture('notebook');
      if (keeps && look === 'light') {
        const shown = [...frames, ...frames.slice(-1), ...frames.slice(-1)];
        await keep(join(root, 'media', 'readme', 'notebook.gif'), await gif(editor.page, shown, 1200));
      }
    });

    it('quote', async () => {
      const steps: Buffer[] = [];
      const step = async () => void (keeps && steps.push(await editor.page.screenshot()));
      const words = 'Direct emissions amounted';
      await editor.openContainer('Report Library');
      await editor.command('Report Library: Find in PDFs…');
      await editor.page.getByPlaceholder(/^Words, “a phrase”/).waitFor();
      await editor.quickInput().fill(`"${words}"`);
      await editor.quickRow(words).first().waitFor();
      await step();
      await editor.quickRow(words).first().click();
      await editor.webview().locator('.highlight').first().waitFor();
      await editor.command('View: Hide Panel');
      await editor.page.locator('.part.panel').waitFor({ state: 'hidden' });
      await editor.webview().locator('.pages').focus();
      await step();
      await editor.page.keyboard.press('Escape');
      await editor.webview().locator('.find').waitFor({ state: 'detached' });
      const quote = editor.webview().getByRole('button', { name: /^Quote →/ });
      await quote.waitFor();
      await picture('quote');
      await step();
      await quote.click();
      await editor.notification('Quote inserted into analysis.ipynb').waitFor();
      await editor.command('Notifications: Clear All Notifications');
      await editor.editorTab('analysis.ipynb').click();
      const link = editor.webview().getByRole('link', { name: 'Show quote' });
      await editor.page
        .locator('.notebookOverlay .monaco-list')
        .first()
        .hover({ position: { x: 5, y: 120 } });
      while (((await link.count()) === 0 ? 1000 : ((await link.boundingBox())?.y ?? 1000)) > 400) {
        await editor.page.mouse.wheel(0, 60);
        await editor.page.locator('.notebookOverlay .cell-list-container').waitFor();
      }
      await step();
      await editor.command('Report Library: Check Evidence');
      await editor.treeRow('Evidence', 'Direct emissions').waitFor();
      await step();
      await editor.screenshot('pictures-checked');
      if (keeps && look === 'light')
        await keep(join(root, 'media', 'readme', 'evidence.gif'), await gif(editor.page, steps, 2000));
    });
  });
}
