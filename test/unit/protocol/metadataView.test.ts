import assert from 'node:assert/strict';
import { columns } from '../../../src/api/schemas/fields.ts';
import type { Report } from '../../../src/api/schemas/report.ts';
import type { MetadataRow, MetadataView } from '../../../src/protocol/metadata.ts';
import { fileStateOf, metadataView } from '../../../src/protocol/metadataView.ts';
import { hostileReport, sampleReport } from '../../support/panels/reports.ts';

const pageOf = (changes: Partial<Report> = {}) => metadataView(sampleReport(changes), false, 'en');

function rowOf(changes: Partial<Report>, id: string): MetadataRow {
  const row = pageOf(changes)
    .groups.flatMap(({ rows }) => rows)
    .find((candidate) => candidate.id === id);
  assert.ok(row, `no row ${id}`);
  return row;
}

function copyOf({ groups }: MetadataView, id: string): string | null | undefined {
  return groups.flatMap(({ rows }) => rows).find((row) => row.id === id)?.copy;
}

describe('the report’s view', () => {
  it('holds the 50 columns in their groups and order, then the API-only fields (COL-1, RPT-1)', () => {
    const { groups } = pageOf();
    assert.deepEqual(
      groups.map(({ id, rows }) => [id, rows.length]),
      [
        ['report', 16],
        ['company', 12],
        ['disclosure', 22],
        ['api', 13],
      ],
    );
    const names = groups.slice(0, 3).flatMap(({ rows }) => rows.map(({ name }) => name));
    assert.deepEqual(
      names,
      columns.map(({ name }) => name),
    );
  });

  it('leads to the nearest years of its type, in its language where a year has several', () => {
    const other = (report_id: number, fiscal_year: number | null, language = 'de;en') => ({
      report_id,
      fiscal_year,
      title: null,
      report_key: `KEY_${report_id}`,
      language,
    });
    const others = [
      other(1, 2019),
      other(2, 2022, 'en'),
      other(3, 2022),
      other(4, 2024),
      other(5, null),
      other(6, 2026),
    ];
    const { previous, next } = metadataView(sampleReport({ report_fcyear: 2024 }), false, 'en', others);
    assert.deepEqual(previous, { reportId: 3, year: '2022', title: 'KEY_3' });
    assert.deepEqual(next, { reportId: 6, year: '2026', title: 'KEY_6' });
    const view = metadataView(sampleReport({ report_fcyear: null, report_year: 0 }), false, 'en', others);
    assert.deepEqual([view.previous, view.next], [null, null]);
  });

  it('says that standards and assurance are read from the report and not audited (CNV-3)', () => {
    const notes = pageOf().groups.map(({ id, note }) => [id, note !== null && /not an audit/.test(note)]);
    assert.deepEqual(notes.slice(0, 3), [
      ['report', false],
      ['company', false],
      ['disclosure', true],
    ]);
  });

  it('names the class of a report in words, and keeps one that it does not know (TYP-2)', () => {
    for (const [letter, said] of [
      ['D', /^Standalone/],
      ['E', /inside a larger report/],
      ['S', /^Specialised/],
      ['F', /without substantive/],
      ['Z', /^Z$/],
    ] as const) {
      const { value } = rowOf({ report_class: letter }, 'class');
      assert.ok('text' in value);
      assert.match(value.text ?? '', said);
    }
  });

  it('keeps fiscal year, period and cover year apart (RID-3)', () => {
    const facts = pageOf({ report_year: 2025 }).facts.slice(0, 3);
    assert.deepEqual(
      facts.map(({ label, text, note }) => [label, text?.replace(/\s+/g, ' ').replace(/ ?– ?/, ' – '), note]),
      [
        ['Fiscal year', '2023/24', 'filed under 2024'],
        ['Period', 'Apr 1, 2023 – Mar 31, 2024', null],
        ['Cover year', '2025', null],
      ],
    );
  });

  it('says when no fiscal year is stated, and when a report is undated (FY-2)', () => {
    const none = { report_fcyear: null, fiscal_year_label: null };
    assert.deepEqual(pageOf({ ...none, report_year: 2021 }).facts[0], {
      label: 'Fiscal year',
      text: null,
      note: 'Not stated; filed under cover year 2021',
    });
    const undated = pageOf({ ...none, report_year: 0 }).facts;
    assert.equal(undated[0]?.note, 'Undated');
    assert.equal(undated[2]?.text, 'Undated');
  });

  it('notes a fiscal year held as two years (FY-3), partial documents (CNV-7) and withdrawals (ST-2)', () => {
    const report = sampleReport({ report_fcyear: '2018/2019', report_title: 'Bericht (Extract)' });
    const texts = metadataView(report, true, 'en').notices.map(({ text }) => text);
    assert.equal(texts.length, 3);
    assert.match(texts[0] ?? '', /^Withdrawn/);
    assert.match(texts[1] ?? '', /an extract/);
    assert.match(texts[2] ?? '', /2018\/2019/);
  });

  it('tells of renames and merges (RID-1, RID-2)', () => {
    const canonical = { canonical_report_id: 100482, canonical_report_key: 'XFRA_NWK_2024_SR' };
    const renamed = pageOf({ ...canonical, requested_legacy_report_key: 'XFRA_OLD_2024_SR' });
    assert.match(renamed.notices[0]?.text ?? '', /^Renamed: XFRA_OLD_2024_SR is now XFRA_NWK_2024_SR/);
    const merged = pageOf({ ...canonical, requested_legacy_report_id: 7 });
    assert.match(merged.notices[0]?.text ?? '', /^Merged: report 7 is now report 100482/);
    assert.ok(renamed.groups.some(({ id }) => id === 'history'));
  });

  it('shows column and typed field where they disagree, and the column where the field is unknown', () => {
    const { metadata } = sampleReport();
    assert.equal(rowOf({}, 'pages').columnText, null);
    assert.equal(rowOf({ metadata: { ...metadata, pages: '150' } }, 'pages').columnText, '150');
    assert.equal(rowOf({ metadata: { ...metadata, std_gri: 'FALSE' } }, 'std_gri').columnText, 'FALSE');
    assert.equal(rowOf({ metadata: { ...metadata, sector: '' } }, 'sector').columnText, '(empty)');
    assert.equal(rowOf({ metadata: { ...metadata, filesize: '8.420' } }, 'filesize').columnText, null);
    const onlyColumn = rowOf({ report_pages: null, metadata }, 'pages');
    assert.deepEqual(
      [onlyColumn.value, onlyColumn.columnText],
      [{ kind: 'text', text: '148', detail: null, mono: false }, null],
    );
    const odd = rowOf({ standards_gri: null, metadata: { ...metadata, std_gri: 'MAYBE' } }, 'std_gri');
    assert.equal(odd.columnText, 'MAYBE');
  });

  it('keeps unknown fields, whatever they are called (RPT-2)', () => {
    const rows = metadataView(hostileReport, false, 'en').groups.find(({ id }) => id === 'other')?.rows;
    assert.deepEqual(
      rows?.map(({ label }) => label),
      Object.keys(hostileReport.other),
    );
  });

  it('copies raw values, not the words shown for them', () => {
    const view = pageOf();
    assert.equal(copyOf(view, 'language'), 'de;en');
    assert.equal(copyOf(view, 'std_sasb'), 'FALSE');
    assert.equal(copyOf(view, 'publication_date'), '2024-05');
    assert.equal(copyOf(metadataView(hostileReport, false, 'en'), 'title'), hostileReport.report_title);
    assert.equal(copyOf(pageOf({ report_pages: null }), 'pages'), null);
  });
});

