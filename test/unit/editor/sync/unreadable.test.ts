import assert from 'node:assert/strict';
import { unreadableProblem } from '../../../../src/editor/sync/autoSync.ts';

describe('Records that can’t be read', () => {
  const problem = (listed: number, quarantined: number) =>
    unreadableProblem({ totals: async () => ({ listed, gone: 0, companies: 1, quarantined }) });

  it('are told where they are more than those that can: the library must not look as if the licence were empty', async () => {
    assert.match((await problem(0, 325)) ?? '', /^325 records from the service couldn’t be read/);
    assert.match((await problem(2, 3)) ?? '', /^3 records/);
    assert.equal(await problem(325, 3), null);
    assert.equal(await problem(0, 0), null);
  });
});
