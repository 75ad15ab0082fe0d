import assert from 'node:assert/strict';
import { markFavourite } from '../../../../src/editor/common/favouriteMarks.ts';
import { branchItem } from '../../../../src/editor/common/reportNode.ts';
import { favourite } from '../../../../src/favourites/list.ts';

describe('the row of a favourite', () => {
  const noted = favourite({ company_key: 'XSWX_AHRN' }, { note: 'look at scope 3', tags: ['peers'] });
  const row = (name: string, isAmongFavourites: boolean) => {
    const item = branchItem('company:XSWX_AHRN', 'company', name, '22', name);
    markFavourite(item, noted, isAmongFavourites);
    return [item.label, item.description];
  };

  it('keeps its name beside a note, which is cut instead, and makes room for a count', () => {
    assert.deepEqual(row('Aarhorn Pharma AG', true), ['Aarhorn Pharma AG', '22 · look at scope 3 · #peers']);
    assert.deepEqual(row('Aarhorn Pharma AG', false), ['Aarhorn Pharma AG', '★ 22']);
    const [long] = row('Burrawang Rail & Freight Limited', true);
    assert.equal(long, 'Burrawang Rail & Freight…');
  });
});
