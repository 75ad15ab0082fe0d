import type { Usage } from '../api/schemas/meta.ts';
import { l10n } from '../base/l10n.ts';
import { countText, visibleText } from '../base/words.ts';
import type { Block, BlockFact, Inline } from '../protocol/blocks.ts';
import { missing } from './pieces.ts';

export interface UsageFacts {
  readonly connection: string;
  readonly usage: Usage;
  /** As the service's last answer stated it. */
  readonly rate: { readonly limit: number | null; readonly remaining: number | null };
  /** PDFs that assistants downloaded, and may, in this window and per day in all windows; null where unknown. */
  readonly assistants: Readonly<Record<'window' | 'perWindow' | 'day' | 'perDay', number>> | null;
}

/** The service's own count for the key, this calendar month, and its answer as it came (LIM-2). */
export function usageBlocks({ connection, usage, rate, assistants }: UsageFacts): Block[] {
  const notes = [
    l10n.t('Counted by the service for this key, in all windows and programs.'),
    rate.limit === null || rate.remaining === null
      ? []
      : l10n.t('{0} of {1} requests left this minute', countText(rate.remaining), countText(rate.limit)),
    assistants === null
      ? []
      : l10n.t(
          'Downloads by assistants: {0} of {1} in this window, {2} of {3} today',
          countText(assistants.window),
          countText(assistants.perWindow),
          countText(assistants.day),
          countText(assistants.perDay),
        ),
  ].flat();
  return [
    { kind: 'title', text: l10n.t('Usage') },
    { kind: 'line', look: 'quiet', pieces: [visibleText(connection)] },
    {
      kind: 'section',
      id: 'month',
      title: l10n.t('This month'),
      buttons: [
        { act: 'refresh', icon: 'refresh', words: l10n.t('Refresh') },
        { act: 'viewAsJson', icon: 'json', words: l10n.t('View as JSON') },
        { act: 'viewAsText', icon: 'list-flat', words: l10n.t('View as Text') },
      ],
      blocks: [
        {
          kind: 'facts',
          look: 'amounts',
          facts: [amount(l10n.t('Requests'), usage.requests), amount(l10n.t('Downloads'), usage.downloads)],
        },
        ...notes.map((text) => ({ kind: 'line', look: 'note', pieces: [text] }) as const),
      ],
    },
    {
      kind: 'text',
      title: l10n.t('Raw response'),
      text: visibleText(JSON.stringify(usage.raw, null, 2) ?? 'null'),
    },
  ];
}

/** A number that could not be found is said to be unknown. */
function amount(label: string, value: number | null): BlockFact {
  const shown: Inline = value === null ? missing(l10n.t('Unknown')) : countText(value);
  return { label, pieces: [shown] };
}
