import * as z from 'zod/mini';
import {
  type ColumnName,
  columns,
  type FieldName,
  fields,
  fiscalYearOf,
  type TriStateField,
} from '../../api/schemas/fields.ts';
import { type Report, readReport, type TriState } from '../../api/schemas/report.ts';
import { statesTwoYears } from '../../api/schemas/reportTypes.ts';
import { isObject } from '../../base/json.ts';
import type { SqlRow } from '../../machine/sqliteFile.ts';
import { notAsked } from '../arrivals.ts';
import { libraryError } from '../libraryError.ts';
import { languagesOf, type ReportState, type ReportSummary, type TableRow, triStateFields } from '../reportQuery.ts';
import type { Database } from './database.ts';

/** States by the number they are stored as. */
export const reportStates: readonly ReportState[] = ['listed', 'withdrawn', 'removed'];

/** The columns of a report that filters, groups and sorting need; texts are empty when the report does not say. */
export interface FilterColumns {
  /** The fiscal year it is filed under, 0 when undated (FY-1 to FY-3). */
  readonly fy: number;
  readonly type: string;
  readonly class: string;
  /** Its languages, each between commas: `,de,en,` (CNV-6). */
  readonly lang: string;
  readonly level: string;
  /** Two bits for each three-valued fact; above them whether the report states two fiscal years. */
  readonly flags: number;
}

/**
 * The names of the values in stored arrays, in order, and of the facts, by their two bits each in `flags`. Every file
 * keeps its own lists, which only grow at the end, so a change of the table of fields moves nothing that is stored.
 */
export interface StoredNames {
  /**
   * Fields, and among them `metadata` for the cells that say something else than their field, and `other` for what the
   * interface does not name (RPT-2). An array may end before these two where it has neither.
   */
  readonly values: readonly string[];
  readonly facts: readonly string[];
}

export const presentNames: StoredNames = {
  values: [
    ...fields.filter(({ apiField, group }) => group !== 'history' && apiField !== 'report_id').map((f) => f.apiField),
    ...['metadata', 'other'],
  ],
  facts: triStateFields,
};

/** The lists of a file with what the table of fields has and they have not. */
export function withPresentNames({ values, facts }: StoredNames): StoredNames {
  return {
    values: [...new Set([...values, ...presentNames.values])],
    facts: [...new Set([...facts, ...presentNames.facts])],
  };
}

const isKnown: ReadonlySet<string> = new Set(presentNames.values);

/** How the reports of one file are stored: as one JSON array each, by the names that the file has for its places. */
export class ReportLayout {
  readonly #names: readonly string[];
  readonly #facts: readonly string[];
  readonly #places: Readonly<Record<string, number>>;
  readonly #columns: readonly (readonly [name: ColumnName, place: number])[];
  /** Values that each array has; those that a former version wrote may have fewer. */
  readonly #least: number;
  /** Fields that are no longer in the table. */
  readonly #retired: readonly string[];
  /**
   * The date of publication, in SQL, as precisely as it is stated, empty when unknown. As text a year alone sorts
   * before all its months, so newest first it stands behind them and pretends no day (CNV-5).
   */
  readonly publishedSql: string;
  /** In SQL, what lists show as the title, null when unknown. */
  readonly titleSql: string;
  /** In SQL, whether the period of `r` ends in the year after the one it is filed under (FY-3). */
  readonly endsYearLaterSql: string;

  constructor({ values, facts }: StoredNames) {
    this.#names = values;
    this.#facts = facts;
    const places = Object.fromEntries(values.map((name, index) => [name, index]));
    const placeOf = (field: FieldName) => Number(places[field]);
    this.#places = places;
    this.#columns = columns.map(({ name, apiField }) => [name, placeOf(apiField)]);
    this.#least = values.findLastIndex((name) => name !== 'metadata' && name !== 'other') + 1;
    this.#retired = values.filter((name) => !isKnown.has(name));
    const cellSql = `json_extract(body, '$[${places.metadata}].title')`;
    this.titleSql = `coalesce(nullif(${cellSql}, ''), nullif(${this.valueSql('report_title')}, ''))`;
    this.publishedSql = `ifnull(${this.valueSql('report_pubdate_iso')}, '')`;
    this.endsYearLaterSql = `substr(json_extract(r.body, '$[${placeOf('period_end_date')}]') || '-', 1, 5) = (r.fy + 1) || '-'`;
  }

