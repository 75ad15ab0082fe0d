import Papa from 'papaparse';
import * as z from 'zod/mini';
import { type ColumnName, columns } from '../api/schemas/fields.ts';
import { breather } from '../base/clock.ts';
import { guardFormula, unguardFormula } from '../base/formulas.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { l10n } from '../base/l10n.ts';
import { foldedName, isSafePath } from './path.ts';

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

/** Thrown when a lock file can't be read. The file stays as it is. Its message is fit to be shown. */
export class LockProblem extends Error {
  override readonly name = 'LockProblem';
  readonly code: 'conflict' | 'unreadable' | 'newer';

  constructor(code: 'conflict' | 'unreadable' | 'newer', message: string) {
    super(`${message} ${l10n.t('Nothing was changed.')}`);
    this.code = code;
  }
}

/** More reports than any library holds that one would download. */
const maxRows = 500_000;

/** Longest row, or all of a lock but its rows, in characters: a longer one would keep the window busy. */
const maxPiece = 100_000;

const rowSchema = z.looseObject({
  report_id: z.int().check(z.positive()),
  report_key: z.string(),
  company_key: z.string(),
  path: z.string().check(z.refine(isSafePath, 'not a path inside the downloads folder')),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'not a SHA-256')),
  bytes: z.int().check(z.nonnegative()),
  downloaded_at: z.string(),
  schema_version: z.string(),
  verified: z.optional(z.boolean()),
});

/**
 * Reads a lock file's text, in slices: anyone may have written it, and 60 MB must not keep the window busy. Two rows of
 * one report or of one file, which a merge can leave, become the later one.
 * @throws LockProblem with the place of what is wrong
 */
export async function parseLock(text: string): Promise<Lock> {
  const pause = breather();
  const { version, reports: rows, ...other } = await readJson(text.replace(/^\ufeff/, ''), pause);
  if (typeof version !== 'number' || !Array.isArray(rows)) {
    throw new LockProblem('unreadable', l10n.t('reports.lock.json is not a lock file. Move it away or restore it.'));
  }
  if (version !== 1) {
    throw new LockProblem(
      'newer',
      l10n.t('reports.lock.json has version {0}, which this version can’t read. Update the extension.', version),
    );
  }
  if (rows.length > maxRows) {
    throw new LockProblem(
      'unreadable',
      l10n.t('reports.lock.json names more than {0} reports. Move it away or restore it.', maxRows),
    );
  }
  const reports: LockRow[] = [];
  for (const [index, row] of rows.entries()) {
    reports.push(parseRow(row, index));
    await pause();
  }
  return { reports: await merged(reports, pause), other };
}

type Breather = ReturnType<typeof breather>;

const listStart = '"reports": [';

