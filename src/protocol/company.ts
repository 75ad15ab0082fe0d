import * as z from 'zod/mini';
import { typeFamilies } from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';
import { nothing } from '../base/rpc.ts';
import { factSchema } from './metadata.ts';
import { conversation, keptState, plainCall } from './page.ts';

const companyFact = z.strictObject({
  ...factSchema.shape,
  id: z.string(),
  /** The schema dictionary explains it. */
  isColumn: z.boolean(),
  /** For keys and codes. */
  isCode: z.boolean(),
  /** What copying it gives, as the service sent it; null where there is nothing to copy. */
  copy: z.nullable(z.string()),
});
export type CompanyFact = z.output<typeof companyFact>;

/**
 * What the reports of a year say together; `none` where there is no listed report, `covered` where there is none but a
 * two-year one is filed under the year before.
 */
const yearMarks = ['yes', 'no', 'undetermined', 'none', 'covered'] as const;
export type YearMark = (typeof yearMarks)[number];

const cellSchema = z.strictObject({
  marks: z.int(),
  count: z.int(),
  /** Listed reports with a PDF, at the service or here. */
  pdfs: z.int(),
  here: z.int(),
  /** Nothing here, but the year before has a two-year report, which covers this year too (FY-3). */
  coveredBySplit: z.boolean(),
});

const assuranceSchema = z.strictObject({
  statement: z.enum(yearMarks),
  /** Level, provider and standard in words, one line a report that states any. */
  lines: z.array(z.string()),
  /** The highest level that is stated. */
  level: z.nullable(z.enum(['limited', 'reasonable', 'other'])),
});
export type YearAssurance = z.output<typeof assuranceSchema>;

/** A company as the panel shows it. All lists by year follow `years`. */
export const companyViewSchema = z.strictObject({
  companyKey: z.string(),
  title: z.string(),
  detail: z.string(),
  isFavorite: z.boolean(),
  facts: z.array(companyFact),
  notices: z.array(z.string()),
  /** Ascending; 0 is undated and last. */
  years: z.array(z.int()),
  families: z.array(
    z.strictObject({ family: z.enum(typeFamilies), code: z.string(), label: z.string(), cells: z.array(cellSchema) }),
  ),
  standards: z.array(z.strictObject({ id: z.string(), label: z.string(), marks: z.array(z.enum(yearMarks)) })),
  assurance: z.array(assuranceSchema),
});
export type CompanyView = z.output<typeof companyViewSchema>;

/** What the marks of standards say; shared by the page's legend and this text. */
export function yearMarkLabel(mark: YearMark): string {
  const labels = {
    yes: l10n.t('Applied'),
    no: l10n.t('Not applied, according to the report'),
    undetermined: l10n.t('Undetermined'),
    none: l10n.t('No report'),
    covered: l10n.t('Covered by the two-year report of the year before'),
  };
  return labels[mark];
}

/** A cell of the coverage matrix: the fiscal year, 0 for undated, and the family. */
const cellNameSchema = z.strictObject({ year: z.int(), family: z.enum(typeFamilies) });
export type CellName = z.output<typeof cellNameSchema>;

export const companyProtocol = conversation({
  view: companyViewSchema,
  kept: keptState(
    2,
    {
      row: z.int().check(z.minimum(0), z.maximum(100)),
      column: z.int().check(z.minimum(0), z.maximum(1000)),
    },
    { row: 0, column: 0 },
  ),
  calls: {
    openCell: { params: cellNameSchema, result: nothing },
    /** Downloads the PDFs of all cells, after a question that says what it comes to. */
    download: {
      params: z.strictObject({ cells: z.array(cellNameSchema).check(z.minLength(1), z.maxLength(2000)) }),
      result: nothing,
    },
    revealInWatchlist: plainCall,
    toggleFavorite: plainCall,
  },
});
