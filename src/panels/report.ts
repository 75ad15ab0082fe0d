import { fiscalYearOf } from '../api/schemas/fields.ts';
import type { Report } from '../api/schemas/report.ts';
import { reportTypeName } from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';
import { inALine, visibleText } from '../base/words.ts';
import type { Block, BlockFact, BlockNotice, BlockRow, ButtonItem, Inline } from '../protocol/blocks.ts';
import {
  formatDate,
  formatLanguages,
  formatMegabytes,
  formatPeriod,
  languageCodes,
} from '../protocol/format/numbers.ts';
import { type PdfState, pdfButton, pdfLine } from './pdfState.ts';
import { columnLink, factPieces } from './pieces.ts';
import { fieldGroups, type ReportField, type ReportFieldGroup } from './reportFields.ts';

export interface ReportInput {
  readonly report: Report;
  readonly withdrawn: boolean;
  readonly file: PdfState;
  /** Reports of the same company and type. */
  readonly others?: readonly OtherReport[];
  /** Why the report could not be kept on this machine. */
  readonly notKept?: string | undefined;
  readonly isFavorite?: boolean;
}

/**
 * A report: all 50 columns in their groups, the API-only fields, rename history and unknown fields (RPT-1, RPT-2).
 * `locale` is a BCP 47 tag for dates, numbers and language names.
 */
export function reportBlocks(input: ReportInput, locale: string): Block[] {
  const { report, file } = input;
  const notices = headerNotices(input);
  return [
    { kind: 'line', look: 'overline', pieces: overline(input) },
    { kind: 'title', text: visibleTitle(report), lang: contentLanguage(report) },
    {
      kind: 'line',
      look: 'company',
      pieces: [
        {
          link: visibleText(report.company_name ?? report.company_key),
          act: 'showCompany',
          title: l10n.t('Show the company'),
        },
        { text: inALine([listing(report), report.company_country]), look: 'quiet' },
      ],
    },
    { kind: 'facts', look: 'facts', facts: headerFacts(report, locale) },
    ...(notices.length > 0 ? [{ kind: 'notices', notices } as const] : []),
    {
      kind: 'actions',
      buttons: [
        pdfButton(file),
        { act: 'insertIntoNotebook', icon: 'notebook', words: l10n.t('Insert into Notebook') },
      ],
      menu: { words: l10n.t('More'), items: menuItems(input) },
    },
    { kind: 'line', look: 'file-state', id: 'file-state', pieces: pdfLine(file) },
    {
      kind: 'tools',
      filter: l10n.t('Filter fields'),
      counts: 'fields',
      none: l10n.t('No field matches. Clear the filter to see all.'),
      buttons: [],
    },
    ...fieldGroups(report, locale).map(groupSection),
  ];
}

function overline({ report, others = [], isFavorite = false }: ReportInput): Inline[] {
  const { report_type } = report;
  const { previous, next } = otherYears(report, others);
  const before = previous && l10n.t('Previous year: {0}', previous.title);
  const after = next && l10n.t('Next year: {0}', next.title);
  return [
    ...(report_type === null ? [] : [{ badge: visibleText(report_type) }]),
    typeOf(report),
    { star: isFavorite },
    {
      name: l10n.t('Other years'),
      nav: [
        ...(previous && before
          ? [{ link: previous.year, act: 'previous', name: before, title: before, icon: 'chevron-left' }]
          : []),
        ...(next && after
          ? [{ link: next.year, act: 'next', name: after, title: after, iconAfter: 'chevron-right' }]
          : []),
      ],
    },
  ];
}

/** All that can be done with the report beside what its two buttons do. */
function menuItems({ report, file }: ReportInput): ButtonItem[] {
  const isHere = file.kind === 'downloaded';
  return [
    ...(isHere && file.outdated ? [{ act: 'openPdf', icon: 'file-pdf', words: l10n.t('Open PDF') }] : []),
    ...(isHere ? [{ act: 'revealDownload', icon: 'folder-opened', words: l10n.t('Reveal in Explorer') }] : []),
    { act: 'exportReports', icon: 'export', words: l10n.t('Export…') },
    { act: 'compareReports', icon: 'diff-multiple', words: l10n.t('Compare…') },
    { act: 'copyCitation', icon: 'quote', words: l10n.t('Copy Citation…') },
    {
      act: 'copy',
      at: visibleText(report.report_key),
      icon: 'copy',
      words: l10n.t('Copy Report Key'),
      done: l10n.t('Report key copied'),
    },
    { act: 'copyLink', icon: 'link', words: l10n.t('Copy Link') },
    { act: 'viewAsJson', icon: 'json', words: l10n.t('View as JSON') },
    { act: 'viewAsText', icon: 'list-flat', words: l10n.t('View as Text') },
  ];
}

