import { columns } from '../../api/schemas/fields.ts';
import { type Report, readReport } from '../../api/schemas/report.ts';
import type { JsonObject } from '../../base/json.ts';
import type { SqlRow } from '../../machine/sqliteFile.ts';
import { CompanyWrites } from './companyTable.ts';
import type { Database } from './database.ts';
import { layoutOf, ReportLayout, storedNames, withPresentNames } from './reportRow.ts';
import { setState, writeReport } from './reportTable.ts';
import { ReportTextWrites } from './searchText.ts';

/** A report that is no longer served: its state is a place in `reportStates`. */
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
const numbers = new Set<string>(
  columns.filter(({ type }) => type === 'integer' || type === 'float').map(({ name }) => name),
);
/** In the order of their two bits. */
const facts = ['has_file', ...columns.filter(({ type }) => type === 'boolean').map(({ apiField }) => apiField)];

type Vocabulary = ReadonlyMap<unknown, string>;

/**
 * Reads the withdrawn and removed reports, which no sync brings again (ST-2), from a file of version `from`. Unreadable
 * ones are left out: the file has to open in any case.
 */
export function goneReports(db: Database, from: number): readonly GoneReport[] {
  try {
    if (from >= 6) return storedAsNow(db);
    const words = new Map(db.all('SELECT id, text FROM words').map(([id, text]) => [id, String(text)]));
    return db.all(goneSql).flatMap((row) => readGone(row, words));
  } catch {
    return [];
  }
}

/** From version 6 on a file says itself what its reports are made of, as those of today do. */
function storedAsNow(db: Database): readonly GoneReport[] {
  const layout = new ReportLayout(withPresentNames(storedNames(db)));
  return db
    .all('SELECT report_id, state, changed, body FROM reports WHERE state <> 0')
    .flatMap(([id, state, changed, body]) => {
      try {
        const report = layout.decode(Number(id), String(body));
        return [{ report, state: Number(state), changed: changed === null ? null : Number(changed) }];
      } catch {
        return [];
      }
    });
}

function readGone([id, state, changed, ...row]: SqlRow, words: Vocabulary): GoneReport[] {
  try {
    const reading = readReport({ ...rawReport(row, words), report_id: Number(id) });
    if (!reading.ok) return [];
    return [{ report: reading.value, state: Number(state), changed: changed === null ? null : Number(changed) }];
  } catch {
    return [];
  }
}

/** The report as the service would send it; some of what only the API says of it was not kept. */
function rawReport(row: SqlRow, words: Vocabulary): JsonObject {
  const [fy, flags, sha, body, extra, company, type, reportClass, lang, level] = row;
  const cells: Record<string, unknown> = { type, class: reportClass, language: lang, assurance_level: level };
  if (sha instanceof Uint8Array) cells.sha256 = Buffer.from(sha).toString('hex');
  for (const [index, value] of (JSON.parse(String(company)) as string[]).entries()) cells[inFacts[index] ?? ''] = value;

  const values = Object.fromEntries((JSON.parse(String(body)) as unknown[]).map((value, at) => [inBody[at], value]));
  const { report_key } = values;
  const key = typeof report_key === 'string' ? report_key : `${cells.company_key}_${values.year}_${cells.type ?? ''}`;
  const dated = fy === 0 ? {} : { period_start: `${fy}-01-01`, period_end: `${fy}-12-31` };
  const following: JsonObject = { ...dated, report_key: key, filename: `${key}.pdf`, fiscal_year: `${fy}` };
  for (const name of inBody) {
    const value = values[name];
    // A number is one, or that of a word; 0 stands for what follows from the rest.
    if (typeof value === 'string' || numbers.has(name)) cells[name] = value;
    else cells[name] = value === 0 ? following[name] : words.get(value);
  }

  const typed: Record<string, unknown> = { report_fcyear: fy === 0 ? null : fy };
  for (const [index, name] of facts.entries())
    typed[name] = [null, true, false][Math.floor(Number(flags) / 4 ** index) % 4];
  for (const { name, apiField, type: kind } of columns) {
    if (kind === 'boolean') cells[name] = typed[apiField];
    else typed[apiField] = cells[name] === '' ? null : (cells[name] ?? null);
  }
  const { report_pubdate_iso: published } = typed;
  typed.report_pubdate = String(published).length === 10 ? published : null;
  typed.report_edition = cells.edition ? String(cells.edition) : null;
  typed.report_assurance = typed.assurance_provider;
  const more = (extra === null ? {} : JSON.parse(String(extra))) as {
    typed?: object;
    metadata?: object;
    other?: object;
  };
  return { ...typed, ...more.typed, ...more.other, metadata: { ...cells, ...more.metadata } };
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
