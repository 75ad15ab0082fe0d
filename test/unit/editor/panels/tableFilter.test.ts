import assert from 'node:assert/strict';
import { chipsOf, countSection } from '../../../../src/editor/common/filterFacets.ts';
import {
  isEmptyFilter,
  narrowed,
  type ReportsFilter,
  toggledFilter,
} from '../../../../src/editor/common/reportsFilter.ts';
import type { Narrowing } from '../../../../src/protocol/reportTable.ts';

const steps = (filter: ReportsFilter, ...taken: Narrowing[]) => taken.reduce(narrowed, filter);
const value = (facet: string, chosen: string | number | null): Narrowing => ({ by: 'value', facet, value: chosen });

describe('narrowing the table of all reports', () => {
  it('adds a value, takes it away, and knows what is not stated', () => {
    const both = steps({}, value('type', 'SR'), value('type', null), value('country', 'France'));
    assert.deepEqual(both, { type: ['SR', null], country: ['France'] });
    assert.deepEqual(steps(both, value('type', 'SR'), value('country', 'France')), { type: [null] });
    assert.deepEqual(steps({}, value('company', 'X_A'), value('fcyear', 2024)), {
      company_key: ['X_A'],
      fcyear: [2024],
    });
  });

  it('asks each fact for one answer, undetermined among them, and for none again', () => {
    const fact = (field: string, answer: 'yes' | 'no' | 'undetermined' | null): Narrowing => ({
      by: 'fact',
      field,
      answer,
    });
    const asked = steps(
      {},
      fact('standards_gri', 'yes'),
      fact('standards_esrs', 'undetermined'),
      fact('downloaded', 'no'),
    );
    assert.deepEqual(asked, { facts: { standards_gri: true, standards_esrs: null }, downloaded: false });
    assert.deepEqual(steps(asked, fact('standards_gri', null), fact('downloaded', null)), {
      facts: { standards_esrs: null },
    });
    assert.deepEqual(steps(asked, { by: 'without', part: 'standards_esrs' }, { by: 'without', part: 'downloaded' }), {
      facts: { standards_gri: true },
    });
  });

  it('takes an answer back that is chosen once more, whatever the page shows of it by then', () => {
    for (const field of ['standards_gri', 'downloaded'])
      for (const answer of ['yes', 'no'] as const) {
        const once = toggledFilter({}, { by: 'fact', field, answer });
        assert.deepEqual(once, narrowed({}, { by: 'fact', field, answer }));
        assert.equal(isEmptyFilter(toggledFilter(once, { by: 'fact', field, answer })), true);
      }
  });

  it('takes a year of publication or its months, never both', () => {
    assert.deepEqual(steps({}, value('published', '2024'), value('published', '2024-05')), { published: ['2024-05'] });
    assert.deepEqual(steps({ published: ['2023-01', '2024-05'] }, value('published', '2024')), {
      published: ['2023-01', '2024'],
    });
  });

  it('drops the split years with the years they hang on', () => {
    const filter = { fcyear: [2020], splitYears: true, text: 'x' };
    assert.deepEqual(steps(filter, { by: 'years', years: [2021, 2022] }), { fcyear: [2021, 2022], text: 'x' });
    assert.deepEqual(steps(filter, { by: 'without', part: 'fcyear' }), { text: 'x' });
    assert.deepEqual(steps(filter, { by: 'everything' }), {});
  });

  it('ignores what no page of ours would ask', () => {
    assert.deepEqual(steps({ text: 'a' }, value('__proto__', 'x'), value('evil', 'x')), { text: 'a' });
    const evil: Narrowing = { by: 'fact', field: 'evil', answer: 'yes' };
    assert.deepEqual(steps({ text: 'a' }, evil), { text: 'a' });
  });

  it('has a chip for each part that goes by itself, and none for the words in their box', () => {
    const filter: ReportsFilter = {
      ...{ text: 'wind', type: ['SR', 'IR'], fcyear: [2020], splitYears: true },
      ...{ facts: { standards_gri: true, has_file: null }, downloaded: true },
    };
    const chips = chipsOf(filter);
    assert.deepEqual(
      chips.map(({ part }) => part),
      ['type', 'fcyear', 'downloaded', 'standards_gri', 'has_file'],
    );
    assert.deepEqual(chips.at(1)?.words, '2020 with two-year reports');
    const left = chips.reduce((rest, { part }) => narrowed(rest, { by: 'without', part }), filter);
    assert.deepEqual(left, { text: 'wind' });
  });

  it('counts companies by their names, and leaves out none that is chosen', async () => {
    const library = {
      groupReports: async () => [
        { value: 'XETR_ALBM', count: 3 },
        { value: 'UNLT_X', count: 1 },
      ],
      company: async (key: string) => ({ company_name: key === 'XETR_ALBM' ? 'Altenbruch' : null }),
      factCounts: async () => [],
      countReports: async () => 0,
    };
    const section = await countSection({ library, filter: { company_key: ['UNLT_X'] }, sets: {} } as never, 'company');
    assert.equal(section.facet, 'company');
    assert.deepEqual(
      section.rows.map(({ words, count, isOn }) => [words, count, isOn]),
      [
        ['Altenbruch', 3, false],
        ['UNLT_X', 1, true],
      ],
    );
  });
});
