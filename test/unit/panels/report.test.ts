import assert from 'node:assert/strict';
import { columns } from '../../../src/api/schemas/fields.ts';
import type { Report } from '../../../src/api/schemas/report.ts';
import { type PdfState, pdfButton, pdfLine, pdfNews, pdfStateOf } from '../../../src/panels/pdfState.ts';
import { otherYears, type ReportInput, reportBlocks } from '../../../src/panels/report.ts';
import { fieldGroups, type ReportField } from '../../../src/panels/reportFields.ts';
import { piecesText } from '../../../src/protocol/blocks.ts';
import { blockOf, cellsOf, copyIn, factsOf, rowOf } from '../../support/panels/blocks.ts';
import { downloadedPdf as downloaded, hostileReport, sampleReport } from '../../support/panels/reports.ts';

const blocksOf = (report: Report, more: Partial<ReportInput> = {}) =>
  reportBlocks({ report, withdrawn: false, file: { kind: 'available' }, ...more }, 'en');
const pageOf = (changes: Partial<Report> = {}) => blocksOf(sampleReport(changes));

function fieldOf(changes: Partial<Report>, id: string): ReportField {
  const found = fieldGroups(sampleReport(changes), 'en')
    .flatMap(({ fields }) => fields)
    .find((field) => field.id === id);
  assert.ok(found, `no field ${id}`);
  return found;
}

describe('the report’s panel', () => {
  it('holds the 50 columns in their groups and order, then the API-only fields (COL-1, RPT-1)', () => {
    const groups = fieldGroups(sampleReport(), 'en');
    assert.deepEqual(
      groups.map(({ id, fields }) => [id, fields.length]),
      [
        ['report', 16],
        ['company', 12],
        ['disclosure', 22],
        ['api', 13],
      ],
    );
    const names = groups.slice(0, 3).flatMap(({ fields }) => fields.map(({ name }) => name));
    assert.deepEqual(
      names,
      columns.map(({ name }) => name),
    );
    for (const { fields } of groups) for (const { id } of fields) assert.ok(rowOf(pageOf(), id));
  });

  it('leads to the nearest years of its type, in its language where a year has several', () => {
    const other = (report_id: number, fiscal_year: number | null, language = 'de;en') => ({
      report_id,
      fiscal_year,
      title: null,
      report_key: `KEY_${report_id}`,
      language,
    });
    const years = [2019, 2022, 2022, 2024, null, 2026] as const;
    const others = years.map((year, index) => other(index + 1, year, index === 1 ? 'en' : undefined));
    assert.deepEqual(otherYears(sampleReport({ report_fcyear: 2024 }), others), {
      previous: { reportId: 3, year: '2022', title: 'KEY_3' },
      next: { reportId: 6, year: '2026', title: 'KEY_6' },
    });
    const undated = otherYears(sampleReport({ report_fcyear: null, report_year: 0 }), others);
    assert.deepEqual(undated, { previous: null, next: null });
    const [line] = blocksOf(sampleReport({ report_fcyear: 2024 }), { others });
    assert.match(JSON.stringify(line), /"act":"previous".*Previous year: KEY_3.*"act":"next".*Next year: KEY_6/);
  });

  it('says that standards and assurance are read from the report and not audited (CNV-3)', () => {
    const notes = fieldGroups(sampleReport(), 'en').map(({ note }) => note !== null && /not an audit/.test(note));
    assert.deepEqual(notes.slice(0, 3), [false, false, true]);
  });

  it('names the class of a report in words, and keeps one that it does not know (TYP-2)', () => {
    for (const [letter, said] of [
      ['D', /^Standalone/],
      ['E', /inside a larger report/],
      ['S', /^Specialized/],
      ['F', /without substantive/],
      ['Z', /^Z$/],
    ] as const)
      assert.match(piecesText(fieldOf({ report_class: letter }, 'class').value), said);
  });

  it('keeps fiscal year, period and cover year apart (RID-3)', () => {
    const facts = factsOf(pageOf({ report_year: 2025 }));
    assert.deepEqual([facts['Fiscal year'], facts['Cover year']], ['2023/24 filed under 2024', '2025']);
    assert.match(facts.Period ?? '', /^Apr 1, 2023\s–\sMar 31, 2024$/);
  });

  it('says when no fiscal year is stated, and when a report is undated (FY-2)', () => {
    const none = { report_fcyear: null, fiscal_year_label: null };
    const stated = factsOf(pageOf({ ...none, report_year: 2021 }));
    assert.equal(stated['Fiscal year'], 'Not stated; filed under cover year 2021');
    const undated = factsOf(pageOf({ ...none, report_year: 0 }));
    assert.deepEqual([undated['Fiscal year'], undated['Cover year']], ['Undated', 'Undated']);
  });

  it('notes a fiscal year held as two years (FY-3), partial documents (CNV-7) and withdrawals (ST-2)', () => {
    const report = sampleReport({ report_fcyear: '2018/2019', report_title: 'Bericht (Extract)' });
    const texts = blockOf(blocksOf(report, { withdrawn: true }), 'notices').notices.map(({ text }) => text);
    for (const [at, said] of [/^Withdrawn/, /an extract/, /2018\/2019/].entries()) assert.match(texts[at] ?? '', said);
    assert.equal(texts.length, 3);
  });

  it('tells of renames and merges (RID-1, RID-2)', () => {
    const canonical = { canonical_report_id: 100482, canonical_report_key: 'XFRA_NWK_2024_SR' };
    const notice = (changes: Partial<Report>) =>
      blockOf(pageOf({ ...canonical, ...changes }), 'notices').notices[0]?.text;
    const oldKey = { requested_legacy_report_key: 'XFRA_OLD_2024_SR' };
    assert.match(notice(oldKey) ?? '', /^Renamed: XFRA_OLD_2024_SR is now XFRA_NWK_2024_SR/);
    const oldId = { requested_legacy_report_id: 7 };
    assert.match(notice(oldId) ?? '', /^Merged: report 7 is now report 100482/);
    const groups = fieldGroups(sampleReport({ ...canonical, ...oldId }), 'en');
    assert.ok(groups.some(({ id }) => id === 'history'));
  });

  it('shows column and typed field where they disagree, and the column where the field is unknown', () => {
    const { metadata } = sampleReport();
    for (const [id, stated, told] of [
      ['pages', metadata.pages, null],
      ['pages', '150', '150'],
      ['std_gri', 'FALSE', 'FALSE'],
      ['sector', '', '(empty)'],
      ['filesize', '8.420', null],
    ] as const)
      assert.equal(fieldOf({ metadata: { ...metadata, [id]: stated } }, id).columnText, told, `${id} ${stated}`);
    const onlyColumn = fieldOf({ report_pages: null, metadata }, 'pages');
    assert.deepEqual([onlyColumn.value, onlyColumn.columnText], [[{ text: '148', breaks: true }], null]);
    const odd = { standards_gri: null, metadata: { ...metadata, std_gri: 'MAYBE' } };
    assert.equal(fieldOf(odd, 'std_gri').columnText, 'MAYBE');
    assert.match(cellsOf(pageOf(odd), 'std_gri')[1] ?? '', /^Undetermined Metadata column: MAYBE$/);
  });

  it('keeps unknown fields, whatever they are called (RPT-2)', () => {
    const other = fieldGroups(hostileReport, 'en').find(({ id }) => id === 'other');
    assert.deepEqual(
      other?.fields.map(({ label }) => label),
      Object.keys(hostileReport.other),
    );
  });

  it('copies raw values, not the words shown for them', () => {
    const copied = (report: Report, id: string) => copyIn(rowOf(blocksOf(report), id).cells.flat());
    for (const [id, raw] of [
      ['language', 'de;en'],
      ['std_sasb', 'FALSE'],
      ['publication_date', '2024-05'],
    ] as const)
      assert.equal(copied(sampleReport(), id), raw);
    assert.equal(copied(hostileReport, 'title'), hostileReport.report_title);
    assert.equal(copied(sampleReport({ report_pages: null }), 'pages'), undefined);
  });
});

