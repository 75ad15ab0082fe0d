import { PlainFailure } from '../scripts/progress.ts';
import { type Appender, type Duckdb, openDuckdb } from '../test/support/duckdb.ts';
import { type WireReport, wireReport } from '../test/unit/library/support/wireReports.ts';
import { pageSize } from './libraryPages.ts';

/** The same reports as columns of a DuckDB table in memory, the way an analyst would keep them. */
export class DuckdbTable {
  readonly #connection: Duckdb;

  private constructor(connection: Duckdb) {
    this.#connection = connection;
  }

  static async filled(reports: number): Promise<DuckdbTable> {
    const connection = await openDuckdb();
    if (!connection) throw new PlainFailure('DuckDB could not be installed for this machine.');
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
    return (await this.#connection.runAndReadAll(sql, values)).getRowsJS().length;
  }

  close(): void {
    this.#connection.closeSync();
  }
}

function append(appender: Appender, report: WireReport): void {
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
