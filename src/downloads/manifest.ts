import { breather } from '../base/clock.ts';
import { isObject, type JsonObject, nesting, own } from '../base/json.ts';
import { l10n } from '../base/l10n.ts';
import { plainText } from '../base/words.ts';
import { foldedName } from './disk.ts';
import { isSafePath } from './path.ts';

/** Name of the lock file in the downloads folder. */
export const lockName = 'reports.lock.json';

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
  /** Only there, and false, when the service published no hash to verify the bytes with. */
  readonly verified?: boolean | undefined;
}

/** What a lock file says. */
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

type LockProblemCode = 'conflict' | 'unreadable' | 'newer' | 'other-service';

/** Thrown when a lock file can't be read or used. The file stays as it is. Its message is fit to be shown. */
export class LockProblem extends Error {
  override readonly name = 'LockProblem';
  readonly code: LockProblemCode;

  constructor(code: LockProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Whether a lock's reports are of another service than the one with this {@link LinkSource.origin}; false where either
 * is unknown.
 */
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

/** Refuses what is no lock file, or none that anyone would have by downloading. */
const notALock = () =>
  unchanged('unreadable', l10n.t('reports.lock.json is not a lock file. Move it away or restore it.'));

/** More reports than any library holds that one would download. */
const maxRows = 200_000;

/** Values in the file: twenty for each row. */
const maxValues = 20 * maxRows;

/** Longest row, and all of a lock but its rows, in characters: a longer one would keep the window busy. */
const maxPiece = 500_000;

/** `otherwise` is said in the reader's language only where it is shown. */
type MemberCheck = readonly [isRight: (value: unknown) => boolean, otherwise: string];
const text: MemberCheck = [(value) => typeof value === 'string', l10n.later('not text')];
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

/** What the members of a row have to be. Checked by hand: a command that reads a lock would load a library for this. */
const rowChecks: Readonly<Record<keyof LockRow, MemberCheck>> = {
  report_id: [(value) => isCount(value) && value !== 0, l10n.later('not a positive whole number')],
  report_key: text,
  company_key: text,
  path: [
    (value) => typeof value === 'string' && isSafePath(value),
    l10n.later('not a path inside the downloads folder'),
  ],
  sha256: [(value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value), l10n.later('not a SHA-256')],
  bytes: [isCount, l10n.later('not a size')],
  downloaded_at: text,
  schema_version: text,
  verified: [(value) => value === undefined || typeof value === 'boolean', l10n.later('not true or false')],
};

/**
 * Reads a lock file's text in any layout. Two rows of one report or of one file, which a merge can leave, become the
 * later one. Lets the window do other work between rows.
 * @throws LockProblem with the place of what is wrong
 */
export async function parseLock(text: string): Promise<Lock> {
  const { version, reports: rows, ...other } = readJson(text.replace(/^\ufeff/, ''));
  if (typeof version !== 'number' || !Array.isArray(rows) || JSON.stringify(other).length > maxPiece) throw notALock();
  if (version !== 1) {
    throw unchanged(
      'newer',
      l10n.t('reports.lock.json has version {0}, which this version can’t read. Update Report Library.', version),
    );
  }
  if (rows.length > maxRows) {
    throw unchanged(
      'unreadable',
      l10n.t('reports.lock.json names more than {0} reports. Move it away or restore it.', maxRows),
    );
  }
  const pause = breather();
  const parsed: LockRow[] = [];
  for (const [index, row] of rows.entries()) {
    parsed.push(parseRow(row, index));
    await pause();
  }
  return { reports: await merged(parsed), other };
}

function readJson(text: string): JsonObject {
  const found = nesting(Buffer.from(text), maxValues);
  if (found === 'deep' || found === 'many') throw notALock();
  try {
    const whole: unknown = JSON.parse(text);
    return isObject(whole) ? whole : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw broken(text);
  }
}

function broken(text: string): LockProblem {
  const conflict = /^(?:<{7}|>{7}|\|{7})/m.exec(text);
  if (conflict) {
    const line = text.slice(0, conflict.index).split('\n').length;
    return unchanged(
      'conflict',
      l10n.t('reports.lock.json has a merge conflict in line {0}. Resolve it, then try again.', line),
    );
  }
  const line = brokenLine(text.split('\n'));
  const what =
    line > 0
      ? l10n.t('reports.lock.json has a broken line {0}.', line)
      : l10n.t('reports.lock.json is not valid JSON.');
  return unchanged('unreadable', `${what} ${l10n.t('Correct it or restore it from version control.')}`);
}

/** The first line that is wrong, counted from 1, in a file of our own layout; 0 where that can't be told. */
function brokenLine(lines: readonly string[]): number {
  const start = lines.findIndex((line) => line.includes(listStart));
  if (start === -1 || !lines[start + 1]?.trim().startsWith('{"')) return 0;
  for (let at = start + 1, isLast = false; at < lines.length; at++) {
    const line = lines[at]?.trim() ?? '';
    if (line === '') continue;
    if (line.startsWith(']')) return isLast ? 0 : at + 1;
    if (isLast || !isJson(line.replace(/,$/, ''))) return at + 1;
    isLast = !line.endsWith(',');
  }
  return 0;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parseRow(value: unknown, index: number): LockRow {
  const problem = isObject(value) ? problemOf(value) : l10n.t('the row (not an object)');
  if (problem === undefined) return value as LockRow;
  throw unchanged('unreadable', l10n.t('reports.lock.json has a bad row {0}: {1}.', index + 1, problem));
}

function problemOf(row: JsonObject): string | undefined {
  for (const [name, [isRight, otherwise]] of Object.entries(rowChecks))
    if (!isRight(own(row, name))) return `${name} (${l10n.word(otherwise)})`;
  return JSON.stringify(row).length > maxPiece ? l10n.t('the row (too long)') : undefined;
}

/**
 * Joins the two sides of a merge conflict in a lock file's text, the common ancestor left out: reports of either side,
 * and the later download of a report on both.
 * @throws LockProblem when a side by itself is no lock file
 */
export async function resolveConflict(text: string): Promise<Lock> {
  return mergeLocks(await parseLock(sideOf(text, 'ours')), await parseLock(sideOf(text, 'theirs')));
}

/** One side of a text with Git's conflict markers, the common ancestor left out. */
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

/** Both files' reports, the later download of a report that both have. The order of the two does not matter. */
export async function mergeLocks(one: Lock, two: Lock): Promise<Lock> {
  return { reports: await merged([...one.reports, ...two.reports]), other: { ...one.other, ...two.other } };
}

async function merged(rows: readonly LockRow[]): Promise<LockRow[]> {
  const byId = await latest(rows, ({ report_id }) => report_id);
  const byPath = await latest(byId.values(), ({ path }) => foldedName(path));
  return [...byPath.values()].sort(byReportId);
}

async function latest<K>(rows: Iterable<LockRow>, keyOf: (row: LockRow) => K): Promise<Map<K, LockRow>> {
  const pause = breather();
  const kept = new Map<K, LockRow>();
  for (const row of rows) {
    const key = keyOf(row);
    const other = kept.get(key);
    if (!other || rank(row) > rank(other)) kept.set(key, row);
    await pause();
  }
  return kept;
}

function byReportId(one: LockRow, other: LockRow): number {
  return one.report_id - other.report_id;
}

function rank(row: LockRow): string {
  const time = Date.parse(row.downloaded_at);
  return `${Number.isNaN(time) ? '' : new Date(time).toISOString()} ${row.sha256} ${JSON.stringify(row)}`;
}

/**
 * The lock with new rows. A row takes the place of the report's old one whatever its keys were (COM-1), of rows of
 * `retired` report ids (RID-1), and of another report's row for the same file.
 */
export async function withRows(lock: Lock, rows: readonly LockRow[], retired: readonly number[] = []): Promise<Lock> {
  const gone = new Set([...retired, ...rows.map((row) => row.report_id)]);
  const files = new Set(rows.map((row) => foldedName(row.path)));
  const pause = breather();
  const kept: LockRow[] = [];
  for (const row of lock.reports) {
    if (!gone.has(row.report_id) && !files.has(foldedName(row.path))) kept.push(row);
    await pause();
  }
  return { ...lock, reports: [...kept, ...rows].sort(byReportId) };
}

const listStart = '"reports": [';

/** The file's text: sorted by report id, a report a line, so that it compares and merges well. Stable. */
export async function formatLock({ reports, other }: Lock): Promise<string> {
  const pause = breather();
  const head = Object.entries({ version: 1, ...other });
  const members = head.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  const rows: string[] = [];
  for (const row of reports.toSorted(byReportId)) {
    rows.push(`    ${formatRow(row)}`);
    await pause();
  }
  const list = rows.length > 0 ? `\n${rows.join(',\n')}\n  ` : '';
  return `{\n${members.join('')}  ${listStart}${list}]\n}\n`;
}

/** The members in their order, those of other tools last. */
function formatRow({ report_id, report_key, company_key, path, sha256, bytes, ...rest }: LockRow): string {
  const { downloaded_at, schema_version, ...other } = rest;
  const known = { report_id, report_key, company_key, path, sha256, bytes, downloaded_at, schema_version };
  return JSON.stringify({ ...known, ...other });
}

/** Name of the metadata table in the downloads folder. */
export const csvName = 'reports.csv';
