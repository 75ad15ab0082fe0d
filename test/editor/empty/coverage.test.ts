import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, type SharedDemo, sharedDemo } from '../../support/editor/demo.ts';
import { panelTab } from '../../support/editor/tabs.ts';

describe('company and coverage panels', () => {
  let demo: SharedDemo;

  before(async () => {
    demo = await sharedDemo(await activated());
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('reportLibrary.signOut');
  });

  it('Show Company with a key opens a tab that bears the company’s name, once', async () => {
    await vscode.commands.executeCommand('reportLibrary.showCompany', 'XETR_ALBM');
    await panelTab('reportLibrary.companyPanel', (label) => label.startsWith('Altenbruch'));
    await vscode.commands.executeCommand('reportLibrary.showCompany', 'XETR_ALBM');
    const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ label }) => label);
    assert.equal(labels.filter((label) => label.startsWith('Altenbruch')).length, 1);
  });

  it('Show Company takes the node that a menu was opened on', async () => {
    const node = { kind: 'company', company: { company_key: 'XSWX_AHRN' } };
    await vscode.commands.executeCommand('reportLibrary.showCompany', node, [node]);
    await panelTab('reportLibrary.companyPanel', (label) => label.startsWith('Aarhorn'));
  });

  it('Open Company… with a key shows it in the tree, and opens no tab', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('reportLibrary.openCompany', 'XETR_ALBM');
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
  });

  it('Show Coverage opens one tab, and asks the service for no report', async () => {
    const before = demo.control.log.to('GET /reports/{report_id}').length;
    await vscode.commands.executeCommand('reportLibrary.showCoverage');
    assert.equal(await panelTab('reportLibrary.coveragePanel'), 'Coverage');
    assert.equal(demo.control.log.to('GET /reports/{report_id}').length, before);
  });
});
