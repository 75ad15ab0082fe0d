import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  beyond,
  type Favourite,
  favourite,
  formatList,
  joined,
  ListProblem,
  nameOf,
  parseList,
  undone,
} from '../../../src/favourites/list.ts';

const company = (company_key: string, note = '', ...tags: string[]) => favourite({ company_key }, { note, tags });
const report = (company_key: string, report_id: number, note = '', ...tags: string[]) =>
  favourite({ company_key, report_id }, { note, tags }, `${company_key}_2024_SR`);
const read = (value: unknown) =>
  parseList(typeof value === 'string' ? value : JSON.stringify(value), 'reports.list.json');

const keys = fc.constantFrom('XETR_A', 'XETR_B', 'UNLT_Ü', '__proto__');
const texts = fc.string({ unit: 'binary', maxLength: 60 });
const favourites: fc.Arbitrary<Favourite[]> = fc.array(
  fc
    .tuple(keys, fc.option(fc.integer({ min: 1, max: 9 })), texts, fc.array(texts, { maxLength: 4 }))
    .map(([company_key, report_id, note, tags]) => favourite({ company_key, report_id }, { note, tags }, 'KEY')),
);

describe('a list of favourites', () => {
  it('comes back as it was written, whatever is in it', () => {
    fc.assert(
      fc.property(favourites, (given) => {
        const items = joined(given);
        const text = formatList(given, 'list');
        assert.deepEqual(read(text), items);
        assert.equal(formatList(read(text).toReversed(), 'list'), text);
      }),
    );
  });

  it('has an entry a line, a company before its reports, in one order on every machine', () => {
    const text = formatList(
      [report('XETR_B', 7), report('XETR_A', 30), report('XETR_A', 4, 'n', 'b', 'a'), company('XETR_B')],
      'list',
    );
    assert.equal(
      text,
      `{
  "version": 1,
  "items": [
    {"company_key":"XETR_A","report_id":4,"report_key":"XETR_A_2024_SR","tags":["a","b"],"note":"n"},
    {"company_key":"XETR_A","report_id":30,"report_key":"XETR_A_2024_SR","tags":[],"note":""},
    {"company_key":"XETR_B","report_id":null,"report_key":null,"tags":[],"note":""},
    {"company_key":"XETR_B","report_id":7,"report_key":"XETR_B_2024_SR","tags":[],"note":""}
  ]
}
`,
    );
    assert.equal(formatList([], 'list'), '{\n  "version": 1,\n  "items": []\n}\n');
  });

  it('keeps notes on one line and tags each once, without what can’t be seen', () => {
    const [item] = read({
      version: 1,
      items: [{ company_key: 'A', note: ' two\nlines\u202e ', tags: ['#b', 'b', 'a, c', '\u0000', 'x'.repeat(99)] }],
    });
    assert.equal(item?.note, 'two lines');
    assert.deepEqual(item?.tags, ['a', 'b', 'c', `${'x'.repeat(39)}…`]);
    assert.deepEqual([item?.report_id, item?.report_key], [null, null]);
  });

  it('joins what stands in it twice: the tags of both, and both notes', () => {
    const twice = [company('A', 'mine', 'x'), company('A', 'theirs', 'y'), company('A', '', 'z')];
    assert.deepEqual(joined(twice), [company('A', 'mine · theirs', 'x', 'y', 'z')]);
    assert.deepEqual(joined(twice, 'keep'), [company('A', 'mine', 'x', 'y', 'z')]);
    assert.deepEqual(joined([company('A'), company('A', 'theirs')], 'keep'), [company('A', 'theirs')]);
    assert.notEqual(nameOf(company('7')), nameOf(report('7', 7)));
  });

  const line = '{"company_key":"A"}';
  const hostile: readonly [string, unknown, RegExp][] = [
    [
      'a merge conflict',
      `{\n "version": 1,\n "items": [\n<<<<<<< ours\n${line}\n=======\n>>>>>>> theirs\n]}`,
      /merge conflict in line 4/,
    ],
    ['no JSON', '{"version": 1', /not valid JSON/],
    ['something else', [1, 2], /not a list/],
    ['nothing', 'null', /not a list/],
    ['no items', { version: 1, items: { length: 3 } }, /not a list/],
    ['a newer version', { version: 2, items: [] }, /has version 2/],
    ['an entry that is none', { version: 1, items: [{ company_key: 'A' }, null] }, /wrong entry 2: the entry/],
    ['an entry without a company', { version: 1, items: [{ report_id: 5 }] }, /wrong entry 1: company_key/],
    ['an id that is none', { version: 1, items: [{ company_key: 'A', report_id: 1.5 }] }, /wrong entry 1: report_id/],
    ['an id as a path', { version: 1, items: [{ company_key: 'A', report_id: '../1' }] }, /wrong entry 1: report_id/],
    ['tags that are none', { version: 1, items: [{ company_key: 'A', tags: [{}] }] }, /wrong entry 1: tags/],
    ['a key without end', { version: 1, items: [{ company_key: 'A'.repeat(501) }] }, /wrong entry 1: company_key/],
    ['too many entries', `{"version":1,"items":[${Array(50_001).fill(line).join()}]}`, /at most 50000/],
    ['too much text', `"${'x'.repeat(16_000_001)}"`, /larger than 16 MB/],
    ['brackets without end', '['.repeat(1_000_000), /not valid JSON/],
  ];
  for (const [what, value, message] of hostile) {
    it(`is refused in plain words for ${what}`, () => {
      assert.throws(
        () => read(value),
        (error) => error instanceof ListProblem && message.test(error.message) && error.message.length < 300,
      );
    });
  }

  it('loses nothing that others wrote when mine is added to it', () => {
    const theirs = [company('A', 'team', 'audit'), company('B', 'same', 'x'), company('C')];
    const mine = [company('A'), company('B', 'same', 'x', 'y')];
    assert.deepEqual(beyond(theirs, mine), [company('A', 'team', 'audit'), company('C')]);
    assert.deepEqual(beyond([company('A', '', 'x')], [company('A', 'n')]), [company('A', '', 'x')]);
    assert.deepEqual(beyond([company('A', 'other')], [company('A', 'n')]), [company('A', 'other')]);
    assert.deepEqual(joined([...mine, ...theirs], 'keep'), [
      company('A', 'team', 'audit'),
      company('B', 'same', 'x', 'y'),
      company('C'),
    ]);
  });

  it('goes back to what it was, but for what was changed since', () => {
    const before = [company('A', 'mine')];
    const left = [company('A', 'mine', 'theirs'), company('B'), company('C'), company('D')];
    const now = [company('A', 'mine', 'theirs'), company('B', 'written since'), company('C'), company('Z')];
    assert.deepEqual(undone(now, left, before), [company('A', 'mine'), company('B', 'written since'), company('Z')]);
  });

  it('is not written when it could not be read again', () => {
    const isRefused = (work: () => unknown, words: RegExp) =>
      assert.throws(work, (error) => error instanceof ListProblem && words.test(error.message));
    isRefused(() => company('A'.repeat(501)), /longer than 500/);
    isRefused(() => company(''), /can’t be kept/);
    const long = favourite({ company_key: 'A'.repeat(500), report_id: 1 }, { note: '', tags: [] }, 'K'.repeat(501));
    assert.equal(long.report_key, null);
    assert.deepEqual(read(formatList([long], 'list')), [long]);
    const many = Array.from({ length: 49_000 }, (_, index) => company(`C${index}`, 'n'.repeat(300)));
    isRefused(() => formatList(many, 'list'), /larger than 16 MB, so nothing was changed/);
  });

  it('changes nothing but itself, whatever its members are called', () => {
    const text =
      '{"version":1,"items":[{"company_key":"__proto__","__proto__":{"polluted":1},"note":"x"}],"__proto__":{"a":1}}';
    assert.deepEqual(read(text), [company('__proto__', 'x')]);
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  });

  it('is what the editor’s schema describes', () => {
    const schema = JSON.parse(readFileSync('media/list.schema.json', 'utf8'));
    const { properties, required } = schema.properties.items.items;
    const { items } = JSON.parse(formatList([report('A', 1)], 'list'));
    assert.deepEqual(Object.keys(properties), Object.keys(items[0]));
    assert.deepEqual(required, ['company_key']);
    assert.throws(() => read({ version: 1, items: Array(schema.properties.items.maxItems + 1).fill(items[0]) }));
  });

  it('of 10,000 entries takes no noticeable time', () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      report(`XETR_${index % 800}`, index + 1, `note ${index}`, 'a'),
    );
    const start = performance.now();
    assert.equal(read(formatList(many, 'list')).length, 10_000);
    assert.ok(performance.now() - start < 1_000, `${performance.now() - start} ms`);
  });
});
