import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SyncCounts } from '../../../src/editor/sync/autoSync.ts';
import type { TestHandles } from '../../../src/extension.ts';
import { startTestDemo, type TestDemo } from '../../support/demo/testDemo.ts';
import { answerNotifications } from '../../support/editor/answers.ts';
import { activated } from '../../support/editor/demo.ts';
import { bulk, smallCatalog } from '../../support/editor/smallCatalog.ts';
import { settlingSeconds, syncChanges, syncNow } from '../../support/editor/sync.ts';
import { type TreeText, treeText } from '../../support/editor/treeText.ts';

const nothing: SyncCounts = { added: 0, changed: 0, withdrawn: 0, removed: 0 };

describe('the views after each kind of change', () => {
  let handles: TestHandles;
  let demo: TestDemo;
  let connection: Parameters<TestHandles['services']['connect']>[0];

  before(async () => {
    handles = await activated();
    demo = await startTestDemo({ catalog: smallCatalog(), settlingSeconds });
    connection = { id: 'feed', name: 'Feed', baseUrl: demo.baseUrl, key: demo.key, isDemo: false };
    handles.services.connect(connection);
    assert.equal((await syncNow()).added, bulk + 4);
  });

  after(async () => {
    handles.services.connect(null);
    await demo.dispose();
  });

  /** The two companies that are read through, and the row alone of the one that has many reports. */
  async function watchlist(): Promise<TreeText[]> {
    const companies = await treeText(handles.watchlist);
    return companies.map((company) => (String(company[0]).startsWith('MANY') ? (company[0] ?? '') : company));
  }

  /** What is new, newest first, whatever day it is. */
  const news = async () => (await treeText(handles.changes)).flatMap(([, ...changes]) => changes);

  const beta: TreeText = ['BETA Works | 1', ['FY 2020 | 1 report', 'Sustainability Report | extract · English']];
  const many = `MANY Works | ${bulk.toLocaleString('en')}`;

  it('show what the first load brought: undated reports last, partial ones marked, nothing of it as news', async () => {
    assert.deepEqual(await watchlist(), [
      [
        'ALFA Works | 3',
        ['FY 2020 | 2 reports', 'Sustainability Report | English', 'Annual Report | English'],
        ['Undated | 1 report', 'Code of Conduct | no PDF · English'],
      ],
      beta,
      many,
    ]);
    assert.deepEqual(await news(), []);
  });

  it('a new report: in its company and year, and as news', async () => {
    demo.control.catalog.add('XTST_ALFA', {
      ...{ report_id: 50, report_type: 'IR', report_title: 'Report 50', report_lang: 'de, en' },
      ...{ report_year: 2021, report_fcyear: 2021, report_key: 'XTST_ALFA_2021_IR' },
    });
    assert.deepEqual(await syncChanges(demo), { ...nothing, added: 1 });
    const [alfa] = await watchlist();
    assert.deepEqual(alfa?.slice(0, 2), [
      'ALFA Works | 4',
      ['FY 2021 | 1 report', 'Integrated Report | German and English'],
    ]);
    assert.deepEqual(await news(), ['ALFA Works | New · 2021']);
  });

  it('a new PDF, and new metadata: told apart as news, the tree has the new title', async () => {
    demo.control.catalog.replacePdf(1);
    assert.deepEqual(await syncChanges(demo), { ...nothing, changed: 1 });
    demo.control.catalog.change(2, { report_title: 'A better title' });
    assert.deepEqual(await syncChanges(demo), { ...nothing, changed: 1 });
    const [alfa] = await watchlist();
    assert.deepEqual(alfa?.[2], ['FY 2020 | 2 reports', 'Sustainability Report | English', 'Annual Report | English']);
    const [company] = await handles.watchlist.getChildren();
    const [, year] = await handles.watchlist.getChildren(company);
    const [, report] = await handles.watchlist.getChildren(year);
    assert.ok(report);
    const { accessibilityInformation } = await handles.watchlist.getTreeItem(report);
    assert.equal(accessibilityInformation?.label, 'Annual Report, A better title, English');
    assert.deepEqual((await news()).slice(0, 2), ['ALFA Works | Metadata · 2020', 'ALFA Works | New PDF · 2020']);
  });

  it('a first PDF for a report that had none: it can be downloaded from then on', async () => {
    const row = async () => {
      const companies = await handles.watchlist.getChildren();
      const years = await handles.watchlist.getChildren(companies[0]);
      const [node] = await handles.watchlist.getChildren(years.at(-1));
      assert.ok(node);
      return (await handles.watchlist.getTreeItem(node)).contextValue;
    };
    assert.equal(await row(), 'report.withoutFile');
    demo.control.catalog.replacePdf(3);
    assert.deepEqual(await syncChanges(demo), { ...nothing, changed: 1 });
    assert.equal(await row(), 'report.withFile');
  });

  it('a withdrawn report: still there, marked, and out of the counts', async () => {
    demo.control.catalog.withdraw(1);
    assert.deepEqual(await syncChanges(demo), { ...nothing, withdrawn: 1 });
    const [alfa] = await watchlist();
    assert.equal(alfa?.[0], 'ALFA Works | 3');
    assert.deepEqual(alfa?.[2], [
      'FY 2020 | 1 report, 1 withdrawn',
      'Sustainability Report | withdrawn · English',
      'Annual Report | English',
    ]);
    assert.equal((await news())[0], 'ALFA Works | Withdrawn · 2020');
  });

  it('a re-stamp of everything: no news, no difference', async () => {
    const before = [await watchlist(), await news()];
    demo.control.catalog.maintenance();
    assert.deepEqual(await syncChanges(demo), nothing);
    assert.deepEqual([await watchlist(), await news()], before);
  });

  it('a company with another key: one row, the new key, the reports with it', async () => {
    demo.control.catalog.renameCompany('XTST_BETA', 'XTST_NEWB');
    await syncChanges(demo);
    const companies = await handles.watchlist.getChildren();
    const items = await Promise.all(companies.map((node) => handles.watchlist.getTreeItem(node)));
    assert.deepEqual(items.map(({ id }) => id).sort(), ['company:XTST_ALFA', 'company:XTST_MANY', 'company:XTST_NEWB']);
    assert.deepEqual((await watchlist())[1], beta);
    assert.match(String((await news())[0]), /Renamed from XTST_BETA_\S+ to XTST_NEWB_\S+ · 2020$/);
  });

  it('a silent removal: nobody knows of it before Check for Removed Reports', async () => {
    demo.control.catalog.removeSilently(101);
    assert.deepEqual(await syncChanges(demo), nothing);
    assert.equal((await watchlist())[2], many);
    const counts = await vscode.commands.executeCommand<SyncCounts>('reportLibrary.fullWalk', true);
    assert.deepEqual(counts, { ...nothing, removed: 1 });
    assert.equal((await watchlist())[2], `MANY Works | ${bulk - 1}`);
    assert.equal((await news())[0], 'MANY Works | Removed · 2020');
  });

  it('more silent removals than are likely: asked about first, and removed when a person says so', async () => {
    for (const id of [102, 103, 104]) demo.control.catalog.removeSilently(id);
    const person = answerNotifications('showWarningMessage');
    try {
      const counts = await vscode.commands.executeCommand<SyncCounts>('reportLibrary.fullWalk', true);
      assert.deepEqual(counts, nothing);
      const { text, buttons, answer } = await person.next();
      assert.match(text, /3 of \d+ reports were not found.*Nothing has been removed yet\./);
      assert.deepEqual(buttons, ['Mark as Removed', 'Keep']);
      const { library } = await handles.services.library();
      const gone = new Promise<void>((resolve) => {
        const subscription = library.onDidChange(({ news }) => {
          if (!news) return;
          subscription.dispose();
          resolve();
        });
      });
      answer('Mark as Removed');
      await gone;
    } finally {
      person.restore();
    }
    assert.equal((await watchlist())[2], `MANY Works | ${bulk - 4}`);
  });

  it('read again from disk, with the service gone: the same, and it says why nothing is new', async () => {
    const before = [await watchlist(), await news()];
    await demo.dispose();
    handles.services.connect(null);
    await handles.services.settled();
    assert.deepEqual(await watchlist(), []);
    const told = new Promise<{ syncedAt: number | null; problem: string | null }>((resolve) => {
      const subscription = handles.sync.onDidChangeState((state) => {
        if (state.problem === null || state.running) return;
        subscription.dispose();
        resolve(state);
      });
    });
    assert.ok(connection);
    handles.services.connect({ ...connection });
    assert.deepEqual([await watchlist(), await news()], before);
    const { syncedAt, problem } = await told;
    assert.ok(syncedAt !== null);
    assert.match(problem ?? '', /No server answers at this address/);
  });
});
