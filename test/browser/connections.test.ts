import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesHolding } from '../support/browser/canary.ts';
import { type EditorWindow, endsWithSuite, openEditor } from '../support/browser/editor.ts';
import { enterBaseUrl, submit } from '../support/browser/signIn.ts';
import { startTestDemo, type TestDemo } from '../support/demo/testDemo.ts';

/** A company of both services' catalogs, and one that only the first key sees. */
const [shared, wide] = ['Altenbruch', 'Aarhorn'];

describe('several connections, in two windows', () => {
  let one: EditorWindow;
  let two: EditorWindow;
  let first: TestDemo;
  let second: TestDemo;
  let narrow: string;

  before(async () => {
    first = await startTestDemo({ settlingSeconds: 1 });
    second = await startTestDemo();
    narrow = second.control.issueKey({ label: 'narrow', companies: ['XETR_ALBM'] }).reveal();
    one = await openEditor('connections', { settings: {} });
    one.page.setDefaultTimeout(60_000);
    await one.page.setViewportSize({ width: 1400, height: 1000 });
    await one.openContainer('Report Library');
  });

  endsWithSuite(
    () => one,
    () => two,
  );
  after(async () => {
    await first?.dispose();
    await second?.dispose();
  });

  const row = (editor: EditorWindow, text: string) => editor.treeRow('Watchlist', text).first();
  /** Pages of a browser keep their secrets apart until they are loaded again. */
  const reload = async (editor: EditorWindow) => {
    await editor.reload();
    await editor.openContainer('Report Library');
  };
  const synced = (editor: EditorWindow) => editor.usage().locator('.codicon-library').waitFor();
  const storage = () => join(one.folder, 'user', 'User', 'globalStorage', 'report-library.report-library');
  const libraries = async () => (await readdir(join(storage(), 'library'))).filter((name) => name.endsWith('.sqlite'));

  it('asks for a name from the second one on, and shows the new one at once', async () => {
    await enterBaseUrl(one, first.baseUrl);
    await submit(one, first.key.reveal());
    await row(one, wide).waitFor();
    await synced(one);
    await one.command('Notifications: Clear All Notifications');
    await enterBaseUrl(one, second.baseUrl, 3, async () => {
      await one.usage().click();
      await one.quickRow('Switch Connection…').click();
      await one.quickRow('Add Connection').click();
    });
    await submit(one, narrow);
    await one.quickTitle().filter({ hasText: '(3/3)' }).waitFor();
    assert.equal(await one.quickInput().inputValue(), `Demo Research Desk (narrow) · ${new URL(second.baseUrl).host}`);
    await submit(one, 'Narrow desk');
    await row(one, wide).waitFor({ state: 'detached' });
    await row(one, shared).waitFor();
    await synced(one);
    assert.equal(await one.view('Watchlist').getByRole('treeitem').count(), 1);
  });

  it('lists them with name, service and the part of the key that may be shown', async () => {
    await one.command('Report Library: Switch Connection…');
    const entry = one.quickRow('Narrow desk');
    await entry.waitFor();
    const words = await entry.innerText();
    assert.ok(words.includes(new URL(second.baseUrl).origin) && words.includes(narrow.slice(0, 15)), words);
    assert.ok(!words.includes(narrow.slice(0, 16)), words);
    await one.quickRow('Demo Library').waitFor();
    await one.quickRow('Add Connection').waitFor();
    await one.page.keyboard.press('Escape');
  });

  it('opens a second window on the one that is in use', async () => {
    await one.command('Notifications: Clear All Notifications');
    two = await one.openSecond();
    two.page.setDefaultTimeout(60_000);
    await two.openContainer('Report Library');
    await row(two, shared).waitFor();
    await synced(two);
    assert.equal(await two.view('Watchlist').getByRole('treeitem').count(), 1);
  });

  it('switches, also in a window that is loaded again', async () => {
    await one.command('Report Library: Switch Connection…');
    await one.quickRow(new URL(first.baseUrl).host).first().click();
    await row(one, wide).waitFor();
    await reload(two);
    await row(two, wide).waitFor();
    await synced(two);
  });

  it('shows in one what the other has synced', async () => {
    const { control } = first;
    const [company] = control.entitled().filter(({ company_key }) => company_key === 'XSWX_AHRN');
    assert.ok(company);
    const label = async () => (await row(two, wide).getAttribute('aria-label')) ?? '';
    const before = Number(/(\d+) reports/.exec(await label())?.[1]);
    control.catalog.add('XSWX_AHRN');
    control.advance(5_000);
    await one.command('Report Library: Sync Now');
    await two
      .treeRow('Watchlist', `${before + 1} reports`)
      .and(row(two, wide))
      .waitFor();
    // Words for a screen reader follow the count that is seen.
    assert.match(await label(), new RegExp(`, ${before + 1} reports,`));
  });

  it('shows them in the Accounts menu, with Sign Out', async () => {
    await one.command('Notifications: Clear All Notifications');
    await one.page
      .locator('.activitybar')
      .getByRole('button', { name: /Accounts/ })
      .click();
    const accounts = one.page.locator('.monaco-menu .action-item', { hasText: '(Report Library)' });
    await accounts.first().waitFor();
    assert.deepEqual(
      (await accounts.allInnerTexts()).map((text) => text.trim()),
      [`Demo Research Desk · ${new URL(first.baseUrl).host} (Report Library)`, 'Narrow desk (Report Library)'],
    );
    await accounts.filter({ hasText: 'Narrow desk' }).hover();
    await one.page.locator('.monaco-menu .action-item', { hasText: /^Sign Out$/ }).waitFor();
    await one.page.keyboard.press('Escape');
    await one.page.keyboard.press('Escape');
  });

  it('stays readable from disk when the service is gone and the window is loaded again, and says how old it is', async () => {
    await first.dispose();
    await reload(two);
    await row(two, wide).waitFor();
    await row(two, wide).click();
    await two.treeRow('Watchlist', 'Fiscal year 2024').first().waitFor();
    await two.hoverSays(two.usage(), /synced\s(just\snow|\d+\sminutes?\sago);\sthe\slast\ssync\sfailed/);
  });

  it('asks before it removes one, keeps it by default, and says what becomes of its library', async () => {
    await one.command('Report Library: Switch Connection…');
    const entry = one.quickRow('Narrow desk');
    await entry.hover();
    await entry.getByRole('button', { name: 'Remove Narrow desk…' }).click();
    await one.quickTitle().filter({ hasText: 'Remove Narrow desk' }).waitFor();
    await one.quickRow('Remove the Key and Its Library').waitFor();
    await one.page.keyboard.press('Enter');
    await one.quickTitle().filter({ hasText: 'Switch Connection' }).waitFor();
    await one.quickRow('Narrow desk').waitFor();
  });

  it('removes one with its key and its library, also in a window that is loaded again', async () => {
    const before = await libraries();
    await one.quickRow('Narrow desk').click();
    await row(one, wide).waitFor({ state: 'detached' });
    // A page in a browser keeps its key until it is loaded again, and would make the library once more.
    const address = two.page.url();
    await two.page.goto('about:blank');
    await one.command('Report Library: Switch Connection…');
    const entry = one.quickRow('Narrow desk');
    await entry.hover();
    await entry.getByRole('button', { name: 'Remove Narrow desk…' }).click();
    await one.quickRow('Remove the Key and Its Library').click();
    await one.notification('Removed: Narrow desk.').waitFor();
    await two.page.goto(address);
    await two.openContainer('Report Library');
    for (const editor of [one, two]) {
      await editor.view('Watchlist').getByRole('button', { name: 'Switch Connection…' }).waitFor();
    }
    assert.equal((await libraries()).length, before.length - 1);
    // What is left to choose from is shown once more.
    await one.quickTitle().filter({ hasText: 'Switch Connection' }).waitFor();
    await one.page.keyboard.press('Escape');
    assert.deepEqual(await filesHolding(one.folder, [narrow.slice(15)]), []);
  });

  it('says when somebody signs out what stays on this computer, and removes it when asked to', async () => {
    await one.command('Report Library: Switch Connection…');
    await one.quickRow(new URL(first.baseUrl).host).first().click();
    await row(one, wide).waitFor();
    await one.command('Notifications: Clear All Notifications');
    const before = await libraries();
    await one.command('Report Library: Sign Out');
    const message = one.notification('Signed out of Demo Research Desk');
    await message.waitFor();
    assert.equal((await libraries()).length, before.length, 'nothing goes before it was asked for');
    await message.getByRole('button', { name: 'Remove Library and Favorites' }).click();
    await one.notification('Removed: the library and favorites of Demo Research Desk').waitFor();
    assert.equal((await libraries()).length, before.length - 1);
  });

  it('offers to remove what earlier sign-outs left, and nothing else', async () => {
    const folder = join(one.folder, 'user/User/globalStorage/report-library.report-library/library');
    const left = join(folder, `${'0a'.repeat(16)}.v1.sqlite`);
    await Promise.all([left, `${left}-wal`, join(folder, 'notes.txt')].map((path) => writeFile(path, 'x'.repeat(1e6))));
    const before = await libraries();
    const title = one.view('Watchlist').locator('.pane-header');
    await title.hover();
    await title.getByRole('button', { name: /More Actions/ }).click();
    await one.page.getByRole('menuitem', { name: 'Switch Connection…' }).click({ delay: 250 });
    await one.quickRow('Remove Libraries of Signed-Out Connections…').filter({ hasText: '2.0 MB' }).waitFor();
    await one.quickRow('Remove Libraries of Signed-Out Connections…').click();
    await one.page.locator('.monaco-dialog-box').getByText('1 library, 2.0 MB').waitFor();
    await one.page.keyboard.press('Enter');
    await one.notification('Removed: 1 library, 2.0 MB.').waitFor();
    assert.deepEqual(
      await libraries(),
      before.filter((name) => !left.endsWith(name)),
    );
    assert.equal((await readdir(folder)).includes('notes.txt'), true);
  });
});
