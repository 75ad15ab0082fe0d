import assert from 'node:assert/strict';
import { Soon } from '../../../../src/editor/common/soon.ts';

describe('what is done soon', () => {
  it('is done once after several reasons, and again after a later one', async () => {
    let runs = 0;
    let told = (): void => undefined;
    const soon = new Soon(async () => {
      runs++;
      told();
    });
    const next = () =>
      new Promise<void>((resolve) => {
        told = resolve;
      });
    for (const expected of [1, 2]) {
      const done = next();
      for (let reason = 0; reason < 5; reason++) soon.ask();
      await done;
      assert.equal(runs, expected);
    }
    soon.dispose();
  });

  it('is done less often where it takes long, but never later than it may', async () => {
    const waits: (number | undefined)[] = [];
    const { setTimeout: usual } = globalThis;
    const { now } = performance;
    let time = 0;
    let go = (): void => undefined;
    try {
      performance.now = () => time;
      globalThis.setTimeout = ((run: () => void, wait?: number) => {
        waits.push(wait);
        go = run;
      }) as unknown as typeof setTimeout;
      for (const soon of [new Soon(takesASecond), new Soon(takesASecond, 1_500)]) {
        soon.ask();
        go();
        await Promise.resolve();
        soon.ask();
      }
    } finally {
      Object.assign(globalThis, { setTimeout: usual });
      performance.now = now;
    }
    assert.deepEqual(waits, [300, 10_000, 300, 1_500]);

    async function takesASecond() {
      time += 1_000;
    }
  });

  it('is not done after its end', async () => {
    const soon = new Soon(async () => assert.fail('done after its end'));
    soon.ask();
    soon.dispose();
    const other = await new Promise<string>((resolve) => {
      const later = new Soon(async () => resolve('later'));
      later.ask();
    });
    assert.equal(other, 'later');
  });
});