  /** In SQL, the value of a field, null when unknown. */
  valueSql(field: FieldName): string {
    return `json_extract(body, '$[${this.#place(field)}]')`;
  }

  /** Where in `flags` those bits are: in which byte, and how far up in it. */
  factPlace(field: TriStateField): { readonly byte: number; readonly shift: number } {
    const index = this.#facts.indexOf(field);
    return { byte: index >> 2, shift: (index & 3) * 2 };
  }

  /** In SQL, the bits of `flags` that answer a three-valued fact: 1 is yes, 2 is no. */
  factSql(field: TriStateField): string {
    return `((r.flags >> ${2 * this.#facts.indexOf(field)}) & 3)`;
  }

  encode(report: Report): string {
    const values: unknown[] = this.#names.map((name) => report[name as keyof Report] ?? null);
    let cells: Record<string, string> | null = null;
    for (const [name, place] of this.#columns) {
      const cell = report.metadata[name];
      if (cell === cellOf(values[place])) continue;
      cells ??= {};
      cells[name] = cell;
    }
    values[this.#place('metadata')] = cells;
    if (Object.keys(report.other).length === 0) values[this.#place('other')] = null;
    while (values.length > this.#least && values.at(-1) === null) values.pop();
    return JSON.stringify(values);
  }

  /** The report that was stored, every value exactly. */
  decode(reportId: number, body: string): Report {
    const values = JSON.parse(body) as unknown[];
    const report: Record<string, unknown> = { report_id: reportId, ...notAsked };
    for (const [index, name] of this.#names.entries()) report[name] = values[index] ?? null;
    report.metadata = this.#metadataIn(values);
    const other = (values[this.#place('other')] ?? {}) as Report['other'];
    const isCurrent = values.length >= this.#least && !Object.keys(other).some((name) => isKnown.has(name));
    const stored = { ...report, other } as unknown as Report;
    return isCurrent && this.#retired.length === 0 ? stored : this.#readAnew(stored);
  }

  decodeMetadata(body: string): Report['metadata'] {
    return this.decode(1, body).metadata;
  }

  /**
   * The typed values of the 50 columns in dictionary order, for reading very many reports; null where {@link decode} is
   * needed: a cell differs from its field, or another version stored the report.
   */
  columnValues(body: string): readonly unknown[] | null {
    const values = JSON.parse(body) as unknown[];
    if (values.length < this.#least || this.#retired.length > 0 || this.#cellsIn(values)) return null;
    const other = values[this.#place('other')];
    if (isObject(other) && Object.keys(other).some((name) => isKnown.has(name))) return null;
    return this.#columns.map(([, place]) => values[place] ?? null);
  }

  /** Fields that a report was stored without, because they came into the table later. */
  missingIn(body: string): readonly string[] {
    return this.#names.slice((JSON.parse(body) as unknown[]).length, this.#least);
  }

  /** What a list shows of a stored report, of which a row gives id, fiscal year, state and body. */
  summary([reportId, fy, state, body]: SqlRow): ReportSummary {
    const values = JSON.parse(String(body)) as unknown[];
    const value = <F extends FieldName>(field: F) => (values[this.#place(field)] ?? null) as Report[F];
    const title = this.#cellsIn(values)?.title ?? cellOf(value('report_title'));
    return {
      report_id: Number(reportId),
      report_key: value('report_key'),
      company_key: value('company_key'),
      company_name: value('company_name'),
      title: title || value('report_title'),
      type: value('report_type'),
      class: value('report_class'),
      fiscal_year: fy === 0 ? null : Number(fy),
      fiscal_year_label: value('fiscal_year_label'),
      year: value('report_year'),
      language: value('report_lang'),
      pages: value('report_pages'),
      filesize: value('report_filesize'),
      published: value('report_pubdate_iso'),
      period_end: value('period_end_date'),
      has_file: value('has_file'),
      sha256: value('content_sha256'),
      state: reportStates[Number(state)] ?? 'listed',
    };
  }

  /** The same of the table, with the name, country, sector and industry of the company behind. */
  tableRow(row: SqlRow): TableRow {
    const values = JSON.parse(String(row[3])) as unknown[];
    const [company_name, country, sector, industry] = row.slice(4) as (string | null)[];
    const fact = (field: TriStateField) => (values[this.#place(field)] ?? null) as TriState;
    const summary = this.summary(row);
    return {
      ...summary,
      company_name: company_name ?? summary.company_name,
      ...{ country: country ?? null, sector: sector ?? null, industry: industry ?? null },
      assurance_level: (values[this.#place('assurance_level')] ?? null) as string | null,
      facts: Object.fromEntries(triStateFields.map((field) => [field, fact(field)])) as TableRow['facts'],
    };
  }

  filterColumns(report: Report): FilterColumns {
    const fy = fiscalYearOf(report) ?? 0;
    const languages = languagesOf(report.report_lang);
    return {
      fy: Number.isSafeInteger(fy) ? fy : 0,
      type: report.report_type ?? '',
      class: report.report_class ?? '',
      lang: languages.length === 0 ? '' : `,${languages.join(',')},`,
      level: report.assurance_level ?? '',
      flags: this.flagsMask(report).value + (statesTwoYears(report.report_fcyear) ? split : 0),
    };
  }

  /** The bits of `flags` that matter to a question about some of the facts, and the value they must have. */
  flagsMask(wanted: Readonly<Partial<Record<TriStateField, TriState>>>): {
    readonly mask: number;
    readonly value: number;
  } {
    let mask = 0;
    let value = 0;
    for (const [index, field] of this.#facts.entries()) {
      const want = wanted[field as TriStateField];
      if (want === undefined) continue;
      mask += 3 * 4 ** index;
      value += (want === null ? 0 : want ? 1 : 2) * 4 ** index;
    }
    return { mask, value };
  }

  #place(name: FieldName | 'metadata' | 'other'): number {
    return this.#places[name] as number;
  }

  #cellsIn(values: readonly unknown[]): Partial<Report['metadata']> | null {
    return (values[this.#place('metadata')] ?? null) as Partial<Report['metadata']> | null;
  }

  #metadataIn(values: readonly unknown[]): Report['metadata'] {
    const metadata: Record<string, string> = {};
    for (const [name, place] of this.#columns) metadata[name] = cellOf(values[place]);
    return Object.assign(metadata, this.#cellsIn(values)) as Report['metadata'];
  }

  /** Reads a report that another version stored as it would be read today: what one names is `other` to the other. */
  #readAnew(stored: Report): Report {
    const { other, metadata, ...values } = stored;
    const raw: Record<string, unknown> = { ...values, metadata, ...other };
    if (isObject(other.metadata)) raw.metadata = { ...metadata, ...other.metadata };
    for (const name of this.#retired) if (raw[name] === null) delete raw[name];
    const reading = readReport(raw);
    return reading.ok ? reading.value : stored;
  }
}

const layouts = new WeakMap<Database, ReportLayout>();
const namesRow = 'fields';
const namesShape = z.object({ values: z.array(z.string()), facts: z.array(z.string()) });

export function layoutOf(db: Database): ReportLayout {
  const known = layouts.get(db);
  if (known) return known;
  const layout = new ReportLayout(withPresentNames(storedNames(db)));
  layouts.set(db, layout);
  return layout;
}

/** The lists that a file has. Throws `corrupt` without them: nobody could tell what is what. */
export function storedNames(db: Database): StoredNames {
  const row = db.get('SELECT value FROM meta WHERE name = ?', namesRow);
  try {
    return namesShape.parse(JSON.parse(String(row?.[0])));
  } catch (error) {
    throw libraryError('corrupt', error);
  }
}

/** Writes a file's lists, inside a transaction and before its layout is asked for. */
export function storeNames(db: Database, names: StoredNames): void {
  db.run('INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)', namesRow, JSON.stringify(names));
}

/** In SQL, whether a report states two fiscal years. */
export const isSplitSql = '(r.flags >> 52)';
/** Above the facts, and within what a number of JavaScript holds exactly. */
const split = 2 ** 52;

/** How a metadata cell spells the value of its typed field (CNV-4). */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value);
}
