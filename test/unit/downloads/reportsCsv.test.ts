import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ColumnName, columns } from '../../../src/api/schemas/fields.ts';
import { type CsvRow, formatCsv, parseCsv } from '../../../src/downloads/reportsCsv.ts';

function row(report_id: number, values: Partial<Record<ColumnName, string>> = {}): CsvRow {
  const metadata = Object.fromEntries(columns.map(({ name }) => [name, ''])) as Record<ColumnName, string>;
  return { report_id, path: `a/${report_id}.pdf`, metadata: { ...metadata, ...values } };
}

describe('the table of metadata', () => {
  it('has the 50 columns in dictionary order, then report_id and path, RFC 4180', () => {
    const lines = formatCsv([row(2, { title: 'Say "yes", now', company: 'Two\nlines' }), row(1)]).split('\r\n');
    assert.equal(lines[0], [...columns.map(({ name }) => name), 'report_id', 'path'].join(','));
    assert.match(lines[1] ?? '', /,1,a\/1\.pdf$/);
    assert.match(lines[2] ?? '', /^,"Two\nlines","Say ""yes"", now",.*,2,a\/2\.pdf$/s);
    assert.equal(lines[3], '');
    assert.equal(lines.length, 4);
  });

  it('reads back what was written', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.startsWith("'"));
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 2 }), ([title = '', company = '']) => {
        const rows = [row(5, { title, company })];
        assert.deepEqual(parseCsv(formatCsv(rows)), rows);
      }),
    );
  });

  it('keeps its other rows when an editor left some without an id or a path', () => {
    const text = formatCsv([row(1), row(2), row(3)]);
    const [head, first = '', second = '', third] = text.split('\r\n');
    const broken = [head, first.replace(',1,', ',one,'), second.replace(/,[^,]*$/, ''), '', third].join('\r\n');
    assert.deepEqual(parseCsv(`\ufeff${broken}`), [row(3)]);
  });

  it("is not taken for ours when it is somebody's own", () => {
    assert.equal(parseCsv('a,b\n1,2\n'), undefined);
    assert.equal(parseCsv(''), undefined);
    assert.deepEqual(parseCsv(formatCsv([])), []);
  });
});
