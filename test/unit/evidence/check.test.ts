import assert from 'node:assert/strict';
import { checkRecords } from '../../../src/evidence/check.ts';
import { parseEvidence } from '../../../src/evidence/record.ts';

describe('a check of evidence', () => {
  it('says what is there in place of a PDF, and reads no text of it', async () => {
    const quote = {
      ...{ id: 'aaaaaaaaaaaa', kind: 'quote', note: '', created_at: '2026-01-01T00:00:00Z' },
      ...{ report_id: 1, report_key: 'XDEM_ACME_2023_SR', sha256: 'a'.repeat(64) },
      selector: { type: 'TextQuoteSelector', exact: 'emissions', prefix: '', suffix: '' },
      regions: [{ page: 1, label: null, rectangles: [] }],
    };
    const { records } = parseEvidence(JSON.stringify({ version: 1, evidence: [quote] }));
    const problem = 'A pointer.';
    const [checked] = await checkRecords(
      records,
      {
        here: async () => [{ report_id: 1, sha256: 'b'.repeat(64), path: '/1.pdf', problem }],
        text: () => Promise.reject(new Error('It was read.')),
        presentId: async () => 1,
      },
      new AbortController().signal,
    );
    assert.deepEqual([checked?.state, checked?.reason], ['ambiguous', problem]);
  });
});
