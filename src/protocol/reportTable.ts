import * as z from 'zod/mini';
import { fields, type TriStateField } from '../api/schemas/fields.ts';
import { l10n } from '../base/l10n.ts';
import { nothing } from '../base/rpc.ts';
import { type Mark, marks } from './format/facts.ts';
import { conversation, filterText, fromEditor, keptState, plainCall } from './page.ts';

/** How a column is shown, and how wide it is before somebody makes it wider, in px. */
interface ColumnLook {
  readonly label: string;
  readonly kind: 'text' | 'number' | 'mark';
  readonly width: number;
  /** Shown before somebody chooses. */
  readonly isFirst?: true;
}

const plainColumns = {
  company: { label: l10n.later('Company'), kind: 'text', width: 210, isFirst: true },
  title: { label: l10n.later('Title'), kind: 'text', width: 300, isFirst: true },
  type: { label: l10n.later('Type'), kind: 'text', width: 170, isFirst: true },
  fiscal_year: { label: l10n.later('Fiscal year'), kind: 'number', width: 92, isFirst: true },
  published: { label: l10n.later('Published'), kind: 'text', width: 108, isFirst: true },
  has_file: { label: 'PDF', kind: 'mark', width: 132, isFirst: true },
  country: { label: l10n.later('Country'), kind: 'text', width: 130, isFirst: true },
  sector: { label: l10n.later('Sector'), kind: 'text', width: 160, isFirst: true },
  industry: { label: l10n.later('Industry'), kind: 'text', width: 180 },
  language: { label: l10n.later('Language'), kind: 'text', width: 120, isFirst: true },
  class: { label: l10n.later('Class'), kind: 'text', width: 120 },
  pages: { label: l10n.later('Pages'), kind: 'number', width: 72, isFirst: true },
  filesize: { label: l10n.later('Size'), kind: 'number', width: 80 },
  assurance_level: { label: l10n.later('Assurance level'), kind: 'text', width: 130, isFirst: true },
} as const satisfies Readonly<Record<string, ColumnLook>>;

/** What the table has a column of. */
export type TableColumn = keyof typeof plainColumns | TriStateField;

const facts = fields.filter(({ type, apiField }) => type === 'boolean' && apiField !== 'has_file');

/** Every column in its first order. */
export const tableColumns: readonly TableColumn[] = [
  ...(Object.keys(plainColumns) as (keyof typeof plainColumns)[]),
  ...facts.map(({ apiField }) => apiField as TriStateField),
];

/** A column as it is shown, its label in the reader's language. */
export function columnLook(column: TableColumn): ColumnLook {
  if (column in plainColumns) {
    const look: ColumnLook = plainColumns[column as keyof typeof plainColumns];
    return { ...look, label: l10n.word(look.label) };
  }
  const label = facts.find(({ apiField }) => apiField === column)?.label ?? column;
  const isFirst = column === 'standards_gri' || column === 'standards_esrs';
  return { label, kind: 'mark', width: 132, ...(isFirst && { isFirst }) };
}

const column = z.enum(tableColumns);
const place = z.int().check(z.minimum(0));

/** A column that is shown, and its width in px. */
const shownColumn = z.strictObject({ id: column, width: z.int().check(z.minimum(40), z.maximum(1200)) });
export type ShownColumn = z.output<typeof shownColumn>;

export const firstColumns: readonly ShownColumn[] = tableColumns.flatMap((id) => {
  const { isFirst, width } = columnLook(id);
  return isFirst ? [{ id, width }] : [];
});

const order = z.strictObject({ column, descending: z.boolean() });
export type TableOrder = z.output<typeof order>;

/** How a person looks at the table. Comes back from outside, out of the editor's memory. */
export const tableLookSchema = z.strictObject({ order, columns: z.array(shownColumn).check(z.minLength(1)) });
export type TableLook = z.output<typeof tableLookSchema>;

