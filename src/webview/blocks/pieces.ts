import '@vscode-elements/elements/dist/vscode-badge/index.js';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import { allBlocks, type ButtonItem, type blocksProtocol, type Deed, type Inline } from '../../protocol/blocks.ts';
import type { PanelPage } from '../common/page.ts';
import { announce, icon } from '../common/widgets.ts';

export type BlocksPage = PanelPage<typeof blocksProtocol>;

/** Where pieces stand: `id` is another for each cell. In a table the arrow keys lead through their controls. */
interface Spot {
  readonly id: string;
  readonly inTable: boolean;
  /** Without blanks between pieces. */
  readonly isTight?: true;
  /** Longer text is cut until a person asks for all of it, in characters. */
  readonly longest?: number;
}
const inLine: Spot = { id: '', inTable: false };

let isBusy = false;

/** Runs the action of a control, and announces the result or the error. */
export async function run(page: BlocksPage, { act, at, done, waits, staysInRow }: Deed, row = ''): Promise<void> {
  if (waits) {
    isBusy = true;
    page.draw();
  }
  const isDone = await page.call('act', { act, at }, done);
  if (waits) {
    isBusy = false;
    page.draw();
  }
  if (isDone && staysInRow) stayInRow(page, row);
}

/** If the control is gone, the row's first one takes the keyboard, unless the person moved on meanwhile. */
function stayInRow(page: BlocksPage, row: string): void {
  const name = `[data-row="${CSS.escape(row)}"]`;
  const active = document.activeElement?.closest('[data-row], vscode-button, button, input, a') ?? null;
  if (active === null || active.matches(`${name}, ${name} *`))
    page.root.querySelector<HTMLElement>(`${name} [data-stop]`)?.focus();
  const rows = allBlocks(page.view?.blocks ?? []).flatMap((block) => (block.kind === 'table' ? block.rows : []));
  const said = rows.find(({ id }) => id === row)?.said;
  if (said !== undefined) announce(said);
}

/** A button of a toolbar. It stays the same element while it changes, so that the keyboard stays on it. */
export function itemButton(page: BlocksPage, item: ButtonItem): TemplateResult {
  const { words, icon: name, isMain = false, why, title } = item;
  const isOff = item.isOff === true || (item.waits === true && isBusy);
  const id = `${item.act} ${String(item.at ?? '')}`;
  // The second click of a double one was meant for what stood there at the first.
  const onClick = ({ detail }: MouseEvent) => {
    if (detail >= 2 || isOff) return;
    void (name === 'copy' ? page.copyBy(id, item.done ?? '', 'act', { act: item.act, at: item.at }) : run(page, item));
  };
  const button = html`<vscode-button
    ?secondary=${!isMain}
    ?disabled=${isOff}
    aria-disabled=${isOff && why !== undefined ? 'true' : nothing}
    aria-describedby=${(isOff && why) || nothing}
    @click=${onClick}
    >${icon(page.isCopied(id) ? 'check' : name, 'content-before')}${words}</vscode-button
  >`;
  return title === undefined ? button : html`<span title=${title}>${button}</span>`;
}

/** Pieces with a blank between them. */
export function piecesTemplate(page: BlocksPage, pieces: readonly Inline[], place: Spot = inLine): TemplateResult[] {
  return pieces.map(
    (piece, index) => html`${index === 0 || place.isTight ? '' : ' '}${pieceTemplate(page, piece, place)}`,
  );
}

function pieceTemplate(page: BlocksPage, piece: Inline, place: Spot): unknown {
  if (typeof piece === 'string') return html`<bdi>${piece}</bdi>`;
  if ('text' in piece) return textTemplate(page, piece, place);
  if ('link' in piece) return linkTemplate(page, piece, place);
  if ('copy' in piece) return copyTemplate(page, piece, place);
  if ('list' in piece)
    return html`<ul class=${piece.look} aria-label=${piece.name ?? nothing}>
      ${piece.list.map((item) => html`<li>${piecesTemplate(page, item, place)}</li>`)}
    </ul>`;
  if ('line' in piece)
    return html`<div class=${piece.look ?? nothing}>${piecesTemplate(page, piece.line, place)}</div>`;
  if ('nav' in piece) return html`<nav aria-label=${piece.name}>${piecesTemplate(page, piece.nav, place)}</nav>`;
  if ('badge' in piece) return html`<vscode-badge><bdi>${piece.badge}</bdi></vscode-badge>`;
  if ('star' in piece) return starTemplate(page, piece.star);
  if ('json' in piece)
    return html`<pre class="mono"><bdi>${cut(page, piece.json, place)}</bdi></pre>${more(page, piece.json, place)}`;
  if ('progress' in piece) {
    // Without a total the bar only says that something goes on.
    const { of } = piece;
    const value = of === null ? nothing : piece.progress;
    return html`<progress aria-label=${piece.name} max=${of ?? nothing} value=${value}></progress>`;
  }
  return 'share' in piece ? shareTemplate(piece.share) : icon(piece.icon);
}

