import assert from 'node:assert/strict';
import Papa from 'papaparse';
import { type ColumnName, columns } from '../../../src/api/schemas/fields.ts';
import type { Report } from '../../../src/api/schemas/report.ts';
import { csvCell, guardFormula, startsFormula, unguardFormula } from '../../../src/base/cells.ts';
import { formatCsv, parseCsv } from '../../../src/downloads/reportsCsv.ts';
import { csvEncoder } from '../../../src/export/rows.ts';
import { csvTable } from '../../../src/protocol/format/table.ts';
import { formulaPayloads, harmlessCells } from '../../support/formulas.ts';

const metadataWith = (title: string) =>
  Object.fromEntries(columns.map(({ name }) => [name, name === 'title' ? title : ''])) as Record<ColumnName, string>;
const inTable = (title: string) => formatCsv([{ report_id: 1, path: 'a.pdf', metadata: metadataWith(title) }]);
const exported = (title: string, forSpreadsheets: boolean) => {
  const bytes = csvEncoder(forSpreadsheets).add([{ report_id: 1, metadata: metadataWith(title) } as Report]);
  return new TextDecoder().decode(bytes);
};

/** Each way in which we write a cell that a spreadsheet may open, with the text of the whole file. */
const writers: Readonly<Record<string, (cell: string) => string>> = {
  'reports.csv': inTable,
  'CSV for Spreadsheets': (cell) => exported(cell, true),
  'a copied table': (cell) => csvTable([['title'], [cell]]),
  'write-back': (cell) => `title\r\n${csvCell(cell)}\r\n`,
};

function titleIn(text: string): string | undefined {
  const [head = [], row = []] = Papa.parse<string[]>(text, { delimiter: ',' }).data;
  return row[head.indexOf('title')];
}

describe('formulas of spreadsheets', () => {
  for (const [name, write] of Object.entries(writers)) {
    it(`run in no cell of ${name}`, () => {
      for (const payload of formulaPayloads) assert.equal(titleIn(write(payload)), `'${payload}`);
      for (const cell of harmlessCells.slice(0, -1)) assert.equal(titleIn(write(cell)), cell);
    });
  }

  it('are known, and the guard can be taken back', () => {
    for (const payload of formulaPayloads) {
      assert.ok(startsFormula(payload), JSON.stringify(payload));
      assert.equal(unguardFormula(guardFormula(payload)), payload);
      assert.equal(parseCsv(inTable(payload))?.[0]?.metadata.title, payload);
    }
    for (const cell of harmlessCells) {
      assert.equal(guardFormula(cell), cell);
      assert.equal(unguardFormula(guardFormula(cell)), cell);
    }
  });

  it('stay as the service wrote them in plain CSV', () => {
    for (const payload of formulaPayloads) assert.equal(titleIn(exported(payload, false)), payload);
  });
});
