import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { activated, signedInDemo } from '../../support/editor/demo.ts';
import { assertUserSettingsHold } from '../../support/editor/hostile.ts';
import { settledTree } from '../../support/editor/treeText.ts';

describe('a folder in Restricted Mode', () => {
  it('is not trusted in this run', () => {
    assert.equal(vscode.workspace.isTrusted, false);
  });

  it('opens no demo, and changes neither address, header nor proxy', async () => {
    const handles = await activated();
    await assertUserSettingsHold(handles, () => signedInDemo(handles));
  });

  it('changes no settings: PDFs open as before, and a message says why and leads to the trust', async () => {
    await activated();
    const { showErrorMessage } = vscode.window;
    const told: string[] = [];
    const tell = async (message: string, ...buttons: readonly string[]) => {
      told.push([message, ...buttons].join(' '));
    };
    Object.assign(vscode.window, { showErrorMessage: tell });
    try {
      await vscode.commands.executeCommand('reportLibrary.togglePdfPreview');
    } finally {
      Object.assign(vscode.window, { showErrorMessage });
    }
    const why = 'Settings can’t be changed in Restricted Mode. Trust this workspace, then try again.';
    const offered = `${why} Manage Workspace Trust`;
    assert.deepEqual(told, [offered]);
    const associations = vscode.workspace.getConfiguration('workbench').inspect('editorAssociations');
    assert.equal(associations?.workspaceValue, undefined);
  });

  it('lets a person browse, but writes no PDF and says why', async () => {
    const handles = await activated();
    const demo = await signedInDemo(handles);
    const [report] = demo.control.entitled().filter(({ has_file }) => has_file);
    assert.ok(report);
    try {
      assert.equal((await settledTree(handles.watchlist, 24)).length, 24);
      await assert.rejects(
        async () => vscode.commands.executeCommand('reportLibrary.downloadReports', [report.report_id]),
        /PDFs can’t be saved in Restricted Mode\. Trust this workspace/,
      );
      assert.equal(demo.control.usage().downloads, 0);
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      assert.ok(folder);
      assert.deepEqual(await readdir(folder.fsPath), ['.vscode']);
    } finally {
      handles.services.connect(null);
      await demo.dispose();
    }
  });
});
