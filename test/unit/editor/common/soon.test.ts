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
