import assert from 'node:assert/strict';
import { chosenIds, chosenReports } from '../../../../src/editor/downloads/downloadCommand.ts';
import type { Services } from '../../../../src/services.ts';
import { localLibrary } from '../../library/support/localLibrary.ts';
import { bring, openInMemory } from '../../library/support/stores.ts';
import { report } from '../../library/support/wireReports.ts';

/** A library of some reports that counts what it is asked. */
function countingLibrary(size: number) {
  const store = openInMemory();
  const reports = Array.from({ length: size }, (_, n) => report(n + 1));
  bring(store, reports);
  const asked: string[] = [];
  const counting = <T extends object>(calls: T): T =>
    new Proxy(calls, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== 'function') return member;
        return (...values: unknown[]) => {
          if (name !== 'withSignal') asked.push(String(name));
          const answer: unknown = Reflect.apply(member, target, values);
          return name === 'withSignal' ? counting(answer as object) : answer;
        };
      },
    });
  const library = counting(localLibrary(store));
  const services = { library: async () => ({ library, engine: {}, connection: {} }) } as unknown as Services;
  const count = (name: string) => asked.filter((one) => one === name).length;
  return { services, ids: reports.map(({ report_id }) => report_id), asked, count };
}

const nodesOf = (ids: readonly number[]) => [
  undefined,
  ids.map((report_id) => ({ kind: 'report', report: { report_id } })),
];

describe('the reports that a command was given', () => {
  it('are read page by page, however many there are', async () => {
    const { services, ids, count } = countingLibrary(1200);
    const chosen = await chosenReports(nodesOf(ids), services);
    assert.deepEqual([chosen.ids, chosen.inHand.size], [ids, 1200]);
    assert.deepEqual([count('storedReports'), count('report')], [3, 0]);
    const unknown = await chosenReports([[...ids, 999_999]], services);
    assert.deepEqual([unknown.ids.length, unknown.inHand.size, count('report')], [1201, 1200, 1]);
  });

  it('are not read where their ids do', async () => {
    const { services, asked } = countingLibrary(3);
    const many = Array.from({ length: 60_000 }, (_, n) => n + 1);
    assert.deepEqual(await chosenIds(nodesOf(many), services), many);
    assert.deepEqual(asked, []);
  });

  it('are refused in words, and not read, when they would not fit into memory', async () => {
    const { services, count } = countingLibrary(3);
    const many = Array.from({ length: 50_001 }, (_, n) => n + 1);
    await assert.rejects(
      chosenReports(nodesOf(many), services),
      /50,001 reports are too many for this: at most 50,000 can be taken at once\./,
    );
    assert.deepEqual([count('storedReports'), count('report')], [0, 0]);
  });

  it('are read no further when a person cancels', async () => {
    const { services, ids, count } = countingLibrary(3);
    await assert.rejects(chosenReports([ids], services, AbortSignal.abort()), { name: 'AbortError' });
    assert.equal(count('report'), 0);
  });
});
