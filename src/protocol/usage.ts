import type { Usage } from '../api/schemas/meta.ts';
import { l10n } from '../base/l10n.ts';
import { countText, visibleText } from '../base/words.ts';
import { conversation, fromEditor, keptState, plainCall } from './page.ts';

export interface UsageView {
  readonly connection: string;
  /** The service's own count for the key, this calendar month; null for a number that could not be found. */
  readonly requests: string | null;
  readonly downloads: string | null;
  /** What is left of the key's rate, in words; null while nothing is known. */
  readonly rate: string | null;
  /** What assistants downloaded, in words; null while nothing is known. */
  readonly assistants: string | null;
  /** The service's answer as it came (LIM-2). */
  readonly raw: string;
}

export const usageProtocol = conversation({
  view: fromEditor<UsageView>(),
  kept: keptState({}, {}),
  calls: { viewAsJson: plainCall },
});

export interface UsageFacts {
  readonly connection: string;
  readonly usage: Usage;
  /** As the service's last answer stated it. */
  readonly rate: { readonly limit: number | null; readonly remaining: number | null };
  /** PDFs that assistants downloaded, and may, in this window and per day in all windows; null where unknown. */
  readonly assistants: Readonly<Record<'window' | 'perWindow' | 'day' | 'perDay', number>> | null;
}

/** Usage ready to be shown. */
export function usageView({ connection, usage, rate, assistants }: UsageFacts): UsageView {
  const amount = (value: number | null) => (value === null ? null : countText(value));
  return {
    connection: visibleText(connection),
    requests: amount(usage.requests),
    downloads: amount(usage.downloads),
    rate:
      rate.limit === null || rate.remaining === null
        ? null
        : l10n.t('{0} of {1} requests left this minute', countText(rate.remaining), countText(rate.limit)),
    assistants:
      assistants &&
      l10n.t(
        'Downloads by assistants: {0} of {1} in this window, {2} of {3} today',
        countText(assistants.window),
        countText(assistants.perWindow),
        countText(assistants.day),
        countText(assistants.perDay),
      ),
    raw: visibleText(JSON.stringify(usage.raw, null, 2) ?? 'null'),
  };
}
