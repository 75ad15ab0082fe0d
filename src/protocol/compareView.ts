import { fiscalYearOf } from '../api/schemas/fields.ts';
import type { Report } from '../api/schemas/report.ts';
import { l10n } from '../base/l10n.ts';
import { visibleText } from '../base/words.ts';
import type { ComparedColumn, ComparedGroup, ComparedRow, CompareView } from './compare.ts';
import { marksNote } from './format/facts.ts';
import { contentLanguage, metadataGroups, typeOf, visibleTitle } from './metadataView.ts';

export interface ComparedReport {
  readonly report: Report;
  readonly isGone: boolean;
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

/**
 * Puts reports side by side: one row for each of the 50 columns, the API-only fields and whatever else any of them has;
 * rows that differ apart from those that say the same.
 */
export function compareView(
  compared: readonly ComparedReport[],
  notices: readonly string[],
  locale: string,
): CompareView {
  const reports = compared.map(({ report }) => report);
  const groups = regrouped(joinedGroups(reports, locale));
  const only = (areSame: boolean) =>
    groups
      .map((group) => ({ ...group, rows: group.rows.filter((row) => isSame(row) === areSame) }))
      .filter(({ rows }) => rows.length > 0);
  return {
    title: titleOfAll(reports),
    columns: compared.map(columnOf),
    different: only(false),
    same: only(true),
    note: marksNote(),
    notices,
  };
}

/** Values are the same when their raw texts are. */
function isSame({ cells }: ComparedRow): boolean {
  return new Set(cells.map(({ copy }) => copy)).size === 1;
}

/** Reports of one company in the order of their years; others as they were chosen. */
export function inReadingOrder(compared: readonly ComparedReport[]): ComparedReport[] {
  const isOneCompany = new Set(compared.map(({ report }) => report.company_key)).size === 1;
  if (!isOneCompany) return [...compared];
  const endOf = ({ report }: ComparedReport) => report.period_end_date ?? String(fiscalYearOf(report) ?? '9999');
  return compared.toSorted((a, b) => endOf(a).localeCompare(endOf(b)) || a.report.report_id - b.report.report_id);
}

const noValue: ComparedRow['cells'][number] = { value: { kind: 'missing', note: null }, copy: null };

/** The groups of all reports; a row that only some have is empty for the others. */
function joinedGroups(reports: readonly Report[], locale: string): ComparedGroup[] {
  const all = reports.map((report) => metadataGroups(report, locale));
  const titles = new Map(all.flat().map(({ id, title }) => [id, title]));
  return [...titles].map(([id, title]) => {
    const perReport = all.map((groups) => {
      const group = groups.find((each) => each.id === id);
      return new Map(group?.rows.map((row) => [row.id, row]));
    });
    const rows = new Map(perReport.flatMap((each) => [...each]));
    return {
      title,
      rows: [...rows].map(([rowId, { label, name, meaning }]) => ({
        id: rowId,
        label,
        name,
        isColumn: meaning !== null,
        cells: perReport.map((each) => {
          const row = each.get(rowId);
          return row ? { value: row.value, copy: row.copy } : noValue;
        }),
      })),
    };
  });
}

/** The values of single reports go to a group of their own at the end. */
function regrouped(groups: readonly ComparedGroup[]): ComparedGroup[] {
  const own = groups.flatMap(({ rows }) => rows.filter(({ id }) => ownRows.has(id)));
  const others = groups.map((group) => ({ ...group, rows: group.rows.filter(({ id }) => !ownRows.has(id)) }));
  return [...others, { title: l10n.t('Keys, files and timestamps'), rows: own }];
}

function columnOf({ report, isGone }: ComparedReport): ComparedColumn {
  return {
    title: visibleTitle(report),
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
  if (filed === null) return l10n.t('Undated');
  return report.report_fcyear === null ? l10n.t('Cover year {0}', filed) : String(filed);
}

function titleOfAll(reports: readonly Report[]): string {
  const companies = new Set(reports.map(({ company_key }) => company_key));
  const [first] = reports;
  if (companies.size === 1 && first)
    return l10n.t('{0} reports of {1}', reports.length, visibleText(first.company_name ?? first.company_key));
  return l10n.t('{0} reports of {1} companies', reports.length, companies.size);
}
