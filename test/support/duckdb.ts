import { peerPackage } from '../../scripts/install/peers.ts';
import { PlainFailure } from '../../scripts/progress.ts';

/** As much of DuckDB's interface as is used here; its types come with the package, which is installed on demand. */
interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string, values?: readonly unknown[]): Promise<{ getRowsJS(): unknown[][] }>;
  createAppender(table: string): Promise<Appender>;
  closeSync(): void;
}

/** Adds rows to a table, value by value. */
export interface Appender {
  appendVarchar(value: string): void;
  appendInteger(value: number): void;
  appendBoolean(value: boolean): void;
  appendNull(): void;
  endRow(): void;
  closeSync(): void;
}

/** A database in memory. */
export type Duckdb = Connection;

/** DuckDB with an empty database; undefined where its package cannot be had. */
export async function openDuckdb(): Promise<Duckdb | undefined> {
  try {
    const { DuckDBInstance } = (await import(await peerPackage('@duckdb/node-api/lib/index.js'))) as {
      DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
    };
    return (await DuckDBInstance.create(':memory:')).connect();
  } catch (error) {
    // No network, or no build for this machine.
    if (error instanceof PlainFailure || (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
