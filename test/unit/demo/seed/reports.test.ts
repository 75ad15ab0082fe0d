import assert from 'node:assert/strict';
import { columns, fields, fiscalYearOf } from '../../../../src/api/schemas/fields.ts';
import { isCoreReportType, knownReportTypes } from '../../../../src/api/schemas/reportTypes.ts';
import type { DemoReport } from '../../../../src/demo/catalog.ts';
import { catalogOf } from '../../../support/demo/generated.ts';

const { companies, reports } = catalogOf(24);
const generated = catalogOf(300).reports.filter((report) => report.report_id > 1_000_000);
const all = [...reports, ...generated];
const companyOf = new Map(companies.map((company) => [company.company_key, company]));

/** Reports for which a rule's example exists; fails when there is none. */
function some(rule: (report: DemoReport) => boolean): DemoReport[] {
  const found = reports.filter(rule);
  assert.ok(found.length > 0);
  return found;
}

function textField(report: DemoReport, name: string): string | null {
  const value = report.fields[name];
  assert.ok(value === null || typeof value === 'string', name);
  return value;
}

describe('Demo reports', () => {
  it('has unique ids and keys, in the order of ids, and retired ones that are nobody else’s', () => {
    const ids = all.flatMap((report) => [report.report_id, ...report.formerIds]);
    const keys = all.flatMap((report) => [report.report_key, ...report.formerKeys]);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(new Set(keys).size, keys.length);
    assert.deepEqual(
      all.map((report) => report.report_id),
      all.map((report) => report.report_id).sort((a, b) => a - b),
    );
  });

  it('covers ten fiscal years, the core types, many specialty types and an unknown one (TYP-1)', () => {
    const years = new Set(reports.map(fiscalYearOf));
    for (let year = 2016; year <= 2025; year++) assert.ok(years.has(year), String(year));
    const types = new Set(reports.map((report) => report.report_type));
    for (const type of ['SR', 'IR', 'AR2', 'AR1']) assert.ok(types.has(type), type);
    assert.ok([...types].filter((type) => !isCoreReportType(type)).length >= 20);
    assert.deepEqual(
      [...types].filter((type) => !knownReportTypes.includes(type)),
      ['NXTG'],
    );
  });

  it('has every field of the Report object that neither company nor PDF tells, nor follows from another', () => {
    const elsewhere =
      /^(company_.*|nace_code|naics_code|content_sha256|report_(pages|filesize|hash|period|edition|assurance)|formats|download_path)$/;
    for (const { apiField, group } of fields) {
      if (elsewhere.test(apiField) || group === 'history') continue;
      for (const report of all) assert.ok(apiField in report || apiField in report.fields, apiField);
    }
  });

  it('ends fiscal years where the company does, and files them under that year (FY-1)', () => {
    for (const report of reports) {
      const end = textField(report, 'period_end_date');
      if (end === null) continue;
      const month = companyOf.get(report.company_key)?.fiscal_year_end_month;
      assert.equal(Number(end.slice(5, 7)), month);
      if (typeof report.report_fcyear === 'number') assert.equal(Number(end.slice(0, 4)), report.report_fcyear);
      assert.ok((textField(report, 'period_start_date') ?? '') < end);
    }
    some((report) => /^\d{4}\/\d{4}$/.test(textField(report, 'fiscal_year_label') ?? ''));
    some((report) => textField(report, 'fiscal_year_label') === String(Number(report.report_fcyear) - 1));
  });

  it('has old records with a two-year string, filed under the first year, in both forms (FY-3)', () => {
    const old = some((report) => typeof report.report_fcyear === 'string');
    for (const report of old) assert.ok((fiscalYearOf(report) ?? 9999) < 2018);
    some((report) => /^\d{4}\/\d{4}$/.test(String(report.report_fcyear)));
    some((report) => /^\d{4}-\d{2}$/.test(String(report.report_fcyear)));
  });

  it('has undated documents, and dated ones without a fiscal year (FY-2)', () => {
    for (const report of some((each) => each.report_year === 0)) {
      assert.equal(report.report_fcyear, null);
      assert.equal(fiscalYearOf(report), null);
      assert.equal(report.fields.report_pubdate_iso, null);
    }
    some((report) => report.report_year > 0 && report.report_fcyear === null);
  });

  it('has cover years before and after the fiscal year (RID-3)', () => {
    some((report) => typeof report.report_fcyear === 'number' && report.report_year > report.report_fcyear);
    some((report) => typeof report.report_fcyear === 'number' && report.report_year === report.report_fcyear - 1);
  });

  it('has bilingual reports, partial documents, reports without a file, renamed and merged ones', () => {
    for (const report of some((each) => each.report_lang.includes(';')))
      assert.match(report.report_lang, /^[a-z]{2};[a-z]{2}$/);
    for (const scope of ['extract', 'chapter']) {
      for (const report of some((each) => each.fields.document_scope === scope)) {
        assert.ok(report.report_title.toLowerCase().endsWith(`(${scope})`));
      }
    }
    for (const report of some((each) => !each.has_file)) assert.equal(report.fields.filename, null);
    some((report) => report.formerKeys.some((key) => key.startsWith('XBRU_ZEED_')));
    some((report) => report.formerIds.length > 0);
  });

  it('has publication dates at three precisions and unknown ones (CNV-5)', () => {
    for (const shape of [/^\d{4}$/, /^\d{4}-\d{2}$/, /^\d{4}-\d{2}-\d{2}$/]) {
      some((report) => shape.test(textField(report, 'report_pubdate_iso') ?? ''));
    }
    some((report) => report.report_year > 0 && report.fields.report_pubdate_iso === null);
    for (const report of reports) {
      const iso = textField(report, 'report_pubdate_iso');
      if (iso !== null) assert.ok(textField(report, 'report_pubdate')?.startsWith(iso));
    }
  });

  it('is the same each time', () => {
    assert.deepEqual(catalogOf(60).reports, catalogOf(60).reports);
  });

  it('shows every boolean in all three states (CNV-2)', () => {
    for (const { apiField, type } of columns) {
      if (type !== 'boolean') continue;
      const states = new Set(generated.map((report) => report.fields[apiField]));
      assert.deepEqual([...states].map(String).sort(), ['false', 'null', 'true'], apiField);
    }
  });
});
