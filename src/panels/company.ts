import type { Company } from '../api/schemas/company.ts';
import { columns } from '../api/schemas/fields.ts';
import type { Report, TriState } from '../api/schemas/report.ts';
import {
  coverageMarks,
  familyIndex,
  reportTypeName,
  statesTwoYears,
  type TypeFamily,
  typeFamilies,
} from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';
import { countText, inALine, visibleText } from '../base/words.ts';
import type { Block, BlockFact, BlockOf, BlockRow, Inline, MatrixCell } from '../protocol/blocks.ts';
import {
  type CellContent,
  type CellState,
  cellLooks,
  cellState,
  cellStateLabel,
  cellStates,
  cellWords,
  isListed,
  isSplit,
  isTail,
  yearLabel,
} from '../protocol/coverage.ts';
import { localMark } from '../protocol/coverageRows.ts';
import { missingIsin } from '../protocol/format/facts.ts';
import { columnLink, factPieces } from './pieces.ts';

export interface KnownCompany extends Company {
  readonly listed: number;
  readonly gone: number;
}

interface CompanyReport {
  readonly report: Report;
  readonly state: 'listed' | 'withdrawn' | 'removed';
  /** What it is filed under; null when undated. */
  readonly fiscal_year: number | null;
}

export interface CompanyInput {
  readonly company: KnownCompany;
  /** The key it was asked by; a former one leads to the present one (COM-1). */
  readonly askedFor: string;
  readonly reports: readonly CompanyReport[];
  /** Columns of the matrix, 0 for undated among them if there is one. */
  readonly years: readonly number[];
  /** SHA-256, if known, of the PDFs in the workspace, by report. */
  readonly downloaded: ReadonlyMap<number, string | null>;
  readonly isFavorite?: boolean;
}

export function companyTitle({ company_name, company_key }: KnownCompany): string {
  return visibleText(company_name ?? company_key);
}

/** A company and its reports. `locale` is a BCP 47 tag. */
export function companyBlocks(input: CompanyInput, locale: string): Block[] {
  const { company } = input;
  // Undated reports stand apart from the course of the years, at its end.
  const years = [...input.years.filter((year) => year !== 0), ...input.years.filter((year) => year === 0)];
  const notices = noticesOf(input).map((text) => ({ tone: 'info', text }) as const);
  const about: Inline[] = [
    inALine([company.country, company.sector, company.industry]),
    { star: input.isFavorite ?? false },
  ];
  return [
    { kind: 'title', text: companyTitle(company) },
    { kind: 'line', look: 'quiet', pieces: about },
    { kind: 'facts', look: 'facts', facts: companyFacts(company, locale) },
    ...(notices.length > 0 ? [{ kind: 'notices', notices } as const] : []),
    {
      kind: 'actions',
      buttons: [
        {
          act: 'download',
          icon: 'cloud-download',
          isMain: true,
          isOff: years.length === 0,
          words: l10n.t('Download All PDFs…'),
          ofRange: l10n.t('Download Selected PDFs…'),
        },
        { act: 'revealInWatchlist', icon: 'list-tree', words: l10n.t('Reveal in Watchlist') },
        { act: 'viewAsText', icon: 'list-flat', words: l10n.t('View as Text') },
      ],
    },
    ...(years.length > 0 ? [yearsBlock(input, years)] : []),
  ];
}

function yearsBlock(input: CompanyInput, years: readonly number[]): Block {
  const listed = input.reports.filter(({ state }) => state === 'listed');
  const byYear = years.map((year) =>
    listed.filter(({ fiscal_year }) => (fiscal_year ?? 0) === year).map(({ report }) => report),
  );
  return {
    kind: 'sideways',
    columns: years.length,
    blocks: [
      {
        kind: 'section',
        id: 'coverage',
        title: l10n.t('Coverage'),
        note: l10n.t('Enter or a click opens a report. Shift+arrow or Shift+click selects a range to download.'),
        blocks: [coverageMatrix(input, years), coverageLegend()],
      },
      standardsSection(years, byYear),
      assuranceSection(years, byYear),
    ],
  };
}

/** The name of a cell of the matrix; the year is 0 for undated. */
export function cellName(year: number, family: TypeFamily): string {
  return `${year} ${family}`;
}

