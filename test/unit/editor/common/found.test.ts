import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { reportPickItems } from '../../../../src/editor/common/chooseReports.ts';
import { RecentlyFound } from '../../../../src/editor/find/find.ts';
import type { ReportSummary } from '../../../../src/library/reportQuery.ts';

const summary = (changes: Partial<ReportSummary>): ReportSummary => ({
  ...{
    report_id: 1,
    report_key: 'K_1',
    company_key: 'C',
    company_name: 'Aarhorn',
    title: 'Report',
    type: 'SR',
    class: 'D',
  },
  ...{ fiscal_year: 2024, fiscal_year_label: null, year: 2024, language: 'en', pages: 1, filesize: 1, published: null },
  ...{ period_end: null, has_file: true, sha256: null, state: 'listed' as const },
  ...changes,
});

describe('rows of reports', () => {
  it('that read alike are told apart by language, then by key; others say neither', () => {
    const rows = reportPickItems([
      summary({}),
      summary({ language: 'de', report_key: 'K_2' }),
      summary({ language: 'de', report_key: 'K_3' }),
      summary({ fiscal_year: 2023 }),
    ]).map(({ description }) => description);
    assert.equal(new Set(rows).size, 4);
    const [plain] = reportPickItems([summary({})]);
    const base = plain?.description;
    assert.equal(rows[0], `${base} · en`);
    assert.deepEqual(rows.slice(1, 3), [`${base} · de · K_2`, `${base} · de · K_3`]);
    assert.doesNotMatch(rows[3] ?? '', / · en/);
  });
});

describe('what was found last', () => {
  it('is kept for each connection, newest first, each once, ten at most', async () => {
    const stored = new Map<string, unknown>();
    const memory = {
      get: (key: string) => stored.get(key),
      update: async (key: string, value: unknown) => void stored.set(key, value),
    } as unknown as Memento;
    const recent = new RecentlyFound(memory, 'here');
    for (const chosen of ['C', 1, 2, 'C', ...Array.from({ length: 9 }, (_, index) => index + 10)])
      await recent.add(chosen);
    assert.deepEqual(recent.all, [18, 17, 16, 15, 14, 13, 12, 11, 10, 'C']);
    assert.deepEqual(new RecentlyFound(memory, 'there').all, []);
    stored.set('find.recent.here', [{}, 'C', null]);
    assert.deepEqual(recent.all, ['C']);
  });
});