/** A report in the table: a text for each shown column, for facts one of `marks`; null where it states nothing. */
export interface ShownRow {
  readonly id: number;
  readonly cells: Readonly<Partial<Record<TableColumn, string | null>>>;
  readonly isSelected: boolean;
  /** It has a star itself. */
  readonly isStarred: boolean;
  /** Its PDF is in this workspace. */
  readonly isHere: boolean;
}

const value = z.nullable(z.union([z.string(), z.number()]));

/** A value of a facet, and how many reports it leaves. */
export interface FacetRow {
  readonly value: z.output<typeof value>;
  readonly words: string;
  readonly count: number;
  readonly isOn: boolean;
}

/** A question that reports answer with one of `marks`, and how many do; `answer` is the one that is asked for. */
export interface FactRow {
  readonly field: string;
  readonly words: string;
  readonly counts: readonly [yes: number, no: number, undetermined: number];
  readonly answer: Mark | null;
}

/** What reports can be narrowed by. */
const sectionLabels = {
  company: l10n.later('Company'),
  type: l10n.later('Type'),
  fcyear: l10n.later('Fiscal year'),
  published: l10n.later('Published'),
  country: l10n.later('Country'),
  sector: l10n.later('Sector'),
  language: l10n.later('Language'),
  class: l10n.later('Class'),
  standards: l10n.later('Standards and Materiality'),
  assurance: l10n.later('Assurance'),
  files: l10n.later('PDF and Favorites'),
} as const;
export type FacetSectionId = keyof typeof sectionLabels;
export const sectionIds = Object.keys(sectionLabels) as readonly FacetSectionId[];

export function sectionLabel(id: FacetSectionId): string {
  return l10n.word(sectionLabels[id]);
}

export interface Section {
  readonly id: FacetSectionId;
  /** The member of the filter that holds the values. */
  readonly facet: string | null;
  readonly rows: readonly FacetRow[];
  readonly facts: readonly FactRow[];
}

const rowsToSelect = z.strictObject({
  version: z.int(),
  how: z.enum(['only', 'keep', 'toggle', 'all', 'none']),
  from: place,
  to: place,
});
export type RowsToSelect = z.output<typeof rowsToSelect>;

export interface TableSelection {
  readonly count: number;
  readonly isAll: boolean;
  /** Each of them is a favorite; false where that would have to be looked up, as for all that a filter leaves. */
  readonly isStarred: boolean;
}

export interface TableView {
  /** What rows belong to: they are asked for by it, and those of another one are dropped. */
  readonly version: number;
  /** Reports that the filter leaves, and all of the library. */
  readonly count: number;
  readonly total: number;
  /** The first load of the library is still going on. */
  readonly isLoading: boolean;
  /** The filter's words, and its other parts, each of which can be taken away. */
  readonly text: string;
  readonly chips: readonly { readonly part: string; readonly words: string }[];
  readonly order: TableOrder;
  readonly columns: readonly ShownColumn[];
  /** Rows from a place on, where the page was last. */
  readonly offset: number;
  readonly rows: readonly ShownRow[];
  readonly selection: TableSelection;
}

/** Reports of a fiscal year; null is undated. */
export interface YearCount {
  readonly year: number | null;
  readonly count: number;
  readonly isOn: boolean;
}

/** Rows that are sent at a time. */
export const blockSize = 100;

/** One step of narrowing, or back. */
const narrowing = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('text'), text: filterText }),
  /** A value of a facet more, or one less. */
  z.strictObject({ by: z.literal('value'), facet: z.string(), value }),
  z.strictObject({ by: z.literal('fact'), field: z.string(), answer: z.nullable(z.enum(marks)) }),
  /** Fiscal years from the first to the last. */
  z.strictObject({ by: z.literal('years'), years: z.array(z.nullable(z.int())) }),
  z.strictObject({ by: z.literal('without'), part: z.string() }),
  z.strictObject({ by: z.literal('everything') }),
]);
export type Narrowing = z.output<typeof narrowing>;

/** What can be done with the selected reports. */
const tableActions = [
  'downloadReports',
  'compareReports',
  'insertIntoNotebook',
  'exportReports',
  'resolveIdentifiers',
  'addFavourite',
  'removeFavourite',
] as const;
export type TableAction = (typeof tableActions)[number];

