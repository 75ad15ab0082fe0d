import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openReportOnClick, panelKey, panelUri } from '../../../src/editor/common/panelUri.ts';
import { activated, type SharedDemo, sharedDemo } from '../../support/editor/demo.ts';
import { panelTab } from '../../support/editor/tabs.ts';

describe('panels', () => {
  let demo: SharedDemo;

  before(async () => {
    demo = await sharedDemo(await activated());
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('reportLibrary.signOut');
  });

  const report = (key: string) => {
    const found = demo.control.entitled().find(({ report_key }) => report_key === key);
    assert.ok(found, key);
    return found;
  };

  it('Open Report… with an id opens a tab that bears the report’s title', async () => {
    await vscode.commands.executeCommand('reportLibrary.openReport', report('XETR_ALBM_2024_SR').report_id);
    await panelTab('reportLibrary.reportPanel', (label) => label === 'Sustainability Report 2023/2024');
  });

  it('Open Report… with a key looks the key up', async () => {
    await vscode.commands.executeCommand('reportLibrary.openReport', 'XSWX_AHRN_2024_IR');
    await panelTab('reportLibrary.reportPanel', (label) => label === 'Integrated Report 2024');
    assert.equal(demo.control.log.to('POST /reports/lookup').length, 1);
  });

  it('a click on a report in a tree opens the same editor, without a command of ours', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const { report_id, report_key, report_title: title } = report('XETR_ALBM_2024_SR');
    const click = openReportOnClick({ report_id, report_key, title });
    await vscode.commands.executeCommand(click.command, ...(click.arguments ?? []));
    await panelTab('reportLibrary.reportPanel', (label) => label === 'Sustainability Report 2023/2024');
  });

  it('opens no address but its own: not a file of that name, not another kind, nothing made up', async () => {
    const { report_id } = report('XETR_ALBM_2024_SR');
    const uri = panelUri({ kind: 'report', reportId: report_id }, 'x');
    const made = [
      '/report/0/x',
      '/report/1e3/x',
      '/report/7',
      '/report/7/',
      '/report/7/a/b',
      '/compare/1/x',
      '/results/all/x',
    ];
    const addresses = [
      uri.with({ scheme: 'file' }),
      uri.with({ authority: 'host' }),
      ...made.map((path) => uri.with({ path })),
    ];
    assert.deepEqual(
      addresses.map(panelKey),
      addresses.map(() => undefined),
    );
    assert.deepEqual(panelKey(uri), { kind: 'report', reportId: report_id });
    assert.deepEqual(panelKey(panelUri({ kind: 'report', reportId: 5 }, 'x/'.repeat(400))), {
      kind: 'report',
      reportId: 5,
    });
    const company = { kind: 'company', companyKey: 'A/B ?#%ü' } as const;
    assert.deepEqual(panelKey(vscode.Uri.parse(panelUri(company, 'A/B').toString())), company);
    assert.deepEqual(panelKey(panelUri({ kind: 'compare', reportIds: [3, 1, 3] }, '')), {
      kind: 'compare',
      reportIds: [3, 1],
    });
  });

  it('opens a report once: asked again, its tab comes to the front', async () => {
    const id = report('XETR_ALBM_2024_SR').report_id;
    await vscode.commands.executeCommand('reportLibrary.openReport', id);
    await vscode.commands.executeCommand('reportLibrary.openReport', id);
    const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ label }) => label);
    assert.equal(labels.filter((label) => label === 'Sustainability Report 2023/2024').length, 1);
  });

  it('rejects a key that no report has with the next step', async () => {
    await assert.rejects(
      async () => vscode.commands.executeCommand('reportLibrary.openReport', 'XETR_ALBM_1901_SR'),
      /No report in your license has that key\./,
    );
  });

  it('Open Schema Dictionary opens a tab and reads the service’s dictionary', async () => {
    await vscode.commands.executeCommand('reportLibrary.openSchema');
    assert.equal(await panelTab('reportLibrary.schemaPanel'), 'Schema Dictionary');
  });

  it('Compare Reports with ids opens one tab for them, and none for too few or too many', async () => {
    const ids = ['XETR_ALBM_2024_SR', 'XETR_ALBM_2025_SR'].map((key) => report(key).report_id);
    const compare = async (reportIds: readonly number[]) =>
      vscode.commands.executeCommand('reportLibrary.compareReports', reportIds);
    await compare(ids);
    await panelTab('reportLibrary.comparePanel', (label) => label.startsWith('Compare: 2 reports of Altenbruch'));
    await compare(ids);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    assert.equal(tabs.filter(({ label }) => label.startsWith('Compare: ')).length, 1);
    await assert.rejects(compare(ids.slice(1)), /Select 2 to 6 reports to compare\. You selected 1\./);
    await assert.rejects(compare([1, 2, 3, 4, 5, 6, 7]), /Select 2 to 6 reports to compare\. You selected 7\./);
  });

  it('Show Usage Details opens a tab', async () => {
    await vscode.commands.executeCommand('reportLibrary.showUsage');
    assert.equal(await panelTab('reportLibrary.usagePanel'), 'Usage');
  });
});
