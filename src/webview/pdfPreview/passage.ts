import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { l10n } from '../../base/l10n.ts';
import { longestPage, type Passage, type Rectangles } from '../../protocol/pdfPreview.ts';

type Box = Rectangles[number];

/** The pages as they are shown. */
interface ShownPages {
  pageView(page: number): PDFPageView | undefined;
  label(page: number): string | undefined;
}

/** Whether something on a page is selected. */
export function isPassageSelected(): boolean {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return false;
  return selection.toString().trim() !== '' && pagesOf(selection.getRangeAt(0)).length > 0;
}

/**
 * What is selected, with the text of its page around it and where it lies there; undefined when nothing is.
 * @throws Error with words for a person when it goes over several pages
 */
export function selectedPassage(viewer: ShownPages): Passage | undefined {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const parts = pagesOf(range).flatMap((page) => {
    const part = partOf(page, range);
    return part.text.slice(part.start, part.end).trim() === '' ? [] : [{ page, part }];
  });
  const [first, second] = parts;
  if (!first) return undefined;
  if (second) throw new Error(l10n.t('A quote lies on one page. Select the words of one page, then quote the next.'));
  const number = Number(first.page.dataset.pageNumber);
  const view = viewer.pageView(number);
  if (!view) return undefined;
  const { boxes, ...part } = first.part;
  return {
    page: number,
    label: viewer.label(number)?.slice(0, 100) ?? null,
    ...part,
    rectangles: onPaper(view, boxes),
  };
}

/** The pages that a selection touches. */
function pagesOf(range: Range): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.pdfViewer .page')].filter((page) => {
    const text = page.querySelector('.textLayer');
    return text !== null && range.intersectsNode(text);
  });
}

interface Part extends Pick<Passage, 'text' | 'start' | 'end'> {
  /** Of the selected words, on the screen. */
  readonly boxes: readonly DOMRect[];
}

/** The text of a page, and what of it is selected. */
function partOf(page: HTMLElement, range: Range): Part {
  const layer = page.querySelector('.textLayer') ?? page;
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  const boxes: DOMRect[] = [];
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
      boxes.push(...words.getClientRects());
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

/** Boxes on the screen as rectangles of the page, a line of words each. */
function onPaper(view: PDFPageView, boxes: readonly DOMRect[]): Rectangles {
  const { div, viewport } = view;
  const paper = div.getBoundingClientRect();
  // While a zoom is under way the page is stretched.
  const [x, y] = [viewport.width / div.clientWidth, viewport.height / div.clientHeight];
  const point = (left: number, top: number): readonly number[] =>
    viewport.convertToPdfPoint((left - paper.left - div.clientLeft) * x, (top - paper.top - div.clientTop) * y);
  const rectangles: Box[] = [];
  for (const { left, top, right, bottom } of boxes) {
    if (right - left < 0.01 || bottom - top < 0.01) continue;
    const [a = 0, b = 0] = point(left, bottom);
    const [c = 0, d = 0] = point(right, top);
    const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
    const before = rectangles.at(-1);
    if (before && isSameLine(before, box)) rectangles[rectangles.length - 1] = around(before, box);
    else rectangles.push(box);
  }
  const rounded = (value: number) => Math.round(value * 100) / 100;
  return rectangles.slice(0, 1000).map(([a, b, c, d]): Box => [rounded(a), rounded(b), rounded(c), rounded(d)]);
}

/** Words follow one another on a line: next to each other, and as high. */
function isSameLine([left, bottom, right, top]: Box, [nextLeft, nextBottom, nextRight, nextTop]: Box): boolean {
  const height = Math.min(top - bottom, nextTop - nextBottom);
  const shared = Math.min(top, nextTop) - Math.max(bottom, nextBottom);
  const gap = Math.max(nextLeft - right, left - nextRight);
  return shared > height / 2 && gap < height * 1.5;
}

function around(one: Box, two: Box): Box {
  return [Math.min(one[0], two[0]), Math.min(one[1], two[1]), Math.max(one[2], two[2]), Math.max(one[3], two[3])];
}

/** Marks rectangles on a page, in place of those before. They lie where they are at any zoom. */
export function markRegion({ div, viewport }: PDFPageView, rectangles: Rectangles): void {
  for (const mark of div.querySelectorAll('.region-mark')) mark.remove();
  for (const [left, bottom, right, top] of rectangles) {
    const [x1 = 0, y1 = 0]: readonly number[] = viewport.convertToViewportPoint(left, bottom);
    const [x2 = 0, y2 = 0]: readonly number[] = viewport.convertToViewportPoint(right, top);
    const mark = document.createElement('div');
    mark.className = 'region-mark';
    const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
    mark.style.left = percent(Math.min(x1, x2), viewport.width);
    mark.style.top = percent(Math.min(y1, y2), viewport.height);
    mark.style.width = percent(Math.abs(x2 - x1), viewport.width);
    mark.style.height = percent(Math.abs(y2 - y1), viewport.height);
    div.append(mark);
  }
}

/** Selects the match that is shown, once the highlights are gone: a place of it is the box of a line and a place in it. */
export function matchShown(): (() => void) | undefined {
  const marks = [...document.querySelectorAll('.textLayer .highlight.selected')];
  const [first, last] = [marks[0], marks.at(-1)];
  const [from, to] = [first && placeOf(first, 'start'), last && placeOf(last, 'end')];
  if (!from || !to) return undefined;
  return () => {
    const [start, end] = [pointAt(from), pointAt(to)];
    if (start && end) document.getSelection()?.setBaseAndExtent(start.node, start.offset, end.node, end.offset);
  };
}

interface LinePlace {
  readonly line: Element;
  readonly offset: number;
}

function placeOf(mark: Element, side: 'start' | 'end'): LinePlace | undefined {
  let line: Element | null = mark;
  while (line?.parentElement && !line.parentElement.matches('.textLayer, .markedContent')) line = line.parentElement;
  if (!line) return undefined;
  const before = document.createRange();
  before.setStart(line, 0);
  if (side === 'start') before.setEndBefore(mark);
  else before.setEndAfter(mark);
  return { line, offset: before.toString().length };
}

function pointAt({ line, offset }: LinePlace): { readonly node: Text; readonly offset: number } | undefined {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let left = offset;
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    if (left <= node.length) return { node, offset: left };
    left -= node.length;
  }
  return undefined;
}
