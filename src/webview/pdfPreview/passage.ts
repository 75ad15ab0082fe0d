import { html, render } from 'lit';
import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { l10n } from '../../base/l10n.ts';
import { type Bound, boxAt, isWordEdge, type PlacedText, unitNear, wordEdge } from '../../base/placedText.ts';
import type { Passage } from '../../protocol/pdfPreview.ts';
import { icon, keyWords, tool } from '../common/widgets.ts';
import type { Hit } from './find.ts';
import { boxOnScreen, pageOf, pointInPdf } from './pageGeometry.ts';
import { passageOf, type ShownTexts, wholeWords } from './pageTexts.ts';

/** The pages as they are shown. */
interface ShownPages {
  pageView(page: number): PDFPageView | undefined;
  label(page: number): string | undefined;
}

/** Whether something on a page is selected. */
export function isPassageSelected(): boolean {
  const range = selectedRange();
  return range !== undefined && String(document.getSelection()).trim() !== '' && layersIn(range).length > 0;
}

function selectedRange(): Range | undefined {
  const selection = document.getSelection();
  return selection && !selection.isCollapsed && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
}

/** The text layers of pdf.js that a selection touches. */
function layersIn(range: Range): HTMLElement[] {
  const layers = document.querySelectorAll<HTMLElement>('.pdfViewer .page .textLayer');
  return [...layers].filter((layer) => range.intersectsNode(layer));
}

/**
 * What is selected, with the text of its pages around it; undefined when nothing is.
 * @param isExact leaves words and numbers cut that are selected in part
 * @throws Error with words for a person when it goes over too many pages, or one of them can't be read
 */
export async function selectedPassage(
  viewer: ShownPages,
  texts: ShownTexts,
  isExact: boolean,
): Promise<Passage | undefined> {
  const range = selectedRange();
  const touched = range ? layersIn(range).flatMap((layer) => edgesOf(viewer, layer, range) ?? []) : [];
  const parts = touched.map(async ({ page, first, last }, index) => {
    const placed = await texts.of(page);
    const start = index === 0 ? unitAt(placed, first, 'start') : 0;
    const end = index === touched.length - 1 ? unitAt(placed, last, 'end') : placed.text.length - 1;
    // A page may be read in another order than it is drawn.
    const selected = [Math.min(start, end), Math.max(start, end) + 1] as const;
    const [from, to] = isExact ? selected : wholeWords(placed.text, ...selected);
    return { page, label: viewer.label(page)?.slice(0, 100) ?? null, placed, start: from, end: to };
  });
  return passageOf(await Promise.all(parts));
}

/** Where a selection begins or ends, in the PDF's points. */
interface Edge {
  readonly point: readonly [x: number, y: number];
  readonly isOfWord: boolean;
}

/** Fonts of the text layer differ from those that are drawn: a place beside the edge of a word may mean that edge. */
function unitAt(placed: PlacedText, { point, isOfWord }: Edge, side: Bound): number {
  const unit = unitNear(placed, point, side) ?? 0;
  return isOfWord ? wordEdge(placed.text, unit, side) : unit;
}

/** The first and last selected letters on a page; undefined where none is. */
function edgesOf(viewer: ShownPages, layer: HTMLElement, range: Range) {
  const view = viewer.pageView(Number(layer.closest<HTMLElement>('.page')?.dataset.pageNumber));
  if (!view) return undefined;
  const edge = (node: Text, at: number, side: Bound): Edge => {
    const point = pointInPdf(view, ...middleOf(boxOn(node, at)));
    return { point, isOfWord: isWordEdge(node.data, at, side) };
  };
  const selected = textsIn(layer).flatMap((node) => {
    if (!range.intersectsNode(node)) return [];
    const from = node === range.startContainer ? range.startOffset : 0;
    const to = node === range.endContainer ? range.endOffset : node.length;
    const words = node.data.slice(from, to);
    const start = from + words.search(/\S/);
    return words.trim() === '' ? [] : [{ node, start, end: from + words.trimEnd().length - 1 }];
  });
  const [first, last] = [selected[0], selected.at(-1)];
  return (
    first &&
    last && {
      page: pageOf(view),
      first: edge(first.node, first.start, 'start'),
      last: edge(last.node, last.end, 'end'),
    }
  );
}

function textsIn(layer: Element): Text[] {
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  return texts;
}

/** Where one of the letters of a text is on the screen. */
function boxOn(node: Text, at: number): DOMRect {
  const letter = document.createRange();
  letter.setStart(node, at);
  letter.setEnd(node, at + 1);
  return letter.getBoundingClientRect();
}

