import zlib from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type ColumnType, columns } from '../api/schemas/fields.ts';
import type { PageRow } from '../text/pages.ts';
import { type Encoder, type TypedRow, typedRow } from './rows.ts';

/** Rows of a row group: enough to compress well, few enough to hold the thread up only briefly while encoding. */
const groupRows = 2_000;

type Shape = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

/** What a column of a table holds: a type of the dictionary, a whole number beyond 32 bits, or ms since the epoch. */
export type ParquetType = ColumnType | 'long' | 'timestamp';

/** A column of a table; any of its values may be null. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
}

const shapes: Readonly<Record<ParquetType, Shape>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: { type: 'INT32' },
  float: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  long: { type: 'INT64' },
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

const schema: SchemaElement[] = [
  ...columns.map(({ name, type }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...shapes[type] })),
  { name: 'report_id', type: 'INT64', repetition_type: 'REQUIRED' },
];

/** Zstandard, which hosts have whose Node is 22.15 or newer; the others compress with Snappy. */
const compression =
  typeof zlib.zstdCompressSync === 'function'
    ? ({ codec: 'ZSTD', compressors: { ZSTD: (bytes: Uint8Array) => zlib.zstdCompressSync(bytes) } } as const)
    : ({ codec: 'SNAPPY' } as const);

/** A Parquet file of a table, in memory. */
export class ParquetFile {
  readonly #bytes = new ByteWriter();
  readonly #table: readonly ParquetColumn[];
  readonly #writer: ParquetWriter;

  constructor(table: readonly ParquetColumn[]) {
    this.#table = table;
    const elements = table.map(
      ({ name, type }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...shapes[type] }),
    );
    const root = { name: 'table', num_children: elements.length };
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [root, ...schema],
      createdBy: 'Report Library',
      ...compression,
    });
  }

  /**
   * Adds a row group. `data` has an array for each column: dates as days since 1970, `long` and `timestamp` as bigint,
   * null where a value is unknown. Texts of the `varied` columns hardly repeat, and are written without a dictionary.
   */
  add(data: readonly unknown[][], varied: ReadonlySet<number>): void {
    const columnData = this.#table.map(({ name, type }, index) => {
      const values = data[index] ?? [];
      // Finding the least of many texts takes as long as writing them; nobody asks for a range of texts or of booleans.
      const column = { name, data: values, statistics: type !== 'string' && type !== 'boolean' };
      return varied.has(index) ? { ...column, data: utf8(values), encoding: 'PLAIN' as const } : column;
    });
    this.#writer.write({ columnData, rowGroupSize: data[0]?.length ?? 0 });
  }

  /** The whole of it; nothing can be added then. */
  end(): Uint8Array {
    this.#writer.finish();
    return this.#bytes.getBytes();
  }
}

/** Texts as bytes, all at once where they are ASCII: one by one takes several times as long. */
function utf8(texts: readonly unknown[]): unknown[] {
  const all = texts.join('');
  const bytes = Buffer.from(all);
  if (bytes.length !== all.length) return texts.map((text) => (typeof text === 'string' ? Buffer.from(text) : text));
  let end = 0;
  return texts.map((text) => {
    if (typeof text !== 'string') return text;
    end += text.length;
    return bytes.subarray(end - text.length, end);
  });
}

/** Parquet with typed columns: nullable booleans, dates as dates; the 50 columns, then `report_id`. */
export function parquetEncoder(): Encoder {
  const bytes = new ByteWriter();
  const root = { name: 'reports', num_children: schema.length };
  const writer = new ParquetWriter({ writer: bytes, schema: [root, ...schema], createdBy: 'Report Library' });
  let rows: TypedRow[] = [];
  const taken = () => {
    const piece = bytes.getBytes().slice();
    // Offsets in the file go on; the buffer begins anew.
    bytes.index = 0;
    return piece;
  };
  const writeGroup = () => {
    if (rows.length > 0) writer.write({ columnData: columnData(rows), rowGroupSize: rows.length });
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

const pageElements: readonly SchemaElement[] = [
  { name: 'report_key', repetition_type: 'REQUIRED', ...shapes.string },
  { name: 'page', repetition_type: 'REQUIRED', ...shapes.integer },
  { name: 'label', repetition_type: 'OPTIONAL', ...shapes.string },
  { name: 'text', repetition_type: 'REQUIRED', ...shapes.string },
  { name: 'sha256', repetition_type: 'REQUIRED', ...shapes.string },
];

/** Pages as a Parquet file. */
export function pagesParquet(rows: readonly PageRow[]): Uint8Array {
  const bytes = new ByteWriter();
  const root = { name: 'pages', num_children: pageElements.length };
  const writer = new ParquetWriter({ writer: bytes, schema: [root, ...pageElements], createdBy: 'Report Library' });
  const columnData = pageElements.map(({ name }) => ({
    name,
    data: rows.map((row): unknown => row[name as keyof PageRow]),
  }));
  writer.write({ columnData, rowGroupSize: Math.max(1, rows.length) });
  writer.finish();
  return bytes.getBytes().slice();
}
