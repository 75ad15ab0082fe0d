import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { activated, signedInDemo } from '../../support/editor/demo.ts';
import { openFile, placeOf } from '../../support/editor/documents.ts';
import { panelTab } from '../../support/editor/tabs.ts';

interface Resolved {
  readonly query: string;
  readonly matched: boolean;
  readonly company: { readonly company_key: string } | null;
}

describe('Identifiers', () => {
  let demo: TestDemo;
  const resolve = (queries: readonly string[]) =>
    vscode.commands.executeCommand<Resolved[]>('reportLibrary.resolveIdentifiers', queries);
  const asked = () => demo.control.log.to('POST /companies/resolve').length;

  before(async () => {
    demo = await signedInDemo(await activated(), { requestsPerMinute: 100_000 });
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('reportLibrary.signOut');
    await demo.dispose();
  });

  it('are kept for the connection that asked: another key asks anew', async () => {
    await resolve(['XLON:THWK']);
    const before = asked();
    await resolve(['XLON:THWK']);
    assert.equal(asked(), before);
    const { services } = await activated();
    const { session } = services;
    assert.ok('connection' in session);
    const key = demo.control.issueKey({ label: 'other' });
    services.connect({ ...session.connection, id: 'other', key });
    await resolve(['XLON:THWK']);
    services.connect(session.connection);
    assert.equal(asked(), before + 1);
  });

  it('of many cursors are resolved together and shown in a panel', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'python',
      content: 'a = ["FR0099VMIS17", "SE0099ALVG02"]\nb = "DEMO00LARKSPURFOOD40"\n',
    });
    const editor = await vscode.window.showTextDocument(document);
    const select = (text: string) => {
      const start = placeOf(document, text, 0);
      return new vscode.Selection(start, start.translate(0, text.length));
    };
    const caret = placeOf(document, 'DEMO00LARKSPURFOOD40', 5);
    editor.selections = [select('SE0099ALVG02'), select('"FR0099VMIS17",'), new vscode.Selection(caret, caret)];
    const before = asked();
    await vscode.commands.executeCommand('reportLibrary.resolveSelection');
    await panelTab('reportLibrary.resolvePanel', (label) => label === 'Resolved Identifiers');
    assert.equal(asked(), before + 1);
    // All three are kept now, so that asking for them costs nothing.
    await resolve(['FR0099VMIS17', 'SE0099ALVG02', 'DEMO00LARKSPURFOOD40']);
    assert.equal(asked(), before + 1);
  });

  it('in an open panel are asked anew once another connection is in use', async () => {
    const { services } = await activated();
    const { session } = services;
    assert.ok('connection' in session);
    const before = asked();
    services.connect({ ...session.connection, id: 'panel', key: demo.control.issueKey({ label: 'panel' }) });
    // Each of these costs a request of its own, until the panel’s is there as well.
    let mine = 0;
    do await resolve([`XLON:W${++mine}`]);
    while (asked() === before + mine);
    assert.equal(asked(), before + mine + 1);
    services.connect(session.connection);
  });

  it('are refused with the next step when no document is open', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const before = asked();
    await vscode.commands.executeCommand('reportLibrary.resolveSelection');
    assert.equal(asked(), before);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('that are report keys are looked up: one result each, in order, renamed ones lead on', async () => {
    const report = demo.control.entitled()[0];
    assert.ok(report);
    const former = report.report_key;
    demo.control.catalog.renameReport(report.report_id, `${report.company_key}_2031_SR`);
    const lookups = () => demo.control.log.to('POST /reports/lookup').length;
    const before = lookups();
    const keys = [former, 'XETR_ALBM_1901_SR', 'no key', former];
    const results = await vscode.commands.executeCommand('reportLibrary.lookupReportKeys', keys);
    assert.deepEqual(results, [
      { report_key: former, report_id: report.report_id },
      { report_key: 'XETR_ALBM_1901_SR', report_id: null },
      { report_key: 'no key', report_id: null },
      { report_key: former, report_id: report.report_id },
    ]);
    assert.equal(lookups(), before + 1);
    await vscode.commands.executeCommand('reportLibrary.lookupReportKeys', keys);
    assert.equal(lookups(), before + 1);
  });

  it('of a CSV column: the likeliest is on top, confirmed with two keys, and every row of it is asked', async () => {
    const document = await openFile('portfolio.csv');
    await vscode.window.showTextDocument(document);
    const before = asked();
    let isDone = false;
    const run = Promise.resolve(vscode.commands.executeCommand('reportLibrary.resolveIdentifiers')).finally(() => {
      isDone = true;
    });
    // As a person who presses Enter at whatever is on top; with nothing to accept the editor does nothing.
    while (!isDone) await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await run;
    await panelTab('reportLibrary.resolvePanel', (label) => label === 'Resolved Identifiers');
    assert.ok(asked() <= before + 1);
    const rows = document.getText().trim().split('\n').slice(1);
    const after = asked();
    await resolve(rows.map((row) => row.split(',')[1] ?? ''));
    assert.equal(asked(), after, 'Some row of the column had not been asked.');
  });
});
