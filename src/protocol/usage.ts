import * as z from 'zod/mini';
import type { Usage } from '../api/schemas/meta.ts';
import { l10n } from '../base/l10n.ts';
import { visibleText } from './format/visibleText.ts';
import { conversation, keptState, plainCall } from './page.ts';

/** What requests are spent on, in the order in which it is told. */
const usedKinds = ['sync', 'browsing', 'downloads', 'resolving', 'account'] as const;
type UsedKind = (typeof usedKinds)[number];

const count = z.int().check(z.nonnegative());

const workSchema = z.strictObject({
  id: z.enum(usedKinds),
  label: z.string(),
  note: z.string(),
  lastHour: count,
  total: count,
});

const minuteSchema = z.strictObject({
  time: z.string(),
  /** One a kind of work, in the order of `works`. */
  counts: z.array(count),
});
type UsedMinute = z.output<typeof minuteSchema>;

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
  /** What assistants downloaded, in words; null while nothing is known. */
  assistants: z.nullable(z.string()),
  refused: count,
  failed: count,
  /** The last 60 minutes, the running one last. */
  minutes: z.array(minuteSchema),
});
export type UsageView = z.output<typeof usageViewSchema>;

export const usageProtocol = conversation({
  view: usageViewSchema,
  kept: keptState(1, {}, {}),
  calls: { viewAsJson: plainCall },
});

/** What came of asking the service for its count. */
export type MonthUsage =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly message: string }
  /** With what this window had asked by then. */
  | { readonly kind: 'read'; readonly usage: Usage; readonly spent: Spent['ledger']['totals'] };

/** What this window asked of a service. Times are ms since the epoch. */
export interface Spent {
  readonly connection: string;
  /** PDFs that assistants downloaded, and may, in this window and per day in all windows; null where unknown. */
  readonly assistants?: Readonly<Record<'window' | 'perWindow' | 'day' | 'perDay', number>> | null;
  readonly rate: {
    readonly limit: number | null;
    readonly remaining: number | null;
    readonly readAt: number | null;
    readonly waiting: { readonly until: number; readonly reason: string } | null;
  };
  readonly ledger: {
    readonly since: number;
    readonly at: number;
    readonly totals: Readonly<Record<UsedKind, number>>;
    readonly refused: number;
    readonly failed: number;
    /** By the minute, the running one last. */
    readonly minutes: Readonly<Record<UsedKind, readonly number[]>>;
  };
}

export interface UsageFacts extends Spent {
  readonly month: MonthUsage;
}

const minute = 60_000;

const words: Readonly<Record<UsedKind, { readonly label: string; readonly note: string }>> = {
  sync: {
    label: l10n.later('Syncing the library'),
    note: l10n.later('First load, change feed, checks for removed reports'),
  },
  browsing: {
    label: l10n.later('Browsing'),
    note: l10n.later('Reports and the dictionary, when not available locally'),
  },
  downloads: { label: l10n.later('Downloads'), note: l10n.later('Links to PDFs; each counts as a download') },
  resolving: { label: l10n.later('Resolving'), note: l10n.later('Identifiers and report keys') },
  account: { label: l10n.later('Account'), note: l10n.later('Licence, usage and health') },
};

/** Usage ready to be shown. `locale` is a BCP 47 tag; times are told in `timeZone`, the machine's own by default. */
export function usageView(facts: UsageFacts, locale: string, timeZone?: string): UsageView {
  const { ledger } = facts;
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone });
  const lastMinute = Math.floor(ledger.at / minute);
  const length = ledger.minutes.sync.length;
  return {
    connection: visibleText(facts.connection),
    month: monthOf(facts.month, ledger.totals, locale),
    rate: rateText(facts.rate, ledger.at, locale),
    since: time.format(ledger.since),
    works: usedKinds.map((id) => ({
      id,
      label: l10n.word(words[id].label),
      note: l10n.word(words[id].note),
      lastHour: ledger.minutes[id].reduce((sum, count) => sum + count, 0),
      total: ledger.totals[id],
    })),
    assistants: assistantsText(facts.assistants, locale),
    refused: ledger.refused,
    failed: ledger.failed,
    minutes: Array.from({ length }, (_, index) => ({
      time: time.format((lastMinute - length + 1 + index) * minute),
      counts: usedKinds.map((id) => ledger.minutes[id][index] ?? 0),
    })),
  };
}

export function inAll({ counts }: UsedMinute): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A minute's requests in words, only those there were. */
export function minuteText({ works }: Pick<UsageView, 'works'>, { counts }: UsedMinute): string {
  const parts = works.flatMap(({ label }, index) => (counts[index] ? [`${label} ${counts[index]}`] : []));
  return parts.length === 0 ? l10n.t('none') : parts.join(', ');
}

type Totals = Spent['ledger']['totals'];

/**
 * The service's count, and what this window asked since: two numbers beside each other must not disagree.
 * @param spent what this window had asked by the time of that count
 * @param totals the same by now
 */
export function usageSince(usage: Usage, spent: Totals, totals: Totals): Usage {
  const since = (kinds: readonly UsedKind[]) => kinds.reduce((sum, kind) => sum + totals[kind] - spent[kind], 0);
  const amount = (value: number | null, kinds: readonly UsedKind[]) =>
    value === null ? null : value + Math.max(0, since(kinds));
  const { requests, downloads, raw } = usage;
  return { requests: amount(requests, usedKinds), downloads: amount(downloads, ['downloads']), raw };
}

function monthOf(month: MonthUsage, totals: Totals, locale: string): UsageView['month'] {
  if (month.kind !== 'read') return month;
  const { requests, downloads, raw } = usageSince(month.usage, month.spent, totals);
  const amount = (value: number | null) => (value === null ? null : new Intl.NumberFormat(locale).format(value));
  return {
    kind: 'read',
    requests: amount(requests),
    downloads: amount(downloads),
    raw: visibleText(JSON.stringify(raw, null, 2) ?? 'null'),
  };
}

/** A reading older than a minute says that a whole minute is free (LIM-1). */
function rateText({ limit, remaining, readAt, waiting }: Spent['rate'], now: number, locale: string): string | null {
  const amount = (value: number) => new Intl.NumberFormat(locale).format(value);
  if (waiting && waiting.until > now)
    return l10n.t('waiting {0} s: {1}', Math.ceil((waiting.until - now) / 1000), visibleText(waiting.reason));
  if (limit === null || remaining === null || readAt === null) return null;
  const left = now - readAt >= minute ? limit : Math.max(0, remaining);
  return l10n.t('{0} of {1} requests left this minute', amount(left), amount(limit));
}

function assistantsText(assistants: Spent['assistants'], locale: string): string | null {
  if (!assistants) return null;
  const { window, perWindow, day, perDay } = assistants;
  const amounts = [window, perWindow, day, perDay].map((value) => new Intl.NumberFormat(locale).format(value));
  return l10n.t('Downloads by assistants: {0} of {1} in this window, {2} of {3} today', ...amounts);
}
