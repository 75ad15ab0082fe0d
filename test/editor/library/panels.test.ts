import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startTestDemo, type TestDemo } from '../../support/demo/testDemo.ts';
import { activated } from '../../support/editor/demo.ts';
import { smallCatalog } from '../../support/editor/smallCatalog.ts';
import { settlingSeconds, syncChanges, syncNow } from '../../support/editor/sync.ts';
import { panelTab } from '../../support/editor/tabs.ts';

describe('open panels', () => {
  let demo: TestDemo;

  before(async () => {
    const { services } = await activated();
    demo = await startTestDemo({ catalog: smallCatalog(), settlingSeconds });
    services.connect({ id: 'panels', name: 'Panels', baseUrl: demo.baseUrl, key: demo.key, isDemo: false });
    await syncNow();
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    (await activated()).services.connect(null);
    await demo.dispose();
  });

  const tab = (viewType: string, title: string) => panelTab(viewType, (label) => label === title);

  it('follow a sync: a report’s new title, without being opened again', async () => {
    await vscode.commands.executeCommand('reportLibrary.openReport', 2);
    await tab('reportLibrary.reportPanel', 'Report 2');
    demo.control.catalog.change(2, { report_title: 'A better title' });
    assert.equal((await syncChanges(demo)).changed, 1);
    await tab('reportLibrary.reportPanel', 'A better title');
  });

  it('follow the connection: another library’s report of the same number, once it is in use', async () => {
    const other = await startTestDemo({ catalog: smallCatalog(), settlingSeconds });
    try {
      other.control.catalog.change(2, { report_title: 'Report 2 elsewhere' });
      const { services } = await activated();
      services.connect(null);
      services.connect({ id: 'other', name: 'Other', baseUrl: other.baseUrl, key: other.key, isDemo: false });
      await tab('reportLibrary.reportPanel', 'Report 2 elsewhere');
    } finally {
      (await activated()).services.connect(null);
      await other.dispose();
    }
  });
});
