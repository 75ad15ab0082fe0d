import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerNotifications } from '../../support/editor/answers.ts';
import { activated, type SharedDemo, sharedDemo } from '../../support/editor/demo.ts';

describe('the message at the end of a download', () => {
  let demo: SharedDemo;

  before(async () => {
    demo = await sharedDemo(await activated());
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(async () => {
    await vscode.commands.executeCommand('reportLibrary.signOut');
  });

  it('asks where to insert the reports when no document is open', async () => {
    const report = demo.control.entitled().find(({ report_key }) => report_key === 'XSWX_AHRN_2024_IR');
    assert.ok(report);
    const person = answerNotifications('showInformationMessage');
    const own = vscode.window.showQuickPick;
    const asked = new Promise<string | undefined>((resolve) => {
      const stand = async (_: unknown, options?: vscode.QuickPickOptions) => {
        resolve(options?.title);
      };
      Object.assign(vscode.window, { showQuickPick: stand });
    });
    try {
      const node = { kind: 'report', report: { report_id: report.report_id } };
      const downloading = vscode.commands.executeCommand('reportLibrary.downloadReports', node, [node]);
      const { buttons, answer } = await person.next();
      assert.ok(buttons.includes('Insert into Notebook'), buttons.join(', '));
      answer('Insert into Notebook');
      assert.equal(await asked, 'Insert into Notebook');
      await downloading;
    } finally {
      person.restore();
      Object.assign(vscode.window, { showQuickPick: own });
    }
  });
});
