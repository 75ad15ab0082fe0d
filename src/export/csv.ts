import Papa from 'papaparse';
import { columns } from '../api/schemas/fields.ts';
import type { Encoder } from './formats.ts';

const names = columns.map(({ name }) => name);

/** Cells that a spreadsheet would run as a formula; numbers with a sign are left alone. */
const formula = /^(?:[=@\t\r]|[+-](?![\d.,]*$))/;

/** Tells spreadsheets that the text is UTF-8. */
const byteOrderMark = '\ufeff';

/**
 * The 50 columns as strings in dictionary order, RFC 4180, UTF-8 (CNV-4). For spreadsheets a cell that would run as a
 * formula gets an apostrophe in front, and the file a byte order mark; otherwise every cell is what the service sent.
 */
export function csvEncoder(forSpreadsheets: boolean): Encoder {
  const encoder = new TextEncoder();
  const options = { newline: '\r\n', escapeFormulae: forSpreadsheets ? formula : false } as const;
  const lines = (data: readonly string[][]) => (data.length === 0 ? '' : `${Papa.unparse([...data], options)}\r\n`);
  let head = `${forSpreadsheets ? byteOrderMark : ''}${lines([names])}`;
  const withHead = (text: string) => {
    const bytes = encoder.encode(head + text);
    head = '';
    return bytes;
  };
  return {
    add: (reports) => withHead(lines(reports.map(({ metadata }) => names.map((name) => metadata[name])))),
    end: () => withHead(''),
  };
}
