import type { Connection } from './connection.ts';

const name = 'reports_by_filter';
const columns = 'fy, type, state, lang, class, level, flags, company';

/** Leaves a new library without the index of filters. Inside the transaction that makes the file. */
export function postponeFilterIndex(connection: Connection): void {
  connection.exec(`DROP INDEX ${name}`);
}

/**
 * The index that filters are answered from. Its entries come in no order, so that each report of a first load would
 * write a page of it, which is half of what storing the report costs: a new library does without until its first load
 * ends, and then gets it in one go. That it is missing is the note that it is to be made, so no crash loses the note.
 * Until then filters are answered from the list of the newest, which is slower by what they pass over.
 */
export class FilterIndex {
  readonly #connection: Connection;
  #seen = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onRollback(() => {
      this.#seen = false;
    });
  }

  /** Another window may have made it meanwhile; once made it stays. */
  get isMade(): boolean {
    this.#seen ||= this.#connection.get('SELECT 1 FROM sqlite_schema WHERE name = ?', name) !== undefined;
    return this.#seen;
  }

  /** Makes it where it is missing. Inside a transaction. */
  make(): void {
    if (!this.isMade) this.#connection.exec(`CREATE INDEX IF NOT EXISTS ${name} ON reports(${columns})`);
  }
}
