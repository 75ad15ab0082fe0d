import assert from 'node:assert/strict';
import { following, openInMemory } from './support/stores.ts';
import { report } from './support/wireReports.ts';

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
