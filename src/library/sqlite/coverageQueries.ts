import { coverageMarks, familyIndex, typeFamilies } from '../../api/schemas/reportTypes.ts';
import type { SqlRow } from '../../machine/sqliteFile.ts';
import type { ReportQuery } from '../reportQuery.ts';
import { type CoverageMatrix, yearColumns } from '../store.ts';
import { shownSql } from './companyQueries.ts';
import type { Database } from './openDatabase.ts';
import { selectReports } from './reportQueries.ts';
import { factSql, isSplitSql } from './reportRow.ts';

const families = typeFamilies.length;
/** The marks of a report take four bits: see `coverageMarks`. */
const markBits = 16;

/** A report as one number: fiscal year, family of its type, marks. */
const codeSql = `(r.fy * ${families} + CASE r.type
    ${typeFamilies.map((type) => `WHEN '${type}' THEN ${familyIndex(type)}`).join(' ')} ELSE ${familyIndex(null)} END
  ) * ${markBits} + CASE WHEN r.state <> 0 THEN ${coverageMarks.gone}
    ELSE iif(${factSql('has_file')} = 2, ${coverageMarks.metadataOnly}, ${coverageMarks.file}) + ${isSplitSql} * ${coverageMarks.split}
  END`;

/** One row for each company: a row for each report would take several times as long to hand over. */
const columnsSql = `r.company, json_group_array(${codeSql})`;
const groupingSql = 'GROUP BY r.company';

const described = 'SELECT id, company_key, company_name, country FROM companies';

/** Of all companies that are shown, computed each time: 350 ms for 25,000 companies with 1,000,000 reports. */
export function coverage(db: Database): CoverageMatrix {
  const codes = selectReports(db, { state: 'all' }, columnsSql, groupingSql, { index: 'company' });
  return matrixOf(db.all(`${described} WHERE ${shownSql} ORDER BY sort_name, id`), codes);
}

/** Of the companies that have a report which a query finds. */
export function coverageOf(db: Database, query: ReportQuery): CoverageMatrix {
  const codes = selectReports(db, { ...query, state: query.state ?? 'all' }, columnsSql, groupingSql);
  const ids = JSON.stringify(codes.map(([id]) => id));
  const foundSql = `${described} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY sort_name, id`;
  return matrixOf(db.all(foundSql, ids), codes);
}

/** Puts the reports of companies, as {@link columnsSql} gives them, into the rows of the companies. */
function matrixOf(companies: readonly SqlRow[], codes: readonly SqlRow[]): CoverageMatrix {
  const reports = codes.map(([id, list]) => [Number(id), JSON.parse(String(list)) as number[]] as const);
  const years = yearColumns(yearsIn(reports));
  const columns = new Map(years.map((year, column) => [year, column]));
  const counts = new Uint8Array(companies.length * years.length * families);
  const pdfs = new Uint8Array(counts.length);
  const marks = new Uint8Array(counts.length);
  const lines = new Map(companies.map(([id], line) => [Number(id), line]));
  for (const [id, list] of reports) {
    const line = lines.get(id);
    if (line === undefined) continue;
    for (const code of list) {
      const cell = Math.floor(code / markBits);
      const column = columns.get(Math.floor(cell / families)) ?? 0;
      const at = (line * years.length + column) * families + (cell % families);
      const mark = code % markBits;
      marks[at] = (marks[at] ?? 0) | mark;
      const count = counts[at] ?? 0;
      if ((mark & coverageMarks.gone) === 0 && count < 255) counts[at] = count + 1;
      const withPdf = pdfs[at] ?? 0;
      if ((mark & coverageMarks.file) !== 0 && withPdf < 255) pdfs[at] = withPdf + 1;
    }
  }
  return {
    keys: companies.map((row) => String(row[1])),
    names: companies.map((row) => row[2] as string | null),
    countries: companies.map((row) => row[3] as string | null),
    years,
    counts,
    pdfs,
    marks,
  };
}

function yearsIn(reports: readonly (readonly [number, readonly number[]])[]): Set<number> {
  const years = new Set<number>();
  for (const [, list] of reports) for (const code of list) years.add(Math.floor(code / (markBits * families)));
  return years;
}
