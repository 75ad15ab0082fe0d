import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestHandles } from '../../../src/extension.ts';
import { startTestDemo, type TestDemo } from '../../support/demo/testDemo.ts';
import { tinyCatalog, tinyCompany, tinyReport } from '../../support/demo/tinyCatalog.ts';
import { activated } from '../../support/editor/demo.ts';
import { syncNow } from '../../support/editor/sync.ts';
import { treeText } from '../../support/editor/treeText.ts';

describe('the Reports view', () => {
  let handles: TestHandles;
  let demo: TestDemo;

  before(async () => {
    handles = await activated();
    const catalog = tinyCatalog(
      [tinyCompany('XTST_ALFA'), tinyCompany('XTST_BETA')],
      [
        ...[1, 2, 3].map((id) => tinyReport(id, 'XTST_ALFA', { report_key: `K${id}` })),
        tinyReport(4, 'XTST_BETA', { report_type: 'AR1', report_fcyear: '2019/2020', report_lang: 'de' }),
        tinyReport(5, 'XTST_BETA', { report_year: 2019, report_fcyear: 2019 }),
        tinyReport(6, 'XTST_BETA', { report_key: 'XTST_BETA_0_SR', report_year: 0, report_fcyear: null }),
      ],
    );
    demo = await startTestDemo({ catalog });
    const { baseUrl, key } = demo;
    handles.services.connect({ id: 'reports', name: 'Reports', baseUrl, key, isDemo: false });
    await syncNow();
  });

  after(async () => {
    (await handles.reports.tree()).show({});
    handles.services.connect(null);
    await demo.dispose();
  });

  const roots = () => treeText(handles.reports, undefined, 1);

  it('groups by fiscal year, the latest first and undated last', async () => {
    assert.deepEqual(await roots(), ['FY 2020 | 3 reports', 'FY 2019 | 2 reports', 'Undated | 1 report']);
  });

  it('takes the filter of a program, and gives up all of it with Clear Filter', async () => {
    await vscode.commands.executeCommand('reportLibrary.filterReports', { language: ['de'] });
    assert.deepEqual(await roots(), ['FY 2019 | 1 report']);
    await vscode.commands.executeCommand('reportLibrary.clearFilter');
    assert.equal((await roots()).length, 3);
    await assert.rejects(
      async () => vscode.commands.executeCommand('reportLibrary.filterReports', { fcyear: ['x'] }),
      /fcyear must be whole years/,
    );
  });
});
