import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EditorWindow } from '../support/browser/editor.ts';
import { enterBaseUrl, openSignedIn, submit } from '../support/browser/signIn.ts';
import { startTestDemo, type TestDemo } from '../support/demo/testDemo.ts';

describe('favourites', () => {
  let one: EditorWindow;
  let two: EditorWindow | undefined;
  let demo: TestDemo;

  before(async () => {
    demo = await startTestDemo({ settlingSeconds: 1 });
    one = await openSignedIn('favourites', demo);
    await one.loaded();
    await one.command('Notifications: Clear All Notifications');
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await one.screenshot(`failed-${this.currentTest.title}-1`);
    await two?.screenshot(`failed-${this.currentTest.title}-2`);
  });

  after(async () => {
    await one?.close();
    await demo?.dispose();
  });

  const folder = () => join(one.folder, 'user', 'User', 'globalStorage', 'report-library.report-library', 'favourites');
  const kept = async () => readFile(join(folder(), (await readdir(folder()))[0] ?? ''), 'utf8');
  const group = (window: EditorWindow, count: number) =>
    window.treeRow('Watchlist', new RegExp(`^Favourites, ${count} favourites?$`)).first();
  const starred = (window: EditorWindow, words: RegExp) => window.treeRow('Watchlist', words).first();
  const plain = (window: EditorWindow, name: RegExp) => window.treeRow('Watchlist', name).last();

  it('star a company by mouse: it stands on top, and its row has a star', async () => {
    await one.rowButton(plain(one, /^Altenbruch/), /Add to Favourites/);
    await group(one, 1).waitFor();
    await one
      .treeRow('Watchlist', /^Altenbruch.*, favourite$/)
      .nth(1)
      .waitFor();
    assert.match((await plain(one, /^Altenbruch/).innerText()).replaceAll('\n', ' '), /★/);
    await one.screenshot('favourites-1-company');
  });

  it('star a report by the keyboard, which stays on its row', async () => {
    await one.unfold(plain(one, /^Aarhorn Pharma/));
    await one
      .treeRow('Watchlist', /^Fiscal year 2024/)
      .first()
      .click();
    await one
      .treeRow('Watchlist', /^Integrated Report/)
      .first()
      .waitFor();
    await one.page.keyboard.press('ArrowRight');
    await one.page.keyboard.press('ArrowDown');
    const label = (await one.focusedRow().getAttribute('aria-label')) ?? '';
    await one.page.keyboard.press('Control+d');
    await group(one, 2).waitFor();
    await one.focusedRow('favourite').waitFor();
    assert.equal(await one.focusedRow().getAttribute('aria-label'), `${label}, favourite`);
  });

  it('take a note and tags, shown among the favourites and in the panel', async () => {
    const row = starred(one, /^Altenbruch.*, favourite/);
    await one.rowMenu(row, 'Edit Note…');
    await one.quickTitle().filter({ hasText: 'Note: Altenbruch' }).waitFor();
    await submit(one, 'ask for the scope 3 figures');
    await one
      .treeRow('Watchlist', /favourite, ask for the scope 3 figures$/)
      .first()
      .waitFor();
    await one.rowMenu(row, 'Edit Tags…');
    await submit(one, 'peers, 2025');
    await one
      .treeRow('Watchlist', /ask for the scope 3 figures · #2025 #peers$/)
      .first()
      .waitFor();
    await one.hoverSays(row, 'ask for the scope 3 figures');
    await one.screenshot('favourites-2-note');
    await one.rowMenu(row, 'Show Company');
    const star = one.webview().getByRole('button', { name: 'Favourite', exact: true });
    await star.waitFor();
    assert.equal(await star.getAttribute('aria-pressed'), 'true');
    await one.webview().getByText('#peers').waitFor();
    await one.screenshot('favourites-3-company-panel');
  });

  it('are starred in a report’s panel too', async () => {
    await one
      .treeRow('Watchlist', /, favourite$/)
      .filter({ hasText: 'Aarhorn' })
      .first()
      .click();
    const star = one.webview().getByRole('button', { name: 'Favourite', exact: true });
    await one.webview().getByText('Add Note…').waitFor();
    await star.click();
    await group(one, 1).waitFor();
    await one.webview().getByText('Add Note…').waitFor({ state: 'detached' });
    await star.click();
    await group(one, 2).waitFor();
    await one.webview().getByRole('button', { name: 'Add Tags…' }).click();
    await submit(one, 'climate');
    await one.webview().getByText('#climate').waitFor();
    await one.screenshot('favourites-4-report-panel');
    await one.closeTabs();
  });

  it('are kept for this user alone, and found again when the window is loaded anew', async () => {
    const [file = '', ...others] = await readdir(folder());
    assert.match(file, /^[0-9a-f]{32}\.json$/);
    assert.deepEqual(others, []);
    if (process.platform !== 'win32') {
      assert.equal((await stat(folder())).mode & 0o777, 0o700);
      assert.equal((await stat(join(folder(), file))).mode & 0o777, 0o600);
    }
    await one.reload();
    await one.openContainer('Report Library');
    await group(one, 2).waitFor();
    await one
      .treeRow('Watchlist', /#2025 #peers$/)
      .first()
      .waitFor();
  });

  it('narrow the Reports view, with all reports of a starred company', async () => {
    const own = demo.control.entitled().filter(({ company_key }) => company_key === 'XETR_ALBM').length;
    await one.command('Report Library: Filter Reports…');
    await one.quickRow('Favourites').first().click();
    await one.quickRow('Favourite: Yes').first().click();
    await one.quickInput().press('Enter');
    // Its row stands first and is chosen: Enter takes it, wherever the list is drawn.
    await one
      .quickRow(`Show ${own + 1} reports`)
      .first()
      .waitFor({ state: 'attached' });
    await one.quickInput().press('Enter');
    await one.view('Reports').getByText('favourites').first().waitFor();
    await one.screenshot('favourites-5-filter');
    await one.command('Report Library: Clear Filter');
  });

  it('are the same in another window', async () => {
    two = await one.openSecond();
    await two.openContainer('Report Library');
    await group(two, 2).waitFor();
    await two.rowButton(plain(two, /^Aarhorn Pharma/), /Add to Favourites/);
    await group(two, 3).waitFor();
    await group(one, 3).waitFor();
    await two.page.close();
    two = undefined;
    // A page in the background draws nothing, and a message comes with a drawing.
    await one.page.bringToFront();
  });

  it('show a withdrawn report as such', async () => {
    const id = Number(/"report_id":(\d+),/.exec(await kept())?.[1]);
    demo.control.catalogue.withdraw(id);
    demo.control.advance(5_000);
    await one.command('Report Library: Sync Now');
    await one
      .treeRow('Watchlist', /withdrawn.*#climate$/)
      .first()
      .waitFor();
    await one.screenshot('favourites-6-withdrawn');
  });

  it('are shared as a list in the workspace, and one with a merge conflict is told', async () => {
    await one.command('Report Library: Write Favourites to Workspace…');
    await one.notification('Wrote 3 favourites to reports.list.json.').waitFor();
    await one.command('Report Library: Read List…');
    const same = one.notification('Read reports.list.json: 0 added, 3 known before.');
    await same.waitFor();
    assert.equal(await same.getByRole('button', { name: 'Undo' }).count(), 0);
    const path = join(one.workspace, 'reports.list.json');
    const written = await readFile(path, 'utf8');
    assert.match(written, /^ {4}\{"company_key":"XETR_ALBM","report_id":null,.*"ask for the scope 3 figures"\},$/m);
    const line = '    {"company_key":"XPAR_VMIS","report_id":null,"report_key":null,"tags":["team"],"note":"new"}';
    await writeFile(path, written.replace('\n  ]', `,\n${line}\n  ]`));
    await one.command('Notifications: Clear All Notifications');
    // The command may come late on a busy machine, and would take the new one along.
    await one.page.locator('.notification-toast').first().waitFor({ state: 'hidden' });
    await one.command('Report Library: Read List…');
    await one.notification('Read reports.list.json: 1 added, 3 known before.').waitFor();
    await group(one, 4).waitFor();
    await one.notification('Read reports.list.json').getByRole('button', { name: 'Undo' }).click();
    await group(one, 3).waitFor();
    await writeFile(path, written.replace('    {', '<<<<<<< ours\n    {'));
    await one.command('Report Library: Read List…');
    await one.notification(/reports\.list\.json has a merge conflict in line 4/).waitFor();
    await one.screenshot('favourites-7-conflict');
    await one.command('Notifications: Clear All Notifications');
  });

  it('that say something are removed with a way back', async () => {
    const row = starred(one, /^Altenbruch.*, favourite/);
    await one.rowButton(row, /Remove from Favourites/);
    await group(one, 2).waitFor();
    await one.notification('Removed from Favourites: Altenbruch').getByRole('button', { name: 'Undo' }).click();
    await group(one, 3).waitFor();
    await one
      .treeRow('Watchlist', /ask for the scope 3 figures · #2025 #peers$/)
      .first()
      .waitFor();
  });

  it('stay after a sign-out, and go with the library when that is removed', async () => {
    const message = one.notification('Signed out of');
    await one.command('Report Library: Sign Out');
    await message.getByRole('button', { name: 'Keep Library' }).click();
    await enterBaseUrl(one, demo.baseUrl);
    await submit(one, demo.key.reveal());
    await group(one, 3).waitFor();
    await one.command('Notifications: Clear All Notifications');
    await one.command('Report Library: Sign Out');
    await message.filter({ hasText: 'and your favourites stay on this machine' }).waitFor();
    await message.getByRole('button', { name: 'Remove Library and Favourites' }).click();
    await one.notification('Removed: the library and favourites of').waitFor();
    assert.deepEqual(await readdir(folder()), []);
  });
});
