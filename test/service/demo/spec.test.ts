import assert from 'node:assert/strict';
import { ask, ids, services } from '../../support/demo/ask.ts';
import { tinyCatalog, tinyCompany, tinyReport } from '../../support/demo/tinyCatalog.ts';
import {
  specApiOnlyFields,
  specColumns,
  specCompanyFields,
  specFiscalYears,
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

  it('lists and licenses a report under its fiscal year, not its cover year (FY-1 to FY-3)', async () => {
    const key = 'XTST_ALFA';
    const reports = specFiscalYears.map(([report_fcyear, report_year], index) =>
      tinyReport(index + 1, key, { report_key: `${key}_${report_year}_SR_${index}`, report_year, report_fcyear }),
    );
    const service = await start({ catalog: tinyCatalog([tinyCompany(key)], reports), unlicensed: [] });
    for (const year of [2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025]) {
      const expected = specFiscalYears.flatMap(([, , filed], index) => (filed === year ? [index + 1] : []));
      const label = `only ${year}`;
      const window = service.control.issueKey({ label, fcyearStart: year, fcyearEnd: year, fullAccess: false });
      assert.deepEqual(ids(await ask(service, `/reports?fcyear=${year}`)), expected, `filtered by ${year}`);
      assert.deepEqual(ids(await ask(service, '/reports', { key: window })), expected, `licensed for ${year}`);
    }
  });

  it('tells the size of a file in megabytes (CNV-5)', async () => {
    const service = await start({ companies: 2 });
    const [report] = (await listed(service, '/reports')).filter(({ has_file }) => has_file === true);
    const link = await ask(service, `/reports/${report?.report_id}/download`);
    const { bytes } = await ask(service, String(link.json.url), { key: null });
    assert.equal(report?.report_filesize, Number((bytes.byteLength / 1_000_000).toFixed(4)));
  });

  it('keeps the file of a report whose metadata alone changed (CHG-5)', async () => {
    const service = await start();
    const fileOf = async () => {
      const { json } = await ask(service, '/reports/1/download');
      const { bytes } = await ask(service, String(json.url), { key: null });
      return Buffer.from(bytes).toString();
    };
    const before = await fileOf();
    service.control.catalog.change(1, { report_title: 'Another title' });
    assert.equal(await fileOf(), before);
  });
});
