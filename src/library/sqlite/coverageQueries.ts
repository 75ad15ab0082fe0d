import { coverageMarks, familyIndex, typeFamilies } from '../../api/schemas/reportTypes.ts';
import type { ReportQuery } from '../reportQuery.ts';
import { type CoverageMatrix, yearColumns } from '../store.ts';
import { shownSql } from './companyQueries.ts';
import type { Database } from './openDatabase.ts';
import { reportValues } from './reportQueries.ts';
import { factSql, isSplitSql } from './reportRow.ts';

const families = typeFamilies.length;
/** The marks of a report need four bits: see `coverageMarks`. */
const markBits = 16;
/** Room for the year, family and marks of a report. */
const companyStep = 2 ** 22;

/** A report as one number: company, fiscal year, family of its type, marks. */
const codeSql = `r.company * ${companyStep} + (r.fy * ${families} + CASE r.type
    ${typeFamilies.map((type) => `WHEN '${type}' THEN ${familyIndex(type)}`).join(' ')} ELSE ${familyIndex(null)} END
  ) * ${markBits} + CASE WHEN r.state <> 0 THEN ${coverageMarks.gone}
    ELSE iif(${factSql('has_file')} = 2, ${coverageMarks.metadataOnly}, ${coverageMarks.file}) + ${isSplitSql} * ${coverageMarks.split}
  END`;

const companyIn = (code: number) => Math.floor(code / companyStep);

/** Of the companies that have a report which a query finds; without one, of all that are shown. Computed each time. */
export function coverage(db: Database, query?: ReportQuery): CoverageMatrix {
  const codes = reportValues(db, { ...query, state: query?.state ?? 'all' }, codeSql) as number[];
  const found = query ? 'id IN (SELECT value FROM json_each(?))' : shownSql;
  const companies = db.all(
    `SELECT id, company_key, company_name, country FROM companies WHERE ${found} ORDER BY sort_name, id`,
    ...(query ? [JSON.stringify([...new Set(codes.map(companyIn))])] : []),
  );
  const years = yearColumns(new Set(codes.map((code) => Math.floor((code % companyStep) / (markBits * families)))));
  const columns = new Map(years.map((year, column) => [year, column]));
  const lines = new Map(companies.map(([id], line) => [Number(id), line]));
  const counts = new Uint8Array(companies.length * years.length * families);
  const pdfs = new Uint8Array(counts.length);
  const marks = new Uint8Array(counts.length);
  for (const code of codes) {
    const line = lines.get(companyIn(code));
    if (line === undefined) continue;
    const cell = Math.floor((code % companyStep) / markBits);
    const column = columns.get(Math.floor(cell / families)) ?? 0;
    const at = (line * years.length + column) * families + (cell % families);
    const mark = code % markBits;
    marks[at] = (marks[at] ?? 0) | mark;
    const count = counts[at] ?? 0;
    if ((mark & coverageMarks.gone) === 0 && count < 255) counts[at] = count + 1;
    const withPdf = pdfs[at] ?? 0;
    if ((mark & coverageMarks.file) !== 0 && withPdf < 255) pdfs[at] = withPdf + 1;
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
