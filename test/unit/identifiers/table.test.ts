import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import Papa from 'papaparse';
import type { Formulas } from '../../../src/base/cells.ts';
import {
  addColumns,
  decodeText,
  encodeText,
  freeNames,
  guessColumns,
  type IdentifierTable,
  readTable,
  valuesIn,
  withInsertions,
} from '../../../src/identifiers/table.ts';

const names = ['company_key', 'company_name'];
const add = (text: string, table: IdentifierTable, value: (cell: string) => string, formulas: Formulas = 'quote') =>
  withInsertions(text, addColumns(table, { names, formulas, valuesOf: ([cell = '']) => [value(cell), 'N'] }));
const plainly = (text: string) => add(text, readTable(text), (cell) => `k${cell}`);

describe('Columns added to a CSV document', () => {
  it('stand at the right of every record, and nothing else changes', () => {
    assert.equal(plainly('id,b\n1,2\n3,4\n'), 'id,b,company_key,company_name\n1,2,k1,N\n3,4,k3,N\n');
  });

  it('keep line breaks, a byte order mark and a missing last line break', () => {
    assert.equal(plainly('\ufeffid\r\n1\r\n2'), '\ufeffid,company_key,company_name\r\n1,k1,N\r\n2,k2,N');
  });

  it('keep the delimiter and the quoting of the file', () => {
    assert.equal(plainly('"id";"b"\n"1";"x; y"\n'), '"id";"b";"company_key";"company_name"\n"1";"x; y";"k1";"N"\n');
    assert.equal(plainly('id\tb\n1\t"a\nb"\n'), 'id\tb\tcompany_key\tcompany_name\n1\t"a\nb"\tk1\tN\n');
  });

  it('are updated where they are there already, in whatever order and quoting, and added where they are not', () => {
    const update = (text: string, of = readTable(text)) =>
      withInsertions(
        text,
        addColumns(of, { names, formulas: 'quote', updated: text, valuesOf: ([id]) => byId[id ?? ''] }),
      );
    const byId: Record<string, string[]> = { a: ['KA', 'New, Ltd'], b: ['KB', ''] };
    assert.equal(
      update('id,company_name,company_key,x\r\na,"Old ""&"" Co",,"1\r\n2"\r\nb,Other,"k",y\r\nc,Kept,kc,z'),
      'id,company_name,company_key,x\r\na,"New, Ltd",KA,"1\r\n2"\r\nb,,KB,y\r\nc,Kept,kc,z',
    );
    assert.equal(update('id,company_key\na,k\nc,kc\n'), 'id,company_key,company_name\na,KA,"New, Ltd"\nc,kc,\n');
    const twice = update(update('id\na\nb\n'));
    assert.equal(twice, update('id\na\nb\n'), 'written twice is written once');
  });

  it('fill up short records and leave blank lines blank', () => {
    assert.equal(plainly('id,b,c\n1\n\n2,x,y\n'), 'id,b,c,company_key,company_name\n1,,,k1,N\n\n2,x,y,k2,N\n');
  });

  it('get another name where the document has theirs', () => {
    assert.equal(plainly('id,company_key\n1,x\n').split('\n')[0], 'id,company_key,company_key_2,company_name');
  });

  it('have no name where there is no header', () => {
    const text = 'XPAR:ABCD,2\n';
    assert.equal(
      add(text, readTable(text), () => 'k'),
      'XPAR:ABCD,2,k,N\n',
    );
  });

  it('tell where quotes do not match', () => {
    assert.equal(readTable('a,b\n"x,1\n2,3\n').brokenRecord, 2);
    assert.equal(readTable('a,b\n"x",1\n').brokenRecord, null);
  });

  it('start no formula, or stand in quotes as they are, as was chosen', () => {
    const text = 'id\n1\n';
    assert.equal(add(text, readTable(text), () => '=1+1', 'neutralize').split('\n')[1], `1,"'=1+1",N`);
    assert.equal(add(text, readTable(text), () => '=1+1', 'quote').split('\n')[1], '1,"=1+1",N');
  });

  const odd = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\n', ' ', "'", '=', 'ä', '\u202E', '|', 'x') }),
  );

  it('read back as they were, beside all that was there, for any text, delimiter and quoting', () => {
    const tables = fc.record({
      // A cell with a lone CR is read differently from file to file; editors make line breaks of it.
      rows: fc.array(
        fc.array(
          odd.map((cell) => cell.replaceAll('\r', '')),
          { minLength: 2, maxLength: 2 },
        ),
        { minLength: 1 },
      ),
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      newline: fc.constantFrom('\n', '\r\n'),
      quotes: fc.boolean(),
      lastBreak: fc.boolean(),
      value: odd.map((cell) => cell.replaceAll('\r', '')),
    });
    fc.assert(
      fc.property(tables, ({ rows, delimiter, newline, quotes, lastBreak, value }) => {
        const all = [['id', 'note'], ...rows];
        const text = Papa.unparse(all, { delimiter, newline, quotes }) + (lastBreak ? newline : '');
        const changed = add(text, readTable(text, delimiter), () => value);
        const body = changed.endsWith(newline) && lastBreak ? changed.slice(0, -newline.length) : changed;
        const back = Papa.parse<string[]>(body, { delimiter, newline }).data;
        const expected = all.map((row, index) => [...row, ...(index === 0 ? names : [value, 'N'])]);
        assert.deepEqual(back, expected);
        assert.equal(changed.includes('\r\n'), text.includes('\r\n'));
      }),
      { numRuns: 400 },
    );
  });

  it('only ever insert: without what was inserted the text is the same, whatever it is', () => {
    fc.assert(
      fc.property(odd, fc.constantFrom(undefined, ',', ';'), (text, delimiter) => {
        const table = readTable(text, delimiter);
        const insertions = addColumns(table, { names, formulas: 'quote', valuesOf: () => undefined });
        const offsets = insertions.map(({ offset }) => offset);
        assert.deepEqual(
          offsets,
          offsets.toSorted((a, b) => a - b),
        );
        assert.ok(offsets.every((offset) => offset >= 0 && offset <= text.length));
      }),
      { numRuns: 400 },
    );
  });
});