/** One group of rows. Three-valued facts stand together in a grid of marks, where there are enough of them. */
function groupSection({ id, title, note, fields: all }: ReportFieldGroup): Block {
  const marks = all.filter(({ isMark }) => isMark);
  const others = marks.length > 1 ? all.filter(({ isMark }) => !isMark) : all;
  const tables = [
    ...(marks.length > 1 ? [fieldTable('answers', l10n.t('{0}: standards and statements', title), marks)] : []),
    ...(others.length > 0 ? [fieldTable('rows', title, others)] : []),
  ];
  return {
    kind: 'section',
    id: `group-${id}`,
    title,
    isCounted: true,
    ...(note !== null && { note }),
    blocks: tables,
  };
}

function fieldTable(look: 'answers' | 'rows', name: string, all: readonly ReportField[]): Block {
  const column = (head: string, place: string) => ({ head, look: place });
  return {
    kind: 'table',
    look,
    name,
    isHeadHidden: true,
    columns: [
      { ...column(l10n.t('Field'), 'label'), isHeader: true },
      column(l10n.t('Value'), 'value'),
      column(l10n.t('Column'), 'name'),
      column(l10n.t('Copy'), 'tools'),
    ],
    rows: all.map(fieldRow),
  };
}

function fieldRow({ id, label, meaning, name, value, isMark, columnText, copy }: ReportField): BlockRow {
  const disagrees: Inline[] =
    columnText === null
      ? []
      : [
          {
            line: [{ icon: 'warning' }, l10n.t('Metadata column:'), { text: columnText, look: 'mono' }],
            look: 'disagrees',
          },
        ];
  return {
    id,
    ...(isMark && { look: 'answer-cell' }),
    cells: [
      [meaning === null ? label : columnLink(label, id, `${meaning} ${l10n.t('Opens the schema dictionary.')}`)],
      [...value, ...disagrees],
      name === null ? [] : [{ text: name, look: 'mono' }],
      copy === null ? [] : [{ copy, label }],
    ],
  };
}

export interface OtherReport {
  readonly report_id: number;
  readonly fiscal_year: number | null;
  readonly title: string | null;
  readonly report_key: string;
  readonly language: string | null;
}

export type YearStep = 'previous' | 'next';
interface OtherYear {
  readonly reportId: number;
  readonly year: string;
  readonly title: string;
}

/** The nearest years before and after; of several reports of one year the first in this one's language. */
export function otherYears(
  report: Report,
  others: readonly OtherReport[],
): Readonly<Record<YearStep, OtherYear | null>> {
  const year = fiscalYearOf(report);
  const isForeign = ({ language }: OtherReport) => (language === report.report_lang ? 0 : 1);
  const dated = others
    .flatMap((other) =>
      other.fiscal_year === null || year === null ? [] : { ...other, fiscal_year: other.fiscal_year },
    )
    .toSorted((a, b) => a.fiscal_year - b.fiscal_year || isForeign(a) - isForeign(b) || a.report_id - b.report_id);
  const firstOf = (wanted: number | undefined): OtherYear | null => {
    const found = dated.find(({ fiscal_year }) => fiscal_year === wanted);
    if (!found) return null;
    const title = visibleText(found.title ?? found.report_key);
    return { reportId: found.report_id, year: String(wanted), title };
  };
  const years = dated.map(({ fiscal_year }) => fiscal_year);
  return {
    previous: firstOf(years.findLast((each) => each < (year ?? 0))),
    next: firstOf(years.find((each) => each > (year ?? 0))),
  };
}

export function visibleTitle(report: Report): string {
  return visibleText(report.report_title ?? report.metadata.title) || visibleText(report.report_key);
}

