import assert from 'node:assert/strict';
import { wantedByFilter } from '../../../src/cli/download.ts';
import { report } from '../downloads/fixtures.ts';

describe('the reports of a filter', () => {
  it('are in memory as ids, but for the first few hundred', async () => {
    const page = (first: number) => Array.from({ length: 200 }, (_, index) => report({ report_id: first + index }));
    const client = {
      async *reports() {
        for (let first = 1; first < 1200; first += 200) yield { data: page(first) };
      },
    } as unknown as Parameters<typeof wantedByFilter>[0];
    const wanted = await wantedByFilter(client, {}, new AbortController().signal);
    assert.deepEqual(
      wanted.map((one) => ('id' in one ? one.id : one.report_id)),
      Array.from({ length: 1200 }, (_, index) => index + 1),
    );
    assert.equal(wanted.filter((one) => 'metadata' in one).length, 500);
    assert.deepEqual(wanted.at(-1), { id: 1200 });
  });
});
