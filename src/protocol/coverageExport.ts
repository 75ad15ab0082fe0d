import type { CoverageFormat, CoverageLook, CoverageView } from './coverage.ts';
import {
  type CellState,
  cellState,
  familyLabels,
  familyNouns,
  isListed,
  splitLabel,
  yearLabel,
} from './coverageCell.ts';
import { type Cell, type CoverageRows, coverageRows } from './coverageRows.ts';
import { csvTable, markdownTable } from './format/tableText.ts';
import { visibleText } from './format/visibleText.ts';

const stateWords: Readonly<Record<CellState, string>> = {
  none: '',
  metadata: 'metadata only',
  available: 'available',
  downloaded: 'downloaded',
  changed: 'changed',
  withdrawn: 'withdrawn',
};

/** What a look shows, as a file: one row per company, one column per fiscal year, then two-year and undated records. */
export function coverageExport(view: CoverageView, look: CoverageLook, format: CoverageFormat): string {
  const table = tableOf(view, coverageRows(view, look));
  return format === 'csv' ? csvTable(table) : markdownTable(table);
}

/** The same as a document to read, with what it is about above the table. */
export function coverageText(view: CoverageView, look: CoverageLook): string {
  const shown = coverageRows(view, look);
  const head = [
    '# Coverage',
    '',
    view.scope === 'filter' && view.filterWords !== null
      ? `Reports filter: ${view.filterWords}`
      : 'All companies of the licence',
    familyLabels[look.family],
    coverageSentence(view, look, shown.rows.length),
    'A cell says how the best report stands; a number in front counts several. Two-year records are filed under their first year.',
  ];
  return `${head.join('\n')}\n\n${markdownTable(tableOf(view, shown))}`;
}

/** How many companies are shown and why, in one sentence. */
export function coverageSentence(view: CoverageView, look: CoverageLook, shown: number): string {
  const all = view.keys.length;
  const companies = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'company' : 'companies'}`;
  const of = shown === all ? companies(all) : `${shown.toLocaleString('en')} of ${companies(all)}`;
  if (look.gapYear === null || !view.years.includes(look.gapYear)) return of;
  const when = look.gapYear === 0 ? 'undated' : `for ${look.gapYear}`;
  return `${of} without ${familyNouns[look.family]} ${when}`;
}

function tableOf(view: CoverageView, { rows, reader, figures }: CoverageRows): string[][] {
  const dated = view.years.map((year, column) => ({ year, column })).filter(({ year }) => year !== 0);
  const undated = view.years.indexOf(0);
  const header = ['company', 'company_key', 'country', 'reports', 'gaps', ...dated.map(({ year }) => yearLabel(year))];
  return [
    [...header, 'two-year', 'undated'],
    ...rows.map((row) => {
      const { reports, gaps, split } = figures(row);
      return [
        visibleText(view.names[row] ?? ''),
        view.keys[row] ?? '',
        view.countries[row] ?? '',
        String(reports),
        String(gaps),
        ...dated.map(({ column }) => cellText(reader.cell(row, column))),
        split.map(splitLabel).join(' '),
        undated < 0 ? '' : cellText(reader.cell(row, undated)),
      ];
    }),
  ];
}

function cellText({ count, marks, coveredBySplit }: Cell): string {
  if (coveredBySplit && !isListed(marks)) return 'in two-year record';
  const words = stateWords[cellState(marks)];
  return count > 1 ? `${count} ${words}` : words;
}
