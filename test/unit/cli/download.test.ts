import assert from 'node:assert/strict';
import { reportsOf } from '../../../src/cli/download.ts';
import { report } from '../downloads/fixtures.ts';

describe('the reports of a filter', () => {
  it('come a few hundred at a time, each once, while the list is read', async () => {
    let listed = 0;
    const page = () => Array.from({ length: 200 }, () => report({ report_id: ++listed }));
    const client = {
      async *reports() {
        for (let at = 0; at < 6; at += 1) yield { data: page() };
      },
    } as unknown as Parameters<typeof reportsOf>[0];
    const parts: number[][] = [];
    for await (const part of reportsOf(client, {}, new AbortController().signal)) {
      parts.push(part.map(({ report_id }) => report_id));
      assert.equal(listed, parts.flat().length, 'nothing is read ahead');
    }
    assert.deepEqual(
      parts.map(({ length }) => length),
      [600, 600],
    );
    assert.deepEqual(
      parts.flat(),
      Array.from({ length: 1200 }, (_, index) => index + 1),
    );
  });
});
