import { columns, fieldGroupLabel } from '../api/schemas/fields.ts';
import type { Report } from '../api/schemas/report.ts';
import { reportTypeName } from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';
import { formatDate, formatTimestamp } from './format/dates.ts';
import { languageCodes } from './format/languages.ts';
import { marksNote } from './format/marks.ts';
import { visibleText } from './format/visibleText.ts';
import type { Group, MetadataView } from './metadata.ts';
import { headerFacts, headerNotices } from './metadataHeader.ts';
import { type CopyableRow, columnRow, fieldRow, words } from './metadataValues.ts';

/** A report ready to be shown, and what copying each of its rows gives. */
export interface MetadataPage {
  readonly view: MetadataView;
  /** By row id; raw text, never altered. */
  readonly copies: ReadonlyMap<string, string>;
}

/** A group before its rows and their texts to copy part ways. */
export interface BuiltGroup {
  readonly group: Omit<Group, 'rows'>;
  readonly rows: readonly CopyableRow[];
}

/**
 * Turns a report into what the panel shows: all 50 columns in their groups, the API-only fields, rename history and
 * unknown fields (RPT-1, RPT-2). `locale` is a BCP 47 tag for dates, numbers and language names.
 */
export function metadataPage(report: Report, withdrawn: boolean, locale: string): MetadataPage {
  const built = builtGroups(report, locale);
  const copies = new Map<string, string>();
  for (const { row, copy } of built.flatMap(({ rows }) => rows)) if (copy !== null) copies.set(row.id, copy);
  const groups = built.map(({ group, rows }) => ({ ...group, rows: rows.map(({ row }) => row) }));
  const view: MetadataView = {
    reportId: report.report_id,
    reportKey: visibleText(report.report_key),
    contentLanguage: contentLanguage(report),
    title: titleOf(report),
    company: visibleText(report.company_name ?? report.company_key),
    companyDetail: [listing(report), report.company_country]
      .filter((part) => part !== null)
      .map(visibleText)
      .join(' · '),
    type: typeOf(report),
    typeCode: report.report_type === null ? null : visibleText(report.report_type),
    facts: headerFacts(report, locale),
    notices: headerNotices(report, withdrawn),
    groups,
  };
  return { view, copies };
}

/** What a report is called; its key where it has no title. */
export function titleOf(report: Report): string {
  return visibleText(report.report_title ?? report.metadata.title) || visibleText(report.report_key);
}

/** A report's type in words. */
export function typeOf({ report_type }: Report): string {
  return report_type === null ? l10n.t('Type unknown') : visibleText(reportTypeName(report_type));
}

/** Everything that is told of a report, in its groups; empty groups are left out. */
export function builtGroups(report: Report, locale: string): BuiltGroup[] {
  return [
    ...columnGroups(report, locale),
    apiOnlyGroup(report, locale),
    historyGroup(report),
    otherGroup(report),
  ].filter((candidate) => candidate.rows.length > 0);
}

function columnGroups(report: Report, locale: string): BuiltGroup[] {
  return (['report', 'company', 'disclosure'] as const).map((id) => ({
    group: {
      id,
      title: fieldGroupLabel(id),
      note: id === 'disclosure' ? marksNote() : null,
    },
    rows: columns.filter((column) => column.group === id).map((column) => columnRow(column, report, locale)),
  }));
}

function apiOnlyGroup(report: Report, locale: string): BuiltGroup {
  const time = (iso: string | null) => (iso === null ? undefined : words(formatTimestamp(iso, locale), iso));
  const published =
    report.report_pubdate === null
      ? undefined
      : words(formatDate(report.report_pubdate, locale), report.report_pubdate);
  const rows = [
    fieldRow('api.report_id', l10n.t('Report ID'), 'report_id', report.report_id),
    fieldRow('api.has_file', l10n.t('Has a PDF'), 'has_file', report.has_file),
    fieldRow('api.download_path', l10n.t('Download path'), 'download_path', report.download_path),
    fieldRow('api.formats', l10n.t('Formats'), 'formats', report.formats),
    fieldRow('api.created_at', l10n.t('Created'), 'created_at', report.created_at, time(report.created_at)),
    fieldRow('api.updated_at', l10n.t('Updated'), 'updated_at', report.updated_at, time(report.updated_at)),
    fieldRow('api.report_hash', l10n.t('Report hash'), 'report_hash', report.report_hash),
    fieldRow('api.document_scope', l10n.t('Document scope'), 'document_scope', report.document_scope),
    fieldRow('api.report_fcyear', l10n.t('Fiscal year covered'), 'report_fcyear', report.report_fcyear),
    fieldRow('api.report_period', l10n.t('Report period'), 'report_period', report.report_period),
    fieldRow('api.report_pubdate', l10n.t('Publication day'), 'report_pubdate', report.report_pubdate, published),
    fieldRow('api.report_edition', l10n.t('Edition (text)'), 'report_edition', report.report_edition),
    fieldRow('api.report_assurance', l10n.t('Assurance (API)'), 'report_assurance', report.report_assurance),
  ];
  const note = l10n.t('Sent by the service beside the 50 columns.');
  return { group: { id: 'api', title: l10n.t('API-only fields'), note }, rows };
}

/** Empty unless the report was asked for by a retired id or key (RID-2). */
function historyGroup(report: Report): BuiltGroup {
  const rows = [
    fieldRow(
      'history.requested_key',
      l10n.t('Requested key'),
      'requested_legacy_report_key',
      report.requested_legacy_report_key,
    ),
    fieldRow(
      'history.requested_id',
      l10n.t('Requested ID'),
      'requested_legacy_report_id',
      report.requested_legacy_report_id,
    ),
    fieldRow('history.canonical_key', l10n.t('Current key'), 'canonical_report_key', report.canonical_report_key),
    fieldRow('history.canonical_id', l10n.t('Current ID'), 'canonical_report_id', report.canonical_report_id),
  ];
  const told = rows.some(({ copy }) => copy !== null);
  return { group: { id: 'history', title: l10n.t('Renamed or merged'), note: null }, rows: told ? rows : [] };
}

function otherGroup(report: Report): BuiltGroup {
  const rows = Object.entries(report.other).map(([name, raw]) =>
    fieldRow(`other.${name}`, visibleText(name), null, raw),
  );
  const note = l10n.t(
    'Fields that this version of the extension does not know, or whose value had an unexpected type.',
  );
  return { group: { id: 'other', title: l10n.t('Other fields'), note }, rows };
}

function listing(report: Report): string | null {
  const parts = [report.company_mic, report.company_ticker].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(':') : null;
}

/** The language of a report's own words, where it has one: a BCP 47 tag. */
export function contentLanguage(report: Report): string | null {
  const codes = report.report_lang === null ? [] : languageCodes(report.report_lang);
  const [code] = codes;
  return codes.length === 1 && code !== undefined && /^[a-z]{2,3}$/i.test(code) ? code.toLowerCase() : null;
}
