import assert from 'node:assert/strict';
import {
  decideSweep,
  isoTime,
  nextChain,
  nextTask,
  type Situation,
  startAfterRefusal,
  type Task,
} from '../../../../src/library/sync/decisions.ts';
import {
  type Chain,
  emptySyncRecord,
  laterTime,
  readSyncRecord,
  type SyncRecord,
} from '../../../../src/library/sync/syncRecord.ts';

const now = Date.parse('2026-03-10T00:00:00Z');
const day = 86_400_000;
const calm: Situation = { now, fullWalkDays: 7, followed: false, walked: false, walkAsked: false };
const loaded: SyncRecord = { ...emptySyncRecord, phase: 'following', since: 's', cursor: 'c', walkedAt: now - day };
const walk = { kind: 'full', startedAt: now, watchlist: true, unreadable: 0 } as const;
const question = { kind: 'many-missing', missing: 9, held: 10, askedAt: now } as const;

interface Case {
  readonly when: string;
  readonly record: SyncRecord;
  readonly situation?: Partial<Situation>;
  readonly expected: Task;
}

const cases: readonly Case[] = [
  { when: 'nothing was ever loaded', record: emptySyncRecord, expected: 'begin-load' },
  {
    when: 'a load was interrupted',
    record: { ...loaded, phase: 'loading', walk: { ...walk, kind: 'first' } },
    expected: 'resume-load',
  },
  {
    when: 'a load was interrupted before its plan was stored',
    record: { ...loaded, phase: 'loading' },
    expected: 'begin-load',
  },
  { when: 'the library is loaded', record: loaded, expected: 'follow' },
  { when: 'the feed has not begun', record: { ...loaded, cursor: null }, expected: 'follow' },
  { when: 'the feed was read', record: loaded, situation: { followed: true }, expected: 'done' },
  { when: 'a walk was interrupted', record: { ...loaded, walk }, expected: 'follow' },
  {
    when: 'a walk was interrupted, after the feed',
    record: { ...loaded, walk },
    situation: { followed: true },
    expected: 'resume-walk',
  },
  {
    when: 'a walk is owed',
    record: { ...loaded, walkOwed: true },
    situation: { followed: true },
    expected: 'begin-walk',
  },
  {
    when: 'a walk is due',
    record: { ...loaded, walkedAt: now - 7 * day },
    situation: { followed: true },
    expected: 'begin-walk',
  },
  {
    when: 'no walk was ever made',
    record: { ...loaded, walkedAt: null },
    situation: { followed: true },
    expected: 'begin-walk',
  },
  {
    when: 'the last walk lies in the future',
    record: { ...loaded, walkedAt: now + 9 * day },
    situation: { followed: true },
    expected: 'begin-walk',
  },
  {
    when: 'walks are turned off',
    record: { ...loaded, walkedAt: null },
    situation: { followed: true, fullWalkDays: 0 },
    expected: 'done',
  },
  {
    when: 'a walk is asked for',
    record: loaded,
    situation: { followed: true, walkAsked: true },
    expected: 'begin-walk',
  },
  {
    when: 'a walk was made',
    record: loaded,
    situation: { followed: true, walked: true, walkAsked: true },
    expected: 'done',
  },
  {
    when: 'a walk found a new place in the feed',
    record: { ...loaded, cursor: null },
    situation: { walked: true },
    expected: 'follow',
  },
  {
    when: 'a question waits',
    record: { ...loaded, question, walkOwed: true },
    situation: { followed: true },
    expected: 'done',
  },
  {
    when: 'a question waits but a walk is asked for',
    record: { ...loaded, question },
    situation: { followed: true, walkAsked: true },
    expected: 'begin-walk',
  },
  { when: 'the place in the feed is lost', record: { ...loaded, cursor: null, since: null }, expected: 'begin-walk' },
  {
    when: 'it is lost again after a walk',
    record: { ...loaded, cursor: null, since: null },
    situation: { walked: true },
    expected: 'done',
  },
];

describe('what the sync does next', () => {
  for (const { when, record, situation, expected } of cases) {
    it(`${expected} when ${when}`, () => assert.equal(nextTask(record, { ...calm, ...situation }), expected));
  }
});

describe('where the feed goes on after a refusal', () => {
  it('is an hour before the last known change', () => {
    const record = { lastChangedAt: '2026-03-09T12:30:00.500Z', since: '2026-01-01T00:00:00Z' };
    assert.equal(startAfterRefusal(record), '2026-03-09T11:30:00Z');
  });

  it('is where the load began when no change is known or its time is none', () => {
    assert.equal(startAfterRefusal({ lastChangedAt: null, since: 's' }), 's');
    assert.equal(startAfterRefusal({ lastChangedAt: 'soon', since: 's' }), 's');
  });

  it('is written as the interface writes times', () => assert.equal(isoTime(1_999), '1970-01-01T00:00:01Z'));
});

describe('the sweep of a full walk', () => {
  it('removes up to a tenth of what is held, and asks beyond', () => {
    assert.equal(decideSweep({ missing: 0, held: 0 }, 0), 'remove');
    assert.equal(decideSweep({ missing: 10, held: 100 }, 0), 'remove');
    assert.equal(decideSweep({ missing: 11, held: 100 }, 0), 'many-missing');
    assert.equal(decideSweep({ missing: 1, held: 1 }, 0), 'many-missing');
  });

  it('asks when records came that could be the missing ones', () => {
    assert.equal(decideSweep({ missing: 1, held: 100 }, 1), 'unreadable-records');
    assert.equal(decideSweep({ missing: 0, held: 100 }, 1), 'remove');
  });
});

describe('the next chain', () => {
  const chain = (id: number, pages: number, done = false): Chain => ({
    id,
    filter: {},
    cursor: null,
    done,
    pages,
    reports: 0,
  });

  it('is the one that is furthest behind, and neither done nor waiting', () => {
    const chains = [chain(1, 3), chain(2, 1, true), chain(3, 2), chain(4, 2), chain(5, 1)];
    assert.equal(nextChain(chains, new Set([5]))?.id, 3);
    assert.equal(nextChain(chains, new Set([1, 3, 4, 5])), null);
    assert.equal(nextChain([], new Set()), null);
  });
});

describe('what is remembered of a sync', () => {
  it('reads a record of another version, or none at all', () => {
    assert.deepEqual(readSyncRecord(null), emptySyncRecord);
    assert.equal(readSyncRecord({ phase: 'following', cursor: 'c', later: 1 }).cursor, 'c');
    assert.equal(readSyncRecord({ phase: 'following' }).question, null);
  });

  it('takes the later of two times and no text that is none', () => {
    assert.equal(laterTime(null, '2026-01-01T00:00:00Z'), '2026-01-01T00:00:00Z');
    assert.equal(laterTime('2026-01-01T00:00:00Z', 'x'), '2026-01-01T00:00:00Z');
    assert.equal(laterTime('2026-01-01T00:00:00Z', '2026-01-01T01:00:00+02:00'), '2026-01-01T00:00:00Z');
    assert.equal(laterTime('x', null), null);
  });
});
