import { fiscalYearOf, type Report } from '../api/schemas/report.ts';
import { l10n } from '../base/l10n.ts';
import type { ComparedColumn, ComparedGroup, ComparedRow, CompareView } from './compare.ts';
import { marksNote } from './format/facts.ts';
import { visibleText } from './format/visibleText.ts';
import { type Row, valueText } from './metadata.ts';
import type { CopyableRow } from './metadataValues.ts';
import { builtGroups, contentLanguage, titleOf, typeOf } from './metadataView.ts';

/** A report to compare, and whether the service still serves it. */
export interface ComparedReport {
  readonly report: Report;
  readonly isGone: boolean;
}

/** A comparison ready to be shown, and what copying each of its cells gives. */
export interface ComparePage {
  readonly view: CompareView;
  /** By row id, one a report; raw text, never altered, null where there is none. */
  readonly copies: ReadonlyMap<string, readonly (string | null)[]>;
}

/** What every report has for itself: it says nothing about what the reports say, so it comes last. */
const ownRows: ReadonlySet<string> = new Set([
  'filename',
  'report_key',
  'sha256',
  'api.report_id',
  'api.download_path',
  'api.created_at',
  'api.updated_at',
  'api.report_hash',
]);
const ownGroup = 'own';

/**
 * Puts reports side by side: one row for each of the 50 columns, the API-only fields and whatever else any of them has;
 * rows that differ apart from those that say the same. Values differ when their raw texts do.
 */
export function comparePage(
  compared: readonly ComparedReport[],
  notices: readonly string[],
  locale: string,
): ComparePage {
  const reports = compared.map(({ report }) => report);
  const copies = new Map<string, readonly (string | null)[]>();
  const different: ComparedGroup[] = [];
  const same: ComparedGroup[] = [];
  for (const { id, title, rows } of regrouped(joinedGroups(reports, locale))) {
    for (const row of rows) copies.set(row.id, row.copies);
    const differing = rows.filter((row) => new Set(row.copies).size > 1);
    const agreeing = rows.filter((row) => new Set(row.copies).size === 1);
    if (differing.length > 0) different.push({ id, title, rows: differing.map(shownRow) });
    if (agreeing.length > 0) same.push({ id, title, rows: agreeing.map(shownRow) });
  }
  const view: CompareView = {
    title: titleOfAll(reports),
    columns: compared.map(columnOf),
    different,
    same,
    note: marksNote(),
    notices: [...notices],
  };
  return { view, copies };
}

/** Reports of one company in the order of their years; others as they were chosen. */
export function inReadingOrder(compared: readonly ComparedReport[]): ComparedReport[] {
  const isOneCompany = new Set(compared.map(({ report }) => report.company_key)).size === 1;
  if (!isOneCompany) return [...compared];
  const endOf = ({ report }: ComparedReport) => report.period_end_date ?? String(fiscalYearOf(report) ?? '9999');
  return compared.toSorted((a, b) => endOf(a).localeCompare(endOf(b)) || a.report.report_id - b.report.report_id);
}

interface JoinedRow {
  readonly id: string;
  readonly row: Row;
  readonly cells: ComparedRow['cells'];
  readonly copies: readonly (string | null)[];
}

interface JoinedGroup {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly JoinedRow[];
}

const noValue: ComparedRow['cells'][number] = { value: { kind: 'missing', note: null }, copyable: false };

/** The groups of all reports; a row that only some have is empty for the others. */
function joinedGroups(reports: readonly Report[], locale: string): JoinedGroup[] {
  const all = reports.map((report) => builtGroups(report, locale));
  const titles = new Map(all.flat().map(({ group }) => [group.id, group.title]));
  return [...titles].map(([id, title]) => {
    const perReport = all.map(
      (groups) =>
        new Map<string, CopyableRow>(
          groups.find(({ group }) => group.id === id)?.rows.map((built) => [built.row.id, built]),
        ),
    );
    const rows = new Map(perReport.flatMap((built) => [...built].map(([rowId, { row }]) => [rowId, row] as const)));
    return {
      id,
      title,
      rows: [...rows].map(([rowId, row]) => ({
        id: rowId,
        row,
        cells: perReport.map((built) => cellOf(built.get(rowId))),
        copies: perReport.map((built) => built.get(rowId)?.copy ?? null),
      })),
    };
  });
}

