import assert from 'node:assert/strict';
import { ask, services } from '../../support/demo/ask.ts';
import {
  specApiOnlyFields,
  specColumns,
  specCompanyFields,
  specRenameFields,
  specReportTypes,
} from '../../support/spec/interface.ts';

const { start, end } = services();

type Item = Readonly<Record<string, unknown>> & { readonly metadata: Readonly<Record<string, string>> };

/** The items of the first page of a list. */
async function listed(service: Awaited<ReturnType<typeof start>>, path: string): Promise<Item[]> {
  return (await ask(service, path)).json.data as unknown as Item[];
}

describe('the demo service, by the text of the interface', () => {
  afterEach(end);

  it('writes each column from its API field, in dictionary order, and no field but the documented ones', async () => {
    const service = await start({ companies: 40 });
    const reports = await listed(service, '/reports?limit=200&fcyear=2023&fcyear=2024');
    const names = [...specColumns.map(([, , apiField]) => apiField), ...specApiOnlyFields, ...specRenameFields];
    const seen = new Set<string>();
    for (const { metadata, ...report } of reports) {
      assert.deepEqual(Object.keys(report).toSorted(), names.toSorted());
      assert.deepEqual(
        Object.keys(metadata),
        specColumns.map(([, column]) => column),
      );
      for (const [, column, apiField, type] of specColumns) {
        const value = report[apiField];
        const written = value === null ? '' : type === 'boolean' ? String(value).toUpperCase() : String(value);
        // The title of a partial document is marked in metadata (CNV-7).
        if (column === 'title') assert.ok(metadata.title?.startsWith(written));
        else assert.equal(metadata[column], written, column);
        if (value !== null && value !== false) seen.add(column);
      }
    }
    // Each column has a value somewhere, so that a swap could not hide behind empty ones.
    assert.deepEqual(
      specColumns.map(([, column]) => column).filter((column) => !seen.has(column)),
      [],
    );
  });

  it('describes a company by its 13 fields, and reports of known types', async () => {
    const service = await start({ companies: 12 });
    for (const item of await listed(service, '/watchlist?limit=500')) {
      const company = { ...item, ...(item.company as object | undefined) };
      for (const name of specCompanyFields) assert.ok(name in company, name);
    }
    const reports = await listed(service, '/reports?limit=200');
    const known: ReadonlySet<string> = new Set(specReportTypes.map(([code]) => code));
    assert.ok(reports.filter(({ report_type }) => known.has(String(report_type))).length > 100);
  });
});
