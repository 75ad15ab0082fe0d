import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { inLanes, Lanes } from '../../scripts/test/lanes.ts';
import { editorFiles, laneShares, shareOut } from '../../scripts/test/shares.ts';
import { add, line, none, type Tally } from '../../scripts/test/tally.ts';

describe('lanes of a test run', () => {
  it('work side by side, never more of them than asked for, and answer in the items’ order', async () => {
    let atOnce = 0;
    let most = 0;
    const lanes = new Lanes(2);
    const work = async (item: number) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      for (let turn = 0; turn < item; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      return item * 10;
    };
    assert.deepEqual(await inLanes([5, 1, 3, 2, 4], lanes, work), [50, 10, 30, 20, 40]);
    assert.equal(most, 2);
    await Promise.all([inLanes([4, 2], lanes, work), inLanes([1, 3], lanes, work)]);
    assert.equal(most, 2, 'two lists have more lanes than there are');
    assert.deepEqual(await inLanes([], lanes, work), []);
  });

  it('begin nothing after a failure, and pass it on once the others have ended', async () => {
    const begun: string[] = [];
    const ended: string[] = [];
    const work = async (item: string) => {
      begun.push(item);
      if (item === 'bad') throw new Error('It went wrong.');
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(item);
    };
    await assert.rejects(inLanes(['slow', 'bad', 'late'], new Lanes(2), work), /went wrong/);
    assert.deepEqual([begun, ended], [['slow', 'bad'], ['slow']]);
  });
});

describe('files of a test run', () => {
  const weights = new Map(Object.entries({ a: 3, b: 9, c: 4, d: 0, e: 0 }));

  it('are dealt out so that every share takes about as long, the longest first', () => {
    assert.deepEqual(shareOut(weights, 1), [['b', 'c', 'a', 'd', 'e']]);
    assert.deepEqual(shareOut(weights, 2), [
      ['b', 'e'],
      ['c', 'a', 'd'],
    ]);
    assert.deepEqual(shareOut(weights, 5), [['b'], ['c'], ['a'], ['d'], ['e']]);
    assert.deepEqual(shareOut(new Map([['a', 1]]), 2), [['a']]);
  });

  it('have a process each where they open an editor, the heaviest first, and share those of the lanes where not', () => {
    assert.deepEqual(laneShares(weights, new Set(['a', 'b']), 2), [['b'], ['c'], ['a'], ['d', 'e']]);
    assert.deepEqual(laneShares(weights, new Set(['d']), 2), [['b'], ['c', 'a', 'e'], ['d']]);
    assert.deepEqual(laneShares(weights, new Set(), 1), [['b', 'c', 'a', 'd', 'e']]);
    assert.deepEqual(laneShares(new Map([['a', 1]]), new Set(['a']), 2), [['a']]);
  });

  it('are known to open an editor by what they call', async () => {
    const [panels, window, signedIn] = ['focus', 'find', 'favorites'].map((name) => `test/browser/${name}.test.ts`);
    assert.ok(panels && window && signedIn);
    assert.deepEqual([...(await editorFiles([panels, window, signedIn]))], [window, signedIn]);
  });
});

describe('the last line of a test run', () => {
  it('is the one that .ci/run looks for, also where something was run once more', async () => {
    const wanted = /grep -E '(.+?)' /.exec(await readFile(new URL('../../.ci/run', import.meta.url), 'utf8'))?.[1];
    assert.ok(wanted);
    const once: Tally = { passed: 2, failed: 1, skipped: 0, retried: 1 };
    const total = [once, once, none].reduce(add);
    assert.equal(total.retried, 2);
    assert.equal(line(total), '4 passed, 2 failed, 0 skipped');
    assert.match(line(total), new RegExp(wanted));
  });
});
