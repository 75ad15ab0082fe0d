import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { activated, signedInDemo } from '../../support/editor/demo.ts';
import { panelTab } from '../../support/editor/tabs.ts';

describe('the table of all reports', () => {
  let demo: TestDemo;

  before(async () => {
    demo = await signedInDemo(await activated());
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('reportLibrary.signOut');
    await demo.dispose();
  });

  it('opens in one tab, with a filter or without, and asks the service for no report', async () => {
    const before = demo.control.log.to('GET /reports/{report_id}').length;
    await vscode.commands.executeCommand('reportLibrary.openTable');
    assert.equal(await panelTab('reportLibrary.tablePanel'), 'All Reports as Table');
    await vscode.commands.executeCommand('reportLibrary.openTable', { type: ['SR'], framework: ['gri'] });
    assert.equal(await panelTab('reportLibrary.tablePanel'), 'All Reports as Table');
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
    assert.equal(demo.control.log.to('GET /reports/{report_id}').length, before);
  });

  it('refuses a filter that is none, in words', async () => {
    const wrong = vscode.commands.executeCommand('reportLibrary.openTable', { fcyear: 'soon' });
    await assert.rejects(async () => wrong, /fcyear must be whole years/);
  });
});
