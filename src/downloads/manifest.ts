import Papa from 'papaparse';
import * as z from 'zod/mini';
import { type ColumnName, columns } from '../api/schemas/fields.ts';
import { breather } from '../base/clock.ts';
import { guardFormula, unguardFormula } from '../base/formulas.ts';
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

/** Longest row or other member of a lock, in characters: a longer one would keep the window busy. */
const maxValue = 1_000_000;
const maxMembers = 1_000;

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
 * one report, which a merge can leave, become the later one.
 * @throws LockProblem with the place of what is wrong
 */
export async function parseLock(text: string): Promise<Lock> {
  const pause = breather();
  const { rows, version, other } = await membersOf(text, pause);
  if (typeof version !== 'number' || !rows) {
    throw new LockProblem('unreadable', l10n.t('reports.lock.json is not a lock file. Move it away or restore it.'));
  }
  if (version !== 1) {
    throw new LockProblem(
      'newer',
      l10n.t('reports.lock.json has version {0}, which this version can’t read. Update the extension.', version),
    );
  }
  const reports: LockRow[] = [];
  for (const [index, row] of rows.entries()) {
    reports.push(parseRow(row, index));
    await pause();
  }
  return { reports: await merged(reports, pause), other };
}

/** The members of a lock's JSON, its rows one by one, so that each piece that is parsed at once is short. */
async function membersOf(text: string, pause: ReturnType<typeof breather>) {
  const members: [string, unknown][] = [];
  let rows: unknown[] | undefined;
  const cursor = new JsonCursor(text);
  try {
    if (cursor.take('[')) return { rows, version: undefined, other: {} };
    for (cursor.expect('{'); !cursor.take('}'); cursor.separate('}')) {
      const name = cursor.value();
      if (typeof name !== 'string' || members.length > maxMembers) throw new SyntaxError();
      cursor.expect(':');
      if (name !== 'reports' || !cursor.take('[')) {
        members.push([name, cursor.value()]);
        continue;
      }
      for (rows = []; !cursor.take(']'); cursor.separate(']')) {
        if (rows.length === maxRows) {
          throw new LockProblem(
            'unreadable',
            l10n.t('reports.lock.json names more than {0} reports. Move it away or restore it.', maxRows),
          );
        }
        rows.push(cursor.value());
        await pause();
      }
    }
    cursor.end();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw await brokenAt(text, cursor.at, rows !== undefined);
  }
  const { version, ...other } = Object.fromEntries(members);
  return { rows, version, other };
}

async function brokenAt(text: string, at: number, isInRows: boolean): Promise<LockProblem> {
  const conflict = /^(?:<{7}|>{7}|\|{7})/.test(text)
    ? 0
    : ['\n<<<<<<<', '\n>>>>>>>', '\n|||||||'].map((marker) => text.indexOf(marker) + 1).find((found) => found > 0);
  if (conflict !== undefined) {
    const line = await lineAt(text, conflict);
    return new LockProblem(
      'conflict',
      l10n.t('reports.lock.json has a merge conflict in line {0}. Resolve it, then try again.', line),
    );
  }
  const what = isInRows
    ? l10n.t('reports.lock.json has a broken line {0}.', await lineAt(text, at))
    : l10n.t('reports.lock.json is not valid JSON.');
  return new LockProblem('unreadable', `${what} ${l10n.t('Correct it or restore it from version control.')}`);
}

async function lineAt(text: string, end: number): Promise<number> {
  const pause = breather();
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    line++;
    if (line % 1000 === 0) await pause();
  }
  return line;
}

const space = /[ \n\r\t]*/y;

/** Walks through JSON a value at a time. Everything throws a SyntaxError where the text is not what it should be. */
class JsonCursor {
  readonly #text: string;
  /** Where the next value is, or the one that was refused. */
  at = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith('\ufeff')) this.at = 1;
  }

  /** Whether this character comes next; then it is left behind. */
  take(character: string): boolean {
    space.lastIndex = this.at;
    space.test(this.#text);
    this.at = space.lastIndex;
    if (this.#text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  expect(character: string): void {
    if (!this.take(character)) throw new SyntaxError();
  }

  /** After a member: a comma, unless this character ends the list. */
  separate(end: string): void {
    if (this.take(end)) this.at--;
    else this.expect(',');
  }

  end(): void {
    this.take('');
    if (this.at < this.#text.length) throw new SyntaxError();
  }

  value(): unknown {
    this.take('');
    const end = this.#endOfValue();
    const value: unknown = JSON.parse(this.#text.slice(this.at, end));
    this.at = end;
    return value;
  }

  #endOfValue(): number {
    const text = this.#text;
    const end = Math.min(text.length, this.at + maxValue);
    let depth = 0;
    for (let at = this.at; at < end; at++) {
      const character = text[at];
      if (character === '"') {
        for (at++; at < end && text[at] !== '"'; at++) if (text[at] === '\\') at++;
        if (depth === 0) return at + 1;
      } else if (character === '{' || character === '[') depth++;
      else if (depth === 0 && /[\s,:\]}]/.test(character ?? '')) return at;
      else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
    }
    return end;
  }
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

async function merged(rows: readonly LockRow[], pause: ReturnType<typeof breather>): Promise<LockRow[]> {
  const byId = new Map<number, LockRow>();
  for (const row of rows) {
    const other = byId.get(row.report_id);
    if (!other || rank(row) > rank(other)) byId.set(row.report_id, row);
    await pause();
  }
  // Numbers alone sort many times faster than rows would by a function.
  const ids = Float64Array.from(byId.keys()).sort();
  const sorted: LockRow[] = [];
  for (const id of ids) {
    const row = byId.get(id);
    if (row) sorted.push(row);
    await pause();
  }
  return sorted;
}

function rank(row: LockRow): string {
  const time = Date.parse(row.downloaded_at);
  return `${Number.isNaN(time) ? '' : new Date(time).toISOString()} ${row.sha256} ${JSON.stringify(row)}`;
}

/**
 * The lock with new rows. A row takes the place of the report's old one whatever its keys were (COM-1), of rows of
 * `retired` report ids (RID-1), and of another report's row for the same file.
 */
export function withRows(lock: Lock, rows: readonly LockRow[], retired: readonly number[] = []): Lock {
  const gone = new Set([...retired, ...rows.map((row) => row.report_id)]);
  const files = new Set(rows.map((row) => foldedName(row.path)));
  const kept = lock.reports.filter((row) => !gone.has(row.report_id) && !files.has(foldedName(row.path)));
  return { ...lock, reports: [...kept, ...rows].sort((a, b) => a.report_id - b.report_id) };
}

const members = [
  'report_id',
  'report_key',
  'company_key',
  'path',
  'sha256',
  'bytes',
  'downloaded_at',
  'schema_version',
] as const;

/** The file's text: sorted by report id, a report a line, so that it compares and merges well. Stable. */
export function formatLock({ reports, other }: Lock): string {
  const rows = reports.toSorted((a, b) => a.report_id - b.report_id).map((row) => `    ${formatRow(row)}`);
  const head = { version: 1, ...other };
  const lines = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  const list = rows.length > 0 ? `[\n${rows.join(',\n')}\n  ]` : '[]';
  return `{\n${lines.join('\n')}\n  "reports": ${list}\n}\n`;
}

function formatRow(row: LockRow): string {
  const first = members.map((name) => [name, row[name]]);
  const known: readonly string[] = members;
  const rest = Object.entries(row).filter(([name, value]) => !known.includes(name) && value !== undefined);
  return JSON.stringify(Object.fromEntries([...first, ...rest]));
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
