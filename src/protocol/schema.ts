import * as z from 'zod/mini';
import { nothing } from '../base/rpc.ts';
import { conversation, filterText, keptState, plainCall } from './page.ts';

const fieldSchema = z.strictObject({
  /** Position among the 50 columns; null for a field that the service added. */
  number: z.nullable(z.int()),
  column: z.string(),
  /** What a person calls it; null when only the service knows it. */
  label: z.nullable(z.string()),
  apiField: z.nullable(z.string()),
  type: z.nullable(z.string()),
  meaning: z.nullable(z.string()),
  values: z.array(z.string()),
});
export type FieldView = z.output<typeof fieldSchema>;

const fieldGroupSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  note: z.nullable(z.string()),
  rows: z.array(fieldSchema),
});
export type DictionaryGroup = z.output<typeof fieldGroupSchema>;

export const schemaViewSchema = z.strictObject({
  version: z.string(),
  /** Where the words come from, and what went wrong if something did. */
  source: z.strictObject({ tone: z.enum(['info', 'warning']), text: z.string(), canRetry: z.boolean() }),
  groups: z.array(fieldGroupSchema),
  /** The service's answer as it came, when its shape could not be read (META-1). */
  raw: z.nullable(z.string()),
});
export type SchemaView = z.output<typeof schemaViewSchema>;

const usedFieldSchema = z.strictObject({
  column: z.string(),
  /** Share of the reports in which it is not empty, 0 to 1. */
  share: z.number(),
  filled: z.string(),
  /** The most frequent values, most frequent first. */
  values: z.array(z.strictObject({ value: z.string(), count: z.string() })),
  /** What there is beside those values, in words; null when they are all. */
  others: z.nullable(z.string()),
});
export type UsedField = z.output<typeof usedFieldSchema>;

/** How the columns are filled in the library on this machine. */
export const fieldUseSchema = z.discriminatedUnion('kind', [
  /** Nobody is signed in, so there is no library. */
  z.strictObject({ kind: z.literal('none') }),
  /** Counting takes a while, so a person is to ask for it. */
  z.strictObject({ kind: z.literal('offered'), words: z.string() }),
  z.strictObject({ kind: z.literal('counting'), words: z.string(), share: z.number() }),
  z.strictObject({ kind: z.literal('counted'), words: z.string(), fields: z.array(usedFieldSchema) }),
  z.strictObject({ kind: z.literal('failed'), message: z.string() }),
]);
export type FieldUseView = z.output<typeof fieldUseSchema>;

export const schemaProtocol = conversation({
  view: schemaViewSchema,
  kept: keptState(1, { filter: filterText }, { filter: '' }),
  calls: { viewAsJson: plainCall, openFieldGuide: plainCall },
  hears: {
    use: fieldUseSchema,
    /** Scroll to a column and mark it. */
    reveal: z.strictObject({ column: z.string() }),
  },
  /** Count how the columns are filled, or count again. */
  tells: { count: nothing },
});
