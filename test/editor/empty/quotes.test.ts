import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openDocumentLink } from '../../../src/editor/documents/links.ts';
import type { EvidenceRecord } from '../../../src/evidence/record.ts';
import type { TestHandles } from '../../../src/extension.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { activated, signedInDemo } from '../../support/editor/demo.ts';
import { settlingSeconds, syncChanges } from '../../support/editor/sync.ts';

interface Checked {
  readonly id: string;
  readonly state: string;
  readonly page?: number;
}

const run = <T>(name: string, ...args: unknown[]) =>
  vscode.commands.executeCommand<T>(`reportLibrary.${name}`, ...args);

describe('quotes, for programs', function () {
  this.timeout(120_000);
  const exact = 'They come from stationary combustion, our own vehicles and process emissions.';
  let handles: TestHandles;
  let demo: TestDemo;
  let root = '';
  let id = 0;
  let path = '';
  let quote = '';

  const file = () => join(root, 'reports', 'reports.evidence.json');
  const records = async () => (JSON.parse(await readFile(file(), 'utf8')) as { evidence: EvidenceRecord[] }).evidence;

  const linkTo = (quoted: string) => `[Show quote](vscode://report-library.report-library/evidence/${quoted})`;
  const marksOf = (uri: vscode.Uri) =>
    vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Report Library');

  /** Resolves when a document is marked. */
  const marksCome = (file: vscode.Uri) =>
    new Promise<void>((resolve) => {
      const subscription = vscode.languages.onDidChangeDiagnostics(() => {
        if (marksOf(file).length === 0) return;
        subscription.dispose();
        resolve();
      });
    });

  before(async () => {
    root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    handles = await activated();
    // Its library stays here, and publishes the PDFs that other suites expect to be published nowhere: they come before.
    demo = await signedInDemo(handles, { settlingSeconds });
    await run('sync', true);
    id = demo.control.entitled().find(({ report_key }) => report_key === 'XETR_ALBM_2024_SR')?.report_id ?? 0;
    [{ path } = { path: '' }] = await run<{ path: string }[]>('downloadReports', [id]);
  });

  after(async () => {
    await run('signOut');
    await demo.dispose();
    await rm(file(), { force: true });
    await rm(join(root, path), { force: true });
  });

  it('are recorded where their words stand on the page, and nothing is inserted or opened', async () => {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
    ({ id: quote } = await run<{ id: string }>('addQuote', { report_id: id, page: 5, exact }));
    const [record, ...more] = await records();
    assert.equal(more.length, 0);
    assert.equal(record?.id, quote);
    assert.equal(record?.selector?.exact, exact);
    assert.match(record?.selector?.prefix ?? '', /2023\/2024\.$|2023\/2024\. $/);
    assert.equal(record?.regions[0]?.label, '2');
    assert.ok((record?.regions[0]?.rectangles.length ?? 0) >= 1);
    assert.equal(vscode.window.tabGroups.all.flatMap((group) => group.tabs).length, tabs);
  });

  it('are refused in words when their report is not here', async () => {
    await assert.rejects(async () => run('addQuote', { report_id: 999_999, page: 5, exact }), /not in this workspace/);
    assert.equal((await records()).length, 1);
  });

  it('are the same while the bytes are, and found in a newer version of the PDF, which nobody accepts by itself', async () => {
    assert.deepEqual(await run<Checked[]>('checkEvidence', true), [{ id: quote, state: 'same', page: 5 }]);
    demo.control.catalog.replacePdf(id);
    await syncChanges(demo);
    // Nobody has to ask for a check of what was updated.
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: linkTo(quote) });
    const marked = marksCome(document.uri);
    await run('updateDownloads', true);
    await marked;
    const before = await readFile(file(), 'utf8');
    assert.deepEqual(await run<Checked[]>('checkEvidence', true), [{ id: quote, state: 'found', page: 5 }]);
    assert.equal(await readFile(file(), 'utf8'), before);
    await writeFile(file(), before.replaceAll('stationary combustion', 'moving combustion'));
    assert.deepEqual(await run<Checked[]>('checkEvidence', true), [{ id: quote, state: 'gone' }]);
    await writeFile(file(), before);
  });

  it('are marked where their link stands, in open documents and in files, and say what they are', async () => {
    const link = linkTo(quote);
    const [open, closed] = ['open.md', 'closed.md'].map((name) => vscode.Uri.file(join(root, name)));
    assert.ok(open && closed);
    await writeFile(open.fsPath, `First line.\n\n${link}\n`);
    await writeFile(closed.fsPath, `${link}\n`);
    const document = await vscode.workspace.openTextDocument(open);
    const marked = marksCome(closed);
    await run('checkEvidence', true);
    await marked;
    assert.match(marksOf(open)[0]?.message ?? '', /These words are on p\. 2 \(PDF page 5\)/);
    assert.equal(marksOf(open)[0]?.range.start.line, 2);
    assert.equal(marksOf(closed)[0]?.range.start.line, 0);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(2, link.indexOf('evidence')),
    );
    const said = hovers.flatMap(({ contents }) => contents.map((each) => (each as vscode.MarkdownString).value)).join();
    assert.ok(said.includes('stationary'), said);
    await rm(open.fsPath);
    await rm(closed.fsPath);
  });

  it('open in the preview, also by a link, which does nothing else', async () => {
    await run('openEvidence', quote);
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputCustom && input.viewType === 'reportLibrary.pdfPreview');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await openDocumentLink(handles.app, `/evidence/${quote}`);
    assert.ok(vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputCustom);
    await assert.rejects(async () => run('openEvidence', 'abcdef'), /not in the evidence file/);
  });

  it('are not here when the PDF is not, which their row downloads', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const [record] = await records();
    assert.ok(record);
    await rm(join(root, path));
    assert.deepEqual(await run<Checked[]>('checkEvidence', true), [{ id: quote, state: 'not-here' }]);
    await run('downloadEvidence', { root: { uri: vscode.Uri.file(root), folder: 'reports' }, record });
    assert.deepEqual(await run<Checked[]>('checkEvidence', true), [{ id: quote, state: 'found', page: 5 }]);
    const away = JSON.stringify({ version: 1, evidence: [{ ...record, report_id: 999_999 }] });
    await writeFile(file(), away);
    assert.deepEqual(await run<Checked[]>('checkEvidence', true), [{ id: quote, state: 'not-here' }]);
  });
});
