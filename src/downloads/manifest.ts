import * as z from 'zod/mini';
import { breather } from '../base/clock.ts';
import { isObject, type JsonObject, nesting } from '../base/json.ts';
import { l10n } from '../base/l10n.ts';
import { plainText } from '../base/words.ts';
import { foldedName } from '../files/guard.ts';
import { isSafePath } from './path.ts';

/** Name of the lock file in the downloads folder. */
export const lockName = 'reports.lock.json';

/** Name of the metadata table in the downloads folder. */
export const csvName = 'reports.csv';

/** Version of the metadata dictionary that rows are written with (COL-1). */
export const schemaVersion = 'V3';

/** One downloaded PDF. Members that this version does not know are kept as they came. */
export interface LockRow {
  readonly report_id: number;
  readonly report_key: string;
  readonly company_key: string;
  /** Relative to the downloads folder, parts separated by `/`. */
  readonly path: string;
  /** Of the bytes that were stored, lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** Timestamp, UTC. */
  readonly downloaded_at: string;
  readonly schema_version: string;
  /** Present, and false, only when the service published no hash to verify the bytes with. */
  readonly verified?: boolean | undefined;
}

/** The content of a lock file. */
export interface Lock {
  readonly reports: readonly LockRow[];
  /** Other members of the file, kept as they came. */
  readonly other: Readonly<Record<string, unknown>>;
}

export const emptyLock: Lock = { reports: [], other: {} };

/** Where the reports of a lock come from, such as `https://reports.example`; undefined for one that doesn't say. */
export function lockOrigin({ other }: Lock): string | undefined {
  return typeof other.origin === 'string' ? other.origin : undefined;
}

/** Thrown when a lock file can't be read or used. The file stays as it is. Its message is shown to a person. */
export class LockProblem extends Error {
  override readonly name = 'LockProblem';
  readonly code: 'conflict' | 'unreadable' | 'newer' | 'other-service';

  constructor(code: LockProblem['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Whether a lock is of another service than the one with this origin; false where either is unknown. */
export function isOfOtherService(lock: Lock, origin: string | null | undefined): boolean {
  const own = lockOrigin(lock);
  return Boolean(own) && origin !== undefined && own !== origin;
}

/** @throws LockProblem when a lock {@link isOfOtherService} */
export function requireService(lock: Lock, origin: string | null | undefined): void {
  if (!isOfOtherService(lock, origin)) return;
  const words = l10n.t(
    '{0} is of another service ({1}). Its report ids mean other reports here. Connect to that service, or use another folder.',
    ...[lockName, plainText(lockOrigin(lock) ?? '', 100)],
  );
  throw new LockProblem('other-service', words);
}

const unchanged = (code: LockProblem['code'], message: string) =>
  new LockProblem(code, `${message} ${l10n.t('Nothing was changed.')}`);

/** Refuses a file that isn't a lock file, or one that a download can't produce. */
const notALock = () =>
  unchanged('unreadable', l10n.t('reports.lock.json is not a lock file. Move it away or restore it.'));

/** Twenty values for each of 200,000 rows: more reports than any library holds. */
const maxValues = 4_000_000;

const rowSchema = z.object({
  report_id: z.int().check(z.positive()),
  report_key: z.string(),
  company_key: z.string(),
  path: z.string().check(z.refine(isSafePath)),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  bytes: z.int().check(z.nonnegative()),
  downloaded_at: z.string(),
  schema_version: z.string(),
  verified: z.optional(z.boolean()),
});

/**
 * Reads a lock file's text in any layout. Of two rows of one report or one file the later one counts.
 * @throws LockProblem that says which row is wrong
 */
export async function parseLock(text: string): Promise<Lock> {
  const { version, reports: rows, ...other } = readJson(text.replace(/^\ufeff/, ''));
  if (typeof version !== 'number' || !Array.isArray(rows)) throw notALock();
  if (version !== 1) {
    throw unchanged(
      'newer',
      l10n.t('reports.lock.json has version {0}, which this version can’t read. Update Report Library.', version),
    );
  }
  return { reports: merged(await inSlices(rows, parseRow)), other };
}

function readJson(text: string): JsonObject {
  if (['deep', 'many'].includes(nesting(Buffer.from(text), maxValues))) throw notALock();
  try {
    const whole: unknown = JSON.parse(text);
    return isObject(whole) ? whole : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const conflict = /^(?:<{7}|>{7}|\|{7})/m.exec(text);
    if (!conflict) {
      const words = l10n.t('reports.lock.json is not valid JSON. Correct it or restore it from version control.');
      throw unchanged('unreadable', words);
    }
    const line = text.slice(0, conflict.index).split('\n').length;
    throw unchanged(
      'conflict',
      l10n.t('reports.lock.json has a merge conflict in line {0}. Resolve it, then try again.', line),
    );
  }
}

function parseRow(value: unknown, index: number): LockRow {
  const { success, error } = rowSchema.safeParse(value);
  // The row itself, with the members that only a newer version knows.
  if (success) return value as LockRow;
  const member = String(error.issues[0]?.path[0] ?? l10n.t('the row (not an object)'));
  throw unchanged('unreadable', l10n.t('reports.lock.json has a bad row {0}: {1}.', index + 1, member));
}

/** Maps a long list, and lets everything else have its turn in between. */
async function inSlices<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  const pause = breather();
  const mapped: R[] = [];
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index));
    await pause();
  }
  return mapped;
}

