import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openCell } from '../../../../src/editor/panels/chosenReport.ts';
import type { LibraryCalls } from '../../../../src/library/library.ts';

describe('a cell of several reports', () => {
  it('offers each with what keeps it from being opened; that it is a part its title says', async () => {
    const report = { report_id: 1, report_key: 'K', type: 'SR', language: 'de', state: 'listed', has_file: false };
    const items = [
      { ...report, title: 'Climate (Extract)' },
      { ...report, title: 'Climate (Chapter)', has_file: true },
      { ...report, title: 'Climate', state: 'withdrawn' },
    ];
    const library = { reports: async () => ({ items }) } as unknown as LibraryCalls;
    const { window } = vscode;
    const { showQuickPick } = window;
    let offered: readonly vscode.QuickPickItem[] = [];
    try {
      const show = async (picks: readonly vscode.QuickPickItem[]) => {
        offered = picks;
      };
      Object.assign(window, { showQuickPick: show });
      const families = Array.from({ length: 20 }, (_, index) => index);
      const open = () => Promise.reject(new Error('Nothing was picked.'));
      await openCell({ open }, library, { companyKey: 'C', year: 2024, families }, 'Company');
    } finally {
      Object.assign(window, { showQuickPick });
    }
    assert.deepEqual(
      offered.map(({ description, detail }) => [description, detail]),
      [
        ['no PDF · de', 'Climate (Extract)'],
        ['de', 'Climate (Chapter)'],
        ['withdrawn · de', 'Climate'],
      ],
    );
  });
});
