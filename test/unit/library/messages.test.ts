import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { Channel, type Handlers, type Port } from '../../../src/base/rpc.ts';
import type { LibraryMethods } from '../../../src/library/library.ts';
import { type LibraryChange, noChange } from '../../../src/library/libraryChange.ts';
import { LibraryError } from '../../../src/library/libraryError.ts';
import { type LibrarySide, libraryEvents, libraryMethods, librarySide, reads } from '../../../src/library/messages.ts';

/** A pair of ports: what one posts, the other hears, as a copy. */
function connected(): [Port, Port] {
  const listeners: ((message: unknown) => void)[][] = [[], []];
  const port = (mine: number): Port => ({
    post: (message) => {
      for (const listener of listeners[1 - mine] ?? []) listener(structuredClone(message));
    },
    onMessage: (listener) => {
      listeners[mine]?.push(listener);
      return { dispose: () => {} };
    },
  });
  return [port(0), port(1)];
}

/** A library's two ends, of which one answers whatever it is told to. */
function ends(answer: (name: string, values: unknown) => unknown) {
  const [here, there] = connected();
  const heard: LibraryChange[] = [];
  const calls: Record<string, unknown> = {};
  for (const name of Object.keys(librarySide.calls)) calls[name] = (values: unknown) => answer(name, values);
  const log = silentLogger;
  const worker = new Channel({
    ...{ port: there, mine: librarySide, theirs: libraryEvents, log, explain: String },
    handlers: { calls: calls as Handlers<LibrarySide>['calls'], events: {} },
  });
  const client = new Channel({
    ...{ port: here, mine: libraryEvents, theirs: librarySide, log, explain: String },
    handlers: { calls: {}, events: { change: (change) => void heard.push(change), opened: () => {} } },
    revive: ({ message }) => new LibraryError('unexpected', message),
  });
  /** Asks whatever, also what no caller of ours could. */
  const ask = (name: string, values: unknown): Promise<unknown> =>
    client.call(name as keyof LibraryMethods, values as never);
  return { worker, client, ask, heard, there };
}

describe('messages to and from the library’s thread', () => {
  it('have a shape for each method', () => {
    assert.deepEqual(Object.keys(librarySide.calls).toSorted(), [...libraryMethods, 'close'].toSorted());
  });

  it('let what a library that holds nothing answers pass unchanged', async () => {
    const args: Partial<Record<string, unknown[]>> = {
      ...{ report: [1], storedReports: [[1]], summaries: [[1]], reports: [{}, { limit: 5 }], reportIds: [{}] },
      ...{ countReports: [{}], groupReports: [{}, 'type'], company: ['K'], companies: [{}, { limit: 5 }] },
      ...{ companyYears: ['K'], formerKeys: [[1]], findCompanies: ['a', 5], coverageOf: [{}], unseen: [[1]] },
      ...{ reportsAt: [{}, { column: 'title', descending: true }, { offset: 0, limit: 5 }], factCounts: [{}] },
      ...{ idsBetween: [{}, { column: 'has_file', descending: false }, 0, 5] },
      ...{ reportsOfHashes: [['a']], publishedElsewhere: [['/a'], ['a']] },
      ...{ changes: [{ limit: 5 }], answers: [['q'], 0], keepAnswers: [[], 0] },
    };
    const { ask } = ends((name) => reads[name as keyof typeof reads].empty);
    for (const [name, { empty }] of Object.entries(reads)) {
      assert.deepEqual(await ask(name, args[name] ?? []), empty ?? null, name);
    }
  });

  it('let every member of a filter pass', async () => {
    const query = {
      ...{ text: 'a', type: ['SR', null], class: ['D'], fcyear: [2024, null], fcyear_split: [2023] },
      ...{ language: ['de'], country: [null], sector: ['Energy'], industry: ['Coal'], company_key: ['K'] },
      ...{ isin: ['X'], facts: { has_file: null, standards_gri: true }, assurance_level: ['limited'] },
      ...{ among: [{ ids: [1], company_key: ['K'], is: false }], published: ['2024-05', null] },
      ...{ sort: 'published', state: 'all' },
    };
    const asked: unknown[] = [];
    const { ask } = ends((_, values) => asked.push(values));
    await ask('countReports', [query]);
    assert.deepEqual(asked, [[query]]);
  });

  const wrongQuestions: readonly [string, unknown][] = [
    ['report', [{}]],
    ['report', []],
    ['storedReports', ['1']],
    ['countReports', [[]]],
    ['reports', ['2024', { limit: 5 }]],
    ['reports', [{}]],
    ['groupReports', [{}, 'report_id']],
    ['reportsAt', [{}, { column: 'body', descending: true }, { offset: 0, limit: 5 }]],
    ['reportsAt', [{}, { column: 'title', descending: true }, { offset: -1, limit: 5 }]],
    ['updateSync', [null, 1]],
    ['takeReports', [{ incoming: { body: 'text', serverTime: null }, chain: null, generation: null }]],
    ['applyReport', [{ report_id: '1' }, 1]],
    ['status', []],
    ['constructor', []],
  ];
  it('stop a call whose arguments are others than its method takes', async () => {
    let answered = 0;
    const { ask } = ends(() => ++answered);
    for (const [name, values] of wrongQuestions) await assert.rejects(ask(name, values), Error, name);
    assert.equal(answered, 0);
  });

  const wrongAnswers: readonly [string, unknown[], unknown][] = [
    ['countReports', [{}], '5'],
    ['reports', [{}, { limit: 5 }], { items: {}, next: null }],
    ['report', [1], { report: { report_id: 1 }, state: 'listed', fiscal_year: null, askedFor: null }],
    ['coverage', [], { ...reads.coverage.empty, counts: [0] }],
    ['syncRecord', [], null],
    ['markSeen', [], { ...noChange, reports: 'all' }],
  ];
  it('stop an answer of another shape where it is given', async () => {
    for (const [name, values, answer] of wrongAnswers) {
      const { ask } = ends(() => answer);
      await assert.rejects(ask(name, values), (error) => !/went wrong inside/.test((error as Error).message), name);
    }
  });

  it('stop an answer of another shape where it arrives, as a thread of another version would give it', async () => {
    for (const [name, values, answer] of wrongAnswers) {
      const { ask, there } = ends(() => answer);
      const asked = ask(name, values);
      there.post({ kind: 'result', id: 1, result: answer });
      await assert.rejects(
        asked,
        (error) => error instanceof LibraryError && /went wrong inside/.test(error.message),
        name,
      );
    }
  });

  it('drop news of another shape', () => {
    const { there, heard } = ends(() => null);
    for (const data of [null, {}, { ...noChange, reports: '3' }, { ...noChange, news: 1 }]) {
      there.post({ kind: 'event', name: 'change', data });
    }
    there.post({ kind: 'event', name: 'change', data: { ...noChange, news: true } });
    assert.deepEqual(heard, [{ ...noChange, news: true }]);
  });
});
