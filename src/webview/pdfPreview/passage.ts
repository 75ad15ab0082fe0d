import { html, render } from 'lit';
import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { l10n } from '../../base/l10n.ts';
import { longestPage, type Passage, type Rectangles } from '../../protocol/pdfPreview.ts';
import { icon, tool } from '../common/widgets.ts';
import { layBetween, pointOnPaper, rectangleBetween } from './uprightPage.ts';

type LineBox = Rectangles[number];

/** The pages as they are shown. */
interface ShownPages {
  pageView(page: number): PDFPageView | undefined;
  label(page: number): string | undefined;
}

/** Whether something on a page is selected. */
export function isPassageSelected(): boolean {
  const range = selectedRange();
  return range !== undefined && String(document.getSelection()).trim() !== '' && pagesOf(range).length > 0;
}

function selectedRange(): Range | undefined {
  const selection = document.getSelection();
  return selection && !selection.isCollapsed && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
}

/** Most pages that a quote lies on. */
const maxPages = 5;

/**
 * The selection, with the text of its pages around it and its place there; undefined when nothing is selected. Between
 * two pages the head and foot that both have are left out.
 * @throws Error with words for a person when it goes over too many pages
 */
export function selectedPassage(viewer: ShownPages): Passage | undefined {
  const range = selectedRange();
  if (!range) return undefined;
  const parts = runningText(pagesOf(range).map((page) => ({ page, ...partOf(page, range) })));
  if (parts.length > maxPages) throw new Error(l10n.t('A quote lies on at most {0} pages. Select less.', maxPages));
  const regions: Passage['regions'] = [];
  for (const { page, boxes, start, end } of parts) {
    const number = Number(page.dataset.pageNumber);
    const view = viewer.pageView(number);
    if (!view) return undefined;
    const rectangles = onPaper(
      view,
      boxes.filter(({ at }) => at >= start && at < end),
    );
    regions.push({ page: number, label: viewer.label(number)?.slice(0, 100) ?? null, rectangles });
  }
  const text = parts.map((part) => part.text).join('\n');
  const [first, last] = [parts[0], parts.at(-1)];
  return first && last && { text, start: first.start, end: text.length - last.text.length + last.end, regions };
}

/** The parts of a selection that hold words, without the foot and head between two of them. */
function runningText(parts: readonly PagePart[]): PagePart[] {
  const filled = parts.filter(({ text, start, end }) => text.slice(start, end).trim() !== '');
  if (filled.length < 2) return filled;
  const cut = filled.map((part, index) => {
    const [before, after] = [filled[index - 1], filled[index + 1]];
    const from = before ? commonEdge(part.text, before.text, 'head') : 0;
    const to = part.text.length - (after ? commonEdge(part.text, after.text, 'foot') : 0);
    const within = (place: number) => Math.max(0, Math.min(place, to) - from);
    const boxes = part.boxes.map((box) => ({ ...box, at: box.at - from }));
    const text = part.text.slice(from, Math.max(from, to));
    return { ...part, text, boxes, start: within(part.start), end: within(part.end) };
  });
  return cut.filter(({ text, start, end }) => text.slice(start, end).trim() !== '');
}

/** How much of a page's first or last lines another page has too, but for numbers. */
function commonEdge(one: string, two: string, edge: 'head' | 'foot'): number {
  const linesOf = (text: string) => (edge === 'head' ? text.split('\n') : text.split('\n').reverse());
  const others = linesOf(two);
  const bare = (line = '') => line.replace(/[0-9]+/g, '0').trim();
  let length = 0;
  for (const [index, line] of linesOf(one).entries()) {
    if (index >= others.length || bare(line) !== bare(others[index])) break;
    length += line.length + 1;
  }
  return Math.min(length, one.length);
}

/** The pages that a selection touches. */
function pagesOf(range: Range): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.pdfViewer .page')].filter((page) => {
    const text = page.querySelector('.textLayer');
    return text !== null && range.intersectsNode(text);
  });
}

