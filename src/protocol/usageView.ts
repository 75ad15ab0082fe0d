import type { Usage } from '../api/schemas/usage.ts';
import { visibleText } from './format/visibleText.ts';
import { type UsageView, type UsedKind, type UsedMinute, usedKinds } from './usage.ts';

/** What came of asking the service for its count. */
export type MonthUsage =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'read'; readonly usage: Usage };

/** What this window asked of a service. Times are ms since the epoch. */
export interface Spent {
  readonly connection: string;
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

/** Everything that is known about usage. */
export interface UsageFacts extends Spent {
  readonly month: MonthUsage;
}

const minute = 60_000;

const words: Readonly<Record<UsedKind, { readonly label: string; readonly note: string }>> = {
  sync: { label: 'Keeping the library', note: 'First load, change feed, checks for removed reports' },
  browsing: { label: 'Browsing', note: 'Reports and the dictionary, where they were not at hand' },
  downloads: { label: 'Downloads', note: 'Links to PDFs; each counts as a download' },
  resolving: { label: 'Resolving', note: 'Identifiers and report keys' },
  account: { label: 'Account', note: 'Licence, usage and health' },
};

/** Usage ready to be shown. `locale` is a BCP 47 tag; times are told in `timeZone`, the machine's own by default. */
export function usageView(facts: UsageFacts, locale: string, timeZone?: string): UsageView {
  const { ledger } = facts;
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone });
  const lastMinute = Math.floor(ledger.at / minute);
  const length = ledger.minutes.sync.length;
  return {
    connection: visibleText(facts.connection),
    month: monthOf(facts.month, locale),
    rate: rateText(facts.rate, ledger.at, locale),
    since: time.format(ledger.since),
    works: usedKinds.map((id) => ({
      id,
      ...words[id],
      lastHour: ledger.minutes[id].reduce((sum, count) => sum + count, 0),
      total: ledger.totals[id],
    })),
    refused: ledger.refused,
    failed: ledger.failed,
    minutes: Array.from({ length }, (_, index) => ({
      time: time.format((lastMinute - length + 1 + index) * minute),
      counts: usedKinds.map((id) => ledger.minutes[id][index] ?? 0),
    })),
  };
}

/** Usage as plain text, for reading without the page. */
export function usageText(view: UsageView): string {
  const lines = [
    `Usage of ${view.connection}`,
    ...monthLines(view),
    ...(view.rate === null ? [] : [`Rate: ${view.rate}`]),
    '',
    `This window, since ${view.since}`,
    ...view.works.map(({ label, lastHour, total }) => `${label}: ${lastHour} in the last hour, ${total} in all`),
    `Refused because of the rate: ${view.refused}`,
    `Failed otherwise: ${view.failed}`,
    '',
    'Requests by the minute, the last hour',
    ...view.minutes.filter((each) => inAll(each) > 0).map((each) => `${each.time}  ${minuteText(view, each)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** How many requests a minute had. */
export function inAll({ counts }: UsedMinute): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A minute's requests in words, only those there were. */
export function minuteText({ works }: Pick<UsageView, 'works'>, { counts }: UsedMinute): string {
  const parts = works.flatMap(({ label }, index) => (counts[index] ? [`${label} ${counts[index]}`] : []));
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function monthLines({ month }: UsageView): string[] {
  switch (month.kind) {
    case 'reading':
      return ['This month: not read yet'];
    case 'failed':
      return [`This month: ${month.message}`];
    case 'read':
      return [
        `Requests this month: ${month.requests ?? '–'}`,
        `Downloads this month: ${month.downloads ?? '–'}`,
        `As the service tells it: ${month.raw}`,
      ];
  }
}

function monthOf(month: MonthUsage, locale: string): UsageView['month'] {
  if (month.kind !== 'read') return month;
  const { requests, downloads, raw } = month.usage;
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
    return `waiting ${Math.ceil((waiting.until - now) / 1000)} s: ${visibleText(waiting.reason)}`;
  if (limit === null || remaining === null || readAt === null) return null;
  const left = now - readAt >= minute ? limit : Math.max(0, remaining);
  return `${amount(left)} of ${amount(limit)} requests left this minute`;
}
