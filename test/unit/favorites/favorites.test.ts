import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Favorite, formatFavorites, joined, nameOf, parseFavorites } from '../../../src/favorites/favorites.ts';

const company = (company_key: string): Favorite => ({ company_key, report_id: null, report_key: null });
const report = (company_key: string, report_id: number): Favorite => {
  return { company_key, report_id, report_key: `${company_key}_2024_SR` };
};
const read = (value: unknown) =>
  parseFavorites(typeof value === 'string' ? value : JSON.stringify(value), 'favorites.json');

const keys = fc.constantFrom('XETR_A', 'XETR_B', 'UNLT_Ü', '__proto__');
const favorites: fc.Arbitrary<Favorite[]> = fc.array(
  fc
    .tuple(keys, fc.option(fc.integer({ min: 1, max: 9 })))
    .map(([key, id]) => (id === null ? company(key) : report(key, id))),
);

describe('favorites', () => {
  it('come back as they were written, each once', () => {
    fc.assert(
      fc.property(favorites, (given) => {
        assert.deepEqual(read(formatFavorites(given)), joined(given));
        assert.equal(new Set(joined(given).map(nameOf)).size, joined(given).length);
      }),
    );
  });

  it('list a company before its reports, in one order on every computer', () => {
    assert.deepEqual(joined([report('B', 7), report('A', 30), report('A', 4), company('B'), report('B', 7)]), [
      report('A', 4),
      report('A', 30),
      company('B'),
      report('B', 7),
    ]);
    assert.notEqual(nameOf(company('7')), nameOf(report('7', 7)));
  });

  const hostile: readonly [string, unknown][] = [
    ['no JSON', '{"version": 1'],
    ['something else', [1, 2]],
    ['nothing', 'null'],
    ['another version', { version: 2, items: [] }],
    ['an entry that is none', { version: 1, items: [company('A'), null] }],
    ['an id as a path', { version: 1, items: [{ ...company('A'), report_id: '../1' }] }],
  ];
  for (const [what, value] of hostile) {
    it(`are refused in plain words where the file holds ${what}`, () => {
      assert.throws(() => read(value), /^Error: Can’t read your favorites\. Repair or delete favorites\.json/);
    });
  }
});
