import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Papa from 'papaparse';
import {
  cellForm,
  type TakenTable,
  tableCode,
  tableMarkdown,
  tablePlain,
  tableSeparated,
} from '../../../src/evidence/tableForms.ts';

const hostile = '=cmd|\'/c calc\'!A0 | `x` </script><img src=x> $(bug) "q" \\ \u202eevil\nnext';
const table = (cells: string[][], change: Partial<TakenTable> = {}): TakenTable => ({
  source: {
    id: 'abcd1234',
    report: {
      ...{ id: 1042, key: 'XETR_A_2024_SR', title: 'Sustainability Report', company: 'Aarhorn Pharma AG' },
      ...{
        type: 'Sustainability Report',
        date: [2025, 3],
        fiscalYear: '2024',
        language: 'en',
        pages: 90,
        sha256: null,
      },
    },
    ...{ sha256: 'a'.repeat(64), page: 5, label: '2', last: null, path: 'reports/A B/x.pdf' },
    link: 'vscode://report-library.report-library/evidence/abcd1234',
  },
  region: {
    ...{ page: 5, label: '2', rectangles: [[10, 20, 300, 400]], columns: [10, 100, 300], rows: [400, 300, 20], cells },
  },
  style: null,
  ...change,
});
const plainTable = table(
  [
    ['Scope', '2024'],
    ['One', '1,234²'],
    ['Two', '(5)'],
    ['Three', 'n/a'],
  ],
  { style: '1,234.5' },
);

