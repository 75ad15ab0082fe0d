import { columns } from '../api/schemas/fields.ts';
import { columnValues, decodeReport } from '../library/sqlite/reportRow.ts';
import type { LibrarySnapshot, StoredBody } from '../library/sqlite/snapshot.ts';
import type { PageStore } from '../text/pages.ts';
import { type ExportTable, folderOfYear } from './exportManifest.ts';
import type { ParquetColumn, ParquetFile } from './parquet.ts';
import { typedRow, typedValue } from './rows.ts';

/** A row on its way into a file. */
interface ExportRow {
  /** Its number in the order of the table; none is given twice. */
  readonly key: number;
  /** What it is made from: the same text makes the same row. */
  readonly source: string;
  /** A value for each column, as {@link ParquetFile} takes it. */
  values(): readonly unknown[];
}

/** Rows that lie in one folder. */
export interface TablePart {
  readonly table: ExportTable;
  readonly folder: string;
  readonly columns: readonly ParquetColumn[];
  /** Most rows of a file. */
  readonly rowsPerFile: number;
  /** About how many there are. */
  readonly rows: number;
  /** The rows behind a key, by key, as many as there are up to a limit. */
  after(key: number, limit: number): readonly ExportRow[];
}

/** A PDF of this machine that a lock file names. */
export interface ExportedPdf {
  readonly report_id: number;
  readonly report_key: string;
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly downloaded_at: string;
}

/** The row group that DuckDB itself writes, and shares out among its threads. */
const usualRows = 122_880;
/** Texts of pages are long: so many are some 25 MB. */
const pagesPerFile = 8_192;

const text = (name: string): ParquetColumn => ({ name, type: 'string' });
const long = (name: string): ParquetColumn => ({ name, type: 'long' });

/** Days since 1970 of dates, which repeat: each is worked out once. */
const days = new Map<string, number>();
function dayOf(date: string): number {
  const known = days.get(date);
  if (known !== undefined) return known;
  const day = Date.parse(`${date}T00:00:00Z`) / 86_400_000;
  if (days.size > 50_000) days.clear();
  days.set(date, day);
  return day;
}

function reportValues({ report_id, body }: StoredBody): readonly unknown[] {
  const stored = columnValues(body);
  const row = stored === null ? typedRow(decodeReport(report_id, body)) : null;
  const values: unknown[] = columns.map((column, index) => {
    const given = stored?.[index];
    if (column.type === 'date' && typeof given === 'string' && days.has(given)) return days.get(given);
    const value = row === null ? typedValue(column, given) : row[column.name];
    return column.type === 'date' && typeof value === 'string' ? dayOf(value) : value;
  });
  values.push(BigInt(report_id));
  return values;
}

/** The listed reports, a part for each year; 0 stands for those without. */
export function reportParts(library: LibrarySnapshot): TablePart[] {
  const table: readonly ParquetColumn[] = [...columns.map(({ name, type }) => ({ name, type })), long('report_id')];
  return library.years().map(({ year, reports }) => ({
    table: 'reports',
    folder: folderOfYear(year),
    columns: table,
    rowsPerFile: usualRows,
    rows: reports,
    after: (key, limit) =>
      library.bodies(year, key, limit).map((stored) => ({
        key: stored.report_id,
        source: `${stored.report_id} ${stored.body}`,
        values: () => reportValues(stored),
      })),
  }));
}

const companyTexts = [
  ...(['company_key', 'company_name', 'isin', 'lei', 'figi', 'cik', 'ticker', 'mic', 'exchange'] as const),
  ...(['country', 'sector', 'industry'] as const),
];

