import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { libraryError, problemOfSqliteError } from '../libraryError.ts';

/** A row as an array of its columns; what each holds is known from the statement. */
export type Row = readonly unknown[];

/**
 * So many statements are kept prepared: all that the library writes and asks by itself, and the questions that a person
 * came back to. What filters ask has as many forms as there are filters, and each form kept takes some 10 kB.
 */
const mostStatements = 200;

/**
 * One connection to the database: statements are prepared once, as long as they are in use, and give rows as arrays;
 * failures come out as `LibraryError`s.
 */
export class Connection {
  readonly db: DatabaseSync;
  readonly #statements = new Map<string, { readonly statement: StatementSync; used: boolean }>();
  readonly #onRollback: (() => void)[] = [];

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  /** Is told when a transaction is undone, so that what was remembered of it is forgotten. */
  onRollback(forget: () => void): void {
    this.#onRollback.push(forget);
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return guarded(() => this.#prepare(sql).all(...values) as unknown as Row[]);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return guarded(() => this.#prepare(sql).get(...values) as unknown as Row | undefined);
  }

  /** Returns the number of rows changed and the last row id. */
  run(sql: string, ...values: SQLInputValue[]): { readonly changes: number; readonly id: number } {
    return guarded(() => {
      const result = this.#prepare(sql).run(...values);
      return { changes: Number(result.changes), id: Number(result.lastInsertRowid) };
    });
  }

  exec(sql: string): void {
    guarded(() => this.db.exec(sql));
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
      for (const forget of this.#onRollback) forget();
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.db.close();
  }

  /** How many statements are kept prepared. */
  get prepared(): number {
    return this.#statements.size;
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) {
      known.used = true;
      return known.statement;
    }
    const statement = this.db.prepare(sql);
    statement.setReturnArrays(true);
    if (this.#statements.size >= mostStatements) this.#forgetOne();
    this.#statements.set(sql, { statement, used: false });
    return statement;
  }

  /** The oldest that has not been used since it was last looked at; noting each use by its order would cost more. */
  #forgetOne(): void {
    for (const [sql, entry] of this.#statements) {
      this.#statements.delete(sql);
      if (!entry.used) return;
      entry.used = false;
      this.#statements.set(sql, entry);
    }
  }
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const problem = problemOfSqliteError(error);
    throw problem === null ? error : libraryError(problem, error);
  }
}
