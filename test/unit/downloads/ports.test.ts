import assert from 'node:assert/strict';
import { callProblemOf } from '../../../src/api/schemas/problemDetails.ts';
import { BatchEnded, endings, failureOf, readFailureOf, StreamProblem } from '../../../src/downloads/ports.ts';
import { DiskProblem } from '../../../src/files/guard.ts';

const call = (problem: unknown) => Object.assign(new Error('https://files.example/?signature=secret'), { problem });
const problem = (kind: string) => ({ kind, cause: 'It was refused.', nextStep: 'Ask your desk.' });

describe('what ended a download', () => {
  it('is told by its cause and status, whatever was thrown', () => {
    const cases: readonly (readonly [error: unknown, cause: string, status: string])[] = [
      [call(problem('forbidden')), 'forbidden', 'not-entitled'],
      [call(problem('unauthorized')), 'unauthorized', 'failed'],
      [call(problem('temporary')), 'service', 'failed'],
      [new DiskProblem('foreign', 'There.'), 'foreign', 'failed'],
      [new DiskProblem('no-space', 'Full.'), 'no-space', 'failed'],
      [new DiskProblem('in-the-way', 'There.'), 'disk', 'failed'],
      [new StreamProblem('cut-short', 'It broke off.'), 'service', 'failed'],
      [new BatchEnded(endings.noFile()), 'no-file', 'no-file'],
      [new DOMException('gone', 'AbortError'), 'cancelled', 'cancelled'],
      [call(null), 'service', 'failed'],
      ['a text', 'service', 'failed'],
    ];
    for (const [error, cause, status] of cases) {
      const failure = failureOf(error);
      assert.deepEqual([failure.cause, failure.status], [cause, status], String(cause));
      assert.doesNotMatch(failure.reason, /signature|a text/);
    }
    assert.equal(failureOf(new Error('x'), AbortSignal.abort()).cause, 'cancelled');
    assert.equal(failureOf(call(problem('forbidden'))).reason, 'It was refused. Ask your desk.');
  });

  it('is a withdrawal where a report that was read is not found, and nowhere else', () => {
    assert.equal(readFailureOf(call(problem('not-found'))).cause, 'withdrawn');
    assert.equal(failureOf(call(problem('not-found'))).cause, 'service');
    assert.equal(readFailureOf(call(problem('temporary'))).cause, 'service');
  });

  it('is a problem of a call only when it says kind and cause', () => {
    assert.deepEqual(callProblemOf(call(problem('forbidden'))), problem('forbidden'));
    for (const odd of [null, undefined, 'text', 7, {}, { kind: 7, cause: '' }, { kind: 'forbidden' }]) {
      assert.equal(callProblemOf(call(odd)), undefined, JSON.stringify(odd));
    }
    assert.equal(callProblemOf({ problem: problem('forbidden') }), undefined);
    assert.equal(callProblemOf(new Error('plain')), undefined);
  });
});