function coverageMatrix(input: CompanyInput, years: readonly number[]): BlockOf<'matrix'> {
  const cells = familyCells(input, years);
  return {
    kind: 'matrix',
    name: l10n.t('Reports by fiscal year'),
    rowsName: l10n.t('Reports'),
    columns: years.map(yearLabel),
    start: years.filter((year) => year !== 0).length - 1,
    rows: typeFamilies.map((family, row) => ({
      code: family === 'specialty' ? '' : family,
      label: family === 'specialty' ? l10n.t('Specialty disclosures') : reportTypeName(family),
      cells: years.map((year, column) => matrixCell(year, family, cells[row]?.[column])),
    })),
  };
}

const noCell: CellContent = { marks: 0, count: 0, pdfs: 0, here: 0, coveredBySplit: false };

function matrixCell(year: number, family: TypeFamily, cell = noCell): MatrixCell {
  const state = cellState(cell);
  const tail = isTail(cell);
  const opens = tail ? cellName(year - 1, family) : state === 'none' ? null : cellName(year, family);
  const pieces: Inline[] = [
    tail ? splitTail : stateSign(state),
    ...(isSplit(cell.marks) ? [splitSign] : []),
    ...(cell.count > 1 ? [{ text: String(cell.count), look: 'many' }] : []),
  ];
  return { id: cellName(year, family), words: cellWords(year, cell), opens, pieces };
}

/** States differ by shape first, then by color. */
function stateSign(state: CellState): Inline {
  return { text: '', sign: `mark ${state}`, icon: cellLooks[state].icon };
}

/** A report of two years reaches into the next one. */
const splitSign: Inline = { text: '', sign: 'split-mark' };
const splitTail: Inline = { text: '', sign: 'split-mark tail' };

function splitLegend(mark: Inline): Inline[] {
  return [{ line: [mark, splitSign], look: 'cell-mark' }, l10n.t('Two-year report, filed under its first year')];
}

function legend(name: string, list: readonly (readonly Inline[])[]): Block {
  return { kind: 'line', look: 'legends', pieces: [{ list, look: 'legend', name }] };
}

function coverageLegend(): Block {
  const states = cellStates.map((state) => [stateSign(state), cellStateLabel(state)]);
  return legend(l10n.t('Legend'), [...states, splitLegend(stateSign('available'))]);
}

function familyCells({ reports, downloaded }: CompanyInput, years: readonly number[]): CellContent[][] {
  const columnOf = new Map(years.map((year, column) => [year, column]));
  const cells = typeFamilies.map(() =>
    years.map(() => ({ marks: 0, count: 0, pdfs: 0, here: 0, coveredBySplit: false })),
  );
  for (const { report, state, fiscal_year } of reports) {
    const cell = cells[familyIndex(report.report_type)]?.[columnOf.get(fiscal_year ?? 0) ?? -1];
    if (!cell) continue;
    const local = downloaded.get(report.report_id);
    cell.marks |= marksOf(report, state === 'listed', local);
    if (state !== 'listed') continue;
    cell.count++;
    if (report.has_file !== false || local !== undefined) cell.pdfs++;
    if (local !== undefined) cell.here++;
  }
  return cells.map((row) =>
    row.map((cell, column) => {
      const isNext = years[column - 1] === (years[column] ?? 0) - 1;
      return { ...cell, coveredBySplit: isNext && !isListed(cell.marks) && isSplit(row[column - 1]?.marks ?? 0) };
    }),
  );
}

function marksOf(report: Report, isServed: boolean, local: string | null | undefined): number {
  if (!isServed) return coverageMarks.gone;
  const here = local === undefined ? 0 : localMark({ isListed: true, sha256: report.content_sha256 }, local);
  const split = statesTwoYears(report.report_fcyear) ? coverageMarks.split : 0;
  return here | split | (report.has_file === false ? coverageMarks.metadataOnly : coverageMarks.file);
}

/**
 * What the reports of a year say together; `none` where there is no listed report, `covered` where there is none but a
 * two-year one is filed under the year before.
 */
type YearMark = 'yes' | 'no' | 'undetermined' | 'none' | 'covered';