describe('where the PDF stands', () => {
  const report = { has_file: true, content_sha256: 'aa' };
  const file = { path: 'reports/a.pdf', verified: true, sha256: 'aa', edited: false };

  it('tells availability before any request (ST-4)', () => {
    assert.equal(fileStateOf(report, { withdrawn: false, file: null }).kind, 'available');
    assert.equal(fileStateOf({ ...report, has_file: null }, { withdrawn: false, file: null }).kind, 'available');
    assert.equal(fileStateOf({ ...report, has_file: false }, { withdrawn: false, file: null }).kind, 'none');
    assert.equal(fileStateOf(report, { withdrawn: true, file: null }).kind, 'none');
  });

  it('tells a newer PDF, a withdrawn report and an unverified file apart', () => {
    const base = {
      kind: 'downloaded',
      path: 'reports/a.pdf',
      verified: true,
      outdated: false,
      served: true,
      edited: false,
    };
    assert.deepEqual(fileStateOf(report, { withdrawn: false, file }), base);
    assert.deepEqual(fileStateOf({ ...report, content_sha256: 'bb' }, { withdrawn: false, file }), {
      ...base,
      outdated: true,
    });
    assert.deepEqual(fileStateOf({ ...report, content_sha256: 'bb' }, { withdrawn: true, file }), {
      ...base,
      served: false,
    });
    assert.deepEqual(fileStateOf(report, { withdrawn: false, file: { ...file, verified: false, sha256: null } }), {
      ...base,
      verified: false,
    });
  });
});
