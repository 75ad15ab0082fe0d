import assert from 'node:assert/strict';
import type { DictionaryField } from '../../../src/api/schemas/schemaDictionary.ts';
import { schemaView } from '../../../src/protocol/schemaView.ts';

const field = (column: string, changes: Partial<DictionaryField> = {}): DictionaryField => ({
  column,
  apiField: null,
  type: null,
  meaning: null,
  values: null,
  ...changes,
});
const read = (fields: readonly DictionaryField[], raw: unknown = {}) =>
  schemaView({ kind: 'read', dictionary: { version: 'V4', fields, raw } });

describe('the schema dictionary’s view', () => {
  it('shows the 50 built-in fields while the service is out of reach (COL-1)', () => {
    const view = schemaView({ kind: 'failed', message: 'The service could not be reached.' });
    const fields = view.groups.flatMap((group) => group.rows);
    assert.deepEqual(
      fields.map(({ number }) => number),
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    assert.equal(view.version, 'V3');
    assert.equal(view.source.tone, 'warning');
    assert.match(view.source.text, /The service could not be reached\./);
    assert.deepEqual(fields.find(({ column }) => column === 'std_gri')?.values, ['TRUE', 'FALSE', 'empty']);
  });

  it('puts the service’s words first and keeps the built-in ones where it gives none', () => {
    const view = read([field('GRI_level', { meaning: 'Theirs.', values: ['a', 'b'] })]);
    const known = view.groups.flatMap((group) => group.rows).find(({ column }) => column === 'gri_level');
    assert.deepEqual([known?.meaning, known?.type, known?.values], ['Theirs.', 'string', ['a', 'b']]);
    assert.equal(view.version, 'V4');
  });

  it('shows fields that the service added, as text', () => {
    const added = read([field('std_<b>tnfd\u202E')]).groups.at(-1);
    assert.equal(added?.id, 'added');
    assert.equal(added?.rows[0]?.column, 'std_<b>tnfd⟨U+202E⟩');
  });

  it('keeps an answer of an unreadable shape as JSON (META-1)', () => {
    const view = read([], { v: [1] });
    assert.deepEqual(JSON.parse(view.raw ?? ''), { v: [1] });
    assert.equal(view.groups.length, 3);
    assert.equal(read([], null).raw, 'null');
  });
});
