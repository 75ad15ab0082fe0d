import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';

const original = 'holding,weight\nOrlestone Group,0.4\nXETR:ALBM,0.6\n';

describe('resolving a column of a CSV file', () => {
  let editor: EditorWindow;
  const file = () => join(editor.workspace, 'holdings.csv');
  const row = (text: string) => editor.webview().locator('[data-row]', { hasText: text });
  const focused = (name: string) => editor.webview().locator(`[aria-label="${name}"]:focus`).waitFor();

  before(async () => {
    editor = await openEditor('resolving');
    await editor.page.setViewportSize({ width: 1400, height: 1000 });
    await writeFile(file(), original);
    await editor.openContainer('Report Library');
    await editor.loaded();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
  });

  it('names what each choice takes, by words and icon alone', async () => {
    await editor.command('Report Library: Resolve Identifiers…');
    await editor.quickRow('Column of a CSV File…').waitFor();
    const names = await editor.quickRow(/./).evaluateAll((rows) => rows.map((each) => each.ariaLabel ?? ''));
    assert.ok(names.length > 1 && names.every((name) => !/clippy|folder-opened|search/.test(name)), names.join('; '));
    await editor.quickInput().fill('XETR:ALBM, XLON:THWK');
    await editor.quickRow('Resolve 2 Identifiers').waitFor();
    await editor.screenshot('resolving-1-ask');
    await editor.quickInput().fill('');
    // The rows are drawn anew for what was typed: a click meanwhile hits none.
    await editor.quickRow('Resolve 2 Identifiers').waitFor({ state: 'hidden' });
    await editor.quickRow('Column of a CSV File…').click();
    await editor.quickRow('holdings.csv').click();
    await editor.quickRow('holding').first().click();
    await row('Orlestone Group').waitFor();
  });

  it('shows every company that may be meant in the row; the one that is chosen can be undone', async () => {
    const one = editor.webview().getByRole('button', { name: 'Orlestone Minerals Limited for “Orlestone Group”' });
    await one.waitFor();
    await editor.webview().getByRole('button', { name: 'Orlestone Banking Group plc for “Orlestone Group”' }).waitFor();
    await editor
      .webview()
      .getByText(/2 identifiers from column holding of holdings.csv · 1 request$/)
      .waitFor();
    await editor.screenshot('resolving-2-candidates');
    await one.click();
    await row('looked up as XASX:ORLM').waitFor();
    assert.match(await row('Orlestone Group').innerText(), /Name[\s\S]*Matched[\s\S]*Orlestone Minerals Limited/);
    await editor
      .webview()
      .getByText(/ · 2 requests$/)
      .waitFor();
    await editor.screenshot('resolving-3-refined');
    await focused('Undo for “Orlestone Group”');
    await editor.page.keyboard.press('Enter');
    await one.waitFor();
    await focused('Refine… for “Orlestone Group”');
  });

  it('refines by keyboard alone: the list has them all, and the keyboard comes back to the row', async () => {
    await editor.page.keyboard.press('Enter');
    await editor.quickTitle().filter({ hasText: 'Refine “Orlestone Group”' }).waitFor();
    await editor.quickRow('Orlestone Minerals Limited').waitFor();
    assert.equal(await editor.quickRow(/Orlestone/).count(), 2);
    await editor.screenshot('resolving-4-refine');
    await editor.quickInput().fill('orlestone bank');
    const active = editor.page.locator('.quick-input-list .monaco-list-row.focused');
    await editor.quickRow('Ask for “orlestone bank”').waitFor();
    await active.filter({ hasText: 'XLON:ORLS' }).waitFor();
    await editor.page.keyboard.press('Enter');
    await row('looked up as XLON:ORLS').waitFor();
    await focused('Undo for “Orlestone Group”');
  });

  /** Adds a column to those that are suggested, once the list shows these: it would tick them over a click. */
  async function tickStatus(): Promise<void> {
    const ticked = (column: string) => editor.quickRow(column).and(editor.page.locator('[aria-checked=true]'));
    await ticked('company_key').waitFor();
    await editor.quickRow('match_status').click();
    await ticked('match_status').waitFor();
  }

  it('writes back what was chosen, and says truly that the file is saved where the editor saves by itself', async () => {
    await editor.webview().getByRole('button', { name: 'Write Back…' }).click();
    await tickStatus();
    await editor.screenshot('resolving-5-columns');
    await editor.page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK' }).click();
    const told = 'Added company_key, company_name, match_status to holdings.csv. Rows with a company: 2 of 2.';
    await editor.notification(told).filter({ hasText: 'The file is saved.' }).waitFor();
    await editor.screenshot('resolving-6-written');
    assert.deepEqual((await readFile(file(), 'utf8')).split('\n').slice(0, 2), [
      'holding,weight,company_key,company_name,match_status',
      'Orlestone Group,0.4,XLON_ORLS,Orlestone Banking Group plc,matched',
    ]);
  });

  it('writes what the grid says after an undo, and says truly that nothing has saved the file', async () => {
    await editor.command('File: Toggle Auto Save');
    await editor.command('Notifications: Clear All Notifications');
    await editor.editorTab('Resolved Identifiers').click();
    await editor.webview().getByRole('button', { name: 'Undo for “Orlestone Group”' }).click();
    await editor.webview().getByRole('button', { name: 'Refine… for “Orlestone Group”' }).waitFor();
    await editor.webview().getByRole('button', { name: 'Write Back…' }).click();
    await tickStatus();
    await editor.page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK' }).click();
    const told = 'Added company_key_2, company_name_2, match_status_2 to holdings.csv. Rows with a company: 1 of 2.';
    const message = editor.notification(told).filter({ hasText: 'The file is not saved yet.' });
    await message.waitFor();
    await editor.screenshot('resolving-7-not-saved');
    const before = await readFile(file(), 'utf8');
    assert.ok(!before.includes('ambiguous'), before);
    await message.getByRole('button', { name: 'Save' }).click();
    await editor.editorTab('holdings.csv').and(editor.page.locator(':not(.dirty)')).waitFor();
    assert.match(await readFile(file(), 'utf8'), /^Orlestone Group,.*,ambiguous$/m);
  });
});