describe('a table in a document', () => {
  it('has its cells as printed, and in data the numbers that they are read as beside them', () => {
    assert.equal(
      tableMarkdown(plainTable),
      [
        '| Scope | 2024 |',
        '| --- | ---: |',
        '| One | 1,234² |',
        '| Two | (5) |',
        '| Three | n/a |',
        '',
        '— Aarhorn Pharma AG, *Sustainability Report*, fiscal year 2024, p. 2 (PDF page 5) · [Show table](vscode://report-library.report-library/evidence/abcd1234) · [PDF](reports/A%20B/x.pdf#page=5)',
      ].join('\n'),
    );
    assert.equal(
      tableSeparated(plainTable, ','),
      'Scope,2024,2024 (number)\r\nOne,"1,234²",1234\r\nTwo,(5),-5\r\nThree,n/a,\r\n',
    );
  });

  it('says in code where it is from', () => {
    const comments = tableCode(plainTable)
      .split('\n')
      .filter((line) => line.startsWith('#'));
    assert.deepEqual(comments, [
      '# Table from Aarhorn Pharma AG, Sustainability Report, fiscal year 2024',
      `# Report key XETR_A_2024_SR, SHA-256 ${'a'.repeat(64)}`,
      '# p. 2 (PDF page 5), rectangle [10, 20, 300, 400] in PDF points',
      '# vscode://report-library.report-library/evidence/abcd1234',
    ]);
  });

  it('is a data frame of pandas, with names that differ', () => {
    const same = table([
      ['x', 'x', ''],
      ['1', '2', '3'],
    ]);
    assert.match(
      tableCode(same),
      /^import pandas as pd\n\n(?:# .*\n){4}table = pd\.DataFrame\(\{\n {4}"x": \["1"\],\n {4}"x \(2\)": \["2"\],\n {4}"Column 3": \["3"\],\n\}\)/,
    );
    const mixed = table([['x'], ['1.5'], ['2'], ['']], { style: '1,234.5' });
    assert.match(tableCode(mixed), /"x \(number\)": \[1\.5, 2\.0, None\]/);
  });

  it('holds exactly the cells when the code runs', () => {
    const shown = hostile.replace('\u202e', ' ').replace('\n', ' ').replace(/\s+/g, ' ');
    const code = tableCode(
      table([
        [hostile, 'b'],
        [hostile, '"""'],
      ]),
    );
    const fake =
      'import sys, types, json\nsys.modules["pandas"] = types.SimpleNamespace(DataFrame=lambda columns: columns)\n';
    const { stdout, stderr } = spawnSync('python3', ['-c', `${fake}${code}\nprint(json.dumps(table))`], {
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    assert.deepEqual(JSON.parse(stdout), { [shown]: [shown], b: ['"""'] });
  });

  it('has signed numbers as printed where a spreadsheet opens it, and runs nothing', () => {
    const printed = ['-5%', '−1 234', '-5.2 %', '- 12', '+3 ‰', '-1 234,5'];
    const run = ['-1+1', '-5%+A1', '- A1', '+1 =2', '−1-1'];
    const written = tableSeparated(table([['x'], ...[...printed, ...run].map((cell) => [cell])]), ',');
    assert.deepEqual(
      Papa.parse<string[]>(written.trimEnd()).data.map(([cell]) => cell),
      ['x', ...printed, ...run.map((cell) => `'${cell}`)],
    );
  });

  it('names no encoding, in which Python would read a cell as code', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'report-library-table-'));
    try {
      const cell = "+ACI-],}) if 0 else print('PWNED') +ACM-";
      const { source } = plainTable;
      const report = { ...source.report, company: 'ACME coding: utf-7', title: 'vim: set fileencoding=utf-7 :' };
      const hostileTable = table([['Head'], [cell]], { source: { ...source, report } });
      await writeFile(join(folder, 'pandas.py'), 'def DataFrame(columns): return columns\n');
      const code = `${tableCode(hostileTable)}print(list(table.values())[0][0])\n`;
      for (const before of ['', '#!/usr/bin/env python3\n', '\n']) {
        await writeFile(join(folder, 'file.py'), before + code);
        const { stdout, stderr } = spawnSync('python3', [join(folder, 'file.py')], { encoding: 'utf8' });
        assert.equal(stdout, `${cell}\n`, stderr);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('has whole numbers as such where all are, and a name of its own for each column', () => {
    const numbers = (...cells: string[]) =>
      tableCode(table([['n'], ...cells.map((cell) => [cell])], { style: '1,234.5' }));
    assert.match(numbers('1,234', '-5'), /"n \(number\)": \[1234, -5\]/);
    assert.match(numbers('1,234', '2.5'), /"n \(number\)": \[1234\.0, 2\.5\]/);
    assert.match(tableSeparated(table([['x', 'x', 'x']]), ','), /^x,x \(2\),x \(3\)\r\n/);
  });

  it('stays text in every form, whatever a PDF says', () => {
    const written = table([
      ['a', hostile],
      [hostile, '-1+1'],
    ]);
    const markdown = tableMarkdown(written);
    assert.equal(markdown.split('\n').length, 5);
    for (const live of ['<img', '</script', ' | `', '\u202e']) assert.ok(!markdown.includes(live), live);
    for (const delimiter of [',', '\t'] as const) {
      const rows = Papa.parse<string[]>(tableSeparated(written, delimiter).trimEnd(), { delimiter }).data;
      assert.equal(rows.length, 2);
      for (const cell of rows.flat()) assert.ok(!/^[=@|+-]/.test(cell), cell);
    }
    assert.ok(!tablePlain(written).includes('\u202e'));
    assert.match(tablePlain(plainTable), /^Scope\t2024\t2024 \(number\)\r\nOne\t/);
    const { source } = written;
    const report = { ...source.report, title: 'A\nimport os', company: 'B\u2028x' };
    const code = tableCode({ ...written, source: { ...source, report } });
    assert.ok(code.split(/[\n\u2028]/).every((line) => !line.startsWith('import os') && !line.startsWith('x')));
  });

  it('has cells in the form of all text of PDFs, with raised digits as they are', () => {
    assert.equal(cellForm('Emis-\nsions ﬁnal\u00a01 234²  \u202ex'), 'Emissions final 1 234² x');
    assert.equal(cellForm('a ¹ b'), 'a ¹ b');
    assert.equal(cellForm('12³'), '12³');
    for (const printed of ['1,234①', '3⅓', '1½', '12₂', '2 ½', 'CO₂e']) assert.equal(cellForm(printed), printed);
  });
});
