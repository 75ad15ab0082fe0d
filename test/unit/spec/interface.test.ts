import assert from 'node:assert/strict';
import { resolveLimit, watchlistPageLimit } from '../../../src/api/endpoints/companies.ts';
import { filterValuesLimit, lookupLimit, reportsPageLimit } from '../../../src/api/endpoints/reports.ts';
import { readCompany } from '../../../src/api/schemas/company.ts';
import { columns, columnsSchemaVersion, fields, fiscalYearOf } from '../../../src/api/schemas/fields.ts';
import { readReport } from '../../../src/api/schemas/report.ts';
import { englishTypeName, isCoreReportType, knownReportTypes } from '../../../src/api/schemas/reportTypes.ts';
import { csvEncoder, typedRow } from '../../../src/export/rows.ts';
import { columnField, fieldGroups } from '../../../src/panels/reportFields.ts';
import {
  specApiOnlyFields,
  specColumns,
  specCompanyFields,
  specFiscalYears,
  specLimits,
  specRenameFields,
  specReportTypes,
} from '../../support/spec/interface.ts';

/** A value of a column that no other column has, but for flags, of which one at a time is true. */
function sampleOf(number: number, type: string, flag: number): unknown {
  if (type === 'boolean') return number === flag;
  if (type === 'integer') return 1000 + number;
  if (type === 'float') return number + 0.5;
  return type === 'date' ? `20${number}-01-01` : `text ${number}`;
}

/** A report as the service sends it, by the text of the interface alone. `flag` is the number of the one true column. */
function report(flag: number) {
  const typed = Object.fromEntries(
    specColumns.map(([number, , apiField, type]) => [apiField, sampleOf(number, type, flag)]),
  );
  const metadata = Object.fromEntries(
    specColumns.map(([, column, apiField, type]) => [
      column,
      type === 'boolean' ? String(typed[apiField]).toUpperCase() : String(typed[apiField]),
    ]),
  );
  const reading = readReport({ ...typed, report_id: 7, metadata });
  assert.ok(reading.ok);
  return { typed, metadata, read: reading.value as unknown as Record<string, unknown>, whole: reading.value };
}

const flags = specColumns.filter(([, , , type]) => type === 'boolean').map(([number]) => number);

describe('the interface, read a second time', () => {
  it('has the 50 columns: number, name, API field, type and group (COL-1)', () => {
    const groupOf = (number: number) => (number <= 16 ? 'report' : number <= 28 ? 'company' : 'disclosure');
    assert.deepEqual(
      columns.map(({ number, name, apiField, type, group }) => [number, name, apiField, type, group]),
      specColumns.map(([number, name, apiField, type]) => [number, name, apiField, type, groupOf(number)]),
    );
    assert.equal(columnsSchemaVersion, 'V3');
  });

  it('has no typed field but the documented ones (RPT-1)', () => {
    const documented = [...specColumns.map(([, , apiField]) => apiField), ...specApiOnlyFields, ...specRenameFields];
    assert.deepEqual(fields.map(({ apiField }) => apiField).toSorted(), documented.toSorted());
  });

  it('puts each value of a report where it belongs: typed fields, columns, export and panel (CNV-4)', () => {
    for (const flag of flags) {
      const { typed, metadata, read, whole } = report(flag);
      for (const [name, value] of Object.entries(typed)) assert.deepEqual(read[name], value, name);
      assert.deepEqual(whole.metadata, metadata);
      assert.deepEqual(whole.other, {});
      const row = typedRow(whole);
      for (const [, column, apiField] of specColumns) assert.equal(row[column], typed[apiField], column);
      for (const column of columns) assert.equal(columnField(column, whole, 'en').columnText, null, column.name);
    }
  });

  it('is whole in an export and in the panel: every column in order, every field with a value (COL-1, RPT-1)', () => {
    const head = Buffer.from(csvEncoder(false).end()).toString().trim();
    assert.equal(head, specColumns.map(([, column]) => column).join(','));
    const more = Object.fromEntries([...specApiOnlyFields, ...specRenameFields].map((name) => [name, `${name}?`]));
    const groups = fieldGroups({ ...report(29).whole, ...more } as never, 'en');
    const names = groups.flatMap(({ fields }) => fields.map(({ name }) => name));
    for (const [, column] of specColumns) assert.ok(names.includes(column), column);
    for (const name of [...specApiOnlyFields, ...specRenameFields]) assert.ok(names.includes(name), name);
  });

  it('has the 13 fields of a company (COM-3)', () => {
    const raw = Object.fromEntries(
      specCompanyFields.map((name, index) => [name, name === 'fiscal_year_end_month' ? 6 : `text ${index}`]),
    );
    const reading = readCompany(raw);
    assert.ok(reading.ok);
    assert.deepEqual(reading.value, { ...raw, other: {} });
  });

  it('has the 33 report types, four of them core (TYP-1)', () => {
    assert.deepEqual(
      knownReportTypes.map((code) => [code, englishTypeName(code)]),
      specReportTypes,
    );
    assert.deepEqual(
      knownReportTypes.filter(isCoreReportType),
      specReportTypes.slice(0, 4).map(([code]) => code),
    );
  });

  it('files a report under its fiscal year, not its cover year (FY-1 to FY-3)', () => {
    for (const [report_fcyear, report_year, expected] of specFiscalYears) {
      assert.equal(fiscalYearOf({ report_fcyear, report_year }), expected, `${report_fcyear}, cover ${report_year}`);
    }
  });

  it('has the limits of one request (REP-1, WL-1, RES-1, LKP-1)', () => {
    assert.deepEqual(
      {
        reportsPage: reportsPageLimit,
        watchlistPage: watchlistPageLimit,
        identifiersPerCall: resolveLimit,
        reportKeysPerCall: lookupLimit,
        filterValues: filterValuesLimit,
      },
      specLimits,
    );
  });
});
