import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { FilterIndex } from './filterIndex.ts';
import { loadSqlite } from './loadSqlite.ts';
import { openDatabase } from './openDatabase.ts';

/** Pages of the index of words that are merged in one go, some thirty milliseconds' worth. */
const pagesAtOnce = 200;
/** How long others may write between two goes, in ms. */
const pauseBetween = 30;

/**
 * Does what is left when a first load ends, with a connection of its own in a thread of its own, so that the library
 * goes on answering: makes the index of filters, calls `made`, and then merges the index of words. Throws what the
 * library throws; what was not done is left as it was.
 */
export async function endLoad(path: string, made: () => void): Promise<void> {
  const loaded = await loadSqlite();
  if (!loaded.available) return;
  const { connection, readOnly } = openDatabase({ path, sqlite: loaded.sqlite, now: Date.now });
  try {
    if (readOnly) return;
    connection.transaction(() => new FilterIndex(connection).make());
    made();
    for (let first = true; mergeWords(connection, first); first = false) await pause(pauseBetween);
  } finally {
    connection.close();
  }
}

/**
 * Goes on merging the many parts in which a load leaves the index of words, to be begun with `first`; false when there
 * is nothing more to merge. A search looks into every part: in one it takes a third of the time that it takes in thirty.
 */
export function mergeWords(connection: Pick<Connection, 'run' | 'number'>, first: boolean): boolean {
  const before = connection.number('SELECT total_changes()');
  const pages = first ? -pagesAtOnce : pagesAtOnce;
  connection.run("INSERT INTO report_text(report_text, rank) VALUES ('merge', ?)", pages);
  // The statement itself counts as one change.
  return connection.number('SELECT total_changes()') - before > 1;
}
