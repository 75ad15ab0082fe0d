import assert from 'node:assert/strict';
import { openInMemory } from './support/stores.ts';
import { wireReport } from './support/wireReports.ts';

/** Objects, one inside the other. */
function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = { inner: value };
  return value;
}

describe('a record nested deeper than anything needs', () => {
  const store = openInMemory();
  after(() => store.close());
  const take = (record: unknown) => {
    const page = { data: [wireReport(1), record], page_info: { has_more: false, next_cursor: null } };
    const incoming = { body: Buffer.from(JSON.stringify(page)), serverTime: null };
    return store.takeReports({ incoming, chain: null, generation: null });
  };

  it('is refused with its page, whether it could be read or not; nothing of the page is kept', () => {
    for (const record of [
      { ...wireReport(2), own: nested(40) },
      { report_id: 'x', own: nested(40) },
    ])
      assert.throws(() => take(record), { problem: 'unreadable-page' });
    assert.equal(store.totals().listed, 0);
  });

  it('is one of more than a few levels: those that a service may use are kept as they are', () => {
    const own = nested(20);
    assert.equal(take({ ...wireReport(2), own }).counts.added, 2);
    assert.deepEqual(store.report(wireReport(2).report_id)?.report.other.own, own);
  });
});
