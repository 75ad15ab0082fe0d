import { columns, fields } from '../../api/schemas/fields.ts';
import type { Report } from '../../api/schemas/report.ts';
import type { SqlRow } from '../../machine/sqliteFile.ts';
import { CompanyWrites } from './companyTable.ts';
import type { Database } from './database.ts';
import { layoutOf } from './reportRow.ts';
import { setState, writeReport } from './reportTable.ts';
import { ReportTextWrites } from './searchText.ts';

/** A report that is no longer served, as version 0.1.0 kept it: its state is a place in `reportStates`. */
interface GoneReport {
  readonly report: Report;
  readonly state: number;
  readonly changed: number | null;
}

const goneSql = `SELECT r.report_id, r.state, r.changed, r.fy, r.flags, r.sha, r.body, r.extra, f.json,
  t.text, c.text, l.text, a.text FROM reports r JOIN facts f ON f.id = r.facts
  LEFT JOIN words t ON t.id = r.type LEFT JOIN words c ON c.id = r.class
  LEFT JOIN words l ON l.id = r.lang LEFT JOIN words a ON a.id = r.level WHERE r.state <> 0`;

const inFacts =
  'company_key company ticker mic exchange country sector industry nace_code naics_code isin lei figi'.split(' ');
/** How a body begins; what comes after only the API has. */
const inBody =
  'title filename year pages filesize publication_date period_start period_end fiscal_year edition report_key gri_level sbti_status sdg_goals assurance_provider assurance_standard assurance_scope'.split(
    ' ',
  );
const numbers = new Set(columns.filter(({ type }) => type === 'integer' || type === 'float').map(({ name }) => name));
/** In the order of their two bits. */
const facts = ['has_file', ...columns.filter(({ type }) => type === 'boolean').map(({ apiField }) => apiField)];
const unsaid = Object.fromEntries(fields.map(({ apiField }) => [apiField, null]));

type Vocabulary = ReadonlyMap<unknown, string>;

/**
 * Reads from a file of version 0.1.0 the withdrawn and removed reports, which no sync brings again (ST-2). What can't be
 * read is left out: the file is to open in any case.
 */
export function goneReports(db: Database): readonly GoneReport[] {
  try {
    const words = new Map(db.all('SELECT id, text FROM words').map(([id, text]) => [id, String(text)]));
    return db.all(goneSql).flatMap((row) => readGone(row, words));
  } catch {
    return [];
  }
}

function readGone([id, state, changed, ...row]: SqlRow, words: Vocabulary): GoneReport[] {
  try {
    const report = { ...reportOf(row, words), report_id: Number(id) } as Report;
    return [{ report, state: Number(state), changed: changed === null ? null : Number(changed) }];
  } catch {
    return [];
  }
}

function reportOf([fy, flags, sha, body, extra, company, type, reportClass, lang, level]: SqlRow, words: Vocabulary) {
  const cells: Record<string, string> = Object.fromEntries(columns.map(({ name }) => [name, '']));
  const given = { type, class: reportClass, language: lang, assurance_level: level };
  for (const [name, value] of Object.entries(given)) cells[name] = value === null ? '' : String(value);
  if (sha instanceof Uint8Array) cells.sha256 = Buffer.from(sha).toString('hex');
  for (const [index, value] of (JSON.parse(String(company)) as string[]).entries()) cells[inFacts[index] ?? ''] = value;

  const values = Object.fromEntries((JSON.parse(String(body)) as unknown[]).map((value, at) => [inBody[at], value]));
  const { report_key } = values;
  const key = typeof report_key === 'string' ? report_key : `${cells.company_key}_${values.year}_${cells.type}`;
  const dated = fy === 0 ? {} : { period_start: `${fy}-01-01`, period_end: `${fy}-12-31` };
  const following = new Map(
    Object.entries({ ...dated, report_key: key, filename: `${key}.pdf`, fiscal_year: `${fy}` }),
  );
  for (const name of inBody) {
    const value = values[name];
    // A number is one, or that of a word; 0 stands for what follows from the rest.
    const isText = typeof value === 'string' || numbers.has(name as never);
    cells[name] = isText ? String(value) : ((value === 0 ? following.get(name) : words.get(value)) ?? '');
  }

  const typed: Record<string, unknown> = { ...unsaid, report_fcyear: fy === 0 ? null : fy };
  for (const [index, name] of facts.entries())
    typed[name] = [null, true, false][Math.floor(Number(flags) / 4 ** index) % 4];
  for (const { name, apiField, type: kind } of columns) {
    const cell = cells[name] ?? '';
    if (kind === 'boolean') cells[name] = typed[apiField] === null ? '' : String(typed[apiField]).toUpperCase();
    else typed[apiField] = cell === '' ? null : numbers.has(name) ? numberOf(cell) : cell;
  }
  const { report_pubdate_iso: published } = typed;
  Object.assign(typed, {
    report_pubdate: String(published).length === 10 ? published : null,
    report_edition: cells.edition || null,
    report_assurance: typed.assurance_provider,
  });
  const more =
    extra === null ? {} : (JSON.parse(String(extra)) as { typed?: object; metadata?: object; other?: object });
  return { ...typed, ...more.typed, metadata: { ...cells, ...more.metadata }, other: { ...more.other } };
}

function numberOf(cell: string): number | null {
  return Number.isFinite(Number(cell)) ? Number(cell) : null;
}

/** Keeps them in the present form. */
export function keepGone(db: Database, gone: readonly GoneReport[]): void {
  const companies = new CompanyWrites(db);
  const words = new ReportTextWrites(db);
  const layout = layoutOf(db);
  for (const { report, state, changed } of gone) {
    const { report_id } = report;
    const company = companies.ofReport(report);
    const columnsOf = layout.filterColumns(report);
    writeReport(db, { report_id, company, body: layout.encode(report), ...columnsOf }, changed);
    setState(db, report_id, state, changed);
    words.add(report, columnsOf.fy);
    companies.touch(company);
  }
  companies.flush();
  words.flush();
}
