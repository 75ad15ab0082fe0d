import * as z from 'zod/mini';
import { nothing } from '../base/rpc.ts';
import { familyChoices } from './coverageCell.ts';
import { pageTells, problemSchema } from './everyPanel.ts';

/** Which companies: all of the licence, or those with a report that the Reports view is filtered to. */
export const coverageScopes = ['watchlist', 'filter'] as const;
export type CoverageScope = (typeof coverageScopes)[number];

/** What rows can be sorted by. */
export const coverageSorts = ['name', 'country', 'reports', 'gaps'] as const;
export type CoverageSort = (typeof coverageSorts)[number];

/** How a person looks at the matrix. Comes back from outside as part of a page's state. */
export const coverageLookSchema = z.strictObject({
  family: z.enum(familyChoices),
  sort: z.enum(coverageSorts),
  descending: z.boolean(),
  /** Shows only companies without a report of the family for this fiscal year. */
  gapYear: z.nullable(z.int().check(z.minimum(0), z.maximum(9999))),
  filter: z.string().check(z.maxLength(200)),
});
export type CoverageLook = z.output<typeof coverageLookSchema>;

export const firstLook: CoverageLook = { family: 'all', sort: 'name', descending: false, gapYear: null, filter: '' };

/**
 * A matrix as the page shows it: companies in order of their names, years from the first to the last with 0 for
 * undated, and for each company, year and family a count and marks, in that order.
 */
export const coverageViewSchema = z.strictObject({
  scope: z.enum(coverageScopes),
  /** The filter of the Reports view in words; null when it has none. */
  filterWords: z.nullable(z.string()),
  names: z.array(z.string()),
  keys: z.array(z.string()),
  countries: z.array(z.nullable(z.string())),
  years: z.array(z.int()),
  counts: z.instanceof(Uint8Array),
  marks: z.instanceof(Uint8Array),
});
export type CoverageView = z.output<typeof coverageViewSchema>;

/** More rows than the tallest screen has. */
const firstRows = 100;

/** What a large matrix begins with, which is as much of it as can be seen: the page asks for the rest once that is painted. */
export const coverageStartSchema = z.strictObject({
  /** The first companies. */
  view: coverageViewSchema,
  /** How many companies there are. */
  total: z.int(),
});
export type CoverageStart = z.output<typeof coverageStartSchema>;

/** The start of a view; undefined for one that is small enough to be sent whole. */
export function coverageStart(view: CoverageView): CoverageStart | undefined {
  const total = view.keys.length;
  if (total <= 2 * firstRows) return undefined;
  const cells = (view.counts.length / total) * firstRows;
  const { names, keys, countries, counts, marks } = view;
  return {
    view: {
      ...view,
      names: names.slice(0, firstRows),
      keys: keys.slice(0, firstRows),
      countries: countries.slice(0, firstRows),
      counts: counts.slice(0, cells),
      marks: marks.slice(0, cells),
    },
    total,
  };
}

/** Exports are made of what the person looks at. */
export const coverageFormats = ['csv', 'markdown'] as const;
export type CoverageFormat = (typeof coverageFormats)[number];

const look = z.strictObject({ look: coverageLookSchema });
const lookAs = z.strictObject({ look: coverageLookSchema, format: z.enum(coverageFormats) });

/** The coverage panel's conversation. */
export const coverageProtocol = {
  host: {
    calls: {
      /** By row, so that the page can only name companies that it was given. */
      openCompany: { params: z.strictObject({ row: z.int() }), result: nothing },
      openCell: {
        params: z.strictObject({ row: z.int(), year: z.int(), family: z.enum(familyChoices) }),
        result: nothing,
      },
      copyAs: { params: lookAs, result: nothing },
      /** True when a file was written, false when the person left the question. */
      save: { params: look, result: z.boolean() },
      viewAsText: { params: look, result: nothing },
      setScope: { params: z.strictObject({ scope: z.enum(coverageScopes) }), result: nothing },
    },
    events: {
      ...pageTells,
      /** The start is painted, or not what this page wants to show. */
      rest: nothing,
    },
  },
  page: {
    calls: {},
    events: {
      start: coverageStartSchema,
      show: coverageViewSchema,
      problem: problemSchema,
    },
  },
} as const;

/** What the page keeps across hiding and window reloads. Comes back from outside, so it is checked again. */
export const coverageStateSchema = z.strictObject({
  version: z.literal(1),
  scope: z.enum(coverageScopes),
  look: coverageLookSchema,
  /** The cell that has the keyboard, and how far the rows are scrolled, in px. */
  row: z.int().check(z.minimum(0), z.maximum(1_000_000)),
  column: z.int().check(z.minimum(0), z.maximum(1000)),
  top: z.number().check(z.minimum(0), z.maximum(100_000_000)),
});
export type CoverageState = z.output<typeof coverageStateSchema>;
