import assert from 'node:assert/strict';
import germanWords from '../../../../l10n/bundle.l10n.de.json' with { type: 'json' };
import { l10n } from '../../../../src/base/l10n.ts';
import { unreadableProblem } from '../../../../src/editor/sync/autoSync.ts';

describe('Records that can’t be read', () => {
  const problem = (listed: number, quarantined: number) =>
    unreadableProblem({ totals: async () => ({ listed, gone: 0, companies: 1, quarantined }) });

  it('are told where they are more than those that can: the library must not look as if the license were empty', async () => {
    assert.match((await problem(0, 325)) ?? '', /^Records from the service that couldn’t be read: 325\./);
    assert.match((await problem(2, 3)) ?? '', /read: 3\./);
    assert.match((await problem(0, 1)) ?? '', /^Records from the service that couldn’t be read: 1\./);
    assert.equal(await problem(325, 3), null);
    assert.equal(await problem(0, 0), null);
  });

  it('are told in the reader’s language', async () => {
    l10n.speak('de', germanWords);
    try {
      assert.match((await problem(0, 1)) ?? '', /^Datensätze des Dienstes, .*: 1\./);
      assert.match((await problem(0, 325)) ?? '', /gelesen werden konnten: 325\./);
    } finally {
      l10n.speak('en');
    }
  });
});
