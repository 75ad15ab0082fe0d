import assert from 'node:assert/strict';
import { columns } from '../../../../src/api/schemas/fields.ts';
import { createCatalogue } from '../../../../src/demo/seed/catalogue.ts';

const { companies, reports } = createCatalogue({ companies: 200, seed: 3 });
const countryOf = new Map(companies.map((company) => [company.company_key, company.country]));
const euCountries = ['Germany', 'France', 'Netherlands', 'Sweden', 'Denmark', 'Spain', 'Italy'];

describe('Disclosures of demo reports', () => {
  it('shows every boolean in all three states (CNV-2)', () => {
    for (const { apiField, type } of columns) {
      if (type !== 'boolean') continue;
      const states = new Set(reports.map((report) => report.fields[apiField]));
      assert.deepEqual([...states].map(String).sort(), ['false', 'null', 'true'], apiField);
    }
  });

  it('derives the GRI and SBTi flags from level and status', () => {
    for (const { fields } of reports) {
      assert.equal(fields.standards_gri, fields.gri_level === null ? null : fields.gri_level !== 'not applied');
      const related = fields.sbti_status === 'targets set' || fields.sbti_status === 'committed';
      assert.equal(fields.standards_sbti, fields.sbti_status === null ? null : related);
    }
    const statuses = new Set(reports.map((report) => report.fields.sbti_status));
    for (const status of ['targets set', 'committed', 'commitment removed', 'no relationship', null]) {
      assert.ok(statuses.has(status), String(status));
    }
  });

  it('knows no standard before its time', () => {
    for (const report of reports) {
      const year = Number(String(report.fields.period_end_date ?? '2025').slice(0, 4));
      const eu = euCountries.includes(countryOf.get(report.company_key) ?? '');
      if (report.fields.standards_tcfd === true && report.report_type !== 'TCFD') assert.ok(year >= 2018);
      if (report.fields.standards_issb === true) assert.ok(year >= 2024);
      if (report.fields.standards_esrs === true) assert.ok(year >= 2023 && eu);
      if (report.fields.standards_eu_taxonomy === true) assert.ok(year >= 2021 && eu);
    }
  });

  it('keeps the facts of an assurance in agreement', () => {
    const levels = new Set<unknown>();
    for (const { fields } of reports) {
      for (const name of ['assurance_level', 'assurance_standard', 'assurance_scope']) {
        assert.equal(fields[name] === null, fields.assurance_provider === null, name);
      }
      if (fields.assurance_provider === null) assert.notEqual(fields.independent_assurance_report_included, true);
      levels.add(fields.assurance_level);
    }
    assert.deepEqual([...levels].map(String).sort(), ['limited', 'null', 'reasonable']);
    assert.ok(reports.some((report) => String(report.fields.assurance_provider).includes(';')));
  });

  it('names SDGs 1 to 17 without repeats, separated by semicolons', () => {
    const named = reports.map((report) => report.fields.sdg_alignment).filter((value) => typeof value === 'string');
    assert.ok(named.length > 0);
    for (const value of named) {
      const goals = value.split(';').map(Number);
      assert.ok(
        goals.every((goal) => Number.isInteger(goal) && goal >= 1 && goal <= 17),
        value,
      );
      assert.equal(new Set(goals).size, goals.length);
    }
  });
});
