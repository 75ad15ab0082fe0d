import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  accepted,
  countsOf,
  type EvidenceRecord,
  formatEvidence,
  mergeEvidence,
  noEvidence,
  noted,
  parseEvidence,
  resolveEvidence,
  union,
} from '../../../src/evidence/record.ts';

const hash = (digit: string) => digit.repeat(64);
const quote = (change: Partial<EvidenceRecord> = {}): EvidenceRecord => ({
  id: 'abcd1234',
  kind: 'quote',
  report_id: 7,
  report_key: 'XETR_A_2024_SR',
  sha256: hash('a'),
  selector: { type: 'TextQuoteSelector', exact: 'We measured it.', prefix: 'Before. ', suffix: ' After.' },
  regions: [{ page: 3, label: 'iii', rectangles: [[10, 20.5, 110.25, 32]] }],
  note: '',
  created_at: '2026-11-23T10:00:00.000Z',
  ...change,
});
const file = (...records: EvidenceRecord[]) => formatEvidence({ ...noEvidence, records });

const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
const records: fc.Arbitrary<EvidenceRecord[]> = fc.array(
  fc
    .record({
      id: fc.constantFrom('aaaa', 'bbbb', 'cccc', 'dddd-2'),
      report_id: fc.integer({ min: 1, max: 4 }),
      sha256: fc.constantFrom(hash('a'), hash('b')),
      page: fc.integer({ min: 1, max: 3 }),
      exact: texts,
      note: fc.constantFrom('', 'one', 'two'),
    })
    .map(({ page, exact, ...rest }) =>
      quote({
        ...rest,
        selector: { type: 'TextQuoteSelector', exact, prefix: '', suffix: '' },
        regions: [{ page, label: null, rectangles: [] }],
      }),
    ),
  { maxLength: 12 },
);
/** What a record says, whatever its id and note became. */
const said = ({ report_id, sha256, selector, regions }: EvidenceRecord) =>
  JSON.stringify([report_id, sha256, selector.exact, regions]);

