import assert from 'node:assert/strict';
import { type IdentifierQuery, identifierLists } from '../../../src/api/schemas/company.ts';
import { endDemos, readingNames, sharedName, startDemo } from './demos.ts';

const plenty = { requestsPerMinute: 100_000 };

afterEach(endDemos);

for (const readings of readingNames) {
  describe(`identifiers and the ${readings} demo`, () => {
    it('of all seven lists resolve to their company, each in its place', async () => {
      const { demo, client } = await startDemo({ ...plenty, readings });
      const keys = [...new Set(demo.control.entitled().map(({ company_key }) => company_key))];
      const companies = keys.map((key) => demo.control.catalog.company(key));
      const queries = companies.flatMap((company): (IdentifierQuery & { readonly key: string })[] => {
        const { company_key: key, company_name, isin, lei, figi, cik, mic, ticker } = company;
        const of = (list: IdentifierQuery['list'], value: string | null) => (value ? [{ list, value, key }] : []);
        return [
          ...of('names', company_name),
          ...of('ciks', cik),
          ...of('figis', figi),
          ...of('leis', lei),
          ...of('symbols', key),
          ...of('tickers', ticker && `${mic}:${ticker}`),
          ...of('isins', isin),
        ];
      });
      assert.deepEqual(new Set(queries.map(({ list }) => list)), new Set(identifierLists));
      const results = await client.resolve(queries);
      assert.deepEqual(
        results.map(({ query, matched, entitled, ambiguous, company }) => [
          ...[query, matched, entitled, ambiguous],
          company?.company_key,
        ]),
        queries.map(({ value, key }) => [value, true, true, false, key]),
      );
      for (const [index, { list }] of queries.entries()) {
        if (list === 'isins') assert.equal(results[index]?.identifier_type, 'isin');
        else assert.ok(results[index]?.identifier_type);
      }
    });

    it('that several companies share, that none has, and that lie outside the license are told apart', async () => {
      const { client, outside } = await startDemo({ ...plenty, readings });
      const results = await client.resolve([
        { list: 'names', value: sharedName },
        { list: 'names', value: 'Nobody Anywhere' },
        { list: 'names', value: outside.company.company_name },
      ]);
      assert.deepEqual(
        results.map(({ matched, entitled, ambiguous, company }) => [matched, entitled, ambiguous, company]),
        [
          [false, null, true, null],
          [false, null, false, null],
          [true, false, false, null],
        ],
      );
    });

    it('of renamed reports look up to the present one, 2,500 keys in three calls and in their places', async () => {
      const { demo, client, outside } = await startDemo({ ...plenty, readings });
      const [first, second] = demo.control.entitled();
      assert.ok(first && second);
      const former = first.report_key;
      demo.control.catalog.renameReport(first.report_id, `${first.company_key}_2031_SR`);
      const keys = Array.from({ length: 2500 }, (_, index) => `nothing_${index}`);
      keys[1] = former;
      keys[1999] = second.report_key;
      keys[2400] = former;
      keys[2499] = `${first.company_key}_2031_SR`;
      keys[2000] = outside.report.report_key;
      const results = await client.lookup(keys);
      assert.deepEqual(
        results.map(({ report_key }) => report_key),
        keys,
      );
      const found = results.flatMap(({ report_id }, index) => (report_id === null ? [] : [[index, report_id]]));
      const { report_id } = first;
      assert.deepEqual(found, [
        [1, report_id],
        [1999, second.report_id],
        [2400, report_id],
        [2499, report_id],
      ]);
      // A variant that maps keys to bare ids has no room for the new key.
      const renamed = results[1]?.canonical_report_key;
      if (readings === 'terse') assert.equal(renamed, null);
      else assert.equal(renamed, `${first.company_key}_2031_SR`);
      assert.equal(demo.control.log.to('POST /reports/lookup').length, 3);
    });
  });
}
