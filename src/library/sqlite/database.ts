import type { DatabaseSync } from 'node:sqlite';
import { SqliteConnection, telling } from '../../machine/sqliteFile.ts';
import { libraryError } from '../libraryError.ts';

/** One connection to a library's file; failures come out as `LibraryError`s. */
export class Database extends SqliteConnection {
  constructor(db: DatabaseSync) {
    super(db, libraryError);
  }
}

/** Does some work on the library's file; an error of SQLite or of the file system is thrown as a person is told of it. */
export function told<T>(work: () => T): T {
  return telling(libraryError, work);
}
