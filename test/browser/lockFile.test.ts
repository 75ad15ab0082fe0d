import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFile, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseLock } from '../../src/downloads/manifest.ts';
import { type EditorWindow, endsWithSuite } from '../support/browser/editor.ts';
import { openSignedIn } from '../support/browser/signIn.ts';
import type { FaultRule } from '../support/demo/faults.ts';
import { startTestDemo, type TestDemo } from '../support/demo/testDemo.ts';
import { fileOnce } from '../support/fileOnce.ts';

const company = 'Aarhorn';
const companyKey = 'XSWX_AHRN';
const fileRoute = 'GET /files';
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const themeKinds = { 'Dark Modern': 'vs-dark', 'Light Modern': 'vs', 'Dark High Contrast': 'hc-black' };

describe('the PDFs of a folder, their lock file, and a colleague’s folder', () => {
  let editor: EditorWindow;
  let demo: TestDemo;
  let ids: number[];
  const at = (index: number) => ids[index] ?? 0;

  before(async () => {
    demo = await startTestDemo({ requestsPerMinute: 100_000, settlingSeconds: 0 });
    ids = demo.control
      .entitled()
      .filter((one) => one.company_key === companyKey && one.has_file)
      .map(({ report_id, report_key }) => {
        keyOf.set(report_id, report_key);
        return report_id;
      });
    assert.ok(ids.length >= 6);
    demo.control.faults.set([withoutHash(at(0))]);
    editor = await openSignedIn('lock-file', demo, { 'reportLibrary.downloads.path': '{report_key}.pdf' });
    await mkdir(join(editor.workspace, '.git'));
    await editor.treeRow('Watchlist', company).waitFor();
    await editor.command('Report Library: Focus on Downloads View');
  });

  endsWithSuite(() => editor);
  after(() => demo?.dispose());

  const press = (key: string) => editor.page.keyboard.press(key);
  const dialog = (window = editor) => window.page.locator('.monaco-dialog-box');

  /** One report is published without a hash of its PDF. */
  const withoutHash = (id: number): FaultRule => {
    const strip = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(strip);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).map(([name, part]) => [name, strip(part)] as const);
      const report = Object.fromEntries(entries);
      return report.report_id === id ? { ...report, content_sha256: null } : report;
    };
    return { match: { when: ({ route }) => route !== fileRoute }, action: { kind: 'rewrite', change: strip } };
  };

  const lockFile = join('reports', 'reports.lock.json');
  const keyOf = new Map<number, string>();
  const file = (index: number) => join(editor.workspace, 'reports', `${keyOf.get(at(index))}.pdf`);

  /** Waits for the mark of a file in the editor's file list. */
  async function markOf(path: string, mark: string): Promise<void> {
    const isMarked = `[...document.querySelectorAll('.explorer-folders-view .monaco-list-row')].some((row) =>
      row.textContent.includes(${JSON.stringify(basename(path))}) &&
      getComputedStyle(row.querySelector('.monaco-icon-label'), '::after').content === ${JSON.stringify(`"${mark}"`)})`;
    await editor.page.waitForFunction(isMarked);
  }

  async function openMenuOf(view: string, row: string | RegExp, action: string): Promise<void> {
    await editor.treeRow(view, row).first().click();
    await press('Shift+F10');
    const first = editor.page.locator('.monaco-menu .action-item').first();
    await first.filter({ hasText: action }).waitFor();
    // It is drawn before it has the keyboard, which the list has until then.
    await editor.page.locator('.monaco-menu:focus-within').waitFor();
    await press('ArrowDown');
    await press('Enter');
    await first.waitFor({ state: 'detached' });
  }

  it('come in one batch, which says what failed and offers to leave them out of git', async () => {
    const altered: FaultRule = { match: { route: fileRoute, nth: [3, 4] }, action: { kind: 'altered-bytes' } };
    demo.control.faults.set([altered, withoutHash(at(0))]);
    await openMenuOf('Watchlist', company, 'Download PDFs');
    await dialog().waitFor();
    await press('Enter');
    const told = editor.notification(/1 downloaded \(not verified\)/);
    await told.waitFor();
    assert.match(
      await told.innerText(),
      new RegExp(
        `${ids.length - 3} PDFs downloaded, 1 downloaded \\(not verified\\), .*2 failed\\. The file doesn’t match`,
      ),
    );
    const offer = editor.notification('Keep them out of git?');
    await offer.waitFor();
    await offer.getByRole('button', { name: 'Add to .gitignore' }).click();
    await offer.waitFor({ state: 'detached' });
    // The message goes before its answer is carried out.
    assert.match(await fileOnce(join(editor.workspace, '.gitignore')), /^\/reports\/\*\*\/\*\.pdf$/m);
  });

  it('that failed are tried again from their rows, by keyboard', async () => {
    demo.control.faults.set([withoutHash(at(0))]);
    await editor.command('Notifications: Clear All Notifications');
    for (let left = 2; left > 0; left -= 1) {
      // The list as it is after the last end: one that is drawn again would take the row from the menu.
      await editor.treeRow('Downloads', new RegExp(`^Failed\\s*${left}`)).waitFor();
      await editor.treeRow('Downloads', new RegExp(`^Done today\\s*${ids.length - left}`)).waitFor();
      await openMenuOf('Downloads', /The file doesn’t match/, 'Download Again');
      await editor.treeRow('Downloads', new RegExp(`^Done today\\s*${ids.length - left + 1}`)).waitFor();
    }
    await editor.treeRow('Downloads', /^Failed/).waitFor({ state: 'detached' });
  });

  it('wear five marks in the file list, in every kind of theme', async () => {
    await appendFile(file(1), 'a note');
    demo.control.catalog.replacePdf(at(2));
    demo.control.catalog.withdraw(at(3));
    await editor.command('Report Library: Sync Now');
    await editor.notification('1 changed, 1 withdrawn').waitFor();
    await editor.openContainer('Explorer');
    // Names of other files hold the folder's too.
    await editor.page.locator('.explorer-folders-view .monaco-list-row', { hasText: /^reports$/ }).click();
    for (const [index, mark] of Object.entries(['?', 'E', '↑', 'W', '✓'])) await markOf(file(Number(index)), mark);
    for (const [theme, kind] of Object.entries(themeKinds)) {
      await editor.chooseTheme(theme);
      await editor.page.locator(`.monaco-workbench.${kind}`).waitFor();
    }
  });

  it('come back in a colleague’s folder from the lock file alone, or it says which are not the same', async () => {
    const folder = join(editor.folder, 'colleague');
    await mkdir(join(folder, 'reports'), { recursive: true });
    await copyFile(join(editor.workspace, lockFile), join(folder, lockFile));
    await rm(join(editor.folder, 'xdg_cache_home', 'report-library', 'pdf'), { recursive: true });
    const window = await editor.openSecond(folder);
    await window.command('Report Library: Restore PDFs from Lock File');
    await dialog(window).waitFor();
    await window.page.keyboard.press('Enter');
    const told = window.notification(`${ids.length - 2} restored, 1 changed by the service, 1 withdrawn`);
    await told.waitFor();
    await told.getByRole('button', { name: 'Show Details' }).click();
    await window.quickRow('withdrawn').waitFor();
    for (const [index, state] of [
      [2, 'changed by the service'],
      [3, 'withdrawn'],
    ] as const) {
      await window
        .quickRow(state)
        .filter({ hasText: `${keyOf.get(at(index))}.pdf` })
        .waitFor();
    }
    const there = new Set((await readdir(join(folder, 'reports'))).filter((name) => name.endsWith('.pdf')));
    for (const { report_id, path, sha256 } of (await parseLock(await readFile(join(folder, lockFile), 'utf8')))
      .reports) {
      const isSame = report_id !== at(2) && report_id !== at(3);
      assert.equal(there.delete(path), isSame, path);
      if (isSame) assert.equal(hashOf(await readFile(join(folder, 'reports', path))), sha256);
    }
    assert.deepEqual([...there], []);
    await window.page.close();
  });

  it('stay as they are where the lock file is of another service, which is said before anything is asked', async () => {
    const path = join(editor.workspace, lockFile);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('{', '{"origin":"https://elsewhere.example",'));
    await rm(file(5));
    for (const command of ['Restore PDFs from Lock File', 'Update Changed PDFs']) {
      await editor.command('Notifications: Clear All Notifications');
      await editor.command(`Report Library: ${command}`);
      const said = editor.notification('reports.lock.json is of another service (https://elsewhere.example)');
      await said.getByRole('button', { name: 'Use Another Folder…' }).waitFor();
      await said.getByRole('button', { name: 'Switch Connection…' }).waitFor();
      assert.equal(await dialog().count(), 0);
    }
    await assert.rejects(readFile(file(5)), { code: 'ENOENT' });
    await writeFile(path, text);
    await editor.command('Notifications: Clear All Notifications');
    await editor.command('Report Library: Restore PDFs from Lock File');
    await editor.notification(/restored/).waitFor();
    await editor.command('Notifications: Clear All Notifications');
  });

  it('offer to merge a lock file that two people changed', async () => {
    const path = join(editor.workspace, lockFile);
    const text = await readFile(path, 'utf8');
    const before = await parseLock(text);
    const [first = '', second = ''] = text.match(/^ {4}\{.*\},$/gm) ?? [];
    assert.ok(first && second);
    const conflict = `<<<<<<< HEAD\n${first}\n=======\n${second}\n>>>>>>> colleague\n`;
    await writeFile(path, text.replace(`${first}\n${second}\n`, conflict));
    await editor.command('Report Library: Verify Downloaded PDFs');
    await dialog().waitFor();
    await press('Enter');
    await editor.notification(/1 edited/).waitFor();
    const merged = await parseLock(await readFile(path, 'utf8'));
    assert.deepEqual(merged.reports, before.reports);
  });

  it('say so when the lock file is broken, keep their marks, and get a new one from what is there', async () => {
    const path = join(editor.workspace, lockFile);
    await editor.command('Notifications: Clear All Notifications');
    // The command may come late on a busy machine, and would take the new one along.
    await editor.page.locator('.notification-toast').first().waitFor({ state: 'hidden' });
    await writeFile(path, '{"version":1,');
    const told = editor.notification(/is not valid JSON.*Or rebuild it from the PDFs in reports/);
    await told.waitFor();
    await markOf(file(4), '✓');
    await told.getByRole('button', { name: 'Rebuild from Local PDFs' }).click();
    await editor.notification(/The lock file now lists \d+ PDFs/).waitFor();
    // What was edited, published anew or never had a hash agrees with no published one.
    const ours = (await parseLock(await readFile(path, 'utf8'))).reports.map(({ report_id }) => report_id);
    assert.deepEqual(
      ours,
      ids.toSorted((a, b) => a - b).filter((id) => ![at(0), at(1), at(2)].includes(id)),
    );
    assert.equal(await readFile(join(editor.workspace, 'reports/reports.lock.broken.json'), 'utf8'), '{"version":1,');
  });
});
