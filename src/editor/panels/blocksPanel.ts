import { isDeepStrictEqual } from 'node:util';
import { l10n } from '../../base/l10n.ts';
import { oneLine } from '../../base/words.ts';
import { blocksText, titleOf } from '../../panels/asText.ts';
import { type Block, type BlocksView, blocksProtocol, type Target } from '../../protocol/blocks.ts';
import type { PageProblem } from '../../protocol/page.ts';
import { LatestLoad, type LatestLoadOptions, type OpenPanel, openChannel } from './panel.ts';

/** What the controls of a panel do, by the names of their actions. Each checks what it is about. */
export type PanelActs = Readonly<Record<string, (at: Target) => unknown>>;

interface BlocksPageOptions {
  readonly acts: PanelActs;
  /** The page can listen now; also after it was hidden and shown again. */
  ready(): void;
  retry(): void;
  /** What the panel shows now; undefined while there is nothing. */
  view(): BlocksView | undefined;
}

export interface BlocksChannel {
  /** Shows what the panel is about, unless the page shows it already. */
  show(said?: string): void;
  fail(problem: PageProblem): void;
  go(to: { readonly row: string } | { readonly acts: readonly string[] }): void;
}

/** Longest name of a text document, in characters. */
const longestName = 80;

/** Starts the conversation with a page of blocks. It ends with the panel. */
export function openBlocks(panel: OpenPanel, { acts, ready, retry, view }: BlocksPageOptions): BlocksChannel {
  let shown: readonly Block[] | undefined;
  const every: PanelActs = {
    copy: (at) => panel.copy(typeof at === 'string' ? at : null),
    explain: (at) => panel.open({ kind: 'schema' }, { column: String(at) }),
    viewAsText() {
      const blocks = view()?.blocks ?? [];
      return panel.showText(`${oneLine(titleOf(blocks) ?? '', longestName)}.md`, blocksText(blocks));
    },
    retry,
    /** Most panels know by their address what they show. */
    restore: () => {},
    ...acts,
  };
  const channel = openChannel(panel, blocksProtocol, {
    calls: {
      act({ act, at = '' }) {
        const run = Object.hasOwn(every, act) ? every[act] : undefined;
        if (!run)
          throw new Error(l10n.t('Something went wrong inside Report Library. Try again, or reload the window.'));
        return run(at) as Promise<null>;
      },
    },
    events: {
      ready() {
        shown = undefined;
        ready();
      },
      retry,
    },
  });
  return {
    show(said) {
      const next = view();
      if (next === undefined || isDeepStrictEqual(next.blocks, shown)) return;
      shown = next.blocks;
      channel.send('show', said === undefined ? next : { ...next, said });
    },
    fail(problem) {
      shown = undefined;
      channel.send('problem', problem);
    },
    go: (to) => channel.send('go', to),
  };
}

interface BlocksOptions<Content> extends Pick<LatestLoadOptions<Content>, 'read' | 'follows' | 'failed'> {
  readonly acts: PanelActs;
  blocks(content: Content): readonly Block[];
  /** The title of the tab, where it is not always the same. */
  title?(content: Content): string;
  /** What the page keeps for a reload of the window. */
  keeps?(content: Content): readonly string[];
  /** What is announced where a page shows something else already. */
  said?(content: Content): string | undefined;
  /** The page has the answer. */
  readonly shown?: (content: Content) => void;
}

export interface BlocksOf<Content> {
  readonly page: BlocksChannel;
  readonly reading: LatestLoad<Content>;
}

export function updatedWords(): string {
  return l10n.t('The page was updated');
}

/** Shows what is read, and reads it again when it changes. */
export function showBlocks<Content>(panel: OpenPanel, options: BlocksOptions<Content>): BlocksOf<Content> {
  const { acts, read, follows, failed, blocks, title, keeps, said, shown } = options;
  const page = openBlocks(panel, {
    acts,
    ready: () => reading.ready(),
    retry: () => void reading.read(),
    view() {
      const { content } = reading;
      if (content === undefined) return undefined;
      return { blocks: blocks(content), ...(keeps && { keeps: keeps(content) }) };
    },
  });
  const reading: LatestLoad<Content> = new LatestLoad<Content>(panel, {
    ...{ read, follows, failed },
    show(content) {
      if (title) panel.setTitle(title(content));
      page.show(said?.(content));
      shown?.(content);
    },
    fail: (problem) => page.fail(problem),
  });
  return { page, reading };
}
