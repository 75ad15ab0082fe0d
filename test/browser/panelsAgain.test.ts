import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

describe('panels that come back', () => {
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('panelsAgain');
    await editor.openContainer('Report Library');
    await editor.treeRow('Watchlist', 'Altenbruch').first().waitFor();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  const coverage = () => editor.webview().locator('.grid .body .row:not([hidden])').first().waitFor();
  const dictionary = () => editor.webview().getByText('filename').first().waitFor();

  it('show their content each time they come to the front', async () => {
    await editor.command('Report Library: Show Coverage');
    await coverage();
    await editor.command('Report Library: Open Schema Dictionary');
    await dictionary();
    await editor.editorTab('Coverage').click();
    await coverage();
    await editor.editorTab('Schema Dictionary').click();
    await dictionary();
  });

  it('are there again after the window was loaded anew', async () => {
    await editor.reloadInOrder();
    await dictionary();
    await editor.editorTab('Coverage').click();
    await coverage();
  });
});