const middleOf = ({ left, top, right, bottom }: DOMRect) => [(left + right) / 2, (top + bottom) / 2] as const;

/** Selects a match in the text layer of its page, as a browser does once its find box closes. */
export function selectHit(viewer: ShownPages, { page, placed, start, end }: Hit): void {
  const view = viewer.pageView(page);
  const [from, to] = view ? [caretAt(view, placed, start, 'start'), caretAt(view, placed, end - 1, 'end')] : [];
  if (from && to) document.getSelection()?.setBaseAndExtent(from.node, from.at, to.node, to.at + 1);
}

/** The position in pdf.js's text layer that covers a unit. */
function caretAt(view: PDFPageView, placed: PlacedText, unit: number, side: Bound) {
  const box = boxAt(placed, unit);
  if (!box) return undefined;
  const [x, y] = middleOf(boxOnScreen(view, box));
  const distance = ({ left, top, right, bottom }: DOMRect) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
  const nearest = <T>(all: readonly T[], boxOf: (one: T) => DOMRect) => {
    const distances = all.map((one) => distance(boxOf(one)));
    return all[distances.indexOf(Math.min(...distances))];
  };
  const texts = textsIn(view.div.querySelector('.textLayer') ?? view.div).filter(({ data }) => data.trim() !== '');
  const node = nearest(texts, ({ parentElement }) => parentElement?.getBoundingClientRect() ?? new DOMRect());
  const at = node && nearest([...node.data.split('').keys()], (one) => boxOn(node, one));
  if (!node || at === undefined) return undefined;
  return { node, at: isWordEdge(placed.text, unit, side) ? wordEdge(node.data, at, side) : at };
}

/** How a selection is quoted. */
export interface HowQuoted {
  /** A form is picked first. */
  readonly mayPick: boolean;
  /** Words that are selected in part stay cut. */
  readonly isExact: boolean;
}

/**
 * Shows small buttons at the selection, once it is made. They never remove it.
 * @param stage a positioned element that the pages scroll in
 * @param readTarget reads the target of the next quote; null if the person is asked
 */
export function addQuoteBar(
  stage: HTMLElement,
  pages: HTMLElement,
  quote: (how: HowQuoted) => void,
  readTarget: () => Promise<string | null>,
): void {
  const bar = document.createElement('div');
  bar.className = 'quote-bar';
  bar.role = 'group';
  bar.ariaLabel = l10n.t('Quote');
  bar.hidden = true;
  // A press would remove the selection.
  for (const press of ['pointerdown', 'mousedown']) bar.addEventListener(press, (event) => event.preventDefault());
  const draw = (target: string | null) => {
    const insert = target === null ? l10n.t('Quote') : l10n.t('Quote → {0}', target);
    const title = l10n.t('{0} (q; {1}: exactly what is selected)', insert, keyWords('alt', 'q'));
    render(
      html`<button class="quote-button" title=${title} @click=${({ altKey }: MouseEvent) => quote({ mayPick: false, isExact: altKey })}>${icon('quote')} ${insert}</button
        >${tool(l10n.t('Quote As…'), 'chevron-down', () => quote({ mayPick: true, isExact: false }), { key: 'Shift+q' })}`,
      bar,
    );
  };
  draw(null);
  stage.append(bar);
  let isPressed = false;
  const follow = () => {
    const boxes = isPassageSelected() ? document.getSelection()?.getRangeAt(0).getClientRects() : undefined;
    const last = boxes?.[boxes.length - 1];
    const isNew = bar.hidden;
    bar.hidden = isPressed || !last;
    if (!last || isPressed) return;
    if (isNew) name();
    const around = stage.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = bar;
    const below = last.bottom - around.top + 4;
    const top = below + height < around.height ? below : last.top - around.top - height - 4;
    bar.style.top = `${Math.max(4, Math.min(top, around.height - height - 4))}px`;
    bar.style.left = `${Math.max(4, Math.min(last.right - around.left - width, around.width - width - 20))}px`;
  };
  /** The person may have worked in another document meanwhile. */
  const name = () =>
    void readTarget().then((target) => {
      draw(target);
      follow();
    });
  const press = (isDown: boolean) => {
    isPressed = isDown;
    follow();
  };
  window.addEventListener('focus', () => !bar.hidden && name());
  document.addEventListener('selectionchange', follow);
  pages.addEventListener('scroll', follow, { passive: true });
  pages.addEventListener('pointerdown', () => press(true));
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => press(false));
}
