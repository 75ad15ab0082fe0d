import { createHash } from 'node:crypto';
import type { QuarantinedRecord } from '../../api/schemas/page.ts';
import type { QuarantineEntry } from '../store.ts';
import type { Connection } from './connection.ts';

/** More than this is evidence of a fault on the service's side, not a collection to keep. */
const maxEntries = 10_000;

/** Records that could not be read, each kept once, with its raw text. */
export class QuarantineTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Keeps a record; returns the id of the report it seems to be about, or null. */
  add(record: QuarantinedRecord, source: string, at: number): number | null {
    const raw = JSON.stringify(record.raw) ?? 'null';
    const reportId = quarantinedId(record.raw);
    if (this.count() < maxEntries) {
      this.#connection.run(
        `INSERT INTO quarantine(digest, at, source, report_id, reason, raw) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT(digest) DO NOTHING`,
        createHash('sha256').update(raw).digest('base64'),
        at,
        source,
        reportId,
        record.reason,
        raw,
      );
    }
    return reportId;
  }

  /** Reports that can be read now need no keeping. */
  release(reportIds: readonly number[]): void {
    if (this.count() === 0) return;
    for (const id of reportIds) this.#connection.run('DELETE FROM quarantine WHERE report_id = ?', id);
  }

  count(): number {
    return this.#connection.number('SELECT count(*) FROM quarantine');
  }

  list(limit: number): QuarantineEntry[] {
    return this.#connection
      .all('SELECT id, at, source, report_id, reason, raw FROM quarantine ORDER BY id DESC LIMIT ?', limit)
      .map((row) => ({
        id: Number(row[0]),
        at: Number(row[1]),
        source: String(row[2]),
        report_id: row[3] === null ? null : Number(row[3]),
        reason: String(row[4]),
        raw: String(row[5]),
      }));
  }
}

/** The id of the report that an unreadable record seems to be about; null when even that can't be read. */
function quarantinedId(raw: unknown): number | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const id = 'report_id' in raw ? raw.report_id : undefined;
  if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return id;
  return 'report' in raw ? quarantinedId(raw.report) : null;
}
