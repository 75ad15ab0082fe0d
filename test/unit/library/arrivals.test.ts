import assert from 'node:assert/strict';
import { withoutRequest } from '../../../src/library/arrivals.ts';
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
