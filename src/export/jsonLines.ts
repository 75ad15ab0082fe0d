import type { Encoder } from './formats.ts';
import { typedRow } from './values.ts';

/** A JSON object a line: the 50 columns, typed, then `report_id`; null where a value is unknown. */
export function jsonLinesEncoder(): Encoder {
  const encoder = new TextEncoder();
  return {
    add: (reports) => encoder.encode(reports.map((report) => `${JSON.stringify(typedRow(report))}\n`).join('')),
    end: () => new Uint8Array(),
  };
}