/** A lock's JSON: our own layout a line at a time, any other as a whole where that takes no time. */
async function readJson(text: string, pause: Breather): Promise<JsonObject> {
  const start = text.indexOf(listStart) + listStart.length;
  const end = text.lastIndexOf(']');
  const reports: unknown[] = [];
  let at = 0;
  try {
    if (start < listStart.length || end < start) throw new SyntaxError();
    const rest = parsePiece(text.slice(0, start) + text.slice(end));
    let isOver = false;
    for (at = start; at < end; at = lineEnd(text, at, end) + 1) {
      const line = text.slice(at, lineEnd(text, at, end)).trim();
      await pause();
      if (line === '') continue;
      if (isOver) throw new SyntaxError();
      isOver = !line.endsWith(',');
      reports.push(parsePiece(isOver ? line : line.slice(0, -1)));
    }
    if (isOver || reports.length === 0) return { ...(isObject(rest) && rest), reports };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  try {
    // As much as a file of some 10,000 rows holds, whatever its layout.
    const isShort = text.length <= 4_000_000 && text.split(/[[{:]/).length <= 200_000;
    const whole: unknown = isShort && JSON.parse(text);
    if (isShort) return isObject(whole) ? whole : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw await brokenAt(text, at, pause);
}

function parsePiece(text: string): unknown {
  if (text.length > maxPiece) throw new SyntaxError();
  return JSON.parse(text);
}

function lineEnd(text: string, at: number, end: number): number {
  const found = text.indexOf('\n', at);
  return found === -1 ? end : Math.min(found, end);
}

async function brokenAt(text: string, at: number, pause: Breather): Promise<LockProblem> {
  const conflict = /^(?:<{7}|>{7}|\|{7})/m.exec(text)?.index;
  let line = 1;
  for (
    let found = text.indexOf('\n');
    found !== -1 && found < (conflict ?? at);
    found = text.indexOf('\n', found + 1)
  ) {
    line++;
    await pause();
  }
  if (conflict !== undefined) {
    const words = l10n.t('reports.lock.json has a merge conflict in line {0}. Resolve it, then try again.', line);
    return new LockProblem('conflict', words);
  }
  const what =
    at > 0 ? l10n.t('reports.lock.json has a broken line {0}.', line) : l10n.t('reports.lock.json is not valid JSON.');
  return new LockProblem('unreadable', `${what} ${l10n.t('Correct it or restore it from version control.')}`);
}

function parseRow(value: unknown, index: number): LockRow {
  const row = rowSchema.safeParse(value);
  if (row.success) return row.data;
  const [issue] = row.error.issues;
  const member = issue?.path.join('.') || 'the row';
  throw new LockProblem(
    'unreadable',
    l10n.t('reports.lock.json has a bad row {0}: {1}.', index + 1, `${member} (${issue?.message ?? '?'})`),
  );
}

/**
 * Joins the two sides of a merge conflict in a lock file's text, the common ancestor left out: reports of either side,
 * and the later download of a report on both.
 * @throws LockProblem when a side by itself is no lock file
 */
export async function resolveConflict(text: string): Promise<Lock> {
  return mergeLocks(await parseLock(sideOf(text, 'ours')), await parseLock(sideOf(text, 'theirs')));
}

function sideOf(text: string, wanted: 'ours' | 'theirs'): string {
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
  const reports = await merged([...one.reports, ...two.reports], breather());
  return { reports, other: { ...one.other, ...two.other } };
}

async function merged(rows: readonly LockRow[], pause: Breather): Promise<LockRow[]> {
  const byId = await latest(rows, ({ report_id }) => report_id, pause);
  const byFile = await latest([...byId.values()], ({ path }) => foldedName(path), pause);
  return [...byFile.values()].sort(byReportId);
}

async function latest<K>(
  rows: readonly LockRow[],
  keyOf: (row: LockRow) => K,
  pause: Breather,
): Promise<Map<K, LockRow>> {
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

/** A row of the table: the 50 columns as strings, and where the PDF lies relative to the table. */
export interface CsvRow {
  readonly metadata: Readonly<Record<ColumnName, string>>;
  readonly report_id: number;
  readonly path: string;
}

const columnNames = columns.map((column) => column.name);
const header: readonly string[] = [...columnNames, 'report_id', 'path'];

/** The table's text: RFC 4180, the 50 columns in dictionary order (CNV-4), then `report_id` and `path`. */
export function formatCsv(rows: readonly CsvRow[]): string {
  const data = rows
    .toSorted((a, b) => a.report_id - b.report_id)
    .map(({ metadata, report_id, path }) => [...columnNames.map((name) => metadata[name]), `${report_id}`, path])
    .map((cells) => cells.map((cell) => guardFormula(cell ?? '')));
  return `${Papa.unparse({ fields: [...header], data }, { newline: '\r\n' })}\r\n`;
}

/**
 * Reads a table that was written before, so that rows whose reports aren't at hand are kept. Undefined when the text is
 * not such a table; it is somebody's own then.
 */
export function parseCsv(text: string): CsvRow[] | undefined {
  const { data } = Papa.parse<string[]>(text.replace(/^\ufeff/, ''), { delimiter: ',', skipEmptyLines: true });
  const [first, ...records] = data;
  if (first === undefined || first.join() !== header.join()) return undefined;
  return records.flatMap((record) => {
    const values = record.map(unguardFormula);
    const report_id = Number(values[columnNames.length]);
    const path = values[columnNames.length + 1];
    if (!Number.isSafeInteger(report_id) || path === undefined) return [];
    const metadata = Object.fromEntries(columnNames.map((name, index) => [name, values[index] ?? '']));
    return [{ metadata: metadata as Record<ColumnName, string>, report_id, path }];
  });
}