function yearMarkLabel(mark: YearMark): string {
  const labels = {
    yes: l10n.t('Applied'),
    no: l10n.t('Not applied, according to the report'),
    undetermined: l10n.t('Undetermined'),
    none: l10n.t('No report'),
    covered: l10n.t('Covered by the two-year report of the year before'),
  };
  return labels[mark];
}

/** Three answers that never look alike, and nothing where there is no report (CNV-2). */
function yearMark(mark: YearMark): Inline {
  const words = yearMarkLabel(mark);
  if (mark === 'none') return { text: '', spoken: words };
  const signs = {
    yes: { text: '', icon: 'check' },
    no: { text: '', icon: 'circle-slash' },
    undetermined: { text: '–' },
    covered: splitTail as { readonly text: string },
  };
  return { ...signs[mark], spoken: words, title: words, look: `standard ${mark}` };
}

function markCells(marks: readonly YearMark[]): Inline[][] {
  return marks.map((mark, at) => [yearMark(mark), ...(marks[at + 1] === 'covered' ? [splitSign] : [])]);
}

type ByYear = readonly (readonly Report[])[];

/** Three answers stay three: yes if any report says so, no only on evidence, undetermined otherwise (CNV-2). */
function marksByYear(years: readonly number[], byYear: ByYear, read: (report: Report) => TriState): YearMark[] {
  return byYear.map((reports, column) => {
    const before = years[column - 1] === (years[column] ?? 0) - 1 ? (byYear[column - 1] ?? []) : [];
    if (reports.length === 0) return before.some((each) => statesTwoYears(each.report_fcyear)) ? 'covered' : 'none';
    const values = reports.map(read);
    if (values.includes(true)) return 'yes';
    return values.includes(false) ? 'no' : 'undetermined';
  });
}

const standardFields = columns.filter(({ name }) => name.startsWith('std_'));

/** The standards that the reports of each year state to apply. */
function standardsSection(years: readonly number[], byYear: ByYear): Block {
  const standards = standardFields.map(({ name, label, apiField }) => {
    const marks = marksByYear(years, byYear, (report) => report[apiField as keyof Report] as TriState);
    return { row: { id: name, cells: [[columnLink(label, name)], ...markCells(marks)] }, marks };
  });
  const looks = (['yes', 'no', 'undetermined'] as const).map((mark) => {
    const { title: _, spoken: __, ...sign } = yearMark(mark) as Extract<Inline, { readonly text: string }>;
    return [sign, yearMarkLabel(mark)];
  });
  const isSplitShown = standards.some(({ marks }) => marks.includes('covered'));
  const table = yearTable(
    l10n.t('Standards by fiscal year'),
    l10n.t('Standard'),
    years,
    standards.map(({ row }) => row),
  );
  return {
    kind: 'section',
    id: 'standards',
    title: l10n.t('Standards'),
    note: l10n.t('Based on statements in the reports, not an audit.'),
    blocks: [
      table,
      legend(l10n.t('Legend of standards'), [...looks, ...(isSplitShown ? [splitLegend({ icon: 'check' })] : [])]),
    ],
  };
}

/** A table over the fiscal years, with the same heads above each. */
function yearTable(name: string, label: string, years: readonly number[], rows: readonly BlockRow[]): Block {
  const heads = years.map((year) => ({ head: yearLabel(year), look: 'cell' }));
  const first = { head: label, look: 'cell label', isHeadHidden: true, isHeader: true };
  return { kind: 'table', look: 'table', name, columns: [first, ...heads], rows };
}

/** In a column, and in full. */
const levelWords = {
  limited: [l10n.later('Limited'), l10n.later('Limited assurance')],
  reasonable: [l10n.later('Reasonable'), l10n.later('Reasonable assurance')],
  other: [l10n.later('Other'), l10n.later('Other level')],
} as const;

