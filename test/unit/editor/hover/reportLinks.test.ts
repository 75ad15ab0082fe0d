import assert from 'node:assert/strict';
import { reportLinks } from '../../../../src/editor/hover/identifierHover.ts';

const report = (
  report_id: number,
  type: string | null,
  fiscal_year: number | null,
  language: string | null = 'en',
) => ({
  ...{ report_id, type, fiscal_year, language },
});
const titles = (...reports: ReturnType<typeof report>[]) => reportLinks(reports).map(({ title }) => title);

describe('Links to reports in a hover', () => {
  it('say type and year, and no two say the same', () => {
    assert.deepEqual(
      titles(report(1, 'SR', 2024), report(2, 'SR', 2024, 'de'), report(3, 'SR', 2024, 'de'), report(4, 'SR', 2023)),
      [
        'Sustainability Report 2024',
        'Sustainability Report 2024, German',
        'Sustainability Report 2024, German (2)',
        'Sustainability Report 2023',
      ],
    );
    assert.deepEqual(titles(report(1, null, null), report(2, 'X1', null)), [
      'Report undated',
      'Report undated, English',
    ]);
  });

  it('hold no text of the service', () => {
    const hostile = '](command:x) [y';
    const all = titles(report(1, hostile, 2024, hostile), report(2, hostile, 2024, hostile));
    assert.deepEqual(all, ['Report 2024', 'Report 2024 (2)']);
  });
});