type TextPiece = Extract<Inline, { readonly text: string }>;

function textTemplate(page: BlocksPage, piece: TextPiece, place: Spot): TemplateResult {
  const { text, look, sign, spoken, title } = piece;
  const drawn =
    sign === undefined
      ? piece.icon && icon(piece.icon)
      : html`<span class=${sign} aria-hidden="true">${piece.icon ? icon(piece.icon) : ''}</span>`;
  if (drawn && text === '' && look === undefined && spoken === undefined) return html`${drawn}`;
  if (!drawn && spoken === undefined)
    return html`<bdi class=${look ?? nothing} title=${title ?? nothing}>${piece.breaks ? breakable(cut(page, text, place)) : cut(page, text, place)}</bdi>${more(page, text, place)}`;
  const words = spoken === undefined ? html`<span>${text}</span>` : html`<span aria-hidden="true">${text}</span>`;
  return html`<span class=${look ?? nothing} title=${title ?? nothing}>${drawn ?? ''}${text === '' ? '' : words}${
    spoken === undefined ? '' : html`<span class="visually-hidden">${spoken}</span>`
  }</span>`;
}

function cut(page: BlocksPage, text: string, { id, longest }: Spot): string {
  if (longest === undefined || text.length <= longest || page.isUnfolded(id)) return text;
  return `${text.slice(0, longest)}…`;
}

function more(page: BlocksPage, text: string, { id, longest }: Spot): TemplateResult | '' {
  if (longest === undefined || text.length <= longest || page.isUnfolded(id)) return '';
  const words = l10n.t('Show all {0} characters', countText(text.length));
  return html` <button class="link" data-stop tabindex="-1" @click=${() => page.unfold(id)}>${words}</button>`;
}

/** A path or key wraps behind its separators first. */
function breakable(text: string): unknown {
  return text.includes(' ') ? text : text.split(/(?<=[/_.])/).map((part) => html`${part}<wbr>`);
}

function linkTemplate(
  page: BlocksPage,
  piece: Extract<Inline, { readonly link: string }>,
  place: Spot,
): TemplateResult {
  const { link, look = 'link', lang, title, name, icon: before, iconAfter, act, waits } = piece;
  const words =
    lang === undefined ? html`<bdi>${link}</bdi>` : html`<span lang=${lang ?? nothing} dir="auto">${link}</span>`;
  return html`<button
    class=${look}
    data-act=${act}
    ?data-stop=${place.inTable}
    tabindex=${place.inTable ? -1 : nothing}
    title=${title ?? nothing}
    aria-label=${name ?? nothing}
    ?disabled=${waits === true && isBusy}
    @click=${() => run(page, piece, place.id.split('\n')[0])}
  >
    ${before ? icon(before) : ''}${words}${iconAfter ? icon(iconAfter) : ''}
  </button>`;
}

function copyTemplate(
  page: BlocksPage,
  piece: Extract<Inline, { readonly copy: string }>,
  place: Spot,
): TemplateResult {
  const { label, name = l10n.t('Copy {0}', label) } = piece;
  const id = `${place.id} ${name}`;
  const copy = () => page.copyBy(id, l10n.t('Copied {0}', label), 'act', { act: 'copy', at: piece.copy });
  return html`<button class="icon-button" ?data-stop=${place.inTable} tabindex=${place.inTable ? -1 : 0} aria-label=${name} title=${name} @click=${copy}>
    ${icon(page.isCopied(id) ? 'check' : 'copy')}
  </button>`;
}

function starTemplate(page: BlocksPage, isFavorite: boolean): TemplateResult {
  const words = isFavorite ? l10n.t('Remove from Favorites') : l10n.t('Add to Favorites');
  const toggle = () => run(page, { act: 'toggleFavorite' });
  return html`<button class="icon-button" aria-pressed=${isFavorite} aria-label=${l10n.t('Favorite')} title=${words} @click=${toggle}>
    ${icon(isFavorite ? 'star-full' : 'star-empty')}
  </button>`;
}

function shareTemplate(share: number): TemplateResult {
  return html`<svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<rect class="whole" width="100" height="1"></rect><rect class="part" width=${share * 100} height="1"></rect>`}
  </svg>`;
}