export function typeOf({ report_type }: Report): string {
  return report_type === null ? l10n.t('Type unknown') : visibleText(reportTypeName(report_type));
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

/** The header's facts. Fiscal year, period and cover year stand apart: none is ever shown as another (RID-3). */
function headerFacts(report: Report, locale: string): BlockFact[] {
  const { report_year, report_pubdate_iso, report_lang, report_pages, report_filesize } = report;
  const period = formatPeriod(report.period_start_date, report.period_end_date, locale);
  const amount = new Intl.NumberFormat(locale);
  return [
    fiscalYearFact(report),
    fact(l10n.t('Period'), period),
    fact(l10n.t('Cover year'), report_year === 0 ? l10n.t('Undated') : (report_year?.toString() ?? null)),
    fact(l10n.t('Published'), report_pubdate_iso && formatDate(report_pubdate_iso, locale)),
    fact(l10n.t('Language'), report_lang && formatLanguages(report_lang, locale)),
    fact(l10n.t('Pages'), report_pages === null ? null : amount.format(report_pages)),
    fact(l10n.t('Size'), report_filesize === null ? null : formatMegabytes(report_filesize, locale)),
  ];
}

/** The company's own label, and the year it is filed under where that differs (FY-1 to FY-3). */
function fiscalYearFact(report: Report): BlockFact {
  const filed = fiscalYearOf(report);
  const label = report.fiscal_year_label;
  if (filed === null)
    return fact(l10n.t('Fiscal year'), label, label === null ? l10n.t('Undated') : l10n.t('filed as undated'));
  if (label === null && report.report_fcyear === null)
    return fact(l10n.t('Fiscal year'), null, l10n.t('Not stated; filed under cover year {0}', filed));
  const shown = label ?? String(report.report_fcyear);
  return fact(l10n.t('Fiscal year'), shown, shown === String(filed) ? null : l10n.t('filed under {0}', filed));
}

function headerNotices({ report, withdrawn, notKept }: ReportInput): BlockNotice[] {
  const notices: BlockNotice[] = [];
  const tell = (tone: BlockNotice['tone'], text: string) => notices.push({ tone, text });
  if (notKept !== undefined) tell('warning', l10n.t('This report isn’t on this computer. {0}', notKept));
  if (withdrawn)
    tell(
      'warning',
      l10n.t('Withdrawn: the service no longer serves this report. Its last known metadata is shown here.'),
    );
  const part = /\((Extract|Chapter)\)/i.exec(`${report.metadata.title} ${report.report_title ?? ''}`)?.[1];
  if (part?.toLowerCase() === 'chapter') tell('info', l10n.t('Partial document: a chapter.'));
  else if (part !== undefined) tell('info', l10n.t('Partial document: an extract.'));
  const renamed = renameNotice(report);
  if (renamed !== null) tell('info', renamed);
  const year = report.report_fcyear;
  if (typeof year === 'string' && !/^\d{4}$/.test(year.trim()))
    tell(
      'info',
      l10n.t('Older record: its fiscal year is {0}, filed under the first year. Check the period.', visibleText(year)),
    );
  return notices;
}

/** Told when a report was asked for by a key or id that a rename or merge retired (RID-1, RID-2). */
function renameNotice(report: Report): string | null {
  const { requested_legacy_report_id: oldId, requested_legacy_report_key: oldKey } = report;
  const newKey = report.canonical_report_key ?? report.report_key;
  const newId = report.canonical_report_id ?? report.report_id;
  if (oldKey !== null && oldKey !== newKey)
    return l10n.t('Renamed: {0} is now {1} (report {2}).', visibleText(oldKey), visibleText(newKey), newId);
  if (oldId !== null && oldId !== newId) return l10n.t('Merged: report {0} is now report {1}.', oldId, newId);
  const canonical = report.canonical_report_id !== null || report.canonical_report_key !== null;
  return canonical ? l10n.t('Now served as {0} (report {1}).', visibleText(newKey), newId) : null;
}

function fact(label: string, text: string | null, note: string | null = null): BlockFact {
  return { label, pieces: factPieces(text === null ? null : visibleText(text), note) };
}
