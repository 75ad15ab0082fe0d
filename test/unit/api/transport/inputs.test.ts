import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/transport/errors.ts';
import { checkInputs } from '../../../../src/api/transport/inputs.ts';

function refusal(values: readonly string[]): ApiError['problem'] {
  try {
    checkInputs(values);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.problem;
  }
  throw new Error('Nothing was refused.');
}

describe('texts that are to be sent', () => {
  it('are any of up to 1,000 characters', () => {
    checkInputs(['a', ' a ', '株式会社', '🌱', 'x'.repeat(1000)]);
    checkInputs([]);
  });

  it('are refused together, each by its place and with what is wrong with it', () => {
    const { kind, fields, cause, nextStep } = refusal(['', 'good', ' \t', 'x'.repeat(1001), 'a\u0000b', '\ud800']);
    assert.equal(kind, 'invalid');
    assert.deepEqual(
      fields?.map(({ field, message }) => `${field} ${message}`),
      [
        'Entry 1 is empty',
        'Entry 3 is empty',
        'Entry 4 is longer than 1000 characters',
        'Entry 5 contains invalid characters',
        'Entry 6 contains invalid characters',
      ],
    );
    assert.equal(cause, "Entries that can't be sent: 5. Entry 1 is empty.");
    assert.equal(nextStep, 'Correct or remove the refused entries, then try again.');
  });

  it('one of which is refused are told so in the singular', () => {
    const { cause } = refusal(['good', '']);
    assert.equal(cause, "Entries that can't be sent: 1. Entry 2 is empty.");
  });
});
