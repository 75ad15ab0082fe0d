import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import type { Box } from '../../base/placedText.ts';
import { type Area, areaBetween, areaOf } from './pageWords.ts';

type Point = readonly [x: number, y: number];
const pair = ([x = 0, y = 0]: readonly number[]): Point => [x, y];
const rounded = (value: number) => Math.round(value * 100) / 100;

/** A page's number, from 1. pdf.js declares no type for it. */
export function pageOf({ div }: PDFPageView): number {
  return Number(div.dataset.pageNumber);
}

/** A page at its own size, in points. */
export function paperOf({ viewport }: PDFPageView): PageViewport {
  return viewport.clone({ scale: 1 });
}

/** Where a point on the screen is on a page. While a zoom is under way the page is stretched. */
export function pointOnPage(view: PDFPageView, x: number, y: number): Point {
  const [{ width, height }, { left, top }] = [paperOf(view), view.div.getBoundingClientRect()];
  const { clientLeft, clientTop, clientWidth, clientHeight } = view.div;
  return [((x - left - clientLeft) / clientWidth) * width, ((y - top - clientTop) / clientHeight) * height];
}

/** Where a point on the screen is in the PDF's points. */
export function pointInPdf(view: PDFPageView, x: number, y: number): Point {
  return pair(paperOf(view).convertToPdfPoint(...pointOnPage(view, x, y)));
}

/** Where a rectangle of the PDF is on the screen. */
export function boxOnScreen(view: PDFPageView, rectangle: Box): DOMRect {
  const [paper, { left, top }] = [paperOf(view), view.div.getBoundingClientRect()];
  const area = areaOf(paper, rectangle);
  const { clientLeft, clientTop, clientWidth, clientHeight } = view.div;
  const [across, down] = [clientWidth / paper.width, clientHeight / paper.height];
  const [x, y] = [left + clientLeft + area.left * across, top + clientTop + area.top * down];
  return new DOMRect(x, y, (area.right - area.left) * across, (area.bottom - area.top) * down);
}

/** Lays an element over an area, in parts of the page's size, so that it stays at any zoom. */
export function layOver(element: HTMLElement, area: Area, view: PDFPageView): void {
  const { width, height } = paperOf(view);
  const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
  element.style.left = percent(area.left, width);
  element.style.top = percent(area.top, height);
  element.style.width = percent(area.right - area.left, width);
  element.style.height = percent(area.bottom - area.top, height);
}

/** Scrolls a list as little as needed; the browser's own way would also scroll the editor around the page. */
export function showWithin(list: HTMLElement, element: Element, margin: number): void {
  const [view, box] = [list.getBoundingClientRect(), element.getBoundingClientRect()];
  const over = Math.max(0, box.bottom + margin - view.bottom);
  list.scrollBy(0, box.top - over < view.top ? box.top - margin - view.top : over);
}

/** Marks rectangles on a page and removes earlier marks of this kind. */
export function layMarks(
  view: PDFPageView,
  kind: 'find-marks' | 'region-marks',
  marks: readonly { readonly box: Box; readonly className: string }[],
): void {
  view.div.querySelector(`:scope > .${kind}`)?.remove();
  if (marks.length === 0) return;
  const layer = document.createElement('div');
  layer.className = `marks ${kind}`;
  layer.ariaHidden = 'true';
  for (const { box, className } of marks) {
    const mark = document.createElement('div');
    mark.className = className;
    layOver(mark, areaOf(paperOf(view), box), view);
    layer.append(mark);
  }
  view.div.append(layer);
}

/** The rectangle of an area in the PDF's points. */
export function rectangleOf(paper: PageViewport, { left, top, right, bottom }: Area): Box {
  const [a, b] = [paper.convertToPdfPoint(left, top), paper.convertToPdfPoint(right, bottom)].map(pair);
  const { left: x1, top: y1, right: x2, bottom: y2 } = areaBetween(a ?? [0, 0], b ?? [0, 0]);
  return [rounded(x1), rounded(y1), rounded(x2), rounded(y2)];
}

/** Where lines cross a page in the PDF's points; on a page on its side, column lines cross its height. */
export function linesInPdf(paper: PageViewport, lines: readonly number[], axis: 'columns' | 'rows'): number[] {
  const at = (line: number) => pair(paper.convertToPdfPoint(...pair(axis === 'columns' ? [line] : [0, line])));
  const [first, last] = [at(0), at(1)];
  const side = Math.abs(last[0] - first[0]) > Math.abs(last[1] - first[1]) ? 0 : 1;
  return lines.map((line) => rounded(at(line)[side]));
}
