import assert from 'node:assert/strict';
import { openInMemory } from './support/stores.ts';

describe(`kept answers`, () => {
  it('give way to a newer answer, and those before a time are dropped', () => {
    const store = openInMemory(() => 0);
    store.keepAnswers([{ question: 'a', at: 1000, answer: 'old' }], 0);
    store.keepAnswers([{ question: 'c', at: 1000, answer: 'dropped' }], 0);
    store.keepAnswers([{ question: 'a', at: 5000, answer: 'new' }], 2000);
    assert.deepEqual(store.answers(['a', 'c'], 0), [{ question: 'a', at: 5000, answer: 'new' }]);
    store.close();
  });

  it('take any text as a question, and thousands at once', () => {
    const store = openInMemory(() => 0);
    const odd = ['"', "'", '\\', 'Ä\u202E', '', '[1,2]', ...Array.from({ length: 5000 }, (_, index) => `q${index}`)];
    store.keepAnswers(
      odd.map((question, at) => ({ question, at, answer: question })),
      0,
    );
    const found = store.answers(odd, 0);
    assert.equal(found.length, odd.length);
    assert.ok(found.every(({ question, answer }) => question === answer));
    store.close();
  });
});
