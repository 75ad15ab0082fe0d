import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import { ask, noEdge } from '../support/demo/ask.ts';
import { startTestDemo, type TestDemo } from '../support/demo/testDemo.ts';

interface Holding {
  readonly holding: string;
  readonly identifier: string;
  readonly weight: string;
}

const file = join(import.meta.dirname, '..', '..', 'sample', 'portfolio.csv');

describe('the sample portfolio', () => {
  let service: TestDemo;
  before(async () => {
    service = await startTestDemo(noEdge);
  });
  after(() => service.dispose());

  async function resolve(identifier: string): Promise<string> {
    const lists = ['isins', 'tickers', 'leis', 'figis', 'names'] as const;
    const body = Object.fromEntries(lists.map((list) => [list, [identifier]]));
    const { results } = (await ask(service, '/companies/resolve', { body })).json;
    const found = results.find(({ matched }) => matched);
    if (found !== undefined) return found.entitled ? 'licensed' : 'not licensed';
    return results.some(({ ambiguous }) => ambiguous) ? 'ambiguous' : 'unknown';
  }

  it('shows each way in which the demo library can answer', async () => {
    const { data } = Papa.parse<Holding>(readFileSync(file, 'utf8'), { header: true, skipEmptyLines: true });
    const answers = new Map<string, string[]>();
    for (const { holding, identifier } of data) {
      const answer = await resolve(identifier);
      answers.set(answer, [...(answers.get(answer) ?? []), holding]);
    }
    assert.equal(answers.get('licensed')?.length, 10);
    assert.deepEqual(answers.get('ambiguous'), ['Orlestone']);
    assert.deepEqual(answers.get('not licensed'), ['Arvelacre Foods']);
    assert.deepEqual(answers.get('unknown'), ['Not listed any more']);
  });

  it('weighs one in all', () => {
    const { data } = Papa.parse<Holding>(readFileSync(file, 'utf8'), { header: true, skipEmptyLines: true });
    const sum = data.reduce((total, { weight }) => total + Number(weight), 0);
    assert.equal(sum.toFixed(6), '1.000000');
  });
});
