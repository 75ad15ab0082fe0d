import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { activated, signedInDemo } from '../../support/editor/demo.ts';
import { assertUserSettingsHold } from '../../support/editor/hostile.ts';

describe('a workspace whose settings reach for the key', () => {
  it('opens no demo, and changes neither address, header nor proxy', async () => {
    const handles = await activated();
    await assertUserSettingsHold(handles, () => signedInDemo(handles));
  });

  it('cannot have PDFs written outside of it', async () => {
    const handles = await activated();
    const demo = await signedInDemo(handles);
    const [report] = demo.control.entitled().filter(({ has_file }) => has_file);
    assert.ok(report);
    try {
      await assert.rejects(
        async () => vscode.commands.executeCommand('reportLibrary.downloadReports', [report.report_id]),
        /folder.*Change it in the settings of Report Library\./s,
      );
      assert.equal(demo.control.usage().downloads, 0);
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      assert.ok(folder);
      assert.equal(existsSync(vscode.Uri.joinPath(folder, '..', 'outside').fsPath), false);
    } finally {
      handles.services.connect(null);
      await demo.dispose();
    }
  });
});
