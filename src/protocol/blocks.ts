import * as z from 'zod/mini';
import { nothing } from '../base/rpc.ts';
import { conversation, filterText, fromEditor, keptState } from './page.ts';

/** Longer inputs are not kept across a reload of the window. */
export const maxKeptTexts = 20_000;
const texts = z.array(z.string().check(z.maxLength(500))).check(z.maxLength(maxKeptTexts));

/** What an action is about: a text, a place, a place within a place, or several texts. */
const target = z.union([z.string(), z.int(), z.array(z.int()).check(z.maxLength(2)), texts]);
export type Target = z.output<typeof target>;

/** What a control does. The page sends the first two. */
export interface Deed {
  readonly act: string;
  readonly at?: Target;
  /** Announced when it is done. */
  readonly done?: string;
  /** Keeps the controls with this flag disabled while it runs. */
  readonly waits?: true;
  /** Keeps the keyboard in its row, and announces what the row says then. */
  readonly staysInRow?: true;
}

/** A stretch of a line or a cell. `look` names classes of the style sheet. Texts are shown as text. */
export type Inline =
  | string
  | {
      readonly text: string;
      readonly look?: string;
      readonly icon?: string;
      /** Classes of a sign that the style sheet draws. */
      readonly sign?: string;
      /** What a screen reader says instead of the text. */
      readonly spoken?: string;
      readonly title?: string;
      /** A path or key, which wraps behind its separators first. */
      readonly breaks?: true;
    }
  | { readonly icon: string }
  | LinkPiece
  | { readonly copy: string; readonly label: string; readonly name?: string }
  | { readonly list: readonly (readonly Inline[])[]; readonly look: string; readonly name?: string }
  | { readonly line: readonly Inline[]; readonly look?: string }
  | { readonly nav: readonly LinkPiece[]; readonly name: string }
  | { readonly badge: string }
  | { readonly star: boolean }
  | { readonly json: string }
  /** How far something is, of a total that may be unknown. */
  | { readonly progress: number; readonly of: number | null; readonly name: string }
  /** A share of 0 to 1 as a bar, beside words that say the same. */
  | { readonly share: number };

interface LinkPiece extends Deed {
  readonly link: string;
  readonly look?: string;
  readonly lang?: string | null;
  readonly title?: string;
  /** Its accessible name where its words repeat. */
  readonly name?: string;
  readonly icon?: string;
  readonly iconAfter?: string;
}

export interface ButtonItem extends Deed {
  readonly words: string;
  readonly icon: string;
  readonly isMain?: boolean;
  readonly isOff?: boolean;
  /** The id of a line that says why it is off. */
  readonly why?: string;
  readonly title?: string;
  /** It is about the cells of a matrix, and says this while some are chosen. */
  readonly ofRange?: string;
}

export interface BlockRow {
  readonly id: string;
  readonly cells: readonly (readonly Inline[])[];
  readonly look?: string;
  /** Its place in a list of which not all is in the page, from 1. */
  readonly place?: number;
  /** The status by which the chips of the tools filter rows. */
  readonly status?: string;
  /** Announced after an action that stays in the row. */
  readonly said?: string;
}

export interface BlockColumn {
  readonly head: string;
  readonly look: string;
  /** The head is for screen readers; a short one may stand there for the eye. */
  readonly isHeadHidden?: boolean;
  readonly short?: string;
  readonly isHeader?: boolean;
}

export interface MatrixCell {
  readonly id: string;
  readonly pieces: readonly Inline[];
  /** What it says, without its row. */
  readonly words: string;
  /** The cell that it opens; null for none. */
  readonly opens: string | null;
}

export interface BlockGroup {
  readonly title: string;
  readonly rows: readonly BlockRow[];
}

export type BlockFact = { readonly label: Inline; readonly pieces: readonly Inline[] };
export type BlockNotice = { readonly tone: 'info' | 'warning'; readonly text: string };
export type StatusChip = { readonly status: string; readonly icon: string; readonly label: string };

