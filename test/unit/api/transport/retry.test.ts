import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ApiError, type Problem } from '../../../../src/api/transport/errors.ts';
import { backoff, retrying } from '../../../../src/api/transport/service.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

function problem(more: Partial<Problem>): ApiError {
  return new ApiError({ kind: 'temporary', cause: 'Cause.', nextStep: 'Next.', ...more });
}

describe('backoff', () => {
  it('is drawn from 0 up to 0.5, 2, 8 and 30 s', () => {
    const almostOne = 1 - Number.EPSILON;
    assert.deepEqual(
      [1, 2, 3, 4, 9].map((attempt) => Math.round(backoff(attempt, () => almostOne))),
      [500, 2000, 8000, 30_000, 30_000],
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: almostOne, noNaN: true }),
        (attempt, drawn) => {
          const delay = backoff(attempt, () => drawn);
          assert.ok(delay >= 0 && delay <= 30_000);
        },
      ),
    );
  });
});

describe('retrying', () => {
  const setup = () => {
    const clock = new FakeClock();
    const waits: string[] = [];
    const logger = { ...silentLogger, info: (line: string) => void waits.push(line) };
    const options = { clock, random: () => 0.5, logger };
    let asked = 0;
    const run = (outcome: (attempt: number) => Error | string) =>
      retrying(
        async () => {
          const result = outcome(++asked);
          if (result instanceof Error) throw result;
          return result;
        },
        5,
        undefined,
        options,
      );
    return { clock, waits, run, asked: () => asked };
  };

  it('waits longer each time, tells it, and gives up after the fifth try', async () => {
    const { clock, waits, run, asked } = setup();
    const failure = problem({ status: 503 });
    const outcome = assert.rejects(
      run(() => failure),
      failure,
    );
    await clock.advance(60_000);
    await outcome;
    assert.equal(asked(), 5);
    assert.deepEqual(clock.slept, [250, 1000, 4000, 15_000]);
    assert.deepEqual(waits, [
      'Waiting 1 s: Cause.',
      'Waiting 1 s: Cause.',
      'Waiting 4 s: Cause.',
      'Waiting 15 s: Cause.',
    ]);
  });

  it('waits by itself when the time that the service named is over', async () => {
    const { clock, waits, run } = setup();
    const answer = run((attempt) => (attempt < 3 ? problem({ status: 503, retryAfter: 0 }) : 'answer'));
    await clock.advance(60_000);
    assert.equal(await answer, 'answer');
    assert.deepEqual(clock.slept, [250, 1000]);
    assert.equal(waits.length, 2);
  });
});
