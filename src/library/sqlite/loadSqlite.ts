/** The part of `node:sqlite` that is used here. */
export type SqliteModule = typeof import('node:sqlite');

/** `node:sqlite`, or why it can't be had: some hosts are built without it. */
export type SqliteLoad =
  | { readonly available: true; readonly sqlite: SqliteModule }
  | { readonly available: false; readonly reason: string };

/**
 * Loads `node:sqlite` on first need. A host without it, or with one that lacks full-text search, gives a reason
 * instead of an error, so that the library can work from memory.
 */
export async function loadSqlite(load: () => Promise<SqliteModule> = importSqlite): Promise<SqliteLoad> {
  try {
    const sqlite = await load();
    const probe = new sqlite.DatabaseSync(':memory:');
    try {
      probe.exec("CREATE VIRTUAL TABLE probe USING fts5(words, content='', detail=none)");
    } finally {
      probe.close();
    }
    return { available: true, sqlite };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { available: false, reason: `This editor comes without the SQLite module the library needs (${cause}).` };
  }
}

/** Named by a variable so that bundlers leave the built-in alone; older ones do not know it. */
const moduleName = 'node:sqlite';

function importSqlite(): Promise<SqliteModule> {
  return import(moduleName) as Promise<SqliteModule>;
}
