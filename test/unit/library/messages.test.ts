import assert from 'node:assert/strict';
import { emptyAnswers, librarySide, writes } from '../../../src/library/messages.ts';
import { openInMemory } from './support/stores.ts';

describe('the calls of the library’s thread', () => {
  it('are all methods of a library, each of which either reads or writes', () => {
    const store = openInMemory();
    const own = ['status', 'file', 'poll', 'recordsAside', 'applyListPage', 'applyFeedPage'];
    const methods = Object.keys(store).filter((name) => !own.includes(name));
    assert.deepEqual(Object.keys(librarySide.calls).toSorted(), methods.toSorted());
    assert.deepEqual([...Object.keys(emptyAnswers), ...writes, 'close'].toSorted(), methods.toSorted());
    store.close();
  });
});
