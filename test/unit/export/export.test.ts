import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetMetadata, parquetReadObjects } from 'hyparquet';
import Papa from 'papaparse';
import { columns } from '../../../src/api/schemas/fields.ts';
import type { Report } from '../../../src/api/schemas/report.ts';
import { startsFormula } from '../../../src/base/cells.ts';
import { type TypedRow, typedRow } from '../../../src/export/rows.ts';
import {
  type ExportFormat,
  encoderFor,
  exportFormats,
  reportPages,
  writeTable,
} from '../../../src/export/writeTable.ts';
import { oddText } from '../../support/languages/oddText.ts';
import { hasProgram, runProgram } from '../../support/languages/programs.ts';
import { hostileReport, sampleReport, sparseReport } from '../../support/panels/reports.ts';
import { asRead, plainRow } from '../../support/parquetRows.ts';
import { report } from '../library/support/wireReports.ts';

const names = columns.map(({ name }) => name);
const odd = fc.sample(oddText, 300);
const oddReports = odd.map((text, index) =>
  sampleReport({
    report_id: index + 1,
    report_title: text,
    company_name: odd[(index + 7) % odd.length] ?? '',
    assurance_scope: text.repeat(40),
    standards_gri: index % 3 === 0 ? null : index % 3 === 1,
  }),
);
const reports: readonly Report[] = [
  sampleReport(),
  sparseReport,
  hostileReport,
  sampleReport({ report_title: '=1+1', company_name: '-2+3', assurance_scope: '-1.5' }),
  ...oddReports,
  ...Array.from({ length: 1_200 }, (_, index) => report(index + 1)),
];
/** What a UTF-8 file can hold of a cell. */
const cells = ({ metadata }: Report) => names.map((name) => metadata[name].toWellFormed());

