import { createHash } from 'node:crypto';
import type { QuarantinedRecord } from '../../api/schemas/page.ts';
import type { Database } from './database.ts';

/** More than this is evidence of a fault on the service's side, not a collection to keep. */
const maxEntries = 10_000;

/** Keeps an unreadable record's raw text, once; returns the id of the report it seems to be about, or null. */
export function setRecordAside(db: Database, record: QuarantinedRecord, source: string, at: number): number | null {
  const raw = JSON.stringify(record.raw) ?? 'null';
  const reportId = quarantinedId(record.raw);
  if (countAside(db) < maxEntries) {
    const digest = createHash('sha256').update(raw).digest('base64');
    db.run(
      'INSERT OR IGNORE INTO quarantine(digest, at, source, report_id, reason, raw) VALUES (?, ?, ?, ?, ?, ?)',
      ...[digest, at, source, reportId, record.reason, raw],
    );
  }
  return reportId;
}

/** Reports that can be read now need no keeping. */
export function releaseRecords(db: Database, reportIds: readonly number[]): void {
  if (countAside(db) === 0) return;
  for (const id of reportIds) db.run('DELETE FROM quarantine WHERE report_id = ?', id);
}

export function countAside(db: Database): number {
  return db.number('SELECT count(*) FROM quarantine');
}

/** The records, newest first: never more than are kept. */
export function recordsAside(db: Database): QuarantinedRecord[] {
  return db
    .all('SELECT raw, reason FROM quarantine ORDER BY id DESC')
    .map(([raw, reason]) => ({ raw: JSON.parse(String(raw)), reason: String(reason) }));
}

/** The id of the report that an unreadable record seems to be about; null when even that can't be read. */
function quarantinedId(raw: unknown): number | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const id = 'report_id' in raw ? raw.report_id : undefined;
  if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return id;
  return 'report' in raw ? quarantinedId(raw.report) : null;
}