/** A part of a panel. What comes before the first tools, section or table is the page's header. */
export type Block =
  | { readonly kind: 'title'; readonly text: string; readonly lang?: string | null; readonly detail?: string }
  | {
      readonly kind: 'line';
      readonly pieces: readonly Inline[];
      readonly look: string;
      readonly id?: string;
      readonly isStatus?: true;
    }
  | { readonly kind: 'facts'; readonly look: 'facts' | 'amounts'; readonly facts: readonly BlockFact[] }
  | { readonly kind: 'notices'; readonly notices: readonly BlockNotice[] }
  | {
      readonly kind: 'actions';
      readonly buttons: readonly ButtonItem[];
      readonly menu?: { readonly words: string; readonly items: readonly ButtonItem[] };
    }
  | {
      readonly kind: 'tools';
      readonly filter: string;
      readonly counts: 'fields' | 'results';
      /** Stands in place of the count while all is shown. */
      readonly idle?: string;
      /** Said when nothing matches. */
      readonly none?: string;
      readonly chips?: readonly StatusChip[];
      readonly buttons: readonly ButtonItem[];
    }
  | {
      readonly kind: 'section';
      readonly id: string;
      readonly title: string;
      readonly note?: string;
      readonly buttons?: readonly ButtonItem[];
      /** Beside the title stands how many rows there are, and without any the section goes. */
      readonly isCounted?: true;
      readonly blocks: readonly Block[];
    }
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly look: string;
      readonly isHeadHidden?: true;
      readonly columns: readonly BlockColumn[];
      readonly rows: readonly BlockRow[];
    }
  | {
      readonly kind: 'matrix';
      readonly name: string;
      readonly rowsName: string;
      readonly columns: readonly string[];
      /** The column that has the keyboard first. */
      readonly start: number;
      readonly rows: readonly {
        readonly label: string;
        readonly code: string;
        readonly cells: readonly MatrixCell[];
      }[];
    }
  /** Sections that scroll sideways together; the last column shows first. */
  | { readonly kind: 'sideways'; readonly columns: number; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'comparison';
      readonly columns: readonly (readonly Inline[])[];
      readonly different: readonly BlockGroup[];
      readonly same: readonly BlockGroup[];
    }
  | {
      readonly kind: 'details';
      readonly title: string;
      readonly items: readonly { readonly term: string; readonly lines: readonly string[] }[];
    }
  | { readonly kind: 'text'; readonly title: string; readonly text: string };
export type BlockOf<Kind extends Block['kind']> = Extract<Block, { readonly kind: Kind }>;

/** What a panel shows. */
export interface BlocksView {
  readonly blocks: readonly Block[];
  /** Announced where something else was shown before. */
  readonly said?: string;
  /** What the page hands back after a reload of the window. */
  readonly keeps?: readonly string[];
}

export const blocksProtocol = conversation({
  view: fromEditor<BlocksView>(),
  kept: keptState(
    {
      filter: filterText,
      status: z.nullable(z.string().check(z.maxLength(40))),
      showsSame: z.boolean(),
      row: z.int().check(z.minimum(0), z.maximum(100)),
      column: z.int().check(z.minimum(0), z.maximum(1000)),
      texts,
    },
    { filter: '', status: null, showsSame: false, row: 0, column: 0, texts: [] },
  ),
  calls: {
    act: {
      params: z.strictObject({ act: z.string().check(z.maxLength(40)), at: z.optional(target) }),
      result: nothing,
    },
  },
  hears: {
    /** Scroll to a row and mark it, or give the keyboard to the first control there is with one of these actions. */
    go: fromEditor<{ readonly row: string } | { readonly acts: readonly string[] }>(),
  },
});

/** A block and those in it, one after the other. */
export function allBlocks(blocks: readonly Block[]): readonly Block[] {
  return blocks.flatMap((block) => ('blocks' in block ? [block, ...allBlocks(block.blocks)] : [block]));
}

/** What pieces say, in a line; controls without words of their own say nothing. */
export function piecesText(pieces: readonly Inline[]): string {
  return pieces
    .map(pieceText)
    .filter((text) => text !== '')
    .join(' ');
}

function pieceText(piece: Inline): string {
  if (typeof piece === 'string') return piece;
  if ('text' in piece) return piece.spoken ?? piece.text;
  if ('link' in piece) return piece.link;
  if ('list' in piece) return piece.list.map(piecesText).join(' ');
  if ('line' in piece) return piecesText(piece.line);
  if ('badge' in piece) return piece.badge;
  return 'json' in piece ? piece.json : '';
}