/** Where selected words are on the screen, and in the text of their page. */
interface WordsBox {
  readonly at: number;
  readonly box: DOMRect;
  /** Whether they run from top to bottom, or the other way, as on a page that is turned. */
  readonly isVertical: boolean;
}

interface PagePart extends Pick<Passage, 'text' | 'start' | 'end'> {
  readonly page: HTMLElement;
  readonly boxes: readonly WordsBox[];
}

/** The text of a page, and what of it is selected. */
function partOf(page: HTMLElement, range: Range): Omit<PagePart, 'page'> {
  const layer = page.querySelector<HTMLElement>('.textLayer') ?? page;
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  const boxes: WordsBox[] = [];
  let text = '';
  let [start, end] = [-1, -1];
  for (let node = walker.nextNode(); node && text.length < longestPage; node = walker.nextNode()) {
    if (node.nodeName === 'BR') text += '\n';
    if (!(node instanceof Text)) continue;
    const from = node === range.startContainer ? range.startOffset : 0;
    const to = node === range.endContainer ? range.endOffset : node.length;
    if (range.intersectsNode(node) && from < to) {
      if (start === -1) start = text.length + from;
      end = text.length + to;
      const words = document.createRange();
      words.setStart(node, from);
      words.setEnd(node, to);
      const isVertical = runsVertically(layer, node.parentElement);
      for (const box of words.getClientRects()) boxes.push({ at: text.length + from, box, isVertical });
    }
    text += node.data;
  }
  const whole = text.slice(0, longestPage);
  return {
    text: whole,
    start: Math.min(Math.max(start, 0), whole.length),
    end: Math.min(Math.max(end, 0), whole.length),
    boxes,
  };
}

/** Both the page and the words on it may be turned; pdf.js says each in degrees. */
function runsVertically(layer: HTMLElement, words: HTMLElement | null): boolean {
  const turned = words?.closest<HTMLElement>('[style*="--rotate"]')?.style.getPropertyValue('--rotate') ?? '0';
  const angle = Number(layer.dataset.mainRotation ?? 0) + (Number.parseFloat(turned) || 0);
  return Math.abs(Math.sin((angle * Math.PI) / 180)) > Math.SQRT1_2;
}

/** Boxes on the screen as rectangles of the page, a line of words each. */
function onPaper(view: PDFPageView, boxes: readonly WordsBox[]): Rectangles {
  return linesOf(boxes)
    .slice(0, 1000)
    .map(([left, top, right, bottom]) =>
      rectangleBetween(pointOnPaper(view, left, bottom), pointOnPaper(view, right, top)),
    );
}

/** Joined on the screen, where it is known which way lines run: left, top, right, bottom. */
function linesOf(boxes: readonly WordsBox[]): LineBox[] {
  const lines: { box: LineBox; readonly isVertical: boolean }[] = [];
  for (const { box: found, isVertical } of boxes) {
    const box: LineBox = [found.left, found.top, found.right, found.bottom];
    if (box[2] - box[0] < 0.01 || box[3] - box[1] < 0.01) continue;
    const before = lines.at(-1);
    if (before?.isVertical === isVertical && isSameLine(before.box, box, isVertical))
      before.box = around(before.box, box);
    else lines.push({ box, isVertical });
  }
  return lines.map(({ box }) => box);
}

/** Words follow one another on a line: next to each other, and as high. */
function isSameLine(one: LineBox, two: LineBox, isVertical: boolean): boolean {
  const [along, across] = isVertical ? [1, 0] : [0, 1];
  const at = (box: LineBox, side: number) => box[side] ?? 0;
  const height = Math.min(at(one, across + 2) - at(one, across), at(two, across + 2) - at(two, across));
  const shared = Math.min(at(one, across + 2), at(two, across + 2)) - Math.max(at(one, across), at(two, across));
  const gap = Math.max(at(two, along) - at(one, along + 2), at(one, along) - at(two, along + 2));
  return shared > height / 2 && gap < height * 1.5;
}

