import type { DatabaseSync } from 'node:sqlite';
import { SqliteConnection, telling } from '../../machine/sqliteFile.ts';
import { libraryError } from '../libraryError.ts';

/** One connection to a library's file; failures come out as `LibraryError`s. */
export class Database extends SqliteConnection {
  constructor(db: DatabaseSync) {
    super(db, libraryError);
  }
}

/** Does some work on the library's file; errors of SQLite and the file system become errors for a person. */
export function withSqliteErrors<T>(work: () => T): T {
  return telling(libraryError, work);
}
