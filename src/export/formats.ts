import type { Report } from '../api/schemas/report.ts';
import { csvEncoder } from './csv.ts';
import { jsonLinesEncoder } from './jsonLines.ts';

/** Forms of an export. `csv` is the bulk delivery format to the letter (CNV-4); `spreadsheet` is safe to open in one. */
export const exportFormats = ['csv', 'spreadsheet', 'jsonl', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The extension of a format's files. */
export const extensions: Readonly<Record<ExportFormat, string>> = {
  csv: 'csv',
  spreadsheet: 'csv',
  jsonl: 'jsonl',
  parquet: 'parquet',
};

/** Makes a file's bytes piece by piece; holds no more than a piece of it. */
export interface Encoder {
  /** Bytes that are ready once these reports are in; may be empty. */
  add(reports: readonly Report[]): Uint8Array;
  /** The rest of the file. */
  end(): Uint8Array;
}

/** The encoder of a format. That of Parquet is loaded when it is first needed. */
export async function encoderFor(format: ExportFormat): Promise<Encoder> {
  switch (format) {
    case 'csv':
    case 'spreadsheet':
      return csvEncoder(format === 'spreadsheet');
    case 'jsonl':
      return jsonLinesEncoder();
    case 'parquet': {
      const { parquetEncoder } = await import('./parquet.ts');
      return parquetEncoder();
    }
    default:
      return format satisfies never;
  }
}
