import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFirstLook, startSettings } from '../../scripts/host/firstLook.ts';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

const run = promisify(execFile);

let firstLook: Promise<string> | undefined;
/** The extension of `npm start`, for both. */
const packaged = () => {
  firstLook ??= mkdtemp(join(tmpdir(), 'first-look-')).then(packageFirstLook);
  return firstLook;
};

for (const demo of [true, false]) {
  describe(`npm start${demo ? '' : ' -- --no-demo'}`, () => {
    let editor: EditorWindow;

    before(async () => {
      const extensions = [await packaged()];
      const name = `start-${demo ? 'demo' : 'signed-out'}`;
      editor = await openEditor(name, { settings: startSettings(demo), extensions });
    });

    afterEach(async function () {
      if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
    });

    after(async () => {
      await editor?.close();
    });

    it('ends on the sidebar, the walkthrough, and the README one click away', async () => {
      const step = editor.page.locator('.getting-started-step', { hasText: 'Sign in, or open' });
      await step.waitFor();
      await editor.editorTab(/README\.md/).waitFor();
      // The README never covers the walkthrough, however late the editor's own start is.
      const tabs = editor.page.locator('.tabs-container').getByRole('tab');
      assert.match((await tabs.allInnerTexts()).join(), /README\.md.*,.*Welcome/s);
      // A click on a report leaves it open: a preview would be in italics.
      const welcome = editor.editorTab('Welcome').and(editor.page.locator('[aria-selected="true"]'));
      await welcome.filter({ hasNot: editor.page.locator('.italic') }).waitFor();
      if (demo) {
        await editor.treeRow('Watchlist', 'Altenbruch').waitFor();
        await step.locator('.complete').waitFor();
      } else {
        const words = editor.view('Watchlist').locator('.welcome-view-content');
        await words.getByRole('button', { name: 'Open Demo Library' }).waitFor();
        assert.equal(await words.getByRole('button').count(), 2);
        assert.equal(await words.locator('p').count(), 1);
      }
      await editor.screenshot(`start-${demo ? 'demo' : 'signed-out'}`);
    });

    if (!demo) {
      it('goes on without the mouse: the demo opens and ticks the step', async () => {
        await editor.command('Report Library: Open Demo Library');
        await editor.treeRow('Watchlist', 'Altenbruch').waitFor();
        await editor.page.locator('.getting-started-step', { hasText: 'Sign in' }).locator('.complete').waitFor();
      });

      it('gives the keyboard to the Watchlist also while the library loads, and leaves it there', async () => {
        const tree = editor.view('Watchlist').locator('.monaco-list:focus');
        await editor.command('Report Library: Focus on Watchlist View');
        await tree.waitFor();
        await editor.page.keyboard.press('Home');
        await editor.focusedRow('Aarhorn').waitFor();
        await editor.loaded();
        await tree.waitFor();
        await editor.focusedRow('Aarhorn').waitFor();
      });
      return;
    }

    it('has a sample that runs with plain Python, before a download and after', async () => {
      const notebook = JSON.parse(await readFile(join(editor.workspace, 'analysis.ipynb'), 'utf8')) as {
        cells: { cell_type: string; source: string[] }[];
      };
      const code = notebook.cells.filter(({ cell_type }) => cell_type === 'code').map(({ source }) => source.join(''));
      const python = (...args: string[]) =>
        run('python3', args, { cwd: editor.workspace, env: { ...process.env, PYTHONUTF8: '1' } });
      assert.match((await python('-c', code.join('\n\n'))).stdout, /Downloaded reports: 0/);
      await assert.rejects(python('coverage.py'), /No reports yet/);
      await editor.loaded();
      await editor.treeRow('Watchlist', 'Altenbruch').click();
      await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
      const report = editor.treeRow('Watchlist', 'Sustainability Report 2023/2024').first();
      await editor.rowButton(report, /Download PDFs/);
      await editor.treeRow('Watchlist', /^Altenbruch.*, 1 of \d+ here/).waitFor();
      await editor.treeRow('Watchlist', 'Fiscal year 2024, 1 of 5 here').waitFor();
      await report.getByRole('button', { name: 'Open PDF' }).waitFor({ state: 'attached' });
      await editor.screenshot('start-downloaded');
      assert.match((await python('-c', code.join('\n\n'))).stdout, /Downloaded reports: 1\n2023\/2024/);
      const { stdout } = await python('coverage.py');
      assert.match(stdout, /Altenbruch Maschinenbau +11% +2023\/2024\n/);
      assert.match(stdout, /cover 11% of the portfolio/);
      // What the lock file names and is not there counts no longer, and again once it is back.
      const [folder, aside] = [join(editor.workspace, 'reports', 'XETR_ALBM'), join(editor.workspace, 'aside')];
      await rename(folder, aside);
      await editor.treeRow('Watchlist', 'Fiscal year 2024, 5 reports').waitFor();
      await editor.treeRow('Watchlist', /^Altenbruch.*, \d+ reports/).waitFor();
      await rename(aside, folder);
      await editor.treeRow('Watchlist', 'Fiscal year 2024, 1 of 5 here').waitFor();
    });

    it('filters reports by company and facts; Esc at any step applies nothing', async () => {
      const shows = editor.quickRow(/Show [\d,]+ reports?/).first();
      const choose = async () => {
        await editor.quickRow('Company').first().click();
        await editor.quickTitle().filter({ hasText: 'Filter Reports: Company' }).waitFor();
        await editor.quickRow('Altenbruch').first().click();
      };
      const { keyboard } = editor.page;
      await editor.command('Report Library: Filter Reports…');
      await choose();
      await keyboard.press('Escape');
      await editor.quickRow('Company').filter({ hasNotText: 'Altenbruch' }).waitFor();
      await choose();
      await keyboard.press('Enter');
      await editor.quickRow('Company').filter({ hasText: 'Altenbruch' }).waitFor();
      await editor.screenshot('start-filter');
      await keyboard.press('Escape');
      await editor.quickInput().waitFor({ state: 'hidden' });
      assert.equal(await editor.page.getByText('XETR_ALBM · GRI: Yes').count(), 0);
      await editor.command('Report Library: Filter Reports…');
      await choose();
      await keyboard.press('Enter');
      await editor.quickRow('Standards').first().click();
      await editor.quickRow('GRI: Yes').first().click();
      await keyboard.press('Enter');
      await shows.click();
      await editor.view('Reports').getByText('XETR_ALBM · GRI: Yes').waitFor();
      await editor.screenshot('start-filtered');
    });

    it('keeps the sizes that a person gives its panes when the window is loaded again', async () => {
      const { mouse } = editor.page;
      const heights = async () => {
        const boxes = await Promise.all(['Watchlist', 'Reports'].map((name) => editor.view(name).boundingBox()));
        return boxes.map((box) => Math.round(box?.height ?? 0));
      };
      const [usual = 0] = await heights();
      const edge = await editor.view('Reports').boundingBox();
      assert.ok(edge);
      await mouse.move(edge.x + 100, edge.y);
      await mouse.down();
      await mouse.move(edge.x + 100, edge.y - 90, { steps: 6 });
      await mouse.up();
      const chosen = await heights();
      assert.equal(chosen[0], usual - 90);
      await editor.reloadInOrder();
      await editor.treeRow('Watchlist', 'Altenbruch').waitFor();
      await editor.view('Reports').getByText('XETR_ALBM · GRI: Yes').waitFor();
      assert.deepEqual(await heights(), chosen);
    });
  });
}
