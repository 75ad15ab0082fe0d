import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { l10n } from '../../base/l10n.ts';
import { layOver, paperOf, pointOnPage } from './pageGeometry.ts';
import type { Area } from './pageWords.ts';
import { type Axis, boxOf, type GridLine, isEdge, type TableLines } from './tableGrid.ts';

/** What a person does to the lines with the mouse. */
interface LineActs {
  add(axis: Axis, at: number): void;
  remove(line: GridLine): void;
  drag(event: PointerEvent, line: GridLine): void;
  focused(line: GridLine): void;
}

const axes = ['columns', 'rows'] as const;

/** The frame that a table is chosen with. */
export function frameTemplate(frame: Area, view: PDFPageView): TemplateResult {
  return html`<div
    class="table-frame"
    tabindex="0"
    role="group"
    aria-roledescription=${l10n.t('frame')}
    aria-label=${l10n.t('Table area. Arrow keys move it, Shift+arrow keys resize it, Enter accepts it.')}
    ${laidOver(frame, view)}
  ></div>`;
}

/** The lines of a table. Each can be dragged and focused; a click outside the edges adds one. */
export function linesTemplate(grid: TableLines, view: PDFPageView, acts: LineActs): TemplateResult {
  return html`<div class="table-lines" role="group" aria-label=${l10n.t('Lines of the table')}>
    ${axes.map((axis) => stripTemplate(axis, grid, view, acts))}
    ${axes.map((axis) => grid[axis].map((_, index) => lineTemplate({ axis, index }, grid, view, acts)))}
  </div>`;
}

/** Above and beside the table, where a click adds a line. By keyboard the lines themselves do. */
function stripTemplate(axis: Axis, grid: TableLines, view: PDFPageView, acts: LineActs): TemplateResult {
  const [isColumn, box] = [axis === 'columns', boxOf(grid)];
  const area = isColumn
    ? { ...box, top: box.top - 12, bottom: box.top - 3 }
    : { ...box, left: box.left - 12, right: box.left - 3 };
  const add = ({ clientX, clientY }: MouseEvent) =>
    acts.add(axis, pointOnPage(view, clientX, clientY)[isColumn ? 0 : 1]);
  const title = isColumn ? l10n.t('Add Column Line') : l10n.t('Add Row Line');
  return html`<div class="table-strip" data-axis=${axis} title=${title} @click=${add} ${laidOver(area, view)}></div>`;
}

function lineTemplate(line: GridLine, grid: TableLines, view: PDFPageView, acts: LineActs): TemplateResult {
  const { axis, index } = line;
  const [isColumn, lines, box] = [axis === 'columns', grid[axis], boxOf(grid)];
  const at = lines[index] ?? 0;
  const { width, height } = paperOf(view);
  return html`<div
    class="table-line ${isColumn ? 'vertical' : ''} ${isEdge(grid, line) ? 'edge' : ''}"
    tabindex="0"
    data-axis=${axis}
    data-index=${index}
    role="separator"
    aria-orientation=${isColumn ? 'vertical' : 'horizontal'}
    aria-label=${lineName(line, lines.length - 1)}
    aria-valuemin=${Math.round(lines[index - 1] ?? 0)}
    aria-valuemax=${Math.round(lines[index + 1] ?? (isColumn ? width : height))}
    aria-valuenow=${Math.round(at)}
    @focus=${() => acts.focused(line)}
    @dblclick=${() => acts.remove(line)}
    @pointerdown=${(event: PointerEvent) => acts.drag(event, line)}
    ${laidOver(isColumn ? { ...box, left: at, right: at } : { ...box, top: at, bottom: at }, view)}
  ></div>`;
}

function lineName({ axis, index }: GridLine, last: number): string {
  const isColumn = axis === 'columns';
  if (index === 0) return isColumn ? l10n.t('Left edge') : l10n.t('Upper edge');
  if (index === last) return isColumn ? l10n.t('Right edge') : l10n.t('Lower edge');
  return isColumn
    ? l10n.t('Line between columns {0} and {1}', index, index + 1)
    : l10n.t('Line between rows {0} and {1}', index, index + 1);
}

/** The page's policy forbids style attributes. */
function laidOver(area: Area, view: PDFPageView) {
  return ref((element) => {
    if (element instanceof HTMLElement) layOver(element, area, view);
  });
}
