import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DownloadOutcome } from '../../../src/app/app.ts';
import type { TestHandles } from '../../../src/extension.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { activated, type SharedDemo, sharedDemo, signedInDemo } from '../../support/editor/demo.ts';

const previewType = 'reportLibrary.pdfPreview';

/** Waits until the active tab is a PDF in our preview, and gives its file. */
function previewTab(fits: (uri: vscode.Uri) => boolean): Promise<vscode.Uri> {
  return new Promise((resolve) => {
    const subscription = vscode.window.tabGroups.onDidChangeTabs(() => settle());
    const settle = () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      if (!(input instanceof vscode.TabInputCustom) || input.viewType !== previewType || !fits(input.uri)) return;
      subscription.dispose();
      resolve(input.uri);
    };
    settle();
  });
}

describe('Open PDF', () => {
  let demo: SharedDemo;
  let handles: TestHandles;
  let root = '';
  let id = 0;
  const open = (reportId: number) => vscode.commands.executeCommand('reportLibrary.openPdf', reportId);
  const links = () => demo.control.log.to('GET /reports/{report_id}/download').length;

  before(async () => {
    root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    handles = await activated();
    demo = await sharedDemo(handles);
    await vscode.commands.executeCommand('reportLibrary.sync');
    const [report] = demo.control.entitled().filter(({ has_file, report_key }) => {
      return has_file && report_key.startsWith('XETR_ALBM_2023');
    });
    id = report?.report_id ?? 0;
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('reportLibrary.signOut');
  });

  it('says what to do when the PDF is not here, and fetches nothing by itself', async () => {
    await assert.rejects(async () => open(id), /not on this computer yet\. Download it first/);
    assert.equal(links(), 0);
  });

  it('opens the workspace’s file in the preview', async () => {
    const [outcome] = await vscode.commands.executeCommand<DownloadOutcome[]>('reportLibrary.downloadReports', [id]);
    const path = outcome?.path ?? '';
    await open(id);
    const uri = await previewTab(({ fsPath }) => fsPath === join(root, path));
    assert.equal(uri.scheme, 'file');
  });

  it('opens what this machine keeps when the workspace’s file is gone, without a request', async () => {
    const [outcome] = await vscode.commands.executeCommand<DownloadOutcome[]>('reportLibrary.downloadReports', [id]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(join(root, outcome?.path ?? ''));
    const before = links();
    await open(id);
    const uri = await previewTab(({ fsPath }) => fsPath.includes('opened'));
    assert.match(uri.path, /\/opened\/[0-9a-f]{16}\/XETR_ALBM_2023[^/]*\.pdf$/);
    assert.equal(links(), before);
  });

  const associations = () =>
    vscode.workspace.getConfiguration('workbench').inspect('editorAssociations')?.workspaceValue;
  const isPreviewed = async (uri: vscode.Uri) => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('vscode.open', uri);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputCustom && input.viewType === previewType;
  };

  it('opens PDFs below reports in the preview by themselves, and no other', async () => {
    const [outcome] = await vscode.commands.executeCommand<DownloadOutcome[]>('reportLibrary.downloadReports', [id]);
    const uri = vscode.Uri.file(join(root, outcome?.path ?? ''));
    const elsewhere = vscode.Uri.file(join(root, 'elsewhere.pdf'));
    await vscode.workspace.fs.copy(uri, elsewhere, { overwrite: true });
    assert.equal(await isPreviewed(uri), true);
    assert.equal(await isPreviewed(elsewhere), false);
  });

  it('opens PDFs of another folder in the preview once a person says so, and as before when they take it back', async () => {
    const [outcome] = await vscode.commands.executeCommand<DownloadOutcome[]>('reportLibrary.downloadReports', [id]);
    const uri = vscode.Uri.joinPath(vscode.Uri.file(root), 'papers', 'one.pdf');
    await vscode.workspace.fs.copy(vscode.Uri.file(join(root, outcome?.path ?? '')), uri, { overwrite: true });
    const workbench = vscode.workspace.getConfiguration('workbench');
    const mine = { '*.mine': 'default', '**/elsewhere/**/*.pdf': previewType };
    await workbench.update('editorAssociations', mine, vscode.ConfigurationTarget.Workspace);
    assert.equal(await isPreviewed(uri), false);
    await vscode.commands.executeCommand('reportLibrary.togglePdfPreview', uri);
    assert.deepEqual(associations(), { ...mine, '**/papers/**/*.pdf': previewType });
    assert.equal(await isPreviewed(uri), true);
    // Our own entry is no other editor's: PDFs that are elsewhere still open in the preview by our commands.
    await vscode.commands.executeCommand('reportLibrary.openFieldGuide');
    await previewTab(({ path }) => path.endsWith('/Field Guide.pdf'));
    await vscode.commands.executeCommand('reportLibrary.togglePdfPreview', uri);
    assert.deepEqual(associations(), mine, 'what a person wrote stays');
    assert.equal(await isPreviewed(uri), false);
    await workbench.update('editorAssociations', undefined, vscode.ConfigurationTarget.Workspace);
  });
});

describe('Open Field Guide (PDF)', () => {
  let demo: TestDemo;
  let handles: TestHandles;
  const guides = () => demo.control.log.to('GET /meta/field-guide.pdf');
  const open = () => vscode.commands.executeCommand('reportLibrary.openFieldGuide');
  const isGuide = ({ path }: vscode.Uri) => path.endsWith('/Field Guide.pdf');

  before(async () => {
    handles = await activated();
    demo = await signedInDemo(handles);
  });

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  after(async () => {
    await vscode.commands.executeCommand('reportLibrary.signOut');
    await demo.dispose();
  });

  it('fetches it once, and asks by its mark the next time', async () => {
    await open();
    await previewTab(isGuide);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await open();
    await previewTab(isGuide);
    assert.deepEqual(
      guides().map(({ status }) => status),
      [200, 304],
    );
  });

  it('opens the kept one while the service does not answer', async () => {
    demo.control.faults.set([
      { match: { route: 'GET /meta/field-guide.pdf' }, action: { kind: 'status', status: 503 } },
    ]);
    await open();
    await previewTab(isGuide);
    assert.equal(guides().at(-1)?.status, 503);
  });
});
