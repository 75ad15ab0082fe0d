import * as z from 'zod/mini';
import { pageTells, plainCall, problemSchema } from './everyPanel.ts';

/** What requests are spent on, in the order in which it is told. */
export const usedKinds = ['sync', 'browsing', 'downloads', 'resolving', 'account'] as const;
export type UsedKind = (typeof usedKinds)[number];

const count = z.int().check(z.nonnegative());

/** What a kind of work took of this window's requests. */
const workSchema = z.strictObject({
  id: z.enum(usedKinds),
  label: z.string(),
  /** What belongs to it. */
  note: z.string(),
  lastHour: count,
  total: count,
});
export type UsedBy = z.output<typeof workSchema>;

/** One minute of the last hour. */
const minuteSchema = z.strictObject({
  /** Clock time, in words. */
  time: z.string(),
  /** One a kind of work, in the order of `works`. */
  counts: z.array(count),
});
export type UsedMinute = z.output<typeof minuteSchema>;

/** Usage as the panel shows it. */
export const usageViewSchema = z.strictObject({
  connection: z.string(),
  /** The service's own count for the key, this calendar month; null where it could not be found. */
  month: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('reading') }),
    z.strictObject({ kind: z.literal('failed'), message: z.string() }),
    z.strictObject({
      kind: z.literal('read'),
      requests: z.nullable(z.string()),
      downloads: z.nullable(z.string()),
      /** The service's answer as it came (LIM-2). */
      raw: z.string(),
    }),
  ]),
  /** What is left of the key's rate, in words; null while nothing is known. */
  rate: z.nullable(z.string()),
  /** When counting in this window began, in words. */
  since: z.string(),
  works: z.array(workSchema),
  refused: count,
  failed: count,
  /** The last 60 minutes, the running one last. */
  minutes: z.array(minuteSchema),
});
export type UsageView = z.output<typeof usageViewSchema>;

/** The usage panel's conversation. */
export const usageProtocol = {
  host: {
    calls: {
      viewAsText: plainCall,
      viewAsJson: plainCall,
    },
    events: pageTells,
  },
  page: { calls: {}, events: { show: usageViewSchema, problem: problemSchema } },
} as const;

/** What the page keeps across hiding and window reloads. Comes back from outside, so it is checked again. */
export const usageStateSchema = z.strictObject({ version: z.literal(1), scroll: z.number() });
export type UsageState = z.output<typeof usageStateSchema>;
