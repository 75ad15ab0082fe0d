import type { LibraryMethods } from '../src/library/library.ts';
import { type GroupBy, type ReportQuery, type SortColumn, sortColumns } from '../src/library/reportQuery.ts';

/** Something to ask of a library. */
export interface Question {
  readonly peer: string;
  /** p95 in ms, at 200,000 reports, warm. */
  readonly goal: number;
  ask(library: LibraryMethods, turn: number): unknown;
}

const narrowings: readonly ReportQuery[] = [
  { type: ['SR'] },
  { country: ['Germany', 'France'] },
  { facts: { standards_gri: true }, language: ['en'] },
  { type: ['CLIM', 'CODE'], assurance_level: ['limited'], sector: ['Energy'] },
  { published: ['2021', '2023-05'] },
];
const words: readonly ReportQuery[] = [
  { text: 'annual rep' },
  { text: 'energy' },
  { text: 'xpar 2021' },
  { text: 'a' },
];
const facets: readonly GroupBy[] = ['type', 'fcyear', 'language', 'class', 'assurance_level', 'country', 'published'];
const usual: readonly SortColumn[] = ['company', 'title', 'published', 'fiscal_year'];

function of<T>(list: readonly T[], turn: number): T {
  return list[turn % list.length] as T;
}

/** The first rows in every order, upwards and downwards in turn. */
function rows(library: LibraryMethods, turn: number, query: ReportQuery, columns: readonly SortColumn[], offset = 0) {
  const order = { column: of(columns, turn), descending: Math.floor(turn / columns.length) % 2 === 1 };
  return library.reportsAt(query, order, { offset, limit: 100 });
}

/** What the table of all reports asks when it is opened, sorted, narrowed and scrolled. */
export const tableQuestions: readonly Question[] = [
  {
    peer: 'table: first rows of all by a usual column',
    goal: 200,
    ask: (l, turn) => rows(l, turn, {}, usual),
  },
  { peer: 'table: first rows of all by any column', goal: 250, ask: (l, turn) => rows(l, turn, {}, sortColumns) },
  {
    peer: 'table: first rows of a filter by any column',
    goal: 250,
    ask: (l, turn) => rows(l, turn, of(narrowings, turn), sortColumns),
  },
  {
    peer: 'table: first rows with words by any column',
    goal: 1500,
    ask: (l, turn) => rows(l, turn, of(words, turn), sortColumns),
  },
  {
    peer: 'table: rows far down for the first time, by any column',
    goal: 1500,
    ask: (l, turn) => rows(l, turn, {}, sortColumns, 30_000),
  },
  {
    peer: 'table: rows far down, once more',
    goal: 17,
    // In the order that was asked for just before.
    ask: (l, turn) => rows(l, turn, {}, sortColumns, 20_000 + 100 * turn),
  },
  { peer: 'table: count of a filter', goal: 120, ask: (l, turn) => l.countReports(of(narrowings, turn)) },
  { peer: 'table: count of words', goal: 150, ask: (l, turn) => l.countReports(of(words, turn)) },
  { peer: 'table: years of words', goal: 150, ask: (l, turn) => l.groupReports(of(words, turn), 'fcyear') },
  {
    peer: 'table: count of words and a type',
    goal: 1200,
    ask: (l, turn) => l.countReports({ ...of(words, turn), type: ['SR'] }),
  },
  {
    peer: 'table: first rows with words, latest publication first',
    goal: 150,
    ask: (l, turn) =>
      l.reportsAt(of(words, turn), { column: 'published', descending: true }, { offset: 0, limit: 100 }),
  },
  ...facets.map((by) => ({
    peer: `table: numbers by ${by} of all and of filters`,
    goal: 250,
    ask: (l: LibraryMethods, turn: number) => l.groupReports(turn % 2 ? of(narrowings, turn) : {}, by),
  })),
  { peer: 'table: numbers of facts', goal: 400, ask: (l, turn) => l.factCounts(turn % 2 ? of(narrowings, turn) : {}) },
];
