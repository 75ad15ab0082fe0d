import assert from 'node:assert/strict';
import { type IdentifierQuery, readResolveResults } from '../../../../src/api/schemas/company.ts';
import type { Services } from '../../../../src/app/session.ts';
import { resolveTexts } from '../../../../src/editor/resolve/ask.ts';
import { statusOf } from '../../../../src/panels/lookups.ts';
import { openInMemory } from '../../library/support/stores.ts';

/** Services whose client knows one company by an ISIN with a wrong check digit, as that of a test catalog may be. */
function servicesKnowing(isin: string) {
  const memory = openInMemory();
  const library = {
    answers: async (...asked: Parameters<typeof memory.answers>) => memory.answers(...asked),
    keepAnswers: async (...kept: Parameters<typeof memory.keepAnswers>) => memory.keepAnswers(...kept),
    findCompanies: async () => [],
    withSignal: () => library,
  };
  const sent: string[] = [];
  const client = {
    resolve: async (queries: readonly IdentifierQuery[]) => {
      sent.push(...queries.map(({ value }) => value));
      const results = queries.map(({ value: query }) => {
        const company = query === isin ? { company_key: 'XETR_ABCD' } : null;
        return { query, identifier_type: 'isin', matched: company !== null, entitled: company && true, company };
      });
      const reading = readResolveResults({ results }, queries);
      return reading.ok ? reading.value : [];
    },
  };
  const services = {
    library: async () => ({ library, connection: {}, signal: new AbortController().signal }),
    call: async (work: (given: typeof client) => unknown) => work(client),
  } as unknown as Services;
  return { services, sent, close: () => memory.close() };
}

describe('A code with a wrong check digit', () => {
  it('is matched where the service has it, and else told as the reason why there is no match', async () => {
    const { services, sent, close } = servicesKnowing('DE1000000000');
    const texts = ['DE1000000000', 'DE2000000000', 'DE30000000'];
    const { entries } = await resolveTexts(services, texts);
    assert.deepEqual(sent, ['DE1000000000', 'DE2000000000', 'DE30000000']);
    assert.deepEqual(entries.map(statusOf), ['entitled', 'malformed', 'unmatched']);
    assert.deepEqual([entries[0]?.problem, entries[0]?.result?.company?.company_key], [null, 'XETR_ABCD']);
    assert.match(entries[1]?.problem ?? '', /check digit/);
    // What has the wrong length is no code at all, and costs nothing.
    // So is what has its length but is built in another way.
    const more = await resolveTexts(services, ['DE10000000000', 'ABCDEFGHIJKLMNOPQR1Z']);
    assert.deepEqual([more.entries.map(statusOf), sent.length], [['malformed', 'malformed'], 3]);
    assert.match(more.entries[1]?.problem ?? '', /ends with two digits/);
    close();
  });
});
