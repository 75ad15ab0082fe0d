import assert from 'node:assert/strict';
import { type EvidenceRecord, formatEvidence, mergeEvidence, parseEvidence } from '../../../src/evidence/record.ts';

const quote = (change: Partial<EvidenceRecord>): EvidenceRecord => ({
  id: 'abcd1234',
  kind: 'quote',
  report_id: 7,
  report_key: 'XETR_A_2024_SR',
  sha256: 'a'.repeat(64),
  selector: { type: 'TextQuoteSelector', exact: 'We measured it.', prefix: '', suffix: '' },
  regions: [{ page: 3, label: 'iii', rectangles: [] }],
  note: '',
  created_at: '2026-11-23T10:00:00.000Z',
  ...change,
});
const count = 4000;
const many = (change: (index: number) => Partial<EvidenceRecord>) =>
  JSON.stringify({ version: 1, evidence: Array.from({ length: count }, (_, index) => quote(change(index))) });
const page = (index: number) => [{ page: index + 1, label: null, rectangles: [] }];
const textOf = (value: unknown) => JSON.stringify(value);
const step = (index: number) => ({ sha256: 'b'.repeat(64), regions: page(index) });

describe('a file of evidence that someone made to block the window', () => {
  const files: Readonly<Record<string, (index: number) => Partial<EvidenceRecord>>> = {
    'records that differ': (index) => ({ regions: page(index) }),
    'notes that have no room together': (index) => ({ note: `${index} ${'n'.repeat(1500)}` }),
    'short notes': (index) => ({ note: `${index}` }),
    'newer places of one record': (index) => ({ regions: page(index), former: index === 0 ? undefined : [step(0)] }),
    'places that are one chain': (index) => ({ former: Array.from({ length: index % 40 }, (_, at) => step(at)) }),
  };
  for (const [name, change] of Object.entries(files))
    it(`is read in a moment with ${count} ${name} under one id, and loses none`, () => {
      const text = many(change);
      const begun = process.cpuUsage();
      const read = parseEvidence(text);
      const merged = mergeEvidence(read, parseEvidence(text));
      const worked = process.cpuUsage(begun).user / 1000;
      assert.deepEqual(merged, read);
      assert.equal(parseEvidence(formatEvidence(read)).records.length, read.records.length);
      const notes = new Set(read.records.flatMap((record) => record.note.split(' · ')));
      const places = new Set(
        read.records.flatMap(({ regions, former = [] }) => [regions, ...former.map((one) => one.regions)]).map(textOf),
      );
      for (let index = 0; index < count; index += 1) {
        const { note, regions } = quote(change(index));
        assert.ok(notes.has(note) && places.has(textOf(regions)), `${name} ${index}`);
      }
      assert.ok(worked < 5000, `${worked} ms`);
    });

  it('is refused when its lists are deeper than any of ours', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const text of [
      `{"version":1,"evidence":[${deep}]}`,
      `{"version":1,"mine":${deep},"evidence":[]}`,
      many(() => ({})).replace('"note":""', `"note":"","mine":${deep}`),
    ])
      assert.throws(() => parseEvidence(text), /is too large, so it is not read/);
  });
});
