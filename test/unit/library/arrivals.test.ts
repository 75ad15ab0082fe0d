import assert from 'node:assert/strict';
import { withoutRequest } from '../../../src/library/arrivals.ts';
import { following, openInMemory } from './support/stores.ts';
import { report } from './support/wireReports.ts';

describe('a report asked for by an id or key that was retired (RID-1, RID-2)', () => {
  const held = report(2);
  const asked = { requested_legacy_report_id: 3, requested_legacy_report_key: 'OLD_KEY' };

  it('is kept under the id it has now, whichever of the two the answer bears as its own', () => {
    const canonical_report_id = held.report_id;
    for (const report_id of [held.report_id, 3]) {
      const found = withoutRequest({ ...held, ...asked, canonical_report_id, report_id });
      assert.deepEqual(found, { report: held, retiredId: 3, retiredKey: 'OLD_KEY' });
    }
  });

  it('retires nothing that is its own', () => {
    const own = { requested_legacy_report_id: held.report_id, requested_legacy_report_key: held.report_key };
    assert.deepEqual(withoutRequest({ ...held, ...own }), { report: held, retiredId: null, retiredKey: null });
    assert.deepEqual(withoutRequest(held), { report: held, retiredId: null, retiredKey: null });
  });
});

describe('the feed', () => {
  const store = openInMemory();
  const generation = following(store);
  after(() => store.close());
  const change = (kind: string, day: number, given: ReturnType<typeof report> | null) => ({
    change: kind,
    report_id: report(2).report_id,
    report_key: report(2).report_key,
    company_key: report(2).company_key,
    changed_at: `2026-01-0${day}T00:00:00Z`,
    content_sha256: null,
    report: given,
    other: {},
  });
  const bring = (...changes: ReturnType<typeof change>[]) =>
    store.applyFeedPage({ changes, quarantined: [], cursor: 'c', atEnd: true, generation });
  const held = () => store.report(report(2).report_id)?.report.report_pages;

  it('that says the same of a report later on is later than what came in between, whenever that arrives (CHG-3)', () => {
    bring(change('upsert', 1, { ...report(2), report_pages: 11 }));
    bring(change('upsert', 3, { ...report(2), report_pages: 11 }));
    bring(change('upsert', 2, { ...report(2), report_pages: 22 }));
    assert.equal(held(), 11);
    bring(change('upsert', 4, { ...report(2), report_pages: 22 }));
    assert.equal(held(), 22);
  });

  it('that brings an upsert without a report, or a kind not known, is set aside with that reason', () => {
    bring(change('upsert', 5, null), change('reclassified', 6, report(2)));
    const reasons = store.recordsAside().map(({ raw, reason }) => [(raw as { change: string }).change, reason]);
    assert.deepEqual(Object.fromEntries(reasons), {
      upsert: 'The change brings no report.',
      reclassified: 'The change is of a kind not known yet.',
    });
    assert.equal(held(), 22);
  });
});