describe('a file of evidence', () => {
  it('is not written larger than it is read, in bytes', () => {
    const exact = '数'.repeat(10_000);
    const all = Array.from({ length: 2200 }, (_, index) =>
      quote({ id: `id-${index}`, selector: { type: 'TextQuoteSelector', exact, prefix: '', suffix: '' } }),
    );
    assert.throws(() => file(...all), /would become too large/);
    assert.ok(file(...all.slice(0, 1000)).length > 10_000_000);
    assert.throws(() => formatEvidence({ ...noEvidence, unread: Array(50_001).fill(null) }), /at most 50000 quotes/);
  });

  it('comes back as it was written, whatever is in it and in whatever order', () => {
    fc.assert(
      fc.property(records, (given) => {
        const text = file(...given);
        assert.deepEqual(parseEvidence(text).records, union(given));
        assert.equal(formatEvidence(parseEvidence(text)), text);
        assert.equal(file(...parseEvidence(text).records.toReversed()), text);
      }),
    );
  });

  it('loses no record of either side in a merge, whichever side comes first, and again', () => {
    fc.assert(
      fc.property(records, records, (one, two) => {
        const merged = mergeEvidence(parseEvidence(file(...one)), parseEvidence(file(...two)));
        const kept = new Set(merged.records.map(said));
        for (const record of [...one, ...two]) assert.ok(kept.has(said(record)), said(record));
        assert.equal(new Set(merged.records.map(({ id }) => id)).size, merged.records.length);
        const other = mergeEvidence(parseEvidence(file(...two)), parseEvidence(file(...one)));
        assert.deepEqual(other.records.map(said), merged.records.map(said));
        const again = mergeEvidence(merged, merged);
        assert.deepEqual(again.records, merged.records);
      }),
    );
  });

  it('has a record a line, by report, first page and id', () => {
    const text = file(
      quote({ id: 'late', report_id: 9 }),
      quote({ id: 'zzzz' }),
      quote({ id: 'bbbb' }),
      quote({ id: 'cccc', regions: [{ page: 1, label: null, rectangles: [] }] }),
    );
    const lines = text.split('\n').filter((line) => line.startsWith('    {'));
    assert.deepEqual(
      lines.map((line) => /"id":"(\w+)"/.exec(line)?.[1]),
      ['cccc', 'bbbb', 'zzzz', 'late'],
    );
    assert.equal(file(), '{\n  "version": 1,\n  "evidence": []\n}\n');
  });

  it('tells a wrong entry, and keeps it and the members of other tools as they came', () => {
    const wrong = { id: 'abcd', kind: 'quote', mine: 1 };
    const { evidence, ...rest } = JSON.parse(file(quote({ tags: ['x'] }))) as { evidence: unknown[] };
    const text = JSON.stringify({ ...rest, made_by: 'someone', evidence: [wrong, ...evidence] });
    const read = parseEvidence(text);
    assert.equal(read.problems.length, 1);
    assert.match(read.problems[0] ?? '', /wrong entry 1: report_id/);
    const again = JSON.parse(formatEvidence(read)) as { made_by: string; evidence: Record<string, unknown>[] };
    assert.equal(again.made_by, 'someone');
    assert.deepEqual(again.evidence.at(-1), wrong);
    assert.deepEqual(again.evidence[0]?.tags, ['x']);
  });

  it('keeps the members of both that differ, in whichever order they are merged, and once however often', () => {
    const other = (members: object) => parseEvidence(JSON.stringify({ version: 1, evidence: [], ...members }));
    const [one, two] = [other({ made_by: 'A', mine: 1 }), other({ made_by: 'B', yours: [2] })];
    const merged = mergeEvidence(one, two);
    assert.deepEqual(merged.other, { made_by: 'A', 'made_by-2': 'B', mine: 1, yours: [2] });
    assert.deepEqual(mergeEvidence(two, one), merged);
    assert.deepEqual(mergeEvidence(merged, two), merged);
    assert.deepEqual(mergeEvidence(one, merged), merged);
  });

  it('refuses what is none, a newer version, and a conflict with its line', () => {
    assert.throws(() => parseEvidence('{'), /not valid JSON/);
    assert.throws(() => parseEvidence('[]'), /has no list/);
    assert.throws(() => parseEvidence('{"version":2,"evidence":[]}'), /version 2/);
    assert.throws(() => parseEvidence('{\n<<<<<<< ours\n'), { isConflict: true, message: /conflict in line 2/ });
    assert.throws(() => parseEvidence('{'), { isConflict: false });
  });

  it('joins the two sides of a conflict, also where a comma is off between them', () => {
    const [first, ours, theirs] = ['aaaa', 'bbbb', 'cccc'].map((id) => JSON.stringify(quote({ id })));
    const around = (middle: string) => `{\n  "version": 1,\n  "evidence": [\n    ${first},\n${middle}\n  ]\n}\n`;
    const conflict = around(
      `<<<<<<< HEAD\n    ${ours}\n||||||| base\n    {"old":1}\n=======\n    ${theirs}\n>>>>>>> branch`,
    );
    const ids = (text: string) => resolveEvidence(text).records.map(({ id }) => id);
    assert.deepEqual(ids(conflict), ['aaaa', 'bbbb', 'cccc']);
    assert.deepEqual(ids(conflict.replace(`${first},`, `${first}`)), ['aaaa', 'bbbb', 'cccc']);
    assert.deepEqual(ids(conflict.replace(/\n {2}\]/, '\n    ,\n  ]').replace('    ,\n', '')), [
      'aaaa',
      'bbbb',
      'cccc',
    ]);
    assert.deepEqual(ids(file(quote())), ['abcd1234']);
    const whole = `<<<<<<< HEAD\n${file(quote({ id: 'bbbb' }))}=======\n${file(quote({ id: 'cccc' }))}>>>>>>> branch\n`;
    assert.deepEqual(ids(whole), ['bbbb', 'cccc'], 'a conflict over all of the file');
  });

  it('is counted by quotes and tables', () => {
    const counts = (...kinds: EvidenceRecord['kind'][]) => countsOf(kinds.map((kind) => ({ kind })));
    assert.equal(counts('quote', 'table', 'quote'), '2 quotes, 1 table');
    assert.equal(counts('table', 'quote'), '1 quote, 1 table');
    assert.deepEqual([counts(), counts('table', 'table'), counts('quote')], ['0 quotes', '2 tables', '1 quote']);
  });

  it('joins notes on one quote, and lets the newer place that a person accepted win', () => {
    const mine = quote({ note: 'mine' });
    assert.deepEqual(
      union([quote({ note: 'yours' }), mine]).map(({ note }) => note),
      ['mine · yours'],
    );
    const newer = accepted(quote(), { sha256: hash('b'), page: 5, label: '5', rectangles: [] });
    const newest = accepted(newer, { sha256: hash('c'), page: 6, label: '6', rectangles: [] });
    for (const both of [
      [quote(), newer],
      [newer, quote()],
    ]) {
      const [record, ...more] = union(both);
      assert.equal(more.length, 0);
      assert.equal(record?.sha256, hash('b'));
      assert.deepEqual(record?.former?.[0]?.regions, quote().regions);
    }
    assert.deepEqual(
      union([newest, newer]).map(({ sha256 }) => sha256),
      [hash('c')],
    );
    const other = quote({ regions: [{ page: 1, label: null, rectangles: [] }] });
    const both = [quote(), other].map((one) =>
      accepted(one, { sha256: hash('b'), page: 5, label: '5', rectangles: [] }),
    );
    assert.equal(union(both).length, 2, 'what was quoted from two places stays two records');
  });

  it('loses no note: neither one that is part of the other, nor a long one, nor one that came meanwhile', () => {
    const notes = (...all: string[]) => union(all.map((note) => quote({ note }))).map(({ note }) => note);
    assert.deepEqual(notes('cost', 'at what cost?'), ['at what cost? · cost']);
    assert.deepEqual(notes('at what cost? · cost', 'cost'), ['at what cost? · cost']);
    assert.deepEqual(notes('b'.repeat(1500), 'a'.repeat(1500)), [`${'a'.repeat(1500)} · ${'b'.repeat(1500)}`]);
    assert.equal(noted(quote({ note: 'theirs' }), 'before', 'mine').note, 'mine · theirs');
    assert.equal(noted(quote({ note: 'before' }), 'before', '').note, '');
  });

  it('joins a record with the one that got another id before, and gives no third', () => {
    const page = (number: number) => [{ page: number, label: null, rectangles: [] }];
    const apart = union([quote({ regions: page(1) }), quote({ regions: page(2) })]);
    assert.equal(apart[0]?.id, 'abcd1234');
    assert.match(apart[1]?.id ?? '', /^abcd1234-[0-9a-f]{32}$/);
    assert.deepEqual(union([quote({ regions: page(2) }), ...apart]), apart, 'also where the first comes later');
    const again = union([...apart, quote({ regions: apart[1]?.regions ?? [], note: 'mine' })]);
    assert.deepEqual(again, [apart[0], { ...apart[1], note: 'mine' }]);
  });

  it('keeps what was accepted at several places, and gives the same ids in whatever order it is merged', () => {
    const other = quote({ regions: [{ page: 9, label: null, rectangles: [] }] });
    const places = [4, 5, 6].map((page) => accepted(other, { sha256: hash('b'), page, label: null, rectangles: [] }));
    const merged = union([quote(), ...places]);
    assert.equal(merged.length, 4);
    assert.equal(new Set(merged.map(({ id }) => id)).size, 4);
    for (const { id } of merged) assert.match(id, /^[a-z0-9-]{4,64}$/);
    assert.deepEqual(union([...places.toReversed(), quote()]), merged);
    assert.deepEqual(union([...merged, ...places, quote()]), merged);
    assert.deepEqual(union([...merged, other]), merged, 'the form before');
  });

  it('merges 10,000 records with 10,000 others, of which half are the same', () => {
    const many = (start: number) =>
      Array.from({ length: 10_000 }, (_, index) =>
        quote({ id: `id-${start + index}`, report_id: 1 + ((start + index) % 400) }),
      );
    const text = formatEvidence(mergeEvidence(parseEvidence(file(...many(0))), parseEvidence(file(...many(5000)))));
    assert.equal(parseEvidence(text).records.length, 15_000);
  });
});
