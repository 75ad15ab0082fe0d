import { l10n } from '../base/l10n.ts';
import { countText } from '../base/words.ts';
import type { CoverageFormat, CoverageLook, CoverageView } from './coverage.ts';
import { type CellState, cellState, familyLabel, familyNoun, isListed, splitLabel, yearLabel } from './coverageCell.ts';
import { type Cell, type CoverageRows, coverageRows } from './coverageRows.ts';
import { csvTable, markdownTable } from './format/tableText.ts';
import { visibleText } from './format/visibleText.ts';

/** A file for programs says the same whoever wrote it; a table to read speaks the reader's language. */
const stateWords: Readonly<Record<CellState, string>> = {
  none: '',
  metadata: l10n.later('metadata only'),
  available: l10n.later('available'),
  downloaded: l10n.later('downloaded'),
  changed: l10n.later('changed'),
  withdrawn: l10n.later('withdrawn'),
};
const twoYears = l10n.later('in two-year record');

type Say = (words: string) => string;

/** What a look shows, as a file: one row per company, one column per fiscal year, then two-year and undated records. */
export function coverageExport(view: CoverageView, look: CoverageLook, format: CoverageFormat): string {
  const rows = coverageRows(view, look);
  return format === 'csv' ? csvTable(tableOf(view, rows, String)) : markdownTable(tableOf(view, rows, l10n.word));
}

/** The same as a document to read, with what it is about above the table. */
export function coverageText(view: CoverageView, look: CoverageLook): string {
  const shown = coverageRows(view, look);
  const head = [
    `# ${l10n.t('Coverage')}`,
    '',
    view.scope === 'filter' && view.filterWords !== null
      ? l10n.t('Reports filter: {0}', view.filterWords)
      : l10n.t('All companies of the licence'),
    familyLabel(look.family),
    coverageSentence(view, look, shown.rows.length, view.keys.length),
    l10n.t(
      'A cell says how the best report stands; a number in front counts several. Two-year records are filed under their first year.',
    ),
  ];
  return `${head.join('\n')}\n\n${markdownTable(tableOf(view, shown, l10n.word))}`;
}

/** How many companies are shown and why, in one sentence. */
export function coverageSentence(
  view: Pick<CoverageView, 'years'>,
  look: CoverageLook,
  shown: number,
  all: number,
): string {
  const companies = all === 1 ? l10n.t('1 company') : l10n.t('{0} companies', countText(all));
  const of = shown === all ? companies : l10n.t('{0} of {1}', countText(shown), companies);
  if (look.gapYear === null || !view.years.includes(look.gapYear)) return of;
  const noun = familyNoun(look.family);
  return look.gapYear === 0
    ? l10n.t('{0} without {1} undated', of, noun)
    : l10n.t('{0} without {1} for {2}', of, noun, look.gapYear);
}

function tableOf(view: CoverageView, { rows, reader, figures }: CoverageRows, say: Say): string[][] {
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
        ...dated.map(({ column }) => cellText(reader.cell(row, column), say)),
        split.map(splitLabel).join(' '),
        undated < 0 ? '' : cellText(reader.cell(row, undated), say),
      ];
    }),
  ];
}

function cellText({ count, marks, coveredBySplit }: Cell, say: Say): string {
  if (coveredBySplit && !isListed(marks)) return say(twoYears);
  const state = stateWords[cellState(marks)];
  const words = state === '' ? '' : say(state);
  return count > 1 ? `${count} ${words}` : words;
}
