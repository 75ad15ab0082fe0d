import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DownloadOutcome } from '../../../src/app/app.ts';
import { activated, signedInDemo } from '../../support/editor/demo.ts';

describe('a window without a folder', () => {
  it('keeps PDFs in the editor’s own storage, and finds them there again', async () => {
    assert.equal(vscode.workspace.workspaceFolders, undefined);
    const handles = await activated();
    const demo = await signedInDemo(handles);
    const [report] = demo.control.entitled().filter(({ has_file }) => has_file);
    assert.ok(report);
    const download = () =>
      vscode.commands.executeCommand<DownloadOutcome[]>('reportLibrary.downloadReports', [report.report_id]);
    try {
      assert.equal((await download())[0]?.status, 'downloaded');
      assert.equal((await download())[0]?.status, 'unchanged');
      assert.equal(demo.control.usage().downloads, 1);
    } finally {
      handles.services.connect(null);
      await demo.dispose();
    }
  });
});