function around(one: LineBox, two: LineBox): LineBox {
  return [Math.min(one[0], two[0]), Math.min(one[1], two[1]), Math.max(one[2], two[2]), Math.max(one[3], two[3])];
}

/** Marks rectangles on a page, in place of those before. They lie where they are at any zoom. */
export function markRegion(view: PDFPageView, rectangles: Rectangles): void {
  for (const mark of view.div.querySelectorAll('.region-mark')) mark.remove();
  for (const [left, bottom, right, top] of rectangles) {
    const mark = document.createElement('div');
    mark.className = 'region-mark';
    layBetween(mark, view, [left, bottom], [right, top]);
    view.div.append(mark);
  }
}

/** Selects the match that is shown, once the highlights are gone and each line is one text again. */
export function matchShown(): (() => void) | undefined {
  const marks = [...document.querySelectorAll('.textLayer .highlight.selected')];
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last) return undefined;
  const [from, to] = [lineOf(first), lineOf(last)];
  const [start, end] = [textBefore(first, from), textBefore(last, to) + (last.textContent?.length ?? 0)];
  return () => {
    const [one, other] = [from.firstChild, to.firstChild];
    if (one && other) document.getSelection()?.setBaseAndExtent(one, start, other, end);
  };
}

/** The element of the text layer that a mark is in. */
function lineOf(mark: Element): Element {
  const { parentElement } = mark;
  return !parentElement || parentElement.matches('.textLayer, .markedContent') ? mark : lineOf(parentElement);
}

function textBefore(mark: Element, line: Element): number {
  const before = document.createRange();
  before.setStart(line, 0);
  before.setEndBefore(mark);
  return before.toString().length;
}

/**
 * The small buttons at what is selected. They come when a selection is made, not while it is, and never take it away.
 * @param stage a positioned element that the pages scroll in
 */
export class QuoteBar {
  readonly #bar: HTMLElement;
  readonly #stage: HTMLElement;
  #isPressed = false;

  constructor(stage: HTMLElement, pages: HTMLElement, quote: (mayPick: boolean) => void) {
    this.#stage = stage;
    this.#bar = document.createElement('div');
    this.#bar.className = 'quote-bar';
    this.#bar.role = 'group';
    this.#bar.ariaLabel = l10n.t('Quote');
    this.#bar.hidden = true;
    // A press would take the selection away.
    this.#bar.addEventListener('pointerdown', (event) => event.preventDefault());
    this.#bar.addEventListener('mousedown', (event) => event.preventDefault());
    const [insert, pick] = [l10n.t('Quote'), l10n.t('Quote As…')];
    render(
      html`<button class="quote-button" title="${insert} (q)" @click=${() => quote(false)}>${icon('quote')} ${insert}</button
        >${tool(pick, 'chevron-down', () => quote(true), { key: 'Shift+q' })}`,
      this.#bar,
    );
    stage.append(this.#bar);
    document.addEventListener('selectionchange', () => this.#follow());
    pages.addEventListener('scroll', () => this.#follow(), { passive: true });
    pages.addEventListener('pointerdown', () => this.#follow(true));
    for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => this.#follow(false));
  }

  #follow(isPressed = this.#isPressed): void {
    this.#isPressed = isPressed;
    const isShown = !this.#isPressed && isPassageSelected();
    this.#bar.hidden = !isShown;
    if (!isShown) return;
    const boxes = document.getSelection()?.getRangeAt(0).getClientRects();
    const last = boxes?.[boxes.length - 1];
    if (!last) return;
    const around = this.#stage.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#bar;
    const below = last.bottom - around.top + 4;
    const top = below + height < around.height ? below : last.top - around.top - height - 4;
    this.#bar.style.top = `${Math.max(4, Math.min(top, around.height - height - 4))}px`;
    this.#bar.style.left = `${Math.max(4, Math.min(last.right - around.left - width, around.width - width - 20))}px`;
  }
}
