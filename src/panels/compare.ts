import { fiscalYearOf } from '../api/schemas/fields.ts';
import type { Report } from '../api/schemas/report.ts';
import { l10n } from '../base/l10n.ts';
import { visibleText } from '../base/words.ts';
import type { Block, BlockGroup, BlockRow, Inline } from '../protocol/blocks.ts';
import { marksNote } from '../protocol/format/facts.ts';
import { columnLink, missing } from './pieces.ts';
import { contentLanguage, typeOf, visibleTitle } from './report.ts';
import { fieldGroups, type ReportField } from './reportFields.ts';

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

/** What two to six reports are compared along: years of one company, or companies. */
export function comparisonTitle(compared: readonly ComparedReport[]): string {
  const reports = compared.map(({ report }) => report);
  const companies = new Set(reports.map(({ company_key }) => company_key));
  const [first] = reports;
  if (companies.size === 1 && first)
    return l10n.t('{0} reports of {1}', reports.length, visibleText(first.company_name ?? first.company_key));
  return l10n.t('{0} reports of {1} companies', reports.length, companies.size);
}

/**
 * Puts reports side by side: one row for each of the 50 columns, the API-only fields and whatever else any of them has;
 * rows that differ apart from those that say the same. `failures` says which reports could not be read, and why.
 */
export function compareBlocks(
  compared: readonly ComparedReport[],
  failures: readonly string[],
  locale: string,
): Block[] {
  const groups = joinedGroups(
    compared.map(({ report }) => report),
    locale,
  );
  const only = (areSame: boolean): BlockGroup[] =>
    groups
      .map(({ title, fields }) => ({ title, rows: fields.filter((field) => isSame(field) === areSame).map(rowOf) }))
      .filter(({ rows }) => rows.length > 0);
  const [different, same] = [only(false), only(true)];
  const count = (of: readonly BlockGroup[]) => of.reduce((sum, { rows }) => sum + rows.length, 0);
  const notices = failures.map((text) => ({ tone: 'warning', text }) as const);
  return [
    { kind: 'title', text: comparisonTitle(compared) },
    { kind: 'line', look: 'quiet', pieces: [marksNote()] },
    ...(notices.length > 0 ? [{ kind: 'notices', notices } as const] : []),
    {
      kind: 'tools',
      filter: l10n.t('Filter fields'),
      counts: 'fields',
      idle: l10n.t('{0} of {1} fields differ', count(different), count(different) + count(same)),
      buttons: [
        { act: 'chooseReports', icon: 'checklist', words: l10n.t('Choose Reports…') },
        { act: 'diffAsJson', icon: 'diff', words: l10n.t('Compare as JSON') },
        { act: 'viewAsText', icon: 'list-flat', words: l10n.t('View as Text') },
      ],
    },
    { kind: 'comparison', columns: compared.map(headOf), different, same },
  ];
}

/** A field and what each report says of it; undefined where a report does not have it. */
interface ComparedField extends Pick<ReportField, 'id' | 'label' | 'name' | 'meaning'> {
  readonly values: readonly (ReportField | undefined)[];
}

interface ComparedGroup {
  readonly title: string;
  readonly fields: readonly ComparedField[];
}

/** Values are the same when their raw texts are. */
function isSame({ values }: ComparedField): boolean {
  return new Set(values.map((value) => value?.copy ?? null)).size === 1;
}

/** Reports of one company in the order of their years; others as they were chosen. */
export function inReadingOrder(compared: readonly ComparedReport[]): ComparedReport[] {
  const isOneCompany = new Set(compared.map(({ report }) => report.company_key)).size === 1;
  if (!isOneCompany) return [...compared];
  const endOf = ({ report }: ComparedReport) => report.period_end_date ?? String(fiscalYearOf(report) ?? '9999');
  return compared.toSorted((a, b) => endOf(a).localeCompare(endOf(b)) || a.report.report_id - b.report.report_id);
}

/** The groups of all reports, and at the end what each report has for itself. */
function joinedGroups(reports: readonly Report[], locale: string): ComparedGroup[] {
  const all = reports.map((report) => fieldGroups(report, locale));
  const titles = new Map(all.flat().map(({ id, title }) => [id, title]));
  const groups = [...titles].map(([id, title]) => {
    const perReport = all.map((of) => {
      const group = of.find((each) => each.id === id);
      return new Map(group?.fields.map((field) => [field.id, field]));
    });
    const fields = new Map(perReport.flatMap((each) => [...each]));
    return {
      title,
      fields: [...fields].map(([fieldId, { label, name, meaning }]): ComparedField => {
        return { id: fieldId, label, name, meaning, values: perReport.map((each) => each.get(fieldId)) };
      }),
    };
  });
  const own = groups.flatMap(({ fields }) => fields.filter(({ id }) => ownRows.has(id)));
  const others = groups.map(({ title, fields }) => ({ title, fields: fields.filter(({ id }) => !ownRows.has(id)) }));
  return [...others, { title: l10n.t('Keys, files and timestamps'), fields: own }];
}

function rowOf({ id, label, name, meaning, values }: ComparedField): BlockRow {
  const head: Inline[] = [
    meaning === null ? label : columnLink(label, id),
    ...(name === null ? [] : [{ text: name, look: 'mono name' }]),
  ];
  return { id, cells: [head, ...values.map((field, column) => cellOf(field, column))] };
}

function cellOf(field: ReportField | undefined, column: number): readonly Inline[] {
  if (!field) return [missing(l10n.t('No value'))];
  const { label, value, copy } = field;
  if (copy === null) return value;
  return [
    ...value,
    { line: [{ copy, label, name: l10n.t('Copy {0}, report {1}', label, column + 1) }], look: 'tools' },
  ];
}

function headOf({ report, isGone }: ComparedReport, at: number): Inline[] {
  const title = visibleTitle(report);
  const gone: Inline[] = isGone ? ['·', { text: l10n.t('withdrawn'), icon: 'warning', look: 'gone' }] : [];
  return [
    {
      link: title,
      act: 'openReport',
      at,
      look: 'link title',
      lang: contentLanguage(report),
      title: l10n.t('Open {0}', title),
    },
    { line: [visibleText(report.company_name ?? report.company_key)], look: 'about' },
    { line: [fiscalYearText(report), '·', typeOf(report), ...gone], look: 'about quiet' },
  ];
}

/** The company's own label, or the year it is filed under; never the cover year under another name (RID-3). */
function fiscalYearText(report: Report): string {
  if (report.fiscal_year_label !== null) return visibleText(report.fiscal_year_label);
  const filed = fiscalYearOf(report);
  if (filed === null) return l10n.t('Undated');
  return report.report_fcyear === null ? l10n.t('Cover year {0}', filed) : String(filed);
}
