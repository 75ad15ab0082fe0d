import assert from 'node:assert/strict';
import type { DictionaryField } from '../../../src/api/schemas/schemaDictionary.ts';
import { blocksText } from '../../../src/panels/asText.ts';
import {
  countedUse,
  countingUse,
  dictionaryBlocks,
  dictionaryGroups,
  type LiveDictionary,
} from '../../../src/panels/dictionary.ts';
import { blockOf, cellsOf } from '../../support/panels/blocks.ts';
import { countedLibrary } from '../../support/panels/fieldUse.ts';

const field = (column: string, changes: Partial<DictionaryField> = {}): DictionaryField => ({
  column,
  apiField: null,
  type: null,
  meaning: null,
  values: null,
  ...changes,
});
const read = (fields: readonly DictionaryField[], raw: unknown = {}): LiveDictionary => ({
  kind: 'read',
  dictionary: { version: 'V4', fields, raw },
});
const blocksOf = (live: LiveDictionary) => dictionaryBlocks(live, { kind: 'none' });

describe('the schema dictionary’s panel', () => {
  it('shows the 50 built-in fields while the service is out of reach (COL-1)', () => {
    const failed = { kind: 'failed', message: 'The service could not be reached.' } as const;
    const numbers = dictionaryGroups(failed).flatMap(({ fields }) => fields.map(({ number }) => number));
    assert.deepEqual(
      numbers,
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    const blocks = blocksOf(failed);
    assert.equal(blockOf(blocks, 'title').detail, 'V3');
    assert.match(JSON.stringify(blockOf(blocks, 'line')), /"icon":"warning".*could not be reached.*"act":"retry"/);
    assert.match(cellsOf(blocks, 'std_gri')[3] ?? '', /TRUE FALSE empty$/);
  });

  it('puts the service’s words first and keeps the built-in ones where it gives none', () => {
    const blocks = blocksOf(read([field('GRI_level', { meaning: 'Theirs.', values: ['a', 'b'] })]));
    assert.deepEqual(cellsOf(blocks, 'gri_level').slice(2, 4), ['gri_level string', 'Theirs. a b']);
    assert.equal(blockOf(blocks, 'title').detail, 'V4');
  });

  it('shows fields that the service added, as text', () => {
    const added = dictionaryGroups(read([field('std_<b>tnfd\u202E')])).at(-1);
    assert.deepEqual([added?.id, added?.fields[0]?.column], ['added', 'std_<b>tnfd⟨U+202E⟩']);
  });

  it('keeps an answer of an unreadable shape as JSON (META-1)', () => {
    const blocks = blocksOf(read([], { v: [1] }));
    assert.deepEqual(JSON.parse(blockOf(blocks, 'text').text), { v: [1] });
    assert.equal(dictionaryGroups(read([])).length, 3);
    assert.equal(blockOf(blocksOf(read([], null)), 'text').text, 'null');
  });

  it('is a table as text, with how the columns are filled', () => {
    const text = blocksText(dictionaryBlocks({ kind: 'reading' }, countedLibrary()));
    assert.match(text, /^\| 9 \| filesize File size \| report\\_filesize float \|.*\| \d+% \|$/m);
  });
});

describe('the values of a column', () => {
  const counted = (column: string, values: { value: string; count: number }[]) =>
    countedUse(10, [{ column, filled: 10, distinct: values.length, values }]);
  const meaning = (column: string, values: { value: string; count: number }[]) =>
    cellsOf(dictionaryBlocks({ kind: 'reading' }, counted(column, values)), column)[3] ?? '';

  it('say what their codes mean, and how often each occurs', () => {
    const types = meaning('type', [{ value: 'CGOV', count: 7 }]);
    assert.match(types, /SR Sustainability Report IR Integrated Report .*CGOV Corporate Governance Report 7 MSST/);
    assert.match(meaning('language', [{ value: 'de', count: 3 }]), /de German 3$/);
    assert.match(meaning('country', [{ value: 'Norway', count: 4 }]), /Norway 4$/);
  });

  it('are not listed where nearly every report has its own', () => {
    for (const column of ['title', 'pages', 'filesize', 'sha256'])
      assert.doesNotMatch(meaning(column, [{ value: '77', count: 2 }]), /77/);
  });
});

describe('how columns are filled, in words', () => {
  const used = (filled: number, distinct: number | null, values: { value: string; count: number }[] = []) => {
    const use = countedUse(1000, [{ column: 'country', filled, distinct, values }]);
    assert.ok(use.kind === 'counted' && use.fields[0]);
    return use.fields[0];
  };

  it('says neither 0 % nor 100 % of what is only nearly so', () => {
    const said = [0, 1, 500, 999, 1000].map((filled) => used(filled, filled).filled);
    assert.deepEqual(said, ['0%', '< 1%', '50%', '> 99%', '100%']);
  });

  it('lists the values, and what there is beside them', () => {
    const values = [
      { value: 'Germany', count: 400 },
      { value: '\u202Eyawron', count: 2 },
    ];
    const { filled, values: told, others } = used(500, 9, values);
    assert.deepEqual([filled, others], ['50%', '7 more']);
    assert.deepEqual(told[1], { value: '⟨U+202E⟩yawron', count: '2' });
    for (const [count, distinct, listed, said] of [
      [402, 2, values, null],
      [500, null, [], 'too many values to list'],
      [0, 0, [], null],
    ] as const)
      assert.equal(used(count, distinct, [...listed]).others, said);
  });

  it('has counted an empty library at once', () => {
    assert.deepEqual(countingUse(0, 0), { kind: 'counting', words: 'Counting 0 reports…', share: 1 });
  });
});
