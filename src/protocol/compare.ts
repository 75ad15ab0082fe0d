import * as z from 'zod/mini';
import { nothing } from '../base/rpc.ts';
import { valueSchema } from './metadata.ts';
import { conversation, filterText, keptState, plainCall } from './page.ts';

const columnSchema = z.strictObject({
  reportId: z.int(),
  title: z.string(),
  /** BCP 47 tag of the title's language, where the report has one. */
  language: z.nullable(z.string()),
  company: z.string(),
  type: z.string(),
  fiscalYear: z.string(),
  /** Withdrawn or removed by the service. */
  isGone: z.boolean(),
});
export type ComparedColumn = z.output<typeof columnSchema>;

const cellSchema = z.strictObject({
  value: valueSchema,
  /** What copying it gives: raw text, never altered. Null when there is nothing to copy. */
  copy: z.nullable(z.string()),
});

const rowSchema = z.strictObject({
  /** Names the row in messages; unique within the view. */
  id: z.string(),
  label: z.string(),
  /** Column of the bulk delivery file, or the API field where there is none; null for neither. */
  name: z.nullable(z.string()),
  isColumn: z.boolean(),
  /** One a report, in the order of the columns. */
  cells: z.array(cellSchema),
});
export type ComparedRow = z.output<typeof rowSchema>;

const groupSchema = z.strictObject({ id: z.string(), title: z.string(), rows: z.array(rowSchema) });
export type ComparedGroup = z.output<typeof groupSchema>;

/** Two to six reports side by side. */
export const compareViewSchema = z.strictObject({
  /** What the comparison is along: years of one company, or companies. */
  title: z.string(),
  columns: z.array(columnSchema),
  /** Rows in which at least two reports differ. */
  different: z.array(groupSchema),
  same: z.array(groupSchema),
  /** What standards and assurance are worth. */
  note: z.string(),
  /** Reports that could not be read, and why. */
  notices: z.array(z.string()),
});
export type CompareView = z.output<typeof compareViewSchema>;

export const compareProtocol = conversation({
  view: compareViewSchema,
  kept: keptState(2, { filter: filterText, showSame: z.boolean() }, { filter: '', showSame: false }),
  calls: {
    openReport: { params: z.strictObject({ column: z.int().check(z.nonnegative()) }), result: nothing },
    diffAsJson: plainCall,
    chooseReports: plainCall,
  },
});