describe('an export', function () {
  this.timeout(120_000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'export '));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function write(
    format: ExportFormat,
    signal = new AbortController().signal,
    onProgress?: (rows: number) => void,
  ) {
    const file = join(folder, `table.${format}`);
    const byIndex = reports.map((_, index) => index);
    const pages = reportPages(byIndex, async (page) => page.flatMap((index) => reports[index] ?? []));
    const rows = await writeTable({
      file,
      encoder: await encoderFor(format),
      pages,
      signal,
      ...(onProgress && { onProgress }),
    });
    assert.equal(rows, reports.length);
    return file;
  }

  it('as CSV has the 50 columns in dictionary order, and reads back in Python as it was', async function () {
    const file = await write('csv');
    assert.ok(readFileSync(file, 'utf8').startsWith(`${names.join(',')}\r\n`));
    if (!hasProgram('python3')) this.skip();
    const code =
      'import csv,json,sys; csv.field_size_limit(10**9); print(json.dumps(list(csv.reader(open(sys.argv[1], encoding="utf-8", newline="")))))';
    const { out, err } = runProgram('python3', ['-c', code, file], folder);
    const [head, ...rows] = JSON.parse(out || err) as string[][];
    assert.deepEqual(head, names);
    assert.deepEqual(rows, reports.map(cells));
  });

  it('takes the place of what a process left that was killed, and of no other file', async () => {
    const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 4);
    const partOf = (name: string, pid: number) => `.${name}.${machine}-${pid}---4567abcd.part`;
    const [gone, alive] = [2 ** 22 + 1, process.ppid];
    const [left, ...kept] = [partOf('table.jsonl', gone), partOf('other.jsonl', gone), partOf('table.jsonl', alive)];
    for (const name of [left ?? '', ...kept]) writeFileSync(join(folder, name), 'half');
    await write('jsonl');
    const parts = readdirSync(folder).filter((name) => name.endsWith('.part'));
    assert.deepEqual(parts.sort(), kept.sort());
    for (const name of kept) rmSync(join(folder, name));
  });

  it('as CSV for spreadsheets runs no formula, and is the same but for that', async () => {
    const read = async (format: ExportFormat) => {
      const text = readFileSync(await write(format), 'utf8');
      return { text, cells: Papa.parse<string[]>(text.replace(/^\ufeff/, ''), { skipEmptyLines: true }).data.flat() };
    };
    const plain = await read('csv');
    const safe = await read('spreadsheet');
    assert.ok(safe.text.startsWith('\ufeff') && !plain.text.startsWith('\ufeff'));
    assert.ok(plain.cells.some(startsFormula));
    assert.ok(plain.cells.includes('-1.5'));
    assert.deepEqual(
      safe.cells,
      plain.cells.map((cell) => (startsFormula(cell) ? `'${cell}` : cell)),
    );
  });

  it('as JSON Lines is typed, and reads back in Python as it was', async function () {
    const file = await write('jsonl');
    const rows = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TypedRow);
    assert.deepEqual(rows, reports.map(typedRow));
    assert.deepEqual(Object.keys(rows[0] ?? {}), [...names, 'report_id']);
    if (!hasProgram('python3')) this.skip();
    const code =
      'import json,sys; print(json.dumps([json.loads(line) for line in open(sys.argv[1], encoding="utf-8", newline="\\n")]))';
    const { out, err } = runProgram('python3', ['-c', code, file], folder);
    assert.deepEqual(JSON.parse(out || err), rows);
  });

  it('as Parquet reads back as it was, with typed columns', async () => {
    const file = await write('parquet');
    const buffer = await asyncBufferFromFile(file);
    const rows = await parquetReadObjects({ file: buffer });
    assert.deepEqual(rows.map(plainRow), reports.map(typedRow).map(asRead));
    const { schema } = parquetMetadata(await buffer.slice(0));
    const kinds = Object.fromEntries(
      schema.slice(1).map(({ name, type, converted_type }) => [name, converted_type ?? type]),
    );
    assert.deepEqual(
      [kinds.std_gri, kinds.period_end, kinds.pages, kinds.filesize, kinds.title, kinds.report_id],
      ['BOOLEAN', 'DATE', 'INT32', 'DOUBLE', 'UTF8', 'INT64'],
    );
  });

  it('leaves nothing behind when it is cancelled, and an older file as it was', async () => {
    for (const format of exportFormats) {
      const file = join(folder, `table.${format}`);
      writeFileSync(file, 'older');
      const before = readdirSync(folder).sort();
      const abort = new AbortController();
      const cancelled = write(format, abort.signal, (rows) => {
        if (rows >= 500) abort.abort();
      });
      await assert.rejects(cancelled, { name: 'AbortError' });
      assert.deepEqual(readdirSync(folder).sort(), before);
      assert.equal(readFileSync(file, 'utf8'), 'older');
    }
  });

  it('of nothing is a head, or no line at all', async () => {
    const ends = await Promise.all(exportFormats.map(async (format) => (await encoderFor(format)).end()));
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    assert.equal(decoder.decode(ends[0]), `${names.join(',')}\r\n`);
    assert.equal(decoder.decode(ends[2]), '');
    assert.equal(decoder.decode(ends[3]?.slice(0, 4)), 'PAR1');
  });
});

describe('the typed row of a report', () => {
  const typed = (changes: Partial<Report['metadata']>) => {
    const base = sampleReport();
    return typedRow({ ...base, metadata: { ...base.metadata, ...changes } });
  };

  it('tells yes, no and undetermined apart, and unknown from empty', () => {
    const row = typedRow(
      sampleReport({ standards_gri: true, standards_sasb: false, standards_issb: null, company_isin: null }),
    );
    assert.deepEqual([row.std_gri, row.std_sasb, row.std_issb, row.isin], [true, false, null, null]);
  });

  it('keeps the precision of a publication date, and takes only days of the calendar for dates', () => {
    assert.equal(typed({}).publication_date, '2024-05');
    const base = sampleReport({ period_end_date: null });
    const broken = typedRow({ ...base, metadata: { ...base.metadata, period_end: '2023-02-30' } });
    assert.equal(broken.period_end, null);
  });

  it('falls back to the typed field when a cell does not read as its type', () => {
    assert.deepEqual([typed({ pages: 'many' }).pages, typed({ filesize: '' }).filesize], [148, 8.42]);
  });
});