describe('A file of identifiers', () => {
  const bytesOf = (name: string) => readFileSync(new URL(`./cases/${name}`, import.meta.url));
  const fileOf = (name: string) => {
    const { text, encoding } = decodeText(bytesOf(name));
    const table = readTable(text);
    const [column] = guessColumns(table);
    assert.ok(column);
    return { text, encoding, table, column, values: valuesIn(table, column.index) };
  };

  it('keeps each of its bytes when columns are added, whatever its encoding and line breaks', () => {
    const all =
      'bom cik cikstr cp1252 dup headcomma mixedeol nohead numticker preamble quotedlf sedol sep utf16 zeros'.split(
        ' ',
      );
    for (const name of all) {
      const { text, encoding, table } = fileOf(`${name}.csv`);
      const insertions = addColumns(table, { names, formulas: 'neutralize', valuesOf: () => ['K', 'N'] });
      const changed = encodeText(withInsertions(text, insertions), encoding);
      const back = decodeText(changed);
      assert.equal(back.encoding, encoding, name);
      let rest = back.text;
      for (const { text: added } of insertions) rest = rest.replace(added, '');
      assert.deepEqual(Buffer.from(encodeText(rest, encoding)), bytesOf(`${name}.csv`), name);
    }
  });

  for (const [name, expected] of Object.entries({
    bom: { encoding: 'UTF-8', delimiter: ',', header: 'isin', values: ['GB0099RLST42'] },
    cp1252: { encoding: 'Windows-1252', delimiter: ';', header: 'isin', values: ['GB0099RLST42'] },
    utf16: { encoding: 'UTF-16 LE', delimiter: '\t', header: 'isin', values: ['GB0099RLST42'] },
    headcomma: { encoding: 'UTF-8', delimiter: ';', header: 'ISIN', values: ['GB0099RLST42', 'GB0099THWK15'] },
    mixedeol: {
      ...{ encoding: 'UTF-8', delimiter: ',', header: 'isin' },
      values: ['GB0099RLST42', 'GB0099THWK15', 'US99Q1LRK108'],
    },
    nohead: { encoding: 'UTF-8', delimiter: ',', header: 'Column 1', values: ['GB0099RLST42', 'GB0099THWK15'] },
    preamble: { encoding: 'UTF-8', delimiter: ',', header: 'isin', values: ['GB0099RLST42'] },
    quotedlf: { encoding: 'UTF-8', delimiter: ',', header: 'isin', values: ['GB0099RLST42', 'GB0099THWK15'] },
    sep: { encoding: 'UTF-8', delimiter: ';', header: 'isin', values: ['GB0099RLST42', 'GB0099THWK15'] },
  }))
    it(`${name} is read as it is written`, () => {
      const { encoding, table, column, values } = fileOf(`${name}.csv`);
      assert.deepEqual({ encoding, delimiter: table.delimiter, header: column.header, values }, expected);
    });

  it('keeps a column of its own that is named like a new one', () => {
    assert.deepEqual(freeNames(names, fileOf('dup.csv').table), ['company_key_2', 'company_name']);
  });

  it('has a header also where its names look like company keys', () => {
    for (const header of ['isin_code,name_en', 'fund_id,isin', 'FUND_ID,ISIN', 'paid_out,isin']) {
      const table = readTable(`${header}\nGB0099RLST42,GB0099RLST42\n`);
      assert.equal(table.hasHeader, true, header);
    }
    assert.equal(readTable('XPAR_ABCD,1\nXLON_EFGH,2\n').hasHeader, false);
  });

  it('of CIKs has a column of CIKs, and no other column of numbers is one', () => {
    const kinds = (name: string) => fileOf(name).column.kinds.map(({ kind, count }) => `${count} ${kind}`);
    assert.deepEqual([kinds('cik.csv'), kinds('cikstr.csv'), kinds('zeros.csv')], [['10 cik'], ['2 cik'], ['6 cik']]);
    assert.deepEqual([kinds('numticker.csv'), kinds('sedol.csv')], [[], []]);
  });
});

