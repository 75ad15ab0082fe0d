import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestHandles } from '../../../src/extension.ts';
import { startTestDemo, type TestDemo } from '../../support/demo/testDemo.ts';
import { tinyCatalogue, tinyCompany, tinyReport } from '../../support/demo/tinyCatalogue.ts';
import { activated } from '../../support/editor/handles.ts';
import { syncNow } from '../../support/editor/sync.ts';
import { treeText } from '../../support/editor/treeText.ts';

describe('the Reports view', () => {
  let handles: TestHandles;
  let demo: TestDemo;

  before(async () => {
    handles = await activated();
    const fact = (id: number, fields: Record<string, unknown>) =>
      tinyReport(id, 'XTST_ALFA', { report_key: `K${id}`, fields });
    const catalogue = tinyCatalogue(
      [tinyCompany('XTST_ALFA'), tinyCompany('XTST_BETA', { country: 'Ruritania' })],
      [
        fact(1, { standards_gri: true, period_end_date: '2020-12-31' }),
        fact(2, { standards_gri: false }),
        fact(3, { standards_gri: null }),
        tinyReport(4, 'XTST_BETA', {
          ...{ report_type: 'AR1', report_year: 2020, report_fcyear: '2019/2020', report_lang: 'de' },
          fields: { period_end_date: '2020-03-31' },
        }),
        tinyReport(5, 'XTST_BETA', {
          report_year: 2019,
          report_fcyear: 2019,
          fields: { period_end_date: '2019-12-31' },
        }),
        tinyReport(6, 'XTST_BETA', { report_key: 'XTST_BETA_0_SR', report_year: 0, report_fcyear: null }),
      ],
    );
    demo = await startTestDemo({ catalogue });
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
  const show = async (filter: Parameters<Awaited<ReturnType<TestHandles['reports']['tree']>>['show']>[0]) =>
    (await handles.reports.tree()).show(filter);

  it('groups by fiscal year, the latest first and undated last', async () => {
    assert.deepEqual(await roots(), ['FY 2020 | 3 reports', 'FY 2019 | 2 reports', 'Undated | 1 report']);
  });

  it('keeps yes, no and undetermined apart in its filters', async () => {
    const found = async (value: boolean | null) => {
      await show({ fcyear: [2020], facts: { standards_gri: value } });
      return treeText(handles.reports);
    };
    const row = (id: number) => [['FY 2020 | 1 report', `Sustainability | ALFA Works`], [`report:${id}`]];
    for (const [value, id] of [
      [true, 1],
      [false, 2],
    ] as const) {
      assert.deepEqual(await found(value), [row(id)[0]]);
      const [year] = await handles.reports.getChildren();
      const [report] = await handles.reports.getChildren(year);
      assert.ok(report);
      assert.deepEqual([(await handles.reports.getTreeItem(report)).id], row(id)[1]);
    }
    assert.deepEqual(await found(null), [row(3)[0]]);
  });

  it('takes in old records of a split year when that is wanted, and those alone whose period ends in the year', async () => {
    await show({ fcyear: [2020] });
    assert.deepEqual(await roots(), ['FY 2020 | 3 reports']);
    await show({ fcyear: [2020], splitYears: true });
    const [, split] = await treeText(handles.reports);
    assert.deepEqual(await roots(), ['FY 2020 | 3 reports', 'FY 2019 | 1 report']);
    assert.deepEqual(split, ['FY 2019 | 1 report', 'Annual Report | BETA Works']);
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

  it('asks what to show in words: what is in force is said, and no icon is part of a label', async () => {
    const { showQuickPick, createQuickPick } = vscode.window;
    const asked: (readonly vscode.QuickPickItem[])[] = [];
    const leave = async (items: Promise<readonly vscode.QuickPickItem[]>) => void asked.push(await items);
    /** A list that its person leaves once it has items. */
    const left = () => {
      const hidden = new vscode.EventEmitter<void>();
      return {
        set items(given: readonly vscode.QuickPickItem[]) {
          if (given.length === 0) return;
          asked.push(given);
          hidden.fire();
        },
        ...{ onDidHide: hidden.event, onDidAccept: () => hidden, show() {}, dispose: () => hidden.dispose() },
      };
    };
    Object.assign(vscode.window, { showQuickPick: leave, createQuickPick: left });
    try {
      await show({ fcyear: [2020] });
      await vscode.commands.executeCommand('reportLibrary.filterReports');
    } finally {
      Object.assign(vscode.window, { showQuickPick, createQuickPick });
    }
    const [filters = []] = asked;
    assert.deepEqual(
      asked.flat().filter(({ label }) => label.includes('$(')),
      [],
    );
    const offered = filters.map(({ label, description }) => [label, description].filter(Boolean).join(' | '));
    for (const row of ['Show 3 reports', 'Clear Filter', 'Fiscal Year | 2020'])
      assert.ok(
        offered.some((given) => given.startsWith(row)),
        `${row}: ${offered.join(', ')}`,
      );
  });

  it('shows at most 200 rows in a place, and more when asked to', async () => {
    for (let id = 1000; id < 1450; id += 1) {
      demo.control.catalogue.add('XTST_ALFA', {
        report_id: id,
        report_key: `MORE_${id}`,
        report_year: 2018,
        report_fcyear: 2018,
      });
    }
    await vscode.commands.executeCommand('reportLibrary.fullWalk', true);
    await show({ fcyear: [2018] });
    const rows = async () => {
      const [year] = await handles.reports.getChildren();
      const nodes = await handles.reports.getChildren(year);
      return { count: nodes.length, last: nodes.at(-1) };
    };
    const { count, last } = await rows();
    assert.equal(count, 201);
    await vscode.commands.executeCommand('reportLibrary.showMore', last);
    assert.equal((await rows()).count, 401);
  });
});
