import assert from 'node:assert/strict';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

/**
 * The language that VS Code's German language pack would set. The pack itself is not here, so the editor's own words
 * stay English; what the extension says comes from its own bundles.
 */
const inGerman =
  'Object.defineProperty(globalThis, "_VSCODE_NLS_LANGUAGE", { value: "de", writable: true, configurable: true });';

describe('the extension in a German editor', () => {
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('german');
    editor.page.setDefaultTimeout(60_000);
    await editor.page.addInitScript(inGerman);
    await editor.reload();
    await editor.openContainer('Report Library');
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  it('names its views and says the numbers of the status bar in German', async () => {
    await editor.treeRow('Watchlist', 'Altenbruch').first().waitFor();
    await editor.view('Berichte').waitFor();
    await editor.view('Neuigkeiten').waitFor();
    const words = editor.page.locator('.statusbar-item[id$="reportLibrary.usage"][aria-label*="Anfragen und"]');
    await words.waitFor();
    assert.match((await words.getAttribute('aria-label')) ?? '', /\d+ Downloads in diesem Monat/);
  });

  it('reads a report in German', async () => {
    await editor.treeRow('Watchlist', 'Altenbruch').first().click();
    await editor.treeRow('Watchlist', 'Geschäftsjahr').first().click();
    await editor.treeRow('Watchlist', 'Nachhaltigkeitsbericht').first().click();
    await editor.webview().getByRole('button', { name: 'In Notebook einfügen' }).waitFor();
    await editor.webview().getByText('Standards, Wesentlichkeit und externe Prüfung').waitFor();
    await editor.closeTabs();
  });

  it('asks in German', async () => {
    await editor.command('Report Library: Berichte filtern…');
    await editor.quickTitle().filter({ hasText: 'Berichte filtern' }).waitFor();
    await editor
      .quickRow(/\d+ Berichte anzeigen/)
      .first()
      .waitFor();
    await editor.quickRow('Geschäftsjahr').first().waitFor();
    await editor.page.keyboard.press('Escape');
  });
});
