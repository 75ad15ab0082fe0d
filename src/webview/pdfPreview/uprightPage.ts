import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import type { Rectangles } from '../../protocol/pdfPreview.ts';
import type { Area } from './tableGrid.ts';

/** A page in points, as it was turned when a table was begun, from its upper left. It may be turned or zoomed since. */
export type UprightPage = Pick<
  PageViewport,
  'width' | 'height' | 'rotation' | 'convertToPdfPoint' | 'convertToViewportPoint'
>;

type Point = readonly [x: number, y: number];
const pair = ([x = 0, y = 0]: readonly number[]): Point => [x, y];
const rounded = (value: number) => Math.round(value * 100) / 100;

/** A page's number, from 1. pdf.js declares no type for it. */
export function pageOf({ div }: PDFPageView): number {
  return Number(div.dataset.pageNumber);
}

export function uprightPage({ viewport }: PDFPageView): UprightPage {
  return viewport.clone({ scale: 1 });
}

/** Where a place on the screen is in the PDF's points. While a zoom is under way the page is stretched. */
export function pointOnPaper({ div, viewport }: PDFPageView, x: number, y: number): Point {
  const paper = div.getBoundingClientRect();
  const across = ((x - paper.left - div.clientLeft) / div.clientWidth) * viewport.width;
  const down = ((y - paper.top - div.clientTop) / div.clientHeight) * viewport.height;
  return pair(viewport.convertToPdfPoint(across, down));
}

/** The same the other way round. */
export function pointOnScreen({ div, viewport }: PDFPageView, [x, y]: Point): Point {
  const paper = div.getBoundingClientRect();
  const [across, down] = pair(viewport.convertToViewportPoint(x, y));
  return [
    paper.left + div.clientLeft + (across / viewport.width) * div.clientWidth,
    paper.top + div.clientTop + (down / viewport.height) * div.clientHeight,
  ];
}

/** Where a place on the screen is on the page. */
export function pointOnPage(upright: UprightPage, view: PDFPageView, x: number, y: number): Point {
  return pair(upright.convertToViewportPoint(...pointOnPaper(view, x, y)));
}

/** Lays an element between two places of the PDF, in parts of the page's size, so that it stays at any zoom. */
function layBetween(element: HTMLElement, { viewport }: PDFPageView, one: Point, other: Point): void {
  const [x1, y1] = pair(viewport.convertToViewportPoint(...one));
  const [x2, y2] = pair(viewport.convertToViewportPoint(...other));
  const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
  element.style.left = percent(Math.min(x1, x2), viewport.width);
  element.style.top = percent(Math.min(y1, y2), viewport.height);
  element.style.width = percent(Math.abs(x2 - x1), viewport.width);
  element.style.height = percent(Math.abs(y2 - y1), viewport.height);
}

/** Marks rectangles on a page and removes earlier marks of this kind. They keep their positions at any zoom. */
export function layMarks(
  view: PDFPageView,
  kind: 'find-marks' | 'region-marks',
  marks: readonly { readonly box: Rectangles[number]; readonly className: string }[],
): void {
  view.div.querySelector(`:scope > .${kind}`)?.remove();
  if (marks.length === 0) return;
  const layer = document.createElement('div');
  layer.className = `marks ${kind}`;
  layer.ariaHidden = 'true';
  for (const { box, className } of marks) {
    const mark = document.createElement('div');
    mark.className = className;
    layBetween(mark, view, [box[0], box[1]], [box[2], box[3]]);
    layer.append(mark);
  }
  view.div.append(layer);
}

/** Lays an element over a part of the page. */
export function layOver(element: HTMLElement, box: Area, upright: UprightPage, view: PDFPageView): void {
  layBetween(element, view, ...cornersOf(upright, box));
}

function cornersOf(upright: UprightPage, { left, top, right, bottom }: Area): [Point, Point] {
  return [pair(upright.convertToPdfPoint(left, top)), pair(upright.convertToPdfPoint(right, bottom))];
}

/** The rectangle between two places of the PDF: left, bottom, right, top in its points, from the lower left. */
function rectangleBetween([a, b]: Point, [c, d]: Point): Rectangles[number] {
  return [rounded(Math.min(a, c)), rounded(Math.min(b, d)), rounded(Math.max(a, c)), rounded(Math.max(b, d))];
}

export function onPaper(upright: UprightPage, box: Area): Rectangles[number] {
  return rectangleBetween(...cornersOf(upright, box));
}

/** Where lines cross the page in the PDF's points; on a page on its side, column lines cross its height. */
export function linesOnPaper(upright: UprightPage, lines: readonly number[], axis: 'columns' | 'rows'): number[] {
  const at = (line: number) => pair(upright.convertToPdfPoint(...pair(axis === 'columns' ? [line] : [0, line])));
  const [first, last] = [at(0), at(1)];
  const side = Math.abs(last[0] - first[0]) > Math.abs(last[1] - first[1]) ? 0 : 1;
  return lines.map((line) => rounded(at(line)[side]));
}