/**
 * Joins the two sides of a merge conflict; of a report on both sides the later download counts.
 * @throws LockProblem when a side by itself is no lock file
 */
export async function resolveConflict(text: string): Promise<Lock> {
  return mergeLocks(await parseLock(sideOf(text, 'ours')), await parseLock(sideOf(text, 'theirs')));
}

/** One side of a text with Git's conflict markers, without the common ancestor. */
export function sideOf(text: string, wanted: 'ours' | 'theirs'): string {
  let side: 'both' | 'ours' | 'base' | 'theirs' = 'both';
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    if (/^<{7}/.test(line)) side = 'ours';
    else if (/^\|{7}/.test(line) && side === 'ours') side = 'base';
    else if (/^={7}\r?$/.test(line) && side !== 'both') side = 'theirs';
    else if (/^>{7}/.test(line)) side = 'both';
    else if (side === 'both' || side === wanted) kept.push(line);
  }
  return kept.join('\n');
}

/** The reports of both, and the later download of a report that both have. The order of the two does not matter. */
export function mergeLocks(one: Lock, two: Lock): Lock {
  return { reports: merged([...one.reports, ...two.reports]), other: { ...one.other, ...two.other } };
}

function merged(rows: readonly LockRow[]): LockRow[] {
  const byId = latest(rows, ({ report_id }) => report_id);
  return latest(byId, ({ path }) => foldedName(path)).sort(byReportId);
}

function latest(rows: readonly LockRow[], keyOf: (row: LockRow) => unknown): LockRow[] {
  const kept = new Map<unknown, LockRow>();
  for (const row of rows) {
    const other = kept.get(keyOf(row));
    if (!other || rank(row) > rank(other)) kept.set(keyOf(row), row);
  }
  return [...kept.values()];
}

function byReportId(one: LockRow, other: LockRow): number {
  return one.report_id - other.report_id;
}

function rank(row: LockRow): string {
  const time = Date.parse(row.downloaded_at);
  return `${Number.isNaN(time) ? '' : new Date(time).toISOString()} ${row.sha256} ${JSON.stringify(row)}`;
}

/**
 * The lock with new rows. A row replaces the report's old one whatever its keys were (COM-1), rows of `retired` report
 * ids (RID-1), and another report's row for the same file.
 */
export function withRows(lock: Lock, rows: readonly LockRow[], retired: readonly number[] = []): Lock {
  const gone = new Set([...retired, ...rows.map((row) => row.report_id)]);
  const files = new Set(rows.map((row) => foldedName(row.path)));
  const kept = lock.reports.filter((row) => !gone.has(row.report_id) && !files.has(foldedName(row.path)));
  return { ...lock, reports: [...kept, ...rows].sort(byReportId) };
}

/** The file's text: sorted by report id, one report a line, so that it compares and merges well. */
export async function formatLock({ reports, other }: Lock): Promise<string> {
  const head = Object.entries({ version: 1, ...other });
  const members = head.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  const rows = await inSlices(reports.toSorted(byReportId), (row) => `    ${formatRow(row)}`);
  const list = rows.length > 0 ? `\n${rows.join(',\n')}\n  ` : '';
  return `{\n${members.join('')}  "reports": [${list}]\n}\n`;
}

/** Known members first, in their order. */
function formatRow({ report_id, report_key, company_key, path, sha256, bytes, ...rest }: LockRow): string {
  const { downloaded_at, schema_version, ...other } = rest;
  const known = { report_id, report_key, company_key, path, sha256, bytes, downloaded_at, schema_version };
  return JSON.stringify({ ...known, ...other });
}
