import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { libraryError, problemOfError } from '../libraryError.ts';

/** A row as an array of its columns; what each holds is known from the statement. */
export type SqlRow = readonly unknown[];

/**
 * So many statements are kept prepared before all are forgotten: what filters ask has as many forms as there are
 * filters, and each form kept takes some 10 kB.
 */
const maxStatements = 200;

/**
 * One connection to the database: statements are prepared once and give rows as arrays;
 * failures come out as `LibraryError`s.
 */
export class Database {
  readonly db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  all(sql: string, ...values: SQLInputValue[]): SqlRow[] {
    return told(() => this.#prepare(sql).all(...values) as unknown as SqlRow[]);
  }

  get(sql: string, ...values: SQLInputValue[]): SqlRow | undefined {
    return told(() => this.#prepare(sql).get(...values) as unknown as SqlRow | undefined);
  }

  /** Returns the id of the row that was inserted last. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(told(() => this.#prepare(sql).run(...values)).lastInsertRowid);
  }

  exec(sql: string): void {
    told(() => this.db.exec(sql));
  }

  /** The first column of the first row as a number, 0 when there is no row. */
  number(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.get(sql, ...values)?.[0] ?? 0);
  }

  /**
   * Runs `work` as one transaction: all of it is kept, or none. It asks for the write lock first, since a read that
   * turns into a write fails when another window writes meanwhile.
   */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk has already ended the transaction; another rollback would fail and hide the cause.
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.db.close();
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.db.prepare(sql);
    statement.setReturnArrays(true);
    if (this.#statements.size >= maxStatements) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Does some work on the library's file; an error of SQLite or of the file system is thrown as a person is told of it. */
export function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const problem = problemOfError(error);
    throw problem === null ? error : libraryError(problem, error);
  }
}
