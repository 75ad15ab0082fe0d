import assert from 'node:assert/strict';
import { fieldUseSchema } from '../../../src/protocol/schema.ts';
import { countingView, fieldUseView, usedFieldText } from '../../../src/protocol/schemaView.ts';
import { countedLibrary } from '../../support/panels/fieldUse.ts';

const field = (filled: number, distinct: number | null, values: { value: string; count: number }[] = []) => {
  const view = fieldUseView(1000, [{ column: 'country', filled, distinct, values }], 'en');
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
    assert.equal(
      usedFieldText(field(500, 9, values)),
      'Filled in 50%. Occurs: Germany (400), ⟨U+202E⟩yawron (2), 7 more.',
    );
    assert.equal(usedFieldText(field(402, 2, values)), 'Filled in 40%. Occurs: Germany (400), ⟨U+202E⟩yawron (2).');
    assert.equal(field(500, null).others, 'too many values to list');
    assert.equal(field(500, 500).others, 'different in every report');
    assert.equal(usedFieldText(field(0, 0)), 'Filled in 0%.');
  });

  it('is understood by the page', () => {
    assert.ok(fieldUseSchema.safeParse(countedLibrary()).success);
    assert.deepEqual(countingView(0, 0, 'en'), { kind: 'counting', words: 'Counting 0 reports…', share: 1 });
  });
});
