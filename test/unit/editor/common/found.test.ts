import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import type { Services } from '../../../../src/app/session.ts';
import { reportPickItems } from '../../../../src/editor/common/chooseReports.ts';
import { reportItem } from '../../../../src/editor/common/reportNode.ts';
import { foundFor, noteOpened, recentlyOpened } from '../../../../src/editor/find/find.ts';
import type { ReportSummary } from '../../../../src/library/reportQuery.ts';
import { localLibrary } from '../../library/support/localLibrary.ts';
import { bring, openInMemory } from '../../library/support/stores.ts';
import { report } from '../../library/support/wireReports.ts';

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
  it('begin with year and type, which a long title or name must not hide', () => {
    const [row] = reportPickItems([summary({ title: `A ${'very '.repeat(50)}long title` })]);
    assert.match(row?.label ?? '', /^2024 Sustainability Report · A very/);
    assert.equal(row?.description, 'Aarhorn');
  });

  it('lead with the company where no row above them names it, as favorites do, and name the type in full', () => {
    const row = reportItem({ kind: 'report', report: summary({ type: 'AR2' }) }, []);
    assert.deepEqual([row.label, row.description], ['Aarhorn', '2024 Annual Report with Sustainability Disclosures']);
    const below = reportItem({ kind: 'report', report: summary({ type: 'AR2' }) }, ['company', 'fcyear']);
    assert.deepEqual([below.label, below.description], ['Annual Report with Sustainability Disclosures', 'English']);
  });

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

describe('what is found for words', () => {
  it('is the company too when they fit its reports alone, typos and years among them', async () => {
    const store = openInMemory();
    const of = (n: number, key: string, name: string) => {
      const made = report(n, {
        company_key: key,
        company_name: name,
        report_key: `${key}_2024_SR`,
        report_fcyear: 2024,
      });
      return { ...made, metadata: { ...made.metadata, title: 'Sustainability Report' } };
    };
    bring(store, [of(1, 'XTST_ALB', 'Altenbruch'), of(2, 'XTST_BER', 'Berghof')]);
    const found = async (words: string) => {
      const { companies, reports } = await foundFor(localLibrary(store), words);
      return [companies.map(({ company_name }) => company_name), reports.length];
    };
    assert.deepEqual(await found('altenbuch'), [['Altenbruch'], 1]);
    assert.deepEqual(await found('altenbuch 2024'), [['Altenbruch'], 1]);
    assert.deepEqual(await found('altenbruch sustainability report 2024'), [['Altenbruch'], 1]);
    assert.deepEqual(await found('sustainability report 2024'), [[], 2]);
    store.close();
  });
});

describe('what was found last', () => {
  it('is kept for each connection, newest first, each once, ten at most', async () => {
    const stored = new Map<string, unknown>();
    const memory = {
      get: (key: string) => stored.get(key),
      update: async (key: string, value: unknown) => void stored.set(key, value),
    } as unknown as Memento;
    const library = {
      company: async (key: string) => (key === 'UNKNOWN' ? null : { company_key: key.replace('OLD', 'NEW') }),
    };
    const connection = { id: 'here' };
    const services = {
      ready: async () => ({ connection }),
      library: async () => ({ library, connection }),
    } as unknown as Services;
    for (const chosen of ['OLD', 'UNKNOWN', 'NEW']) await noteOpened(services, memory, chosen);
    assert.deepEqual(recentlyOpened(memory, 'here'), ['NEW', 'UNKNOWN'], 'under the key that a company has now');
    for (const chosen of ['C', 1, 2, 'C', ...Array.from({ length: 9 }, (_, index) => index + 10)])
      await noteOpened(services, memory, chosen);
    assert.deepEqual(recentlyOpened(memory, 'here'), [18, 17, 16, 15, 14, 13, 12, 11, 10, 'C']);
    assert.deepEqual(recentlyOpened(memory, 'there'), []);
    stored.set('find.recent.here', [{}, 'C', null]);
    assert.deepEqual(recentlyOpened(memory, 'here'), ['C']);
  });
});
