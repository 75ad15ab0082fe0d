import assert from 'node:assert/strict';
import { checkRecords, comparableText, type EvidencePdfs } from '../../../src/evidence/check.ts';
import type { EvidenceRecord } from '../../../src/evidence/record.ts';
import { manyRecords } from '../../support/evidence/madePages.ts';

describe('a check', () => {
  const hash = (digit: string) => digit.repeat(64);
  const record = (id: string, change: Partial<EvidenceRecord> = {}): EvidenceRecord => ({
    id,
    kind: 'quote',
    report_id: 7,
    report_key: 'XETR_A_2024_SR',
    sha256: hash('a'),
    selector: { type: 'TextQuoteSelector', exact: 'We measured it twice.', prefix: '', suffix: '' },
    regions: [{ page: 3, label: null, rectangles: [] }],
    note: '',
    created_at: '2026-11-23T10:00:00Z',
    ...change,
  });
  const signal = new AbortController().signal;

  it('tells the same bytes, a newer version and what is not here apart, and reads each PDF once', async () => {
    const read: string[] = [];
    const pdfs: EvidencePdfs = {
      presentId: async (id) => (id === 11 ? 7 : undefined),
      here: async () => [
        { report_id: 7, sha256: hash('a'), path: 'a.pdf' },
        { report_id: 8, sha256: hash('b'), path: 'b.pdf' },
        { report_id: 9, sha256: hash('c'), path: 'c.pdf' },
        { report_id: 13, sha256: hash('f'), path: 'pointer.pdf', problem: 'A pointer.' },
      ],
      async text({ path }) {
        read.push(path);
        if (path === 'c.pdf') return { reason: 'It has no text.' };
        const more = path === 'a.pdf' ? [{ label: null, text: 'Contents' }] : [];
        return {
          pages: [{ label: 'i', text: 'Cover' }, ...more, { label: '1', text: 'We measured\nit twice.' }],
        };
      },
    };
    const gone = { type: 'TextQuoteSelector', exact: 'We never measured it.', prefix: '', suffix: '' } as const;
    const checked = await checkRecords(
      [
        record('same'),
        record('found', { report_id: 8, sha256: hash('e') }),
        record('gone', { report_id: 8, sha256: hash('e'), selector: gone }),
        record('scan', { report_id: 9, sha256: hash('e') }),
        record('pointer', { report_id: 13, sha256: hash('e') }),
        record('away', { report_id: 10, sha256: hash('d') }),
        // The same bytes under another report's id, as a merge of reports leaves them.
        record('merged', { report_id: 11 }),
        record('foreign', { report_id: 12 }),
        record('beyond', { regions: [{ page: 99_999, label: null, rectangles: [] }] }),
        record('invented', { selector: gone }),
        record('elsewhere', { regions: [{ page: 1, label: null, rectangles: [] }] }),
      ],
      pdfs,
      signal,
    );
    assert.deepEqual(
      checked.map(({ record: { id }, state, page, label, reason }) => [id, state, page, label, reason]),
      [
        ['same', 'same', 3, undefined, undefined],
        ['found', 'found', 2, '1', undefined],
        ['gone', 'gone', undefined, undefined, undefined],
        ['scan', 'ambiguous', undefined, undefined, 'It has no text.'],
        ['pointer', 'ambiguous', undefined, undefined, 'A pointer.'],
        ['away', 'not-here', undefined, undefined, undefined],
        ['merged', 'same', 3, undefined, undefined],
        ['foreign', 'ambiguous', undefined, undefined, 'This is the PDF of another report.'],
        ['beyond', 'ambiguous', undefined, undefined, 'The PDF has 3 pages, so it has no page 99999.'],
        ['invented', 'ambiguous', 3, undefined, 'These words are not on page 3 of this PDF.'],
        ['elsewhere', 'ambiguous', 1, undefined, 'These words are not on page 1 of this PDF.'],
      ],
    );
    assert.deepEqual(read, ['a.pdf', 'b.pdf', 'c.pdf']);
  });

  it('reads each newer PDF once, however many quotes and tables are of it', async () => {
    const { records, pdfs } = manyRecords(2000);
    const read: string[] = [];
    const counted: EvidencePdfs = {
      ...pdfs,
      text(pdf, ...rest) {
        read.push(pdf.path);
        return pdfs.text(pdf, ...rest);
      },
    };
    const checked = await checkRecords(records, counted, signal);
    const count = (kind: string, state: string) =>
      checked.filter((one) => one.record.kind === kind && one.state === state).length;
    assert.deepEqual([count('quote', 'found'), count('quote', 'gone')], [1600, 200]);
    assert.deepEqual([count('table', 'found'), count('table', 'gone')], [100, 100]);
    assert.equal(read.length, 40);
    assert.equal(new Set(read).size, 40);
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
    assert.match(reasonOf({ kind: 'without-text', sha256: 'a', bytes: 1, pages: 1 }, 'a') ?? '', /may be a scan/);
    assert.match(reasonOf({ kind: 'failed', sha256: 'a', reason: 'damaged' }, 'a') ?? '', /could not be read/);
  });
});
