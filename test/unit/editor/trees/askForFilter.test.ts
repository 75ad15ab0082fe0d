import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { askForFilter } from '../../../../src/editor/trees/commands.ts';
import { localLibrary } from '../../library/support/localLibrary.ts';
import { bring, openInMemory } from '../../library/support/stores.ts';
import { report } from '../../library/support/wireReports.ts';

type Items = readonly vscode.QuickPickItem[];

describe('Filter Reports…', () => {
  const { window } = vscode;
  const { showQuickPick } = window;
  afterEach(() => {
    Object.assign(window, { showQuickPick });
  });

  type Answers = readonly (string | readonly string[] | undefined)[];
  /** Answers each list by the labels of the rows to choose; gives the filter, and the rows of each list. */
  const answer = (...answers: Answers) => answerFor([])(...answers);
  const answerFor =
    (more: readonly ReturnType<typeof report>[]) =>
    async (...answers: Answers) => {
      const store = openInMemory();
      bring(store, [
        ...more,
        report(1, { report_fcyear: 2023 }),
        report(2, { report_fcyear: 2024 }),
        report(3, { report_fcyear: 2024 }),
      ]);
      const shown: string[][] = [];
      const show = async (reading: Items | Thenable<Items>) => {
        const items = await reading;
        const wanted = answers[shown.length];
        shown.push(items.map(({ label, description }) => [label, description].filter(Boolean).join(' | ')));
        if (Array.isArray(wanted)) return items.filter(({ label }) => wanted.includes(label));
        return items.find(({ label }) => label === wanted);
      };
      Object.assign(window, { showQuickPick: show });
      const sets = {
        marks: { here: async () => [report(2).report_id] },
        favorites: { read: async () => ({ items: [] }) as never },
      };
      const filter = await askForFilter({ library: localLibrary(store), filter: {}, sets });
      store.close();
      return { filter, shown };
    };

  it('sets one facet after the other, each value with its count', async () => {
    const { filter, shown } = await answer(
      'Fiscal year',
      ['2024'],
      'Favorites and PDFs',
      ['Downloaded: Yes'],
      'Show 1 report',
    );
    assert.deepEqual(filter, { fcyear: [2024], downloaded: true });
    assert.equal(shown[0]?.[0], 'Show 3 reports');
    assert.deepEqual(shown[1], ['2024 | 2', '2023 | 1']);
    assert.ok(shown[2]?.includes('Fiscal year | 2024'), shown[2]?.join('\n'));
  });

  it('takes a facet back when nothing of it is selected, and all of them by Clear Filter', async () => {
    const { filter } = await answer('Fiscal year', ['2024'], 'Fiscal year', [], 'Show 3 reports');
    assert.deepEqual(filter, {});
    const cleared = await answer('Fiscal year', ['2024'], 'Clear Filter', 'Show 3 reports');
    assert.deepEqual(cleared.filter, {});
  });

  it('offers two-year reports that are filed under the year before (FY-3)', async () => {
    const old = report(4, {
      report_fcyear: '2023/2024',
      period_start_date: '2023-04-01',
      period_end_date: '2024-03-31',
    });
    const { filter, shown } = await answerFor([old])(
      'Fiscal year',
      ['2024'],
      'Fiscal year',
      ['2024', 'Include Two-Year Reports'],
      'Show 3 reports',
    );
    assert.deepEqual(shown[3]?.at(-1), 'Include Two-Year Reports | 1');
    assert.deepEqual(filter, { fcyear: [2024], splitYears: true });
  });

  it('applies nothing when the person leaves', async () => {
    const { filter } = await answer('Fiscal year', ['2024'], undefined);
    assert.equal(filter, undefined);
  });
});
