import { existsSync, statSync } from 'node:fs';
import type { SqliteModule } from '../../machine/sqliteFile.ts';
import { LibraryError } from '../libraryError.ts';
import type { ReportSummary } from '../reportQuery.ts';
import type { PublishedElsewhere } from '../store.ts';
import { type Database, type OpenedDatabase, openToRead } from './openDatabase.ts';
import { hashPrefix, summaryOf, summarySql } from './reportRow.ts';

/** How long another library may be busy, ms: it is asked again another time. */
const patience = 200;
/** One that can't be read holds back what others decide for so long (ms) after it was written last. */
const unreadableFor = 30 * 86_400_000;

/** The listed reports that are published with one of these hashes for their PDF, which are given in lower case. */
export function reportsOfHashes(db: Database, sha256s: readonly string[]): ReportSummary[] {
  const wanted = new Set(sha256s.map((sha256) => sha256.toLowerCase()));
  const beginnings = [...new Set([...wanted].map((sha256) => sha256.slice(0, hashPrefix)))];
  const rows = db.all(
    `SELECT ${summarySql} FROM json_each(?) h CROSS JOIN reports r ON r.hash = h.value
     CROSS JOIN bodies b ON b.report_id = r.report_id WHERE r.state = 0 ORDER BY r.report_id`,
    JSON.stringify(beginnings),
  );
  return rows.flatMap((row) => {
    const summary = summaryOf(row);
    const sha256 = summary.sha256?.trim().toLowerCase() ?? '';
    return wanted.has(sha256) ? [{ ...summary, sha256 }] : [];
  });
}

/** Which of these hashes the libraries in other files publish for a listed report. Those files are only read. */
export function publishedInFiles(
  sqlite: SqliteModule,
  paths: readonly string[],
  sha256s: readonly string[],
): PublishedElsewhere {
  const published = new Set<string>();
  let complete = true;
  for (const path of paths) {
    const found = publishedIn(sqlite, path, sha256s);
    if (found !== null) for (const sha256 of found) published.add(sha256);
    else if (isFresh(path)) complete = false;
  }
  return { published: [...published], complete };
}

/** Whether a library or its journal was written lately, so that its connection may soon mend an unreadable file. */
function isFresh(path: string): boolean {
  const times = [path, `${path}-wal`].map((part) => statSync(part, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.abs(Date.now() - Math.max(...times)) < unreadableFor;
}

/** A library that is not loaded whole counts too: it may have been left so for good. Null when it can't be read now. */
function publishedIn(sqlite: SqliteModule, path: string, sha256s: readonly string[]): readonly string[] | null {
  if (!existsSync(path)) return [];
  let opened: OpenedDatabase | null = null;
  try {
    opened = openToRead({ path, sqlite }, patience);
    return opened && reportsOfHashes(opened.db, sha256s).flatMap(({ sha256 }) => sha256 ?? []);
  } catch (error) {
    if (error instanceof LibraryError) return null;
    throw error;
  } finally {
    opened?.db.close();
  }
}
