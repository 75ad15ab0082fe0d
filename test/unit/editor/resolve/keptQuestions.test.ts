import assert from 'node:assert/strict';
import { type AnswerStore, type Asking, answerLife, askKept } from '../../../../src/editor/resolve/ask.ts';
import { openInMemory } from '../../library/support/stores.ts';

interface Answer {
  readonly to: string;
}

function setUp() {
  const memory = openInMemory();
  const store: AnswerStore = {
    answers: async (questions, since) => memory.answers(questions, since),
    keepAnswers: async (answers, since) => memory.keepAnswers(answers, since),
  };
  const clock = { time: 1_000_000, now: () => clock.time };
  const calls: (readonly string[])[] = [];
  const asking: Asking<string, Answer> = {
    nameOf: (question) => `test\n${question}`,
    size: 3,
    async ask(batch) {
      calls.push(batch);
      return batch.map((to) => ({ to }));
    },
    write: (answer) => answer,
    read: (raw) => (typeof (raw as Answer | null)?.to === 'string' ? (raw as Answer) : null),
  };
  return { memory, store, clock, calls, asking };
}

describe('Questions whose answers are kept', () => {
  it('are asked once each, in calls of the size the service takes, and answered in input order', async () => {
    const { store, clock, calls, asking } = setUp();
    const asked = await askKept(['a', 'b', 'a', 'c', 'd', 'b'], asking, { store, clock });
    assert.deepEqual(calls, [['a', 'b', 'c'], ['d']]);
    assert.deepEqual(
      asked.answers.map(({ to }) => to),
      ['a', 'b', 'a', 'c', 'd', 'b'],
    );
    assert.deepEqual([asked.distinct, asked.kept, asked.requests, asked.oldest], [4, 0, 2, null]);
  });

  it('cost nothing again for a day, and then are asked again', async () => {
    const { store, clock, calls, asking } = setUp();
    await askKept(['a', 'b'], asking, { store, clock });
    clock.time += answerLife - 1;
    const again = await askKept(['b', 'c'], asking, { store, clock });
    assert.deepEqual([again.kept, again.requests, again.oldest], [1, 1, 1_000_000]);
    assert.deepEqual(calls.at(-1), ['c']);
    clock.time += 1;
    assert.equal((await askKept(['b'], asking, { store, clock })).requests, 1);
  });

  it('are asked again when a person wants to know anew', async () => {
    const { store, clock, calls, asking } = setUp();
    await askKept(['a'], asking, { store, clock });
    assert.equal((await askKept(['a'], asking, { store, clock, fresh: true })).requests, 1);
    assert.equal(calls.length, 2);
  });

  it('are asked again when what is kept is from a time to come, or can’t be understood', async () => {
    const { memory, store, clock, asking } = setUp();
    const at = clock.time;
    memory.keepAnswers([{ question: 'test\na', at: at + 5, answer: '{"to":"a"}' }], 0);
    memory.keepAnswers([{ question: 'test\nb', at, answer: '{"to":' }], 0);
    memory.keepAnswers([{ question: 'test\nc', at, answer: '{"from":1}' }], 0);
    assert.equal((await askKept(['a', 'b', 'c'], asking, { store, clock })).kept, 0);
  });

  it('go on after a cancel where it stopped', async () => {
    const { store, clock, calls, asking } = setUp();
    const controller = new AbortController();
    const questions = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const onProgress = (done: number) => done === 3 && controller.abort();
    await assert.rejects(askKept(questions, asking, { store, clock, signal: controller.signal, onProgress }), {
      name: 'AbortError',
    });
    assert.equal(calls.length, 1);
    const rest = await askKept(questions, asking, { store, clock });
    assert.deepEqual([rest.kept, rest.requests], [3, 2]);
  });

  it('tell how far they are', async () => {
    const { store, clock, asking } = setUp();
    const told: string[] = [];
    await askKept(['a', 'b', 'c', 'd'], asking, {
      store,
      clock,
      onProgress: (done, total) => told.push(`${done}/${total}`),
    });
    assert.deepEqual(told, ['0/4', '3/4', '4/4']);
  });

  it('are never half answered', async () => {
    const { store, clock, asking } = setUp();
    await assert.rejects(
      askKept(['a', 'b'], { ...asking, ask: async () => [{ to: 'a' }] }, { store, clock }),
      /incomplete/,
    );
  });
});