const copyForms = ['csv', 'tsv', 'markdown'] as const;
export type CopyForm = (typeof copyForms)[number];

const rows = z.strictObject({ version: z.int(), offset: place });

export const tableProtocol = conversation({
  view: fromEditor<TableView>(),
  kept: keptState(
    {
      open: z.array(z.enum(sectionIds)),
      /** Whether the facets are shown; where the window is narrow they are in the way. */
      hasFacets: z.optional(z.boolean()),
      row: place,
      column: place,
      top: z.number().check(z.minimum(0), z.maximum(1_000_000_000)),
    },
    { open: ['type'], row: 0, column: 0, top: 0 },
  ),
  calls: {
    /** A block of rows from a place on; null when they are no longer what is shown. */
    rows: { params: rows, result: fromEditor<readonly ShownRow[] | null>() },
    narrow: { params: narrowing, result: nothing },
    sort: { params: order, result: nothing },
    /** Keeps which columns are shown, and how wide. */
    arrange: { params: z.strictObject({ columns: z.array(shownColumn).check(z.minLength(1)) }), result: nothing },
    /**
     * Selects rows from one place to another: alone, alone unless they are selected already, or each toggled; or all
     * that match the filter, or none.
     */
    select: { params: rowsToSelect, result: fromEditor<TableSelection>() },
    openReport: { params: z.strictObject({ id: z.int() }), result: nothing },
    /** Adds a report to the favorites or removes it; all that are selected where it is one of them. */
    star: { params: z.strictObject({ id: z.int() }), result: nothing },
    run: { params: z.strictObject({ action: z.enum(tableActions) }), result: nothing },
    copyAs: { params: z.strictObject({ form: z.enum(copyForms) }), result: nothing },
    savedFilters: plainCall,
    /** Narrows the table as the Reports view is narrowed, or the other way round. */
    takeReportsFilter: plainCall,
    showInReports: plainCall,
    copyLink: plainCall,
    viewAsText: plainCall,
  },
  hears: {
    section: fromEditor<Section>(),
    /** The first year first. */
    years: fromEditor<readonly YearCount[]>(),
  },
  tells: {
    /** The sections that are open: others are not counted. */
    open: z.strictObject({ sections: z.array(z.enum(sectionIds)) }),
  },
});

const narrowest = 48;
const widest = 1000;

export function sized(columns: readonly ShownColumn[], at: number, width: number): ShownColumn[] {
  const fitting = Math.round(Math.max(narrowest, Math.min(width, widest)));
  return columns.map((column, place) => (place === at ? { ...column, width: fitting } : column));
}

/** A column more, where it stands at first, or one less; the last one stays. */
export function toggledColumns(columns: readonly ShownColumn[], id: TableColumn): ShownColumn[] {
  const others = columns.filter((column) => column.id !== id);
  if (others.length < columns.length) return others.length === 0 ? [...columns] : others;
  const rank = tableColumns.indexOf(id);
  const before = columns.findIndex((column) => tableColumns.indexOf(column.id) > rank);
  return others.toSpliced(before === -1 ? others.length : before, 0, { id, width: columnLook(id).width });
}

/** Most years that stand beside one another, the newest ones. */
export const maxYears = 60;

/**
 * Every year from the first to the last, those without a report too, then the undated ones. Where an odd year is too
 * far from the others for one row, those without a report are left out.
 */
export function barsOf(counts: readonly YearCount[]): YearCount[] {
  const known = new Map(counts.map((each) => [each.year, each]));
  const years = counts.flatMap(({ year }) => year ?? []).sort((a, b) => a - b);
  const [first = 0, last = -1] = [years[0], years.at(-1)];
  const isNear = last - first < maxYears;
  const shown = isNear ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : years.slice(-maxYears);
  const undated = known.get(null);
  return [...shown.map((year) => known.get(year) ?? { year, count: 0, isOn: false }), ...(undated ? [undated] : [])];
}
