import assert from 'node:assert/strict';
import type { Services } from '../../../../src/app/session.ts';
import { chosenIds, chosenReports } from '../../../../src/editor/common/chosenReports.ts';
import { localLibrary } from '../../library/support/localLibrary.ts';
import { bring, openInMemory } from '../../library/support/stores.ts';
import { report } from '../../library/support/wireReports.ts';

/** A library of so many reports. */
function libraryOf(size: number) {
  const store = openInMemory();
  const reports = Array.from({ length: size }, (_, n) => report(n + 1));
  bring(store, reports);
  const library = localLibrary(store);
  const services = { library: async () => ({ library, engine: {}, connection: {} }) } as unknown as Services;
  return { services, ids: reports.map(({ report_id }) => report_id) };
}

const nodesOf = (ids: readonly number[]) => [
  undefined,
  ids.map((report_id) => ({ kind: 'report', report: { report_id } })),
];

describe('the reports that a command was given', () => {
  it('are read, however many there are', async () => {
    const { services, ids } = libraryOf(1200);
    const chosen = await chosenReports(nodesOf(ids), services);
    assert.deepEqual([chosen.ids, chosen.inHand.size], [ids, 1200]);
    const unknown = await chosenReports([[...ids, 999_999]], services);
    assert.deepEqual([unknown.ids.length, unknown.inHand.size], [1201, 1200]);
  });

  it('are refused in words when they would not fit into memory, and not where their ids do', async () => {
    const { services } = libraryOf(3);
    const many = Array.from({ length: 50_001 }, (_, n) => n + 1);
    await assert.rejects(chosenReports(nodesOf(many), services), /Too many reports \(50,001\)\. Select up to 50,000/);
    assert.deepEqual(await chosenIds(nodesOf(many), services), many);
  });

  it('are read no further when a person cancels', async () => {
    const { services, ids } = libraryOf(3);
    await assert.rejects(chosenReports([ids], services, AbortSignal.abort()), { name: 'AbortError' });
  });
});
