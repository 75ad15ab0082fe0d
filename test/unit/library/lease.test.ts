import assert from 'node:assert/strict';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { openInMemory } from './support/stores.ts';

describe('the lease of a library', () => {
  const minute = 60_000;
  const start = 1_700_000_000_000;
  let now: number;
  let store: LibraryStore;
  beforeEach(() => {
    now = start;
    store = openInMemory(() => now);
  });
  afterEach(() => store.close());

  it('is one window’s until its time is over, and its own window’s at any time', () => {
    assert.equal(store.acquireLease('one', minute), 1);
    now += minute - 1;
    assert.equal(store.acquireLease('other', minute), null);
    assert.equal(store.acquireLease('one', minute), 2);
    now += minute - 1;
    assert.equal(store.acquireLease('other', minute), null);
    now += 1;
    assert.equal(store.acquireLease('other', minute), 3);
  });

  it('lasts ten minutes at most, taken or renewed', () => {
    store.acquireLease('one', 60 * minute);
    now += 9 * minute;
    store.renewLease(1, 60 * minute);
    now += 10 * minute - 1;
    assert.equal(store.acquireLease('other', minute), null);
    now += 1;
    assert.equal(store.acquireLease('other', 60 * minute), 2);
    now += 9 * minute;
    store.renewLease(2, minute);
    now += minute;
    assert.equal(store.acquireLease('one', minute), 3);
  });

  it('that ends further off than any lease lasts is not believed: the clock was set back', () => {
    store.acquireLease('one', minute);
    now = start - 9 * minute;
    assert.equal(store.acquireLease('other', minute), null, 'ten minutes off may be true');
    now = start - 9 * minute - 1;
    assert.equal(store.acquireLease('other', minute), 2);
  });

  it('that another window took is neither renewed nor given back by the former one', () => {
    store.acquireLease('one', minute);
    now += minute;
    store.acquireLease('other', minute);
    assert.throws(() => store.renewLease(1, minute), { problem: 'lease-lost' });
    store.releaseLease(1);
    assert.equal(store.acquireLease('one', minute), null);
    store.releaseLease(2);
    assert.equal(store.acquireLease('one', minute), 3);
  });
});
