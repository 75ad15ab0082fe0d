import { visibleText } from '../../../src/base/words.ts';
import type { StateOf } from '../../../src/protocol/page.ts';
import {
  blockSize,
  firstColumns,
  type Section,
  type ShownRow,
  type TableColumn,
  type TableSelection,
  type TableView,
  tableColumns,
  type tableProtocol,
  type YearCount,
} from '../../../src/protocol/reportTable.ts';

const companies = [
  'Nordwerk Antriebstechnik SE',
  'Aktiengesellschaft für Vermögensverwaltung und Grundstücksbewirtschaftung Oberschwaben-Niederrhein',
  'شركة الأفق للطاقة المتجددة',
  'Cedarline Logistics Inc.',
  '<img src=x onerror="alert(1)"> [run](command:workbench.action.quit) \u202Egnp.exe\u202C',
  'Bréval Énergie SA',
];
const types = ['Sustainability Report', 'Integrated Report', 'Annual Report', 'Climate Report'];
const countries = ['Germany', 'France', 'United Arab Emirates', 'United States', null];
const sectors = ['Industrials', 'Utilities', 'Consumer Staples', 'Financials'];

/** The report at a place: always the same one, whatever was asked before. */
export function sampleRow(place: number): Omit<ShownRow, 'isSelected'> {
  const year = 2026 - (place % 14);
  const mark = (step: number) => (['yes', 'no', 'undetermined', 'yes'] as const)[(place >> step) % 4] ?? 'yes';
  const cells: Readonly<Partial<Record<TableColumn, string | null>>> = {
    company: visibleText(companies[place % companies.length] ?? ''),
    title: `Company ${place} Report ${year}`,
    type: types[place % 4] ?? null,
    fiscal_year: String(year),
    published: place % 9 === 0 ? null : `May ${1 + (place % 28)}, ${year + 1}`,
    has_file: place % 7 === 0 ? 'no' : 'yes',
    country: countries[place % 5] ?? null,
    sector: sectors[place % 4] ?? null,
    industry: 'Electrical Components & Equipment',
    language: place % 6 === 0 ? 'German and English' : 'English',
    class: 'Core',
    pages: String(40 + (place % 200)),
    filesize: `${1 + (place % 9)}.4 MB`,
    assurance_level: place % 3 === 0 ? 'Limited' : place % 3 === 1 ? 'Reasonable' : null,
  };
  return {
    id: place + 1,
    cells: Object.fromEntries(
      tableColumns.map((column, at) => [column, column in cells ? (cells[column] ?? null) : mark(at % 7)]),
    ),
    isStarred: place % 8 === 2,
    isHere: place % 11 === 0,
  };
}

/** What a page kept whose facets are open. */
export const openFacets: StateOf<typeof tableProtocol> = {
  ...{ version: 1, hasFacets: true, row: 0, column: 0, top: 0 },
  open: ['type', 'standards', 'files'],
};

/** A filter of two parts. */
export const sampleChips: TableView['chips'] = [
  { part: 'type', words: 'Annual Report with Sustainability Disclosures' },
  { part: 'standards_gri', words: 'GRI: Yes' },
];

/** A table of so many reports, and what the editor answers about it. */
export interface SampleTable {
  view(): TableView;
  readonly years: readonly YearCount[];
  readonly sections: readonly Section[];
  readonly answers: Readonly<Record<string, (params: never) => unknown>>;
}

export function sampleTable(count: number, changes: Partial<TableView> = {}): SampleTable {
  const ids = new Set<number>();
  let isAll = false;
  const rowsAt = (offset: number): ShownRow[] =>
    Array.from({ length: Math.max(0, Math.min(blockSize, count - offset)) }, (_, at) => {
      const row = sampleRow(offset + at);
      return { ...row, isSelected: ids.has(row.id) !== isAll };
    });
  const selection = (): TableSelection => ({
    count: isAll ? count - ids.size : ids.size,
    isAll: isAll && ids.size === 0,
    isStarred: !isAll && ids.size > 0 && [...ids].every((id) => sampleRow(id - 1).isStarred),
  });
  const select = ({ how, from, to }: { how: string; from: number; to: number }) => {
    if (how === 'keep' && ids.has(from + 1) !== isAll) return selection();
    if (how !== 'toggle') ids.clear();
    if (how !== 'toggle') isAll = how === 'all';
    if (how === 'all' || how === 'none') return selection();
    for (let place = Math.min(from, to); place <= Math.max(from, to); place++) {
      if (ids.has(place + 1)) ids.delete(place + 1);
      else ids.add(place + 1);
    }
    return selection();
  };
  return {
    view: () => ({
      ...{ version: 1, count, total: Math.max(count, 50_000), isLoading: false, text: '', chips: [] },
      order: { column: 'published', descending: true },
      columns: [...firstColumns],
      offset: 0,
      rows: rowsAt(0),
      selection: selection(),
      ...changes,
    }),
    years: [
      ...Array.from({ length: 14 }, (_, at) => ({
        year: 2013 + at,
        count: Math.round((count / 14) * (0.3 + ((at * 5) % 11) / 11)),
        isOn: false,
      })),
      { year: null, count: Math.round(count / 40), isOn: false },
    ],
    sections: sampleSections(count),
    answers: {
      rows: ({ offset }: { offset: number }) => rowsAt(offset),
      select,
    },
  };
}

function sampleSections(count: number): Section[] {
  const part = (share: number) => Math.round(count * share);
  const fact = (field: string, words: string, yes: number, no: number) => ({
    ...{ field, words, answer: null },
    counts: [part(yes), part(no), part(1 - yes - no)] as [number, number, number],
  });
  return [
    {
      id: 'type',
      facet: 'type',
      rows: [
        { value: 'SR', words: 'Sustainability Report', count: part(0.41), isOn: false },
        { value: 'IR', words: 'Integrated Report', count: part(0.22), isOn: false },
        { value: 'AR1', words: 'Annual Report', count: part(0.19), isOn: false },
        { value: 'AR2', words: 'Annual Report with Sustainability Disclosures', count: part(0.11), isOn: true },
        ...Array.from({ length: 9 }, (_, at) => ({
          value: `X${at}`,
          words: `Specialty ${at}`,
          count: part(0.008),
          isOn: false,
        })),
      ],
      facts: [],
    },
    {
      id: 'standards',
      facet: null,
      rows: [],
      facts: [
        { ...fact('standards_gri', 'GRI', 0.62, 0.2), answer: 'yes' },
        fact('standards_esrs', 'ESRS', 0.18, 0.5),
        fact('standards_sasb', 'SASB', 0.35, 0.31),
      ],
    },
    {
      id: 'files',
      facet: null,
      rows: [],
      facts: [fact('has_file', 'PDF', 0.86, 0.14), fact('downloaded', 'Here', 0.09, 0.91)],
    },
  ];
}
