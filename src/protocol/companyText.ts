import { coverageMarks } from '../api/schemas/coverage.ts';
import type { CompanyView, YearMark } from './company.ts';
import { cellState, cellStateLabels, splitLabel, yearLabel } from './coverageCell.ts';
import { markdownTable } from './format/tableText.ts';

/** What the marks of standards say; shared by the page's legend and this text. */
export const yearMarkLabels: Readonly<Record<YearMark, string>> = {
  yes: 'Applied',
  no: 'Not applied, by the report’s own evidence',
  undetermined: 'Undetermined',
  none: 'No report',
};

const markText: Readonly<Record<YearMark, string>> = { yes: 'yes', no: 'no', undetermined: '?', none: '' };

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
    ...view.notices.map((text) => `Note: ${text}`),
    '',
    'Reports',
    '',
    markdownTable([head, ...reports]),
    'Standards (extracted from what the reports state, not an audit; ? is undetermined)',
    '',
    markdownTable([head, ...standards.map(({ label, marks }) => [label, ...marks.map((mark) => markText[mark])])]),
    'Assurance',
    '',
    ...stated.filter((lines) => lines.length > 1).map(([year, ...lines]) => `${year}: ${lines.join('; ')}`),
    '',
    'Pages and sizes',
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
      pages === null ? '–' : String(pages),
      megabytes === null ? '–' : String(megabytes),
    ]);
  return [['Fiscal year', 'Report', 'Pages', 'MB'], ...rows];
}

function cellText({ marks, count }: { readonly marks: number; readonly count: number }, year: number): string {
  const state = cellState(marks);
  if (state === 'none') return '';
  const split = marks & coverageMarks.split ? ` (two-year record ${splitLabel(year)})` : '';
  return `${count > 1 ? `${count} × ` : ''}${cellStateLabels[state]}${split}`;
}