describe('A table below other lines', () => {
  const rows = 'ISIN,Name,Weight\nGB0099RLST42,A,1\nGB0099RLST42,B,2\n';
  for (const [what, above] of [
    ['a title with commas', 'Holdings report, as of 31.12.2024, EUR\nFund: X\n\n'],
    ['names and values', 'Fund,Global\nDate,2024-12-31\n'],
    ['an identifier of its own', 'Fund,Global\nISIN,AU0000XVGZA3\n\n'],
    ['nothing', ''],
  ] as const)
    it(`begins at its header: ${what} above it`, () => {
      const table = readTable(above + rows);
      assert.deepEqual([table.hasHeader, table.records.length], [true, 3]);
      assert.equal(table.records[0]?.end, above.length + 'ISIN,Name,Weight'.length);
      assert.deepEqual(guessColumns(table).map(({ header, recognized }) => [header, recognized])[0], ['ISIN', 2]);
    });

  it('loses no row whose code is missing, and none before a second header', () => {
    assert.equal(readTable('isin,name\n,A\nGB0099RLST42,B\n').records.length, 3);
    assert.equal(readTable(`${rows}${rows}`).records.length, 6);
    assert.deepEqual([readTable('GB0099RLST42,A\nGB0099RLST42,B\n').hasHeader], [false]);
  });

  it('has no header where its first row is a code with a label', () => {
    for (const text of ['CIK 9900412\nCIK 9900131\n', 'ISIN:GB0099RLST42\nISIN: AU0000XVGZA3\n'])
      assert.equal(readTable(text).hasHeader, false, text);
    assert.equal(readTable('id\nISIN:GB0099RLST42\nISIN: AU0000XVGZA3\n').records.length, 3);
  });

  it('has lines that end with a lone carriage return among others', () => {
    const text = 'isin,name\r\nGB0099RLST42,A\nGB0099RLST42,"B\rb"\rGB0099RLST42,C\r\n';
    const table = readTable(text);
    assert.deepEqual(valuesIn(table, 0).length, 3);
    assert.ok(table.records.slice(0, -1).every(({ end }) => /[\r\n]/.test(text[end] ?? '')));
  });

  it('is read from UTF-16 without a byte order mark, and keeps every byte', () => {
    for (const isBig of [false, true]) {
      const little = Buffer.from('isin\tname\nGB0099RLST42\tä\n', 'utf16le');
      const bytes = isBig ? little.swap16() : little;
      const { text, encoding } = decodeText(bytes);
      assert.deepEqual(valuesIn(readTable(text), 0), ['GB0099RLST42']);
      assert.deepEqual(Buffer.from(encodeText(text, encoding)), bytes);
    }
  });
});
