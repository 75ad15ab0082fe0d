import * as z from 'zod/mini';

/** Longest quote, and words around it, in characters. */
export const [longestQuote, longestContext] = [10_000, 500];

/** Most lines of a table in one direction. */
const longestSide = 5000;

/** Longest note, in characters. */
export const longestNote = 2000;

/** False for what is the id of no record. */
export function isEvidenceId(text: string): boolean {
  return /^[a-z0-9-]{4,64}$/.test(text);
}

const coordinate = z.number().check(z.gte(-1_000_000), z.lte(1_000_000));

/** Left, bottom, right, top in PDF points, from the lower left of the page. */
const rectangleSchema = z.tuple([coordinate, coordinate, coordinate, coordinate]);
export type Rectangle = z.output<typeof rectangleSchema>;

const regionSchema = z.looseObject({
  /** From 1. */
  page: z.int().check(z.gte(1), z.lte(1_000_000)),
  /** What the PDF prints or names as the page's number; null where it names none. */
  label: z.nullable(z.string().check(z.maxLength(100))),
  rectangles: z.array(rectangleSchema).check(z.maxLength(1000)),
  /** Where the lines of a table cross the page, edges included, in points along that side of its rectangle. */
  columns: z.optional(z.array(coordinate).check(z.maxLength(longestSide))),
  rows: z.optional(z.array(coordinate).check(z.maxLength(longestSide))),
  /** Row by row, as printed. */
  cells: z.optional(
    z
      .array(z.array(z.string().check(z.maxLength(longestQuote))).check(z.maxLength(longestSide)))
      .check(z.maxLength(longestSide)),
  ),
});
export type Region = z.output<typeof regionSchema>;

const sha256Schema = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const context = z.string().check(z.maxLength(longestContext));

/** W3C Web Annotation, TextQuoteSelector. */
const selectorSchema = z.looseObject({
  type: z.literal('TextQuoteSelector'),
  exact: z.string().check(z.minLength(1), z.maxLength(longestQuote)),
  prefix: context,
  suffix: context,
});

const regionsSchema = z.array(regionSchema).check(z.minLength(1), z.maxLength(100));

export const recordSchema = z.looseObject({
  id: z.string().check(z.refine(isEvidenceId)),
  kind: z.enum(['quote', 'table']),
  report_id: z.int().check(z.positive()),
  report_key: z.string().check(z.maxLength(500)),
  /** Of the bytes that were quoted from. */
  sha256: sha256Schema,
  /** The words of a quote, or the text of a table's region. */
  selector: selectorSchema,
  regions: regionsSchema,
  /** The author's. */
  note: z.string().check(z.maxLength(longestNote)),
  /** Timestamp, UTC. */
  created_at: z.string().check(z.maxLength(40)),
  /** Where the same words stood in earlier versions of the PDF, as a person accepted each newer place. */
  former: z.optional(z.array(z.looseObject({ sha256: sha256Schema, regions: regionsSchema }))),
});

/** A quote or table with what proves it. Members that this version does not know are kept as they came. */
export type EvidenceRecord = z.output<typeof recordSchema>;
