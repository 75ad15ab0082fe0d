import assert from 'node:assert/strict';
import { columns } from '../../../src/api/schemas/fields.ts';
import frameworks from '../../../src/demo/data/frameworks.json' with { type: 'json' };
import { wireCompany } from '../../../src/demo/wire.ts';
import { endDemos, everything, readingNames, startDemo } from './demos.ts';

/** What a variant does not say at all, so that nobody could understand it. */
const unsaid: Readonly<Record<string, readonly string[]>> = {
  terse: ['company', 'framework', 'current key', 'version', 'month'],
};

for (const readings of readingNames) {
  const says = (what: string) => !unsaid[readings]?.includes(what);

  describe(`what the interface leaves open, as the ${readings} demo reads it, is understood:`, () => {
    afterEach(endDemos);

    it('every fact of a company on the watchlist', async () => {
      const { demo, client } = await startDemo({ readings });
      const listed = await everything(client.watchlist());
      assert.ok(listed.length > 3);
      for (const { other, ...company } of listed) {
        const truth = wireCompany(demo.control.catalog.company(company.company_key));
        if (says('company')) assert.deepEqual(company, truth);
        else assert.equal(company.company_key, truth.company_key);
      }
    });

    it('column, API field, type, meaning and values of the dictionary', async () => {
      const { client } = await startDemo({ readings });
      const { fields } = await client.schema();
      assert.deepEqual(
        fields.map(({ values: _, ...field }) => field),
        columns.map(({ name: column, apiField, type, meaning }) => ({ column, apiField, type, meaning })),
      );
      if (says('company')) assert.ok(fields.find(({ column }) => column === 'type')?.values?.includes('AR2'));
    });

    it('code and name of each framework', async () => {
      const { client } = await startDemo({ readings });
      assert.deepEqual(
        await client.frameworks(),
        frameworks.map(({ code, name }) => ({ code, name: says('framework') ? name : null })),
      );
    });

    it('requests and downloads of this month, and the answer as it came beside them', async () => {
      const { demo, client } = await startDemo({ readings });
      const [report] = demo.control.entitled().filter(({ has_file }) => has_file);
      await client.downloadLink(report?.report_id ?? 0);
      const { requests, downloads, raw } = await client.usage();
      assert.deepEqual([requests, downloads], [2, 1]);
      assert.match(JSON.stringify(raw), /2\b.*1/);
    });
  });
}
