import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFirstLook, startSettings } from '../../scripts/host/firstLook.ts';
import { type EditorWindow, endsWithSuite, openEditor } from '../support/browser/editor.ts';

const run = promisify(execFile);

describe('npm start', () => {
  let editor: EditorWindow;

  before(async () => {
    const firstLook = await packageFirstLook(await mkdtemp(join(tmpdir(), 'first-look-')));
    editor = await openEditor('start', { settings: startSettings(true), extensions: [firstLook] });
  });

  endsWithSuite(() => editor);

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
    await editor.treeRow('Watchlist', 'Altenbruch').waitFor();
    await step.locator('.complete').waitFor();
  });

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
    await editor.treeRow('Watchlist', /^Altenbruch.*, 1 of \d+ downloaded/).waitFor();
    await editor.treeRow('Watchlist', 'Fiscal year 2024, 1 of 5 downloaded').waitFor();
    await report.getByRole('button', { name: 'Open PDF' }).waitFor({ state: 'attached' });
    assert.match((await python('-c', code.join('\n\n'))).stdout, /Downloaded reports: 1\n2023\/2024/);
    const { stdout } = await python('coverage.py');
    assert.match(stdout, /Altenbruch Maschinenbau +11% +2023\/2024\n/);
    assert.match(stdout, /cover 11% of the portfolio/);
    // What the lock file names and is not there counts no longer, and again once it is back.
    const [folder, aside] = [join(editor.workspace, 'reports-demo', 'XETR_ALBM'), join(editor.workspace, 'aside')];
    await rename(folder, aside);
    await editor.treeRow('Watchlist', 'Fiscal year 2024, 5 reports').waitFor();
    await editor.treeRow('Watchlist', /^Altenbruch.*, \d+ reports/).waitFor();
    await rename(aside, folder);
    await editor.treeRow('Watchlist', 'Fiscal year 2024, 1 of 5 downloaded').waitFor();
  });

  it('keeps the sizes that a person gives its panes when the window is loaded again', async () => {
    const { mouse } = editor.page;
    const heights = async () => {
      const boxes = await Promise.all(['Watchlist', 'Reports'].map((name) => editor.view(name).boundingBox()));
      return boxes.map((box) => Math.round(box?.height ?? 0));
    };
    await editor.page.locator('.pane-header[aria-label^="Reports"]').click();
    await editor.view('Reports').getByRole('treeitem').first().waitFor();
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
    assert.deepEqual(await heights(), chosen);
  });
});
