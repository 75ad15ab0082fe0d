import assert from 'node:assert/strict';
import { countingView, fieldUseView } from '../../../src/protocol/schemaView.ts';

const field = (filled: number, distinct: number | null, values: { value: string; count: number }[] = []) => {
  const view = fieldUseView(1000, [{ column: 'country', filled, distinct, values }]);
  assert.ok(view.kind === 'counted' && view.fields[0]);
  return view.fields[0];
};

describe('how columns are filled, in words', () => {
  it('says neither 0 % nor 100 % of what is only nearly so', () => {
    const said = [0, 1, 500, 999, 1000].map((filled) => field(filled, filled).filled);
    assert.deepEqual(said, ['0%', '< 1%', '50%', '> 99%', '100%']);
  });

  it('lists the values, and what there is beside them', () => {
    const values = [
      { value: 'Germany', count: 400 },
      { value: '\u202Eyawron', count: 2 },
    ];
    const { filled, values: told, others } = field(500, 9, values);
    assert.deepEqual([filled, others], ['50%', '7 more']);
    assert.deepEqual(told[1], { value: '⟨U+202E⟩yawron', count: '2' });
    assert.equal(field(402, 2, values).others, null);
    assert.equal(field(500, null).others, 'too many values to list');
    assert.equal(field(500, 500).others, 'different in every report');
    assert.equal(field(0, 0).others, null);
  });

  it('has counted an empty library at once', () => {
    assert.deepEqual(countingView(0, 0), { kind: 'counting', words: 'Counting 0 reports…', share: 1 });
  });
});
