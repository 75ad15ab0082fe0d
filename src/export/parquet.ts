import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type ColumnType, columns } from '../api/schemas/fields.ts';
import { type Encoder, type OwnColumns, type TypedRow, typedRow } from './rows.ts';

/** Rows of a row group: enough to compress well, few enough that encoding them holds the thread up for a moment only. */
const groupRows = 2_000;

type Shape = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

const shapes: Readonly<Record<ColumnType, Shape>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: { type: 'INT32' },
  float: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
};

const schema: SchemaElement[] = [
  ...columns.map(({ name, type }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...shapes[type] })),
  { name: 'report_id', type: 'INT64', repetition_type: 'REQUIRED' },
];
const ownSchema = ['tags', 'note'].map((name): SchemaElement => {
  return { name, repetition_type: 'REQUIRED', ...shapes.string };
});

/** Parquet with typed columns: nullable booleans, dates as dates; the 50 columns, then `report_id`. */
export function parquetEncoder(own?: OwnColumns): Encoder {
  const bytes = new ByteWriter();
  const elements = [...schema, ...(own ? ownSchema : [])];
  const root = { name: 'reports', num_children: elements.length };
  const writer = new ParquetWriter({ writer: bytes, schema: [root, ...elements], createdBy: 'Report Library' });
  let rows: TypedRow[] = [];
  const taken = () => {
    const piece = bytes.getBytes().slice();
    // Offsets in the file go on; the buffer begins anew.
    bytes.index = 0;
    return piece;
  };
  const writeGroup = () => {
    if (rows.length > 0)
      writer.write({ columnData: [...columnData(rows), ...ownData(rows, own)], rowGroupSize: rows.length });
    rows = [];
    return taken();
  };
  return {
    add(reports) {
      rows.push(...reports.map(typedRow));
      return rows.length >= groupRows ? writeGroup() : new Uint8Array();
    },
    end() {
      const last = writeGroup();
      writer.finish();
      return Buffer.concat([last, taken()]);
    },
  };
}

function columnData(rows: readonly TypedRow[]) {
  const typedColumns = columns.map(({ name, type }) => ({
    name: name as string,
    data: rows.map((row) => {
      const value = row[name];
      return type === 'date' && typeof value === 'string' ? new Date(`${value}T00:00:00Z`) : value;
    }) as unknown[],
  }));
  return [...typedColumns, { name: 'report_id', data: rows.map(({ report_id }) => BigInt(report_id)) }];
}

function ownData(rows: readonly TypedRow[], own: OwnColumns | undefined) {
  const said = own ? rows.map(({ report_id }) => own(report_id)) : [];
  return own ? (['tags', 'note'] as const).map((name) => ({ name, data: said.map((words) => words[name]) })) : [];
}
