import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/transport/errors.ts';
import { checkInputs } from '../../../../src/api/transport/inputs.ts';

function refusal(values: readonly string[]): ApiError['problem'] {
  try {
    checkInputs(values, 'key');
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.problem;
  }
  throw new Error('Nothing was refused.');
}

describe('texts that are to be sent', () => {
  it('are any of up to 1,000 characters', () => {
    checkInputs(['a', ' a ', '株式会社', '🌱', 'x'.repeat(1000)], 'key');
    checkInputs([], 'key');
  });

  it('are refused together, each by its place and with what is wrong with it', () => {
    const { kind, fields, cause, nextStep } = refusal(['', 'good', ' \t', 'x'.repeat(1001), 'a\u0000b', '\ud800']);
    assert.equal(kind, 'invalid');
    assert.deepEqual(
      fields?.map(({ field, message }) => `${field} ${message}`),
      [
        'key 1 is empty',
        'key 3 is empty',
        'key 4 is longer than 1000 characters',
        'key 5 contains invalid characters',
        'key 6 contains invalid characters',
      ],
    );
    assert.equal(cause, "5 keys can't be sent: key 1 is empty.");
    assert.equal(nextStep, 'Correct or remove them, then try again.');
  });

  it('one of which is refused are told so in the singular', () => {
    const { cause, nextStep } = refusal(['good', '']);
    assert.equal(cause, "One key can't be sent: key 2 is empty.");
    assert.equal(nextStep, 'Correct or remove it, then try again.');
  });
});
