import { coverageMarks } from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';
import type { CompanyView, YearMark } from './company.ts';
import { cellState, cellStateLabel, splitLabel, yearLabel } from './coverageCell.ts';
import { markdownTable } from './format/tableText.ts';

/** What the marks of standards say; shared by the page's legend and this text. */
export function yearMarkLabel(mark: YearMark): string {
  switch (mark) {
    case 'yes':
      return l10n.t('Applied');
    case 'no':
      return l10n.t('Not applied, by the report’s own evidence');
    case 'undetermined':
      return l10n.t('Undetermined');
    case 'none':
      return l10n.t('No report');
    default:
      return mark satisfies never;
  }
}

function markText(mark: YearMark): string {
  const texts = { yes: l10n.t('yes'), no: l10n.t('no'), undetermined: '?', none: '' };
  return texts[mark];
}

/** The panel's content as Markdown, for reading without the page. */
export function companyText(view: CompanyView): string {
  const { years, families, standards, assurance } = view;
  const facts = view.facts.map(
    ({ label, text, note }) => `${label}: ${[text ?? (note === null ? '–' : null), note].filter(Boolean).join(' – ')}`,
  );
  const head = ['', ...years.map(yearLabel)];
  const reports = families.map(({ label, cells }) => [
    label,
    ...cells.map((cell, column) => cellText(cell, years[column] ?? 0)),
  ]);
  const stated = years.map((year, column) => [yearLabel(year), ...(assurance[column]?.lines ?? [])]);
  return [
    view.title,
    view.detail,
    '',
    ...facts,
    ...view.notices.map((text) => l10n.t('Note: {0}', text)),
    '',
    l10n.t('Reports'),
    '',
    markdownTable([head, ...reports]),
    l10n.t('Standards (extracted from what the reports state, not an audit; ? is undetermined)'),
    '',
    markdownTable([head, ...standards.map(({ label, marks }) => [label, ...marks.map((mark) => markText(mark))])]),
    l10n.t('Assurance'),
    '',
    ...stated.filter((lines) => lines.length > 1).map(([year, ...lines]) => `${year}: ${lines.join('; ')}`),
    '',
    l10n.t('Pages and sizes'),
    '',
    markdownTable(sizesTable(view)),
  ].join('\n');
}

/** Pages and megabytes by report, newest first: the text beside the charts. */
export function sizesTable({ sizes }: Pick<CompanyView, 'sizes'>): string[][] {
  const rows = sizes
    .toSorted((a, b) => b.year - a.year)
    .map(({ year, type, pages, megabytes }) => [
      String(year),
      type,
      pages === null ? '–' : amount(pages),
      megabytes === null ? '–' : amount(megabytes),
    ]);
  return [[l10n.t('Fiscal year'), l10n.t('Report'), l10n.t('Pages'), 'MB'], ...rows];
}

function amount(value: number): string {
  return value.toLocaleString(l10n.language());
}

function cellText({ marks, count }: { readonly marks: number; readonly count: number }, year: number): string {
  const state = cellState(marks);
  if (state === 'none') return '';
  const split = marks & coverageMarks.split ? ` ${l10n.t('(two-year record {0})', splitLabel(year))}` : '';
  return `${count > 1 ? `${count} × ` : ''}${cellStateLabel(state)}${split}`;
}