function cellOf(built: CopyableRow | undefined): ComparedRow['cells'][number] {
  return built ? { value: built.row.value, copyable: built.copy !== null } : noValue;
}

/** What each report has for itself goes to a group of its own at the end. */
function regrouped(groups: readonly JoinedGroup[]): JoinedGroup[] {
  const own = groups.flatMap(({ rows }) => rows.filter(({ id }) => ownRows.has(id)));
  const others = groups.map((group) => ({ ...group, rows: group.rows.filter(({ id }) => !ownRows.has(id)) }));
  return [...others, { id: ownGroup, title: l10n.t('Keys, files and timestamps'), rows: own }];
}

function shownRow({ id, row, cells }: JoinedRow): ComparedRow {
  return { id, label: row.label, name: row.name, isColumn: row.meaning !== null, cells };
}

function columnOf({ report, isGone }: ComparedReport): ComparedColumn {
  return {
    reportId: report.report_id,
    title: titleOf(report),
    language: contentLanguage(report),
    company: visibleText(report.company_name ?? report.company_key),
    type: typeOf(report),
    fiscalYear: fiscalYearText(report),
    isGone,
  };
}

/** The company's own label, or the year it is filed under; never the cover year under another name (RID-3). */
function fiscalYearText(report: Report): string {
  if (report.fiscal_year_label !== null) return visibleText(report.fiscal_year_label);
  const filed = fiscalYearOf(report);
  return filed === null
    ? l10n.t('Undated')
    : report.report_fcyear === null
      ? l10n.t('Cover year {0}', filed)
      : String(filed);
}

function titleOfAll(reports: readonly Report[]): string {
  const companies = new Set(reports.map(({ company_key }) => company_key));
  const [first] = reports;
  if (companies.size === 1 && first)
    return l10n.t('{0}: {1} reports', visibleText(first.company_name ?? first.company_key), reports.length);
  return l10n.t('{0} reports of {1} companies', reports.length, companies.size);
}

/** The comparison as plain text, for reading without the page. */
export function compareText(view: CompareView): string {
  const names = view.columns.map((column, index) => `${index + 1}: ${columnText(column)}`);
  const part = (heading: string, groups: readonly ComparedGroup[]) => [
    '',
    `${heading} (${countRows(groups)})`,
    ...groups.flatMap(({ title, rows }) => ['', title, ...rows.flatMap(rowText)]),
  ];
  const lines = [
    view.title,
    ...names,
    ...view.notices.map((notice) => l10n.t('Note: {0}', notice)),
    l10n.t('Standards and assurance: {0}', view.note),
    ...part(l10n.t('Different'), view.different),
    ...part(l10n.t('The same'), view.same),
  ];
  return `${lines.join('\n')}\n`;
}

/** How many rows the groups have. */
export function countRows(groups: readonly ComparedGroup[]): number {
  return groups.reduce((sum, { rows }) => sum + rows.length, 0);
}

function columnText({ title, company, type, fiscalYear, isGone }: ComparedColumn): string {
  return [title, company, type, fiscalYear, ...(isGone ? [l10n.t('withdrawn')] : [])].join(' · ');
}

function rowText({ label, name, cells }: ComparedRow): string[] {
  const head = name === null ? label : `${label} [${name}]`;
  const texts = cells.map(({ value }) => valueText(value));
  if (new Set(texts).size === 1) return [`${head}: ${texts[0]}`];
  return [`${head}:`, ...texts.map((text, index) => `  ${index + 1}: ${text}`)];
}
