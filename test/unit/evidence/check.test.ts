import assert from 'node:assert/strict';
import { checkRecords, comparableText } from '../../../src/evidence/check.ts';
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

  it('compares the text of the hashed bytes alone', () => {
    const pages = [{ label: null, text: 'emissions' }];
    const read = { kind: 'read', sha256: 'a', bytes: 1, pages, damaged: [], left: 0 } as const;
    const reasonOf = (...given: Parameters<typeof comparableText>) => {
      const text = comparableText(...given);
      return 'reason' in text ? text.reason : undefined;
    };
    assert.deepEqual(comparableText(read, 'a'), { pages });
    assert.match(reasonOf(read, 'b') ?? '', /changed while it was read/);
    assert.match(reasonOf({ kind: 'without-text', sha256: 'a', bytes: 1, pages: 1 }, 'a') ?? '', /as a scan has none/);
    assert.match(reasonOf({ kind: 'failed', sha256: 'a', reason: 'damaged' }, 'a') ?? '', /could not be read/);
  });
});