/** The assurance that the reports of each year state, in the service's words. */
function assuranceSection(years: readonly number[], byYear: ByYear): Block {
  const lines = byYear.map((reports) => [...new Set(reports.flatMap(assuranceLine))]);
  const levels = byYear.map((reports, at) => [levelPiece(reports, lines[at] ?? [])]);
  const statements = marksByYear(years, byYear, (report) => report.independent_assurance_report_included);
  const [level, statement] = [l10n.t('Assurance level'), l10n.t('Statement in the report')];
  const rows = [
    { id: 'assurance_level', cells: [[columnLink(level, 'assurance_level')], ...levels] },
    { id: 'assurance_statement', cells: [[columnLink(statement, 'assurance_statement')], ...markCells(statements)] },
  ];
  const items = years
    .map((year, at) => ({ term: yearLabel(year), lines: lines[at] ?? [] }))
    .filter((item) => item.lines.length > 0)
    .reverse();
  return {
    kind: 'section',
    id: 'assurance',
    title: l10n.t('Assurance'),
    note: l10n.t('As stated in the reports.'),
    blocks: [
      yearTable(l10n.t('Assurance by fiscal year'), l10n.t('Assurance'), years, rows),
      items.length > 0
        ? { kind: 'details', title: l10n.t('Providers, standards and scope'), items }
        : { kind: 'line', look: 'quiet', pieces: [l10n.t('No report states any assurance.')] },
    ],
  };
}

/** The highest level that is stated. Any other text is never taken for one of the two. */
function levelPiece(reports: readonly Report[], lines: readonly string[]): Inline {
  const stated = reports.flatMap(({ assurance_level }) => assurance_level?.trim().toLowerCase() ?? []);
  const [first] = stated;
  const known = (['reasonable', 'limited'] as const).find((level) => stated.includes(level));
  if (first === undefined) return { text: '', spoken: l10n.t('Not stated') };
  const [short, full] = levelWords[known ?? 'other'];
  return { text: l10n.word(short), spoken: l10n.word(full), title: lines.join('\n'), look: 'level' };
}

function assuranceLine(report: Report): string[] {
  const { assurance_level, assurance_provider, assurance_standard, assurance_scope } = report;
  const line = inALine([assurance_level, assurance_provider, assurance_standard, assurance_scope]);
  return line === '' ? [] : [line];
}

function noticesOf({ company, askedFor, reports }: CompanyInput): string[] {
  const notices: string[] = [];
  if (askedFor !== company.company_key)
    notices.push(l10n.t('Renamed: {0} is now {1}.', visibleText(askedFor), visibleText(company.company_key)));
  if (reports.length === 0) notices.push(l10n.t('No report of this company is in your license.'));
  return notices;
}

/** Identity and identifiers. A withheld ISIN is said to be so; CUSIP and SEDOL are never shown (COM-2, COM-3). */
function companyFacts(company: KnownCompany, locale: string): BlockFact[] {
  const gone = company.gone === 0 ? null : l10n.t('and {0} withdrawn', countText(company.gone));
  const exchange = l10n.t('Exchange');
  return [
    codeFact('company_key', l10n.t('Company key'), company.company_key),
    codeFact('isin', 'ISIN', company.isin, company.isin === null ? missingIsin(company) : null),
    codeFact('lei', 'LEI', company.lei),
    codeFact('figi', 'FIGI', company.figi),
    codeFact('cik', 'CIK', company.cik),
    codeFact('ticker', l10n.t('Ticker'), company.ticker),
    { label: labelOf('exchange', exchange), pieces: factPieces(shownText(company.exchange), shownText(company.mic)) },
    {
      label: l10n.t('Fiscal year ends in'),
      pieces: factPieces(monthName(company.fiscal_year_end_month, locale), null),
    },
    { label: l10n.t('Reports'), pieces: factPieces(countText(company.listed), gone) },
  ];
}

/** A key or a code, which can be copied as the service sent it. */
function codeFact(id: string, label: string, text: string | null, note: string | null = null): BlockFact {
  const copy: Inline[] = text === null ? [] : [{ copy: text, label }];
  return { label: labelOf(id, label), pieces: [...factPieces(shownText(text), note, 'mono'), ...copy] };
}

/** The schema dictionary explains what is one of the columns. */
function labelOf(id: string, label: string): Inline {
  return columns.some(({ name }) => name === id) ? columnLink(label, id) : label;
}

function shownText(text: string | null): string | null {
  return text === null ? null : visibleText(text);
}

function monthName(month: number | null, locale: string): string | null {
  if (month === null || month < 1 || month > 12) return null;
  return new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1, 1));
}
