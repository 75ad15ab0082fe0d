import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';
import { fileOnce } from '../support/fileOnce.ts';

interface SavedNotebook {
  readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[];
}

describe('a report goes from the sidebar into a notebook', function () {
  this.timeout(240_000);
  let editor: EditorWindow;
  let complaints: string[] = [];
  let keys = 0;
  let texts = 0;

  async function start(name: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    editor = await openEditor(name, { settings: { 'editor.wordWrap': 'off', ...settings } });
    await editor.page.setViewportSize({ width: 1400, height: 1300 });
    // The palette lists what is known when it opens.
    await editor.activity('Report Library').waitFor();
    await editor.whenQuiet();
    complaints = [];
    keys = 0;
    texts = 0;
    // The editor's own complaints, of modules that this build of it lacks, are not ours.
    editor.page.on('console', (message) => {
      const isOurs = /report-?library|uri-list|drag/i.test(message.text());
      if (isOurs && ['warning', 'error'].includes(message.type())) complaints.push(message.text());
    });
  }

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor?.screenshot(`failed-${this.currentTest.title}`);
    await editor?.close();
  });

  async function press(...names: readonly string[]): Promise<void> {
    for (const name of names) await editor.page.keyboard.press(name);
    keys += names.length;
  }

  async function type(text: string): Promise<void> {
    await editor.quickInput().fill(text);
    texts += 1;
  }

  // The editor writes blanks that do not break, and only a pattern takes them for blanks.
  const code = (text: RegExp) => editor.page.locator('.notebookOverlay .view-line:visible', { hasText: text });
  const calls = () => code(/^report\s=\sload_report\(/);
  const rows = () => editor.treeRow('Watchlist', /^Sustainability/).first();

  const verified = () =>
    editor
      .treeRow('Watchlist', /PDF downloaded, verified/)
      .first()
      .waitFor();

  /** Runs a command by its name, without the mouse. */
  async function run(title: string): Promise<void> {
    await editor.command(title);
    keys += 2;
    texts += 1;
  }

  /** Selects the row that has the keyboard by the editor's own key, which opens nothing. */
  async function selectFocused(name: string): Promise<void> {
    await press('Control+Shift+Enter');
    await editor.treeRow('Watchlist', name).and(editor.page.locator('.selected')).first().waitFor();
  }

  async function openNotebook(): Promise<void> {
    await press('Control+P');
    await type('analysis.ipynb');
    await editor.quickRow('analysis.ipynb').first().waitFor();
    await press('Enter');
    await editor.editorTab('analysis.ipynb').first().waitFor();
  }

  const notebookFile = () => join(editor.workspace, 'analysis.ipynb');

  /** Saves the notebook. The editor tells nobody when the file is on the disk. */
  async function save(): Promise<void> {
    await run('File: Save');
    const isSaved = (text: string) => text.split('report = load_report(').length > 2 && text.endsWith('}\n');
    await fileOnce(notebookFile(), isSaved);
  }

  /** What the saved notebook prints at last, run from top to bottom; undefined where this machine has no Python. */
  async function output(): Promise<string | undefined> {
    const { cells } = JSON.parse(await readFile(notebookFile(), 'utf8')) as SavedNotebook;
    const ours = cells.filter(({ cell_type }) => cell_type === 'code').map(({ source }) => source.join(''));
    assert.equal(ours.filter((text) => text.includes('def load_report(')).length, 1);
    assert.equal(ours.filter((text) => /^report = load_report\("[^"]+"\)\nreport\.path$/.test(text)).length, 2);
    const input = `${ours.join('\n')}\nlast = load_report("XETR_ALBM_2024_SR")\nprint(last.path.is_file(), last.metadata["report_key"])`;
    const ended = spawnSync('python3', ['-'], { cwd: editor.workspace, input, encoding: 'utf8' });
    if (ended.error) return undefined;
    assert.equal(ended.status, 0, ended.stderr);
    return ended.stdout.trim().split('\n').at(-1);
  }

  /** Loads the window anew: the notebook stands there as it was left, to its last cell. */
  async function reopened(): Promise<void> {
    await editor.reloadInOrder();
    await editor.editorTab('analysis.ipynb').first().waitFor();
    await openNotebook();
    await editor.statusItem(/Cell \d+ of 10/).waitFor();
    await press('Control+End');
    // Where the editor shows the helper unfolded, the calls are further up.
    for (let cell = 10; cell > 0; cell -= 1) {
      await editor.statusItem(`Cell ${cell} of 10`).waitFor();
      if ((await calls().count()) > 0) return;
      await press('ArrowUp');
    }
    assert.fail('No cell of ours is there any more.');
  }

  /** The saved notebook runs; where nothing can run it, the rest of the walk counts as skipped. */
  async function finished(test: Mocha.Context): Promise<void> {
    const found = await output();
    assert.deepEqual(complaints, []);
    if (found === undefined) test.skip();
    assert.equal(found, 'True XETR_ALBM_2024_SR');
  }

  it('without a mouse: demo opened, found, read, downloaded, inserted twice, run, saved, opened again', async function () {
    await start('headlineKeys', { 'workbench.startupEditor': 'none', 'workbench.reduceMotion': 'on' });
    const watchlist = editor.view('Watchlist').locator('.monaco-list:focus');
    await openNotebook();
    await code(/holdings\s=\slist/).waitFor();
    await run('Report Library: Open Demo Library');
    await editor.page.locator('.getting-started-step', { hasText: 'Sign in' }).locator('.complete').waitFor();
    await editor.loaded();
    // The keyboard is where one begins, not with a view that went away when rows came in.
    await editor.page.locator('.getting-started-step:focus').waitFor();
    await run('Report Library: Find Company or Report…');
    await editor.page.getByPlaceholder(/^Name, title, identifier/).waitFor();
    await type('altenbruch sustainability report 2024');
    await editor
      .quickRow(/Sustainability Report/)
      .first()
      .waitFor();
    // The company itself comes first.
    await press('ArrowDown');
    await editor
      .quickRow(/Sustainability Report/)
      .and(editor.page.locator('.focused'))
      .waitFor();
    await press('Enter');
    await editor.webview().locator('h1').waitFor();
    await editor.panelFocused();
    // The notebook is covered; inserting brings it back.
    await run('Report Library: Focus on Watchlist View');
    await watchlist.waitFor();
    await press('Home');
    await editor.focusedRow('Aarhorn Pharma').waitFor();
    await press('ArrowDown');
    await editor.focusedRow('Altenbruch').waitFor();
    await press('ArrowRight');
    await editor.treeRow('Watchlist', 'Fiscal year 2024').waitFor();
    await press('ArrowDown', 'ArrowDown');
    await editor.focusedRow('Fiscal year 2024').waitFor();
    await press('ArrowRight');
    await rows().waitFor();
    await press('ArrowDown');
    await editor.focusedRow('Sustainability').waitFor();
    await selectFocused('Sustainability');
    await press('Control+Enter');
    await calls().first().waitFor();
    await verified();
    process.stdout.write(`From a fresh window to a verified cell: ${keys} keys and ${texts} texts typed\n`);
    await run('Report Library: Focus on Watchlist View');
    await watchlist.waitFor();
    await editor.focusedRow('Sustainability').waitFor();
    // The same key takes the first row out of the selection.
    await press('Control+Shift+Enter', 'ArrowDown');
    await editor.focusedRow('Annual').waitFor();
    await selectFocused('Annual');
    await press('Control+Enter');
    await calls().nth(1).waitFor();
    await save();
    await reopened();
    await finished(this);
  });

  it('with a mouse, signed out, in five clicks to a verified cell: container, demo, company, year, insert', async function () {
    await start('headlineMouse', { 'workbench.startupEditor': 'none', 'workbench.reduceMotion': 'on' });
    await editor.activity('Report Library').click();
    await editor.view('Watchlist').getByRole('button', { name: 'Open Demo Library' }).click();
    await editor.loaded();
    await editor.treeRow('Watchlist', 'Altenbruch').click();
    await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
    // No document is open: the one notebook of the workspace takes it.
    await editor.rowButton(rows(), /Insert into Notebook/);
    await calls().first().waitFor();
    await verified();
    // Read it, and put it in once more from its panel.
    await rows().click();
    await editor.webview().locator('h1').waitFor();
    await editor.webview().getByRole('button', { name: 'Open PDF' }).waitFor();
    await editor.webview().getByRole('button', { name: 'Insert into Notebook' }).click();
    await calls().nth(1).waitFor();
    await editor.page.locator('.notebookOverlay .monaco-list:focus').waitFor();
    await save();
    await finished(this);
  });
});
