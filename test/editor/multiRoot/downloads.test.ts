import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DownloadOutcome } from '../../../src/app/app.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { activated, signedInDemo } from '../../support/editor/demo.ts';
import { MemoryFolder } from '../../support/editor/memoryFolder.ts';

const lockFile = 'reports/reports.lock.json';

describe('a workspace of several folders', function () {
  this.timeout(60_000);
  let demo: TestDemo;
  let ids: number[];
  let alpha: vscode.Uri;
  let beta: vscode.Uri;

  before(async () => {
    demo = await signedInDemo(await activated());
    ids = demo.control
      .entitled()
      .filter(({ has_file }) => has_file)
      .slice(0, 3)
      .map(({ report_id }) => report_id);
    const [first, second] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first && second);
    [alpha, beta] = [first.uri, second.uri];
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    (await activated()).services.connect(null);
    await demo.dispose();
  });

  const run = async <T>(name: string, ...args: unknown[]) =>
    vscode.commands.executeCommand<T>(`reportLibrary.${name}`, ...args);
  const lookAt = async (folder: vscode.Uri) => {
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, 'README.md'));
  };
  const bytes = (folder: vscode.Uri, path = '') => readFile(join(folder.fsPath, path));
  const statuses = (outcomes: readonly DownloadOutcome[]) => outcomes.map(({ status }) => status);

  it('has the PDFs go to the folder of the active editor, when nobody can be asked', async () => {
    await lookAt(alpha);
    const outcomes = await run<DownloadOutcome[]>('downloadReports', ids.slice(0, 2));
    assert.deepEqual(statuses(outcomes), ['downloaded', 'downloaded']);
    for (const { path } of outcomes) assert.ok((await bytes(alpha, path)).length > 0);
    await assert.rejects(bytes(beta, lockFile), { code: 'ENOENT' });
  });

  it('says what to do instead in a folder that is on no disk, and writes nothing to it', async () => {
    const memory = new MemoryFolder('reportlibrarymemory', { 'notes.md': '# Notes' });
    const folders = () => vscode.workspace.workspaceFolders ?? [];
    const change = async (start: number, remove: number, add: { readonly uri: vscode.Uri }[]) => {
      const changed = new Promise((resolve) => vscode.workspace.onDidChangeWorkspaceFolders(resolve));
      assert.ok(vscode.workspace.updateWorkspaceFolders(start, remove, ...add));
      await changed;
    };
    const asked = demo.control.log.entries.length;
    await change(folders().length, 0, [{ uri: memory.uri }]);
    try {
      await vscode.window.showTextDocument(vscode.Uri.joinPath(memory.uri, 'notes.md'));
      const commands = [
        ['downloadReports', ids],
        ['restoreDownloads', {}],
        ['verifyDownloads', {}],
        ['updateDownloads', {}],
      ] as const;
      for (const [name, argument] of commands) {
        await assert.rejects(
          async () => run(name, argument),
          /isn’t on a disk\. To download PDFs, open a folder on this computer or a remote one/,
          name,
        );
      }
      assert.deepEqual(memory.changes, []);
      const links = demo.control.log.entries.slice(asked).filter(({ path }) => path.endsWith('/download'));
      assert.deepEqual(links, []);
      // What lies in the folders that are on a disk can still be opened.
      await run('openPdf', ids[0]);
      const name = ({ label }: vscode.Tab) => label;
      assert.ok(vscode.window.tabGroups.activeTabGroup.tabs.map(name).some((label) => label.endsWith('.pdf')));
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await change(folders().length - 1, 1, []);
      memory.dispose();
    }
  });

  it('brings the same bytes back in another folder from the lock file alone, without a link', async () => {
    const links = demo.control.usage().downloads;
    await mkdir(join(beta.fsPath, 'reports'), { recursive: true });
    await copyFile(join(alpha.fsPath, lockFile), join(beta.fsPath, lockFile));
    await lookAt(beta);
    const outcomes = await run<DownloadOutcome[]>('restoreDownloads', {});
    assert.deepEqual(statuses(outcomes), ['downloaded', 'downloaded']);
    for (const { path } of outcomes) assert.ok((await bytes(alpha, path)).equals(await bytes(beta, path)));
    assert.deepEqual(await bytes(beta, lockFile), await bytes(alpha, lockFile));
    assert.equal(demo.control.usage().downloads, links);
  });

  it('asks a person once which folder, and remembers it', async () => {
    await lookAt(alpha);
    const [, , third] = ids;
    const node = [{ report: { report_id: third } }];
    let isDone = false;
    const asked = run<DownloadOutcome[]>('downloadReports', node).finally(() => {
      isDone = true;
    });
    // Chooses the second folder as soon as the question is there; before that these commands do nothing.
    while (!isDone) {
      await vscode.commands.executeCommand('workbench.action.quickOpenNavigateNext');
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    }
    const [outcome] = await asked;
    assert.equal(outcome?.status, 'downloaded');
    const path = outcome?.path ?? '';
    const inBeta = await bytes(beta, path).then(
      () => true,
      () => false,
    );
    const chosen = inBeta ? beta : alpha;
    assert.ok((await bytes(chosen, path)).length > 0);
    await lookAt(inBeta ? alpha : beta);
    const again = await run<DownloadOutcome[]>('downloadReports', node);
    assert.deepEqual([again[0]?.status, again[0]?.path], ['unchanged', path]);
  });
});
