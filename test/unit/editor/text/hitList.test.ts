import assert from 'node:assert/strict';
import { HitList } from '../../../../src/editor/text/hitList.ts';
import { found, summary } from './support/foundPages.ts';

const question = { query: 'net zero', scope: { words: '' } };
const [one, two] = [summary(1), summary(2)];
const first = { pages: [found(one, 5), found(one, 9), found(two, 1)], next: 'more', terms: ['net', 'zero'] };
const pagesOf = (list: HitList) => list.hits.map(({ report, found: { page } }) => [report.report_id, page]);

describe('a list of hits', () => {
  it('gathers pages under their reports, in the order in which they came', () => {
    const list = new HitList(question, first);
    assert.deepEqual(
      list.reports.map(({ report, hits }) => [report.report_id, hits.map(({ ordinal }) => ordinal)]),
      [
        [1, [1, 2]],
        [2, [1]],
      ],
    );
    assert.equal(list.next, 'more');
  });

  it('is walked from its first hit on, or from its last one back, and stays in place while more comes', () => {
    const list = new HitList(question, first);
    const begin = list.neighbour(1);
    assert.equal(begin?.found.page, 5);
    assert.equal(list.neighbour(-1)?.report.report_id, 2);
    for (let hit = list.neighbour(1); hit; hit = list.neighbour(1)) list.current = hit;
    const last = list.current;
    assert.equal(last?.report.report_id, 2);
    list.add({ pages: [found(two, 4), found(summary(3), 2)], next: null, terms: [] });
    assert.equal(list.current, last);
    assert.deepEqual(pagesOf(list), [
      [1, 5],
      [1, 9],
      [2, 1],
      [2, 4],
      [3, 2],
    ]);
    assert.equal(list.neighbour(1)?.found.page, 4);
    assert.equal(list.end(1)?.found.page, 5);
    assert.equal(list.end(-1)?.report.report_id, 3);
  });

  it('leaves out what is no answer any more, and stays where it was as far as that is left', () => {
    const list = new HitList(question, { ...first, pages: [...first.pages, found(one, 12, { sha256: 'f' })] });
    const last = list.hits.find(({ found: { page } }) => page === 12);
    assert.ok(last);
    list.current = last;
    assert.equal(
      list.keep(() => true),
      false,
    );
    assert.equal(
      list.keep(({ report, sha256 }) => report === one && sha256 === 'f'),
      true,
    );
    assert.deepEqual(pagesOf(list), [[1, 12]]);
    assert.deepEqual([list.reports.length, list.current, last.ordinal], [1, last, 1]);
    list.keep(() => false);
    assert.deepEqual([list.hits, list.reports, list.current], [[], [], undefined]);
  });
});
