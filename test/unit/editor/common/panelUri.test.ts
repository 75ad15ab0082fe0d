import assert from 'node:assert/strict';
import { panelKey, panelUri } from '../../../../src/editor/common/panelUri.ts';

const half = '\ud83d';

describe('the address of a panel', () => {
  it('takes a company’s key that holds half a character', () => {
    const uri = panelUri({ kind: 'company', companyKey: `A${half}B` }, 'A');
    assert.deepEqual(panelKey(uri), { kind: 'company', companyKey: 'A\ufffdB' });
  });

  it('takes a name that holds half a character, and one that is cut in the middle of a character', () => {
    for (const name of [`A${half}B`, `${'a'.repeat(499)}📄`]) {
      const uri = panelUri({ kind: 'report', reportId: 5 }, name);
      assert.ok(uri.path.isWellFormed(), uri.path);
      assert.deepEqual(panelKey(uri), { kind: 'report', reportId: 5 });
    }
  });
});