/** Companies, What's New and the PDFs of this machine. */
export function otherParts(library: LibrarySnapshot, localFiles: readonly ExportedPdf[]): TablePart[] {
  const { companies, changes } = library.counts();
  return [
    part('companies', companies, {
      columns: [
        ...[...companyTexts.map(text), { name: 'fiscal_year_end_month', type: 'integer' } as const],
        ...[{ name: 'watched', type: 'boolean' } as const, long('reports'), long('newest_fiscal_year')],
      ],
      rows: (key, limit) => library.companies(key, limit).map((company) => ({ ...company, key: company.id })),
      values: (company) => [
        ...companyTexts.map((name) => company[name]),
        ...[company.fiscal_year_end_month, company.watched],
        ...[BigInt(company.listed), company.newest === null ? null : BigInt(company.newest)],
      ],
    }),
    part('changes', changes, {
      columns: [long('seq'), { name: 'at', type: 'timestamp' }, text('kind'), long('report_id'), text('fields')],
      rows: (key, limit) => library.changes(key, limit).map((change) => ({ ...change, key: change.seq })),
      values: ({ seq, at, kind, report_id, fields }) => [BigInt(seq), BigInt(at), kind, BigInt(report_id), fields],
    }),
    part('files', localFiles.length, {
      columns: [
        ...[long('report_id'), text('report_key'), text('path'), text('sha256'), long('bytes')],
        text('downloaded_at'),
      ],
      rows: (key, limit) =>
        localFiles.slice(key, key + limit).map((file, index) => ({ ...file, key: key + index + 1 })),
      values: ({ report_id, report_key, path, sha256, bytes, downloaded_at }) => [
        ...[BigInt(report_id), report_key, path, sha256, BigInt(bytes), downloaded_at],
      ],
    }),
  ];
}

interface TableSource<Item extends { readonly key: number }> {
  readonly columns: readonly ParquetColumn[];
  rows(after: number, limit: number): readonly Item[];
  values(item: Item): readonly unknown[];
}

/** A table in a folder of its own, whose rows are small. */
function part<Item extends { readonly key: number }>(
  table: Exclude<ExportTable, 'reports'>,
  rows: number,
  source: TableSource<Item>,
): TablePart {
  return {
    table,
    folder: table,
    columns: source.columns,
    rowsPerFile: usualRows,
    rows,
    after: (key, limit) =>
      source.rows(key, limit).map((item) => ({
        key: item.key,
        source: JSON.stringify(item),
        values: () => source.values(item),
      })),
  };
}

/** More pages than any PDF is read of. */
const pageNumbers = 2 ** 15;
/** Hashes that are looked up at once. */
const hashesAtOnce = 500;

/** Pages of the PDFs that were read on this machine and are published for a listed report. */
export function pageParts(library: LibrarySnapshot, store: PageStore): TablePart[] {
  const pdfs = store.pdfs().filter(({ state, pages }) => state === 'text' && pages < pageNumbers);
  const read = new Map(pdfs.map((pdf) => [pdf.sha256, pdf]));
  const hashes = [...read.keys()];
  const documents: { readonly report_key: string; readonly pdf: (typeof pdfs)[number] }[] = [];
  for (let at = 0; at < hashes.length; at += hashesAtOnce) {
    for (const { sha256, report_key } of library.reportsOfHashes(hashes.slice(at, at + hashesAtOnce))) {
      const pdf = read.get(sha256 ?? '');
      if (pdf) documents.push({ report_key, pdf });
    }
  }
  documents.sort((a, b) => a.pdf.id - b.pdf.id);
  const rows = documents.reduce((sum, { pdf }) => sum + pdf.pages, 0);
  const pages = (key: number, limit: number) => {
    const found: ExportRow[] = [];
    let page = key % pageNumbers;
    for (let at = Math.floor(key / pageNumbers); at < documents.length && found.length < limit; at++, page = 0) {
      const { pdf, report_key } = documents[at] as (typeof documents)[number];
      while (page < pdf.pages && found.length < limit) {
        const number = ++page;
        const said = store.page(pdf, number);
        // A window may have forgotten the PDF meanwhile.
        if (said === null) continue;
        const row = [report_key, number, said.label, said.text, pdf.sha256];
        found.push({ key: at * pageNumbers + number, source: JSON.stringify(row), values: () => row });
      }
    }
    return found;
  };
  const table = [
    text('report_key'),
    { name: 'page', type: 'integer' } as const,
    ...['label', 'text', 'sha256'].map(text),
  ];
  return [{ table: 'pages', folder: 'pages', columns: table, rowsPerFile: pagesPerFile, rows, after: pages }];
}
