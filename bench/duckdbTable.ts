import { peerPackage } from '../scripts/install/peers.ts';
import { type WireReport, wireReport } from '../test/unit/library/support/wireReports.ts';
import { pageSize } from './libraryPages.ts';

/** As much of DuckDB's interface as is used here; its own types come with the package, which is installed on demand. */
interface DuckConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string, values?: readonly unknown[]): Promise<{ getRowsJson(): unknown[][] }>;
  createAppender(table: string): Promise<DuckAppender>;
  closeSync(): void;
}

interface DuckAppender {
  appendVarchar(value: string): void;
  appendInteger(value: number): void;
  appendBoolean(value: boolean): void;
  appendNull(): void;
  endRow(): void;
  closeSync(): void;
}

/** The same reports as columns of a DuckDB table in memory, the way an analyst would keep them. */
export class DuckdbTable {
  readonly #connection: DuckConnection;

  private constructor(connection: DuckConnection) {
    this.#connection = connection;
  }

  static async filled(reports: number): Promise<DuckdbTable> {
    const { DuckDBInstance } = (await import(await peerPackage('@duckdb/node-api/lib/index.js'))) as {
      DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckConnection> }> };
    };
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`CREATE TABLE reports(
      report_id INTEGER, company_key VARCHAR, company_name VARCHAR, title VARCHAR, fcyear INTEGER, type VARCHAR,
      language VARCHAR, gri BOOLEAN, tcfd BOOLEAN, json VARCHAR)`);
    const appender = await connection.createAppender('reports');
    for (let n = 1; n <= Math.ceil(reports / pageSize) * pageSize; n++) append(appender, wireReport(n));
    appender.closeSync();
    return new DuckdbTable(connection);
  }

  /** How many rows the question gives. */
  async ask(sql: string, ...values: readonly unknown[]): Promise<number> {
    return (await this.#connection.runAndReadAll(sql, values)).getRowsJson().length;
  }

  close(): void {
    this.#connection.closeSync();
  }
}

function append(appender: DuckAppender, report: WireReport): void {
  const text = (name: string) => appender.appendVarchar(String(report[name] ?? ''));
  const flag = (name: string) => {
    const value = report[name];
    if (typeof value === 'boolean') appender.appendBoolean(value);
    else appender.appendNull();
  };
  appender.appendInteger(Number(report.report_id));
  text('company_key');
  text('company_name');
  text('report_title');
  appender.appendInteger(Number(report.report_fcyear ?? 0));
  text('report_type');
  text('report_lang');
  flag('standards_gri');
  flag('standards_tcfd');
  appender.appendVarchar(JSON.stringify(report));
  appender.endRow();
}
