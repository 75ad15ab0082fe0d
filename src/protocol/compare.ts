import * as z from 'zod/mini';
import { nothing } from '../base/rpc.ts';
import { valueSchema } from './metadata.ts';
import { keptByAll, pageTells, plainCall, problemSchema } from './page.ts';

/** A report at the head of its column. */
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

const cellSchema = z.strictObject({ value: valueSchema, copyable: z.boolean() });

const rowSchema = z.strictObject({
  /** Names the row in messages; unique within the view. */
  id: z.string(),
  label: z.string(),
  /** Column of the bulk delivery file, or the API field where there is none; null for neither. */
  name: z.nullable(z.string()),
  /** The schema dictionary explains it. */
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
  /** Rows in which all say the same. */
  same: z.array(groupSchema),
  /** What standards and assurance are worth. */
  note: z.string(),
  /** Reports that could not be read, and why. */
  notices: z.array(z.string()),
});
export type CompareView = z.output<typeof compareViewSchema>;

const cellRequest = z.strictObject({ row: z.string(), column: z.int().check(z.nonnegative()) });
const columnRequest = z.strictObject({ column: z.int().check(z.nonnegative()) });

/** The comparison's conversation. */
export const compareProtocol = {
  host: {
    calls: {
      copyCell: { params: cellRequest, result: nothing },
      explainColumn: { params: z.strictObject({ row: z.string() }), result: nothing },
      openReport: { params: columnRequest, result: nothing },
      diffAsJson: plainCall,
      viewAsText: plainCall,
      chooseReports: plainCall,
    },
    events: pageTells,
  },
  page: {
    calls: {},
    events: {
      show: compareViewSchema,
      problem: problemSchema,
    },
  },
} as const;

/** What the page keeps across hiding and window reloads. Comes back from outside, so it is checked again. */
export const compareStateSchema = z.strictObject({
  version: z.literal(2),
  filter: z.string().check(z.maxLength(200)),
  showSame: z.boolean(),
  ...keptByAll,
});
export type CompareState = z.output<typeof compareStateSchema>;
