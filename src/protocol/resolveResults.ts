import * as z from 'zod/mini';
import { nothing } from './channel.ts';

/** What became of an identifier, told apart so that no two look alike (RES-2). */
export const resolveStatuses = ['entitled', 'not-licensed', 'ambiguous', 'unmatched', 'malformed'] as const;
export type ResolveStatus = (typeof resolveStatuses)[number];

const resolveRowSchema = z.strictObject({
  /** Position in the input, from 1. */
  number: z.int(),
  query: z.string(),
  kind: z.nullable(z.string()),
  status: z.enum(resolveStatuses),
  /** The status in words, with the reason where there is one. */
  words: z.string(),
  company: z.nullable(
    z.strictObject({
      name: z.string(),
      key: z.string(),
      country: z.nullable(z.string()),
      /** A note stands where the service withholds the value. */
      identifiers: z.array(z.strictObject({ name: z.string(), value: z.string(), isNote: z.boolean() })),
    }),
  ),
});
export type ResolveRow = z.output<typeof resolveRowSchema>;

/** All results, in input order. */
export const resolveViewSchema = z.strictObject({ rows: z.array(resolveRowSchema) });
export type ResolveView = z.output<typeof resolveViewSchema>;

/** The resolve panel's conversation. */
export const resolveProtocol = {
  host: {
    calls: {
      /** By row, so that the page can only name companies that it was given. */
      openCompany: { params: z.strictObject({ row: z.int() }), result: nothing },
      copyAs: { params: z.strictObject({ format: z.enum(['markdown', 'csv']) }), result: nothing },
      viewAsText: { params: nothing, result: nothing },
    },
    events: {
      /** The page can listen now; also after it was hidden and shown again. */
      ready: nothing,
      /** Try to resolve again. */
      retry: nothing,
    },
  },
  page: {
    calls: {},
    events: {
      show: resolveViewSchema,
      /** The input, for the page's state. */
      input: z.strictObject({ queries: z.array(z.string()) }),
      problem: z.strictObject({ message: z.string() }),
    },
  },
} as const;

/** What the page keeps across hiding and window reloads. Comes back from outside, so it is checked again. */
export const resolveStateSchema = z.strictObject({
  version: z.literal(1),
  queries: z.array(z.string().check(z.maxLength(500))).check(z.minLength(1), z.maxLength(20_000)),
  filter: z.string().check(z.maxLength(200)),
  status: z.nullable(z.enum(resolveStatuses)),
});
export type ResolveState = z.output<typeof resolveStateSchema>;
