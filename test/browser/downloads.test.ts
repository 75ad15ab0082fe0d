import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseLock } from '../../src/downloads/manifest.ts';
import { type EditorWindow, endsWithSuite } from '../support/browser/editor.ts';
import { openSignedIn } from '../support/browser/signIn.ts';
import type { FaultRule } from '../support/demo/faults.ts';
import { startTestDemo, type TestDemo } from '../support/demo/testDemo.ts';

const company = 'Altenbruch';
const companyKey = 'XETR_ALBM';
const linkRoute = 'GET /reports/{report_id}/download';
const fileRoute = 'GET /files';

describe('downloads of many PDFs, by keyboard', () => {
  let editor: EditorWindow;
  let demo: TestDemo;
  let wanted: number;

  before(async () => {
    demo = await startTestDemo({ requestsPerMinute: 100_000 });
    wanted = demo.control.entitled().filter((one) => one.company_key === companyKey && one.has_file).length;
    assert.ok(wanted > 10);
    editor = await openSignedIn('downloads', demo);
    await editor.loaded();
    await editor.command('Report Library: Focus on Downloads View');
  });

  endsWithSuite(() => editor);
  after(() => demo?.dispose());

  const press = (key: string) => editor.page.keyboard.press(key);
  const given = () => demo.control.log.to(linkRoute).filter(({ status }) => status === 200).length;
  const dialog = () => editor.page.locator('.monaco-dialog-box');
  const group = (name: string) => editor.treeRow('Downloads', new RegExp(`^${name}`));

  /** Files come to a halt in their midst, from the n-th one that is asked for. */
  const stallFrom = (first: number): FaultRule => ({
    match: { route: fileRoute, nth: Array.from({ length: 500 }, (_, index) => index + first) },
    action: { kind: 'stall', atByte: 100 },
  });

  /** Files of the workspace with an ending, hidden ones too. */
  async function files(ending: string): Promise<string[]> {
    const found = (await readdir(join(editor.workspace, 'reports'), { recursive: true })).filter((name) =>
      name.endsWith(ending),
    );
    return found.sort();
  }

  /** Chooses a company in the Watchlist and asks for its PDFs, from the menu of its row. */
  async function askForCompany(): Promise<void> {
    await editor.command('Report Library: Focus on Watchlist View');
    await editor.view('Watchlist').locator('.monaco-list:focus').waitFor();
    await press('Home');
    await editor.focusedRow('Aarhorn Pharma').waitFor();
    const named = editor.treeRow('Watchlist', company);
    const steps = Number(await named.getAttribute('data-index'));
    for (let step = 0; step < steps; step += 1) await press('ArrowDown');
    await editor.focusedRow(company).waitFor();
    await press('Shift+F10');
    await editor.page.locator('.monaco-menu .action-label', { hasText: 'Download PDFs' }).waitFor();
    // It is drawn before it has the keyboard, which the list has until then.
    await editor.page.locator('.monaco-menu:focus-within').waitFor();
    await press('ArrowDown');
    await press('Enter');
    await dialog().waitFor();
  }

  it('are planned first, from what is known here', async () => {
    const before = given();
    await askForCompany();
    const words = await dialog().innerText();
    assert.match(words, new RegExp(`Download ${wanted} PDFs of ${company}[^?]* into the folder reports\\?`));
    assert.match(words, new RegExp(`Counts as ${wanted} downloads against your license, about [\\d.]+ [kM]B`));
    await press('Escape');
    await dialog().waitFor({ state: 'detached' });
    assert.equal(given(), before);
  });

  it('end at once when they are cancelled, and leave nothing', async () => {
    demo.control.faults.set([stallFrom(1)]);
    await askForCompany();
    await press('Enter');
    await group('Downloading').waitFor();
    const progress = editor.notification(/Downloading \d+ PDFs/);
    await progress.waitFor();
    await progress.getByRole('button', { name: 'Cancel' }).press('Enter');
    // The service would never have said another word.
    await group('Downloading').waitFor({ state: 'detached' });
    await editor.notification(/cancelled/).waitFor();
    assert.deepEqual(await files('.pdf'), []);
    assert.deepEqual(await files('.part'), []);
    demo.control.faults.clear();
  });

  it('go on after the window was reloaded in their midst, at the cost of what was missing', async () => {
    const opened = demo.control.log.to(fileRoute).length;
    demo.control.faults.set([stallFrom(4)]);
    const before = given();
    await askForCompany();
    await press('Enter');
    // Room for all groups.
    await editor.page.locator('.pane-header[aria-label^="Watchlist"]').click();
    await editor.treeRow('Downloads', /^Done today\s*3/).waitFor();
    await editor.notification(/Downloading \d+ PDFs: 1 of \d+/).waitFor();
    await group('Downloading').waitFor();
    await editor.reload();
    demo.control.faults.clear();
    await editor
      .notification(/Resuming interrupted downloads: \d+|\d+ PDFs downloaded/)
      .first()
      .waitFor();
    await editor.notification(/\d+ PDFs downloaded/).waitFor({ timeout: 90_000 });
    const lock = await parseLock(await readFile(join(editor.workspace, 'reports/reports.lock.json'), 'utf8'));
    assert.equal(lock.reports.length, wanted);
    assert.equal((await files('.pdf')).length, wanted);
    assert.deepEqual(await files('.part'), []);
    const sent = demo.control.log.to(fileRoute).slice(opened);
    const whole = sent.filter(({ fault }) => fault !== 'stall').map(({ path }) => path);
    const seen = sent.map(({ path, fault, status, endedAt }) => `${path} ${fault} ${status} ${endedAt}`).join('\n');
    assert.equal(new Set(whole).size, wanted, `each file came:\n${seen}`);
    assert.equal(whole.length, wanted, `each file came once:\n${seen}`);
    // A window that ends may have been given a link that it could not use any more; never more than it has connections.
    const unused = given() - before - sent.length;
    assert.ok(unused >= 0 && unused <= 8, `${unused} links unused`);
    assert.deepEqual(demo.control.log.violations, []);
  });
});
