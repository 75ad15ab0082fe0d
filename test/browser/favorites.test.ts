import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EditorWindow, endsWithSuite } from '../support/browser/editor.ts';
import { enterBaseUrl, openSignedIn, submit } from '../support/browser/signIn.ts';
import { startTestDemo, type TestDemo } from '../support/demo/testDemo.ts';

describe('favorites', () => {
  let one: EditorWindow;
  let demo: TestDemo;

  before(async () => {
    demo = await startTestDemo({ settlingSeconds: 1 });
    // A row that is drawn anew under the mouse keeps its tooltip, which then lies over the next row.
    one = await openSignedIn('favorites', demo, { 'workbench.hover.delay': 60_000 });
    await one.loaded();
    await one.command('Notifications: Clear All Notifications');
  });

  endsWithSuite(() => one);
  after(() => demo?.dispose());

  const folder = () => join(one.folder, 'user', 'User', 'globalStorage', 'report-library.report-library', 'favorites');
  const kept = async () => readFile(join(folder(), (await readdir(folder()))[0] ?? ''), 'utf8');
  const group = (window: EditorWindow, count: number) =>
    window.treeRow('Watchlist', new RegExp(`^Favorites, ${count} favorites?$`)).first();
  const starred = (window: EditorWindow, words: RegExp) => window.treeRow('Watchlist', words).first();
  const plain = (window: EditorWindow, name: RegExp) => window.treeRow('Watchlist', name).last();

  it('star a company by mouse: it stands on top, and its row has a star', async () => {
    await one.rowButton(plain(one, /^Altenbruch/), /Add to Favorites/);
    await group(one, 1).waitFor();
    await one
      .treeRow('Watchlist', /^Altenbruch.*, Favorite$/)
      .nth(1)
      .waitFor();
    assert.match((await plain(one, /^Altenbruch/).innerText()).replaceAll('\n', ' '), /★/);
  });

  it('star the selected report by the keyboard, which stays on its row', async () => {
    await one.unfold(plain(one, /^Aarhorn Pharma/));
    await one.unfold(one.treeRow('Watchlist', /^Fiscal year 2024/).first());
    const row = one.treeRow('Watchlist', /^Integrated Report/).first();
    await row.click();
    const label = (await one.focusedRow().getAttribute('aria-label')) ?? '';
    await one.page.keyboard.press('Control+d');
    await group(one, 2).waitFor();
    await one.focusedRow('Favorite').waitFor();
    assert.equal(await one.focusedRow().getAttribute('aria-label'), `${label}, Favorite`);
  });

  it('are starred on the page of a company or report too', async () => {
    const star = one.webview().getByRole('button', { name: 'Favorite', exact: true });
    await one.rowMenu(starred(one, /^Altenbruch.*, Favorite/), 'Show Company');
    await star.and(one.webview().locator('[aria-pressed=true]')).waitFor();
    await one
      .treeRow('Watchlist', /, Favorite$/)
      .filter({ hasText: 'Aarhorn' })
      .first()
      .click();
    await one.webview().getByRole('button', { name: 'Insert into Notebook' }).waitFor();
    await star.click();
    await group(one, 1).waitFor();
    await star.and(one.webview().locator('[aria-pressed=false]')).waitFor();
    await star.click();
    await group(one, 2).waitFor();
    await one.closeTabs();
  });

  it('are found again when the window is loaded anew', async () => {
    await one.reload();
    await one.openContainer('Report Library');
    await group(one, 2).waitFor();
  });

  it('show a withdrawn report as such', async () => {
    const id = Number(/"report_id":(\d+),/.exec(await kept())?.[1]);
    demo.control.catalog.withdraw(id);
    demo.control.advance(5_000);
    await one.command('Report Library: Sync Now');
    await one
      .treeRow('Watchlist', /withdrawn.*Favorite$/)
      .first()
      .waitFor();
  });

  it('stay after a sign-out, and go with the library when that is removed', async () => {
    const message = one.notification('Signed out of');
    await one.command('Report Library: Sign Out');
    await message.getByRole('button', { name: 'Keep Library' }).click();
    await enterBaseUrl(one, demo.baseUrl);
    await submit(one, demo.key.reveal());
    await group(one, 2).waitFor();
    await one.command('Notifications: Clear All Notifications');
    await one.command('Report Library: Sign Out');
    await message.filter({ hasText: 'and your favorites stay on this computer' }).waitFor();
    await message.getByRole('button', { name: 'Remove Library and Favorites' }).click();
    await one.notification('Removed: the library and favorites of').waitFor();
    assert.deepEqual(await readdir(folder()), []);
  });
});
