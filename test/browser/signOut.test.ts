import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

describe('signing out by keyboard', () => {
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('sign-out', {
      settings: { 'reportLibrary.demo.openAtStart': true, 'workbench.startupEditor': 'none' },
    });
    await editor.openContainer('Report Library');
    await editor.loaded();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  it('leaves the keyboard on what the Watchlist offers instead of its rows', async () => {
    await editor.command('Report Library: Focus on Watchlist View');
    await editor.view('Watchlist').locator('.monaco-list:focus').waitFor();
    await editor.commandByKeys('Report Library: Sign Out');
    const button = editor.view('Watchlist').getByRole('button', { name: 'Sign In…' });
    await button.waitFor();
    const welcome = editor.page.locator('.welcome-view-content:focus');
    await editor.view('Watchlist').locator(welcome).waitFor();
    await editor.screenshot('signed-out-focus');
  });
});
