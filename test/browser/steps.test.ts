import assert from 'node:assert/strict';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

describe('what is done by hand in the sidebar', () => {
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('steps', {
      settings: {
        'reportLibrary.demo.openAtStart': true,
        'workbench.startupEditor': 'none',
        // A step that unfolds takes the keyboard: a quarter of a second later, out of a picker, while motion is on.
        'workbench.reduceMotion': 'on',
      },
    });
    await editor.page.setViewportSize({ width: 1500, height: 1000 });
    await editor.openContainer('Report Library');
    await editor.loaded();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  const titles = ['Sign in', 'Find a company', 'Read a report', 'Download a verified', 'Use it in a notebook'];
  const ticked = (title: string) =>
    editor.page.locator('.getting-started-step', { hasText: title }).locator('.codicon.complete:visible');

  /** Opens the walkthrough anew, waits for the tick of `last`, and gives the steps that have one. */
  async function done(last: string): Promise<string[]> {
    await editor.command('Welcome: Open Walkthrough...');
    await editor.quickInput().fill('Report Library');
    await editor.quickRow('Report Library').first().click();
    await ticked(last).waitFor();
    const counts = await Promise.all(titles.map((title) => ticked(title).count()));
    return titles.filter((_, index) => counts[index] === 1);
  }

  it('shows every row of the Watchlist whole, with its count, at the usual width', async () => {
    const labels = editor.view('Watchlist').locator('.monaco-icon-label-container');
    await labels.first().waitFor();
    const cut = await labels.evaluateAll((all) =>
      (all as unknown as { scrollWidth: number; clientWidth: number; textContent: string }[])
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    );
    assert.deepEqual(cut, []);
    await editor.screenshot('steps-watchlist');
  });

  it('has a menu of seven entries in the status bar', async () => {
    await editor.usage().click();
    await editor.quickRow('Show Log').first().waitFor();
    assert.equal(await editor.quickRow(/./).and(editor.page.locator('[role=option], .monaco-list-row')).count(), 7);
    await editor.screenshot('steps-menu');
    await editor.page.keyboard.press('Escape');
  });

  it('ticks its step of the walkthrough, and no other', async () => {
    assert.deepEqual(await done('Sign in'), titles.slice(0, 1));
    await editor.treeRow('Watchlist', 'Altenbruch').click();
    assert.deepEqual(await done('Find a company'), titles.slice(0, 2));
    await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
    await editor
      .treeRow('Watchlist', /^Sustainability/)
      .first()
      .click();
    await editor.webview().getByRole('button', { name: 'Download PDF' }).waitFor();
    assert.deepEqual(await done('Read a report'), titles.slice(0, 3));
    await editor.rowButton(editor.treeRow('Watchlist', /^Sustainability/).first(), /Download/);
    await editor.view('Watchlist').locator('[aria-label*="PDF here, verified"]').first().waitFor();
    assert.deepEqual(await done('Download a verified'), titles.slice(0, 4));
    await editor.screenshot('steps-downloaded');
  });

  it('is offered by Find before anything is typed', async () => {
    await editor.command('Report Library: Find Company or Report…');
    await editor
      .quickRow(/Sustainability Report/)
      .first()
      .waitFor();
    assert.equal((await editor.quickRow(/./).filter({ hasText: 'Altenbruch' }).count()) > 0, true);
    await editor.quickRow('Recently Opened').or(editor.page.getByText('Recently Opened')).first().waitFor();
    await editor.screenshot('steps-recent');
    await editor.page.keyboard.press('Escape');
  });
});