describe('where the PDF stands', () => {
  const report = { has_file: true, content_sha256: 'aa' };
  const file = { path: 'reports/a.pdf', verified: true, sha256: 'aa', edited: false };

  it('tells availability before any request (ST-4)', () => {
    for (const [changes, withdrawn, kind] of [
      [{}, false, 'available'],
      [{ has_file: null }, false, 'available'],
      [{ has_file: false }, false, 'none'],
      [{}, true, 'none'],
    ] as const)
      assert.equal(pdfStateOf({ ...report, ...changes }, { withdrawn, file: null }).kind, kind);
  });

  it('tells a newer PDF, a withdrawn report and an unverified file apart', () => {
    const newer = { ...report, content_sha256: 'bb' };
    const unverified = { ...file, verified: false, sha256: null };
    assert.deepEqual(pdfStateOf(report, { withdrawn: false, file }), downloaded);
    assert.deepEqual(pdfStateOf(newer, { withdrawn: false, file }), { ...downloaded, outdated: true });
    assert.deepEqual(pdfStateOf(newer, { withdrawn: true, file }), { ...downloaded, served: false });
    assert.deepEqual(pdfStateOf(report, { withdrawn: false, file: unverified }), { ...downloaded, verified: false });
  });

  const downloading: PdfState = { kind: 'downloading', received: 0, total: null, words: 'Waiting…' };
  for (const [state, act, line] of [
    [{ kind: 'available' }, 'download', 'PDF available, not downloaded'],
    [{ kind: 'none', reason: 'No PDF.' }, 'download', 'No PDF.'],
    [downloading, 'cancelDownload', 'Waiting…'],
    [{ kind: 'failed', message: 'Full.' }, 'download', 'Full.'],
    [downloaded, 'openPdf', 'Downloaded and verified reports/a.pdf'],
    [{ ...downloaded, outdated: true }, 'download', 'Downloaded, newer PDF available reports/a.pdf'],
    [{ ...downloaded, served: false }, 'openPdf', 'Withdrawn by the service. The file is kept reports/a.pdf'],
  ] as const)
    it(`says “${line}”, with a button for ${act}`, () => {
      assert.equal(pdfButton(state).act, act);
      assert.equal(piecesText(pdfLine(state)), line);
      assert.equal(pdfButton(state).isOff ?? false, state.kind === 'none');
    });

  it('announces the start, the quarters and the end of a download, and nothing else', () => {
    const at = (received: number): PdfState => ({ ...downloading, received, total: 4e6, words: `${received}` });
    for (const [before, next, said] of [
      [{ kind: 'available' }, downloading, 'Waiting…'],
      [downloading, at(0.9e6), undefined],
      [at(0.9e6), at(1e6), '1000000'],
      [at(1e6), at(1.9e6), undefined],
      [at(3e6), downloaded, 'Downloaded and verified'],
      [at(3e6), { kind: 'failed', message: 'Full.' }, 'Full.'],
      [at(3e6), { kind: 'available' }, 'Download cancelled'],
      [{ kind: 'available' }, downloaded, undefined],
    ] as const)
      assert.equal(pdfNews(before, next), said);
  });
});
