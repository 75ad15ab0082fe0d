import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type ColumnType, columns } from '../api/schemas/fields.ts';
import type { PageRow } from '../text/pages.ts';
import { type Encoder, type TypedRow, typedRow } from './rows.ts';

/** A column of a table: its name, the type of its values, and the value of a row. */
export interface ParquetColumn<Row> {
  readonly name: string;
  /** A type of the dictionary, or a whole number beyond 32 bits. Dates are texts, YYYY-MM-DD. */
  readonly type: ColumnType | 'long';
  /** True if no value is ever null. */
  readonly isRequired?: true;
  value(row: Row): string | number | boolean | null;
}

const shapes: Readonly<Record<ParquetColumn<never>['type'], Omit<SchemaElement, 'name'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: { type: 'INT32' },
  float: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  long: { type: 'INT64' },
};

/** The 50 columns, typed, then `report_id`. */
export const reportColumns: readonly ParquetColumn<TypedRow>[] = [
  ...columns.map(({ name, type }) => ({ name, type, value: (row: TypedRow) => row[name] })),
  { name: 'report_id', type: 'long', isRequired: true, value: (row) => row.report_id },
];

/** Who wrote a file, as its last bytes say. */
export const createdBy = 'Report Library';

/** Makes a Parquet file a row group at a time, and holds no more than one. */
export class ParquetTable<Row> {
  readonly #bytes = new ByteWriter();
  readonly #columns: readonly ParquetColumn<Row>[];
  readonly #writer: ParquetWriter;

  constructor(name: string, table: readonly ParquetColumn<Row>[]) {
    this.#columns = table;
    const elements = table.map(
      ({ name, type, isRequired }): SchemaElement => ({
        name,
        repetition_type: isRequired ? 'REQUIRED' : 'OPTIONAL',
        ...shapes[type],
      }),
    );
    const schema = [{ name, num_children: elements.length }, ...elements];
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema, createdBy });
  }

  /** The bytes of a row group with these rows; none for no rows. */
  group(rows: readonly Row[]): Uint8Array {
    const columnData = this.#columns.map(({ name, type, value }) => ({
      name,
      data: rows.map((row) => stored(type, value(row))),
    }));
    if (rows.length > 0) this.#writer.write({ columnData, rowGroupSize: rows.length });
    return this.#newBytes();
  }

  end(): Uint8Array {
    this.#writer.finish();
    return this.#newBytes();
  }

  #newBytes(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
    // Offsets continue from the start of the file; only the buffer restarts.
    this.#bytes.index = 0;
    return bytes;
  }
}

function stored(type: ParquetColumn<never>['type'], value: string | number | boolean | null): unknown {
  if (type === 'date' && typeof value === 'string') return new Date(`${value}T00:00:00Z`);
  return type === 'long' && typeof value === 'number' ? BigInt(value) : value;
}

/** Rows of a row group: enough to compress well, few enough to block the thread only briefly. */
export const groupRows = 1_000;

/** Parquet with typed columns: nullable booleans, dates as dates. */
export function parquetEncoder(): Encoder {
  const table = new ParquetTable('reports', reportColumns);
  let rows: TypedRow[] = [];
  const endGroup = () => {
    const bytes = table.group(rows);
    rows = [];
    return bytes;
  };
  return {
    add(reports) {
      rows.push(...reports.map(typedRow));
      return rows.length >= groupRows ? endGroup() : new Uint8Array();
    },
    end: () => Buffer.concat([endGroup(), table.end()]),
  };
}

const pageColumns: readonly ParquetColumn<PageRow>[] = [
  { name: 'report_key', type: 'string', isRequired: true, value: ({ report_key }) => report_key },
  { name: 'page', type: 'integer', isRequired: true, value: ({ page }) => page },
  { name: 'label', type: 'string', value: ({ label }) => label },
  { name: 'text', type: 'string', isRequired: true, value: ({ text }) => text },
  { name: 'sha256', type: 'string', isRequired: true, value: ({ sha256 }) => sha256 },
];

export function pagesParquet(rows: readonly PageRow[]): Uint8Array {
  const table = new ParquetTable('pages', pageColumns);
  return Buffer.concat([table.group(rows), table.end()]);
}
