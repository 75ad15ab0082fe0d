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

/** The next task, when it comes, and in what way that record and situation differ from a library at rest. */
type Case = readonly [expected: Task, when: string, record?: Partial<SyncRecord>, situation?: Partial<Situation>];

const read = { followed: true };
const lost = { cursor: null, since: null };
const cases: readonly Case[] = [
  ['begin-load', 'nothing was ever loaded', emptySyncRecord],
  ['resume-load', 'a load was interrupted', { phase: 'loading', walk: { ...walk, kind: 'first' } }],
  ['begin-load', 'a load was interrupted before its plan was stored', { phase: 'loading' }],
  ['follow', 'the library is loaded'],
  ['follow', 'the feed has not begun', { cursor: null }],
  ['done', 'the feed was read', {}, read],
  ['follow', 'a walk was interrupted', { walk }],
  ['resume-walk', 'a walk was interrupted, after the feed', { walk }, read],
  ['begin-walk', 'a walk is owed', { walkOwed: true }, read],
  ['begin-walk', 'a walk is due', { walkedAt: now - 7 * day }, read],
  ['begin-walk', 'no walk was ever made', { walkedAt: null }, read],
  ['begin-walk', 'the last walk lies in the future', { walkedAt: now + 9 * day }, read],
  ['done', 'walks are turned off', { walkedAt: null }, { ...read, fullWalkDays: 0 }],
  ['begin-walk', 'a walk is asked for', {}, { ...read, walkAsked: true }],
  ['done', 'a walk was made', {}, { ...read, walked: true, walkAsked: true }],
  ['follow', 'a walk found a new place in the feed', { cursor: null }, { walked: true }],
  ['done', 'a question waits', { question, walkOwed: true }, read],
  ['begin-walk', 'a question waits but a walk is asked for', { question }, { ...read, walkAsked: true }],
  ['begin-walk', 'the place in the feed is lost', lost],
  ['done', 'it is lost again after a walk', lost, { walked: true }],
];

describe('what the sync does next', () => {
  for (const [expected, when, record, situation] of cases) {
    it(`${expected} when ${when}`, () =>
      assert.equal(nextTask({ ...loaded, ...record }, { ...calm, ...situation }), expected));
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
