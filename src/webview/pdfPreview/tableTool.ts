import { render, type TemplateResult } from 'lit';
import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { inferNumberStyle, type NumberStyle } from '../../base/cells.ts';
import { l10n } from '../../base/l10n.ts';
import { type CopiedTable, maxTableColumns, maxTableRows } from '../../protocol/pdfPreview.ts';
import { act } from '../common/page.ts';
import { announce, trackPointer } from '../common/widgets.ts';
import { linesInPdf, pageOf, paperOf, pointOnPage, rectangleOf, showWithin } from './pageGeometry.ts';
import type { ShownTexts } from './pageTexts.ts';
import { type Area, areaBetween, isInside, type TextWord, tableWords } from './pageWords.ts';
import {
  type Axis,
  boxOf,
  cellsOf,
  frameMoved,
  type GridLine,
  isEdge,
  isFrame,
  lineMoved,
  middleAfter,
  newLineIndex,
  proposedGrid,
  type TableCell,
  type TableLines,
} from './tableGrid.ts';
import { frameTemplate, linesTemplate } from './tableOverlay.ts';
import { cellsToCheck, sizeWords, tablePanelTemplate } from './tablePanel.ts';
import type { Viewer } from './viewer.ts';

/** The directions of the arrow keys: right and down. */
const arrows: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** How far an arrow key moves a frame, or a line with Shift, in points. */
const stride = 10;

const noLines: TableLines = { columns: [], rows: [] };

/** Maximum length of a cell's text, in characters. */
const maxCell = 10_000;

/** Characters of the page that are sent along before and after the table's text. */
const around = 500;

/** Copies a table: a person frames it, lines are proposed, and the person corrects them beside the cells. */
export class TableTool {
  readonly #viewer: Viewer;
  readonly #texts: ShownTexts;
  readonly #pages: HTMLElement;
  readonly #panel: HTMLElement;
  readonly #send: (table: CopiedTable, mayPick: boolean) => Promise<string | null>;
  /** Holds the frame or the lines, over their page. */
  readonly #layer = document.createElement('div');
  /** The page of the frame or the table; undefined while the tool is off. */
  #view: PDFPageView | undefined;
  /** How the page was turned at the start. */
  #rotation = 0;
  #frame: Area = { left: 0, top: 0, right: 0, bottom: 0 };
  /** The text of the page; undefined until a table is framed. */
  #text: { readonly text: string; readonly words: readonly TextWord[] } | undefined;
  #lines = noLines;
  #cells: readonly (readonly TableCell[])[] = [];
  /** The lines before each change, for Undo. */
  #before: TableLines[] = [];
  #focused: GridLine | undefined;
  /** How the person says that numbers are printed, null for none of them; undefined to infer it. */
  #chosenStyle: NumberStyle | null | undefined;
  /** Why the last frame gave nothing. */
  #note: string | undefined;

  /** @param panel where the cells and tools are shown, empty while no table is copied */
  constructor(
    viewer: Viewer,
    texts: ShownTexts,
    { pages, panel }: { readonly pages: HTMLElement; readonly panel: HTMLElement },
    send: (table: CopiedTable, mayPick: boolean) => Promise<string | null>,
  ) {
    this.#viewer = viewer;
    this.#texts = texts;
    this.#pages = pages;
    this.#panel = panel;
    this.#send = send;
    for (const element of [panel, pages])
      element.addEventListener('keydown', (event) => this.#onKey(event), { capture: true });
    pages.addEventListener('pointerdown', (event) => this.#drawFrame(event), { capture: true });
  }

  get isOn(): boolean {
    return this.#view !== undefined;
  }

  get #isFraming(): boolean {
    return this.isOn && !this.#text;
  }

  /** Starts again, with a frame on the present page. */
  start(): void {
    this.close();
    const view = this.#viewer.pageView(this.#viewer.position.page);
    if (!view) return;
    const { width, height, rotation } = paperOf(view);
    this.#rotation = rotation;
    this.#putFrame(view, { left: width * 0.1, top: height * 0.25, right: width * 0.9, bottom: height * 0.6 });
    this.#focus();
    this.#showFrame();
    announce(l10n.t('Draw a frame around the table, or move this one with the arrow keys and press Enter.'));
  }

  close(): void {
    if (!this.isOn) return;
    [this.#view, this.#text, this.#focused] = [undefined, undefined, undefined];
    [this.#chosenStyle, this.#note, this.#before] = [undefined, undefined, []];
    this.#show(noLines);
    this.#pages.focus({ preventScroll: true });
  }

  /** A page was drawn again, which removed what lay over it. On a turned page the lines would lie elsewhere. */
  pageDrawn(page: number): void {
    if (!this.#view) return;
    if (this.#view.viewport.rotation !== this.#rotation) this.start();
    else if (pageOf(this.#view) === page) this.#draw();
  }

  #putFrame(view: PDFPageView, frame: Area): void {
    [this.#view, this.#frame] = [view, frame];
    this.#draw();
  }

  #showFrame(): void {
    const { firstElementChild: frame } = this.#layer;
    if (frame) showWithin(this.#pages, frame, 20);
  }

  async #moveFrame(view: PDFPageView, [across, down]: readonly [number, number], sizes: boolean): Promise<void> {
    this.#putFrame(view, frameMoved(this.#frame, [stride * across, stride * down], sizes, paperOf(view)));
    this.#showFrame();
    const words = (await this.#wordsOf(view)).words.filter((word) => isInside(word, this.#frame));
    const [first, last] = [words[0], words.at(-1)];
    announce(first && last ? l10n.t('In the frame: {0} … {1}', first.text, last.text) : l10n.t('No text in the frame'));
  }

  #drawFrame(down: PointerEvent): void {
    const page = down.target instanceof Element ? down.target.closest<HTMLElement>('.page') : null;
    const view = page ? this.#viewer.pageView(Number(page.dataset.pageNumber)) : undefined;
    if (!this.#isFraming || !view || down.button !== 0) return;
    // Nothing is selected meanwhile.
    down.preventDefault();
    down.stopPropagation();
    const start = clampedPoint(view, down);
    const frameTo = (event: PointerEvent) => areaBetween(start, clampedPoint(view, event));
    // A key may have ended the tool meanwhile.
    const move = (event: PointerEvent) => this.#isFraming && this.#putFrame(view, frameTo(event));
    trackPointer(document, move, (event) => {
      // A mere click chooses nothing.
      if (event.type !== 'pointerup' || !this.#isFraming || !isFrame(frameTo(event))) return;
      this.#putFrame(view, frameTo(event));
      void act(this.#open(view));
    });
  }

  async #wordsOf(view: PDFPageView) {
    const placed = await this.#texts.of(pageOf(view));
    return { text: placed.text, words: tableWords(placed, paperOf(view)) };
  }

  async #open(view: PDFPageView): Promise<void> {
    const frame = this.#frame;
    const text = await this.#wordsOf(view);
    if (!this.#isFraming) return;
    const isEmpty = !text.words.some((word) => isInside(word, frame));
    this.#note = isEmpty ? l10n.t('No text in this area. The page may be a scan.') : undefined;
    if (this.#note !== undefined) {
      announce(this.#note);
      this.#draw();
      return;
    }
    [this.#view, this.#text] = [view, text];
    const lines = proposedGrid(text.words, frame);
    this.#focused = { axis: 'columns', index: lines.columns.length > 2 ? 1 : 0 };
    this.#show(lines);
    this.#focus();
    announce(l10n.t('Proposed: {0}', sizeWords(this.#cells)));
  }

  #show(lines: TableLines): void {
    this.#lines = lines;
    this.#cells = this.#text ? cellsOf(this.#text.words, lines) : [];
    this.#draw();
  }

  #change(lines: TableLines, focused: GridLine): void {
    this.#before.push(this.#lines);
    this.#focused = focused;
    this.#show(lines);
    this.#focus();
  }

  #add(axis: Axis, at: number): void {
    const index = newLineIndex(this.#lines[axis], at);
    if (index === undefined) announce(l10n.t('Can’t add a line here'));
    else this.#change({ ...this.#lines, [axis]: this.#lines[axis].toSpliced(index, 0, at) }, { axis, index });
  }

  readonly #addByKey = (axis: Axis): void => {
    const focused = this.#focused?.axis === axis ? this.#focused.index : undefined;
    this.#add(axis, middleAfter(this.#lines[axis], focused));
  };

  #remove(line: GridLine): void {
    if (isEdge(this.#lines, line)) {
      announce(l10n.t('This is an edge of the table. You can move it, but not remove it.'));
      return;
    }
    const { axis, index } = line;
    const lines = this.#lines[axis].toSpliced(index, 1);
    this.#change({ ...this.#lines, [axis]: lines }, { axis, index: Math.min(index, lines.length - 1) });
    announce(l10n.t('Line removed: {0}', sizeWords(this.#cells)));
  }

  #moveByKey(view: PDFPageView, line: GridLine, [across, down]: readonly [number, number], isFar: boolean): void {
    const way = (line.axis === 'columns' ? across : down) * (isFar ? stride : 1);
    const at = this.#lines[line.axis][line.index] ?? 0;
    if (way === 0) return;
    this.#change(lineMoved(this.#lines, line, at + way, paperOf(view)), line);
    announce(sizeWords(this.#cells));
  }

  #drag(down: PointerEvent, line: GridLine, view: PDFPageView): void {
    const element = down.currentTarget as HTMLElement;
    if (down.button !== 0) return;
    down.preventDefault();
    down.stopPropagation();
    element.focus({ preventScroll: true });
    element.setPointerCapture(down.pointerId);
    let isMoved = false;
    const move = (event: PointerEvent) => {
      if (!isMoved && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) <= 2) return;
      // One step undoes the whole drag.
      if (!isMoved) this.#before.push(this.#lines);
      isMoved = true;
      const to = pointOnPage(view, event.clientX, event.clientY)[line.axis === 'columns' ? 0 : 1];
      if (this.#text) this.#show(lineMoved(this.#lines, line, to, paperOf(view)));
    };
    trackPointer(element, move, () => isMoved && announce(sizeWords(this.#cells)));
  }

  #onKey(event: KeyboardEvent): void {
    const run = this.#view && !event.defaultPrevented && !event.altKey ? this.#keyOf(event, this.#view) : undefined;
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  }

  #keyOf(event: KeyboardEvent, view: PDFPageView): (() => void) | undefined {
    const { key, ctrlKey, metaKey, shiftKey, target } = event;
    if ((ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === 'z') return () => this.#undo();
    if (ctrlKey || metaKey) return undefined;
    if (key === 'Escape') return () => this.close();
    const isOver = target instanceof Element && this.#layer.contains(target);
    const arrow = isOver ? arrows[key] : undefined;
    if (this.#isFraming) {
      if (isOver && key === 'Enter') return () => void act(this.#open(view));
      return arrow && (() => void act(this.#moveFrame(view, arrow, shiftKey)));
    }
    if (target instanceof HTMLSelectElement) return undefined;
    if (key === 'c') return () => this.#addByKey('columns');
    if (key === 'r') return () => this.#addByKey('rows');
    const line = isOver ? this.#focused : undefined;
    if (!line) return undefined;
    if (key === 'Enter') return () => this.#panel.querySelector<HTMLElement>('.copy-table:not([disabled])')?.focus();
    if (key === 'Delete' || key === 'Backspace') return () => this.#remove(line);
    return arrow && (() => this.#moveByKey(view, line, arrow, shiftKey));
  }

  #undo(): void {
    if (!this.#text) return;
    const before = this.#before.pop();
    if (before) this.#show(before);
    else this.start();
    announce(l10n.t('Undone'));
  }

  async #copy(mayPick: boolean): Promise<void> {
    if (!this.#view || !this.#text) return;
    const { text, words } = this.#text;
    const [page, paper, box] = [pageOf(this.#view), paperOf(this.#view), boxOf(this.#lines)];
    const inside = words.filter((word) => isInside(word, box));
    const [start, end] = [inside[0]?.start ?? 0, inside.at(-1)?.end ?? 0];
    const from = Math.max(0, start - around);
    const label = this.#viewer.label(page)?.slice(0, 100) ?? null;
    const regions = [{ page, label, rectangles: [rectangleOf(paper, box)] }];
    const done = await this.#send(
      {
        passage: { text: text.slice(from, end + around), start: start - from, end: end - from, regions },
        columns: linesInPdf(paper, this.#lines.columns, 'columns'),
        rows: linesInPdf(paper, this.#lines.rows, 'rows'),
        cells: this.#cells.map((row) => row.map((cell) => cell.text)),
        style: this.#style,
        toCheck: cellsToCheck(this.#cells),
      },
      mayPick,
    );
    if (done === null) return;
    this.close();
    announce(done);
  }

  get #style(): NumberStyle | null {
    const texts = () => this.#cells.slice(1).flatMap((row) => row.map(({ text }) => text));
    return this.#chosenStyle === undefined ? inferNumberStyle(texts()) : this.#chosenStyle;
  }

  #focus(): void {
    const { axis, index } = this.#focused ?? {};
    const selector = this.#text ? `[data-axis="${axis}"][data-index="${index}"]` : '.table-frame';
    this.#layer.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  }

  #draw(): void {
    const view = this.#view;
    const hadFocus = this.#layer.contains(document.activeElement) || document.activeElement === document.body;
    this.#pages.classList.toggle('is-framing', this.#isFraming);
    render(view ? this.#layerTemplate(view) : '', this.#layer);
    if (!view) this.#layer.remove();
    else if (this.#layer.parentElement !== view.div) view.div.append(this.#layer);
    // On another page, or one that was drawn again, the keyboard was lost.
    if (hadFocus && document.activeElement === document.body) this.#focus();
    this.#panel.hidden = !view;
    render(view ? this.#panelTemplate() : '', this.#panel);
  }

  #layerTemplate(view: PDFPageView): TemplateResult {
    if (!this.#text) return frameTemplate(this.#frame, view);
    return linesTemplate(this.#lines, view, {
      add: (axis, at) => this.#add(axis, at),
      remove: (line) => this.#remove(line),
      drag: (event, line) => this.#drag(event, line, view),
      focused: (line) => {
        const { axis, index } = this.#focused ?? {};
        if (axis === line.axis && index === line.index) return;
        this.#focused = line;
        this.#draw();
      },
    });
  }

  #panelTemplate(): TemplateResult {
    const isLong = this.#cells.flat().some(({ text }) => text.length > maxCell);
    const { length } = this.#lines.columns;
    const isTooLarge = isLong || this.#cells.length > maxTableRows || length > maxTableColumns + 1;
    const focused = this.#focused;
    const canRemove = focused !== undefined && !isEdge(this.#lines, focused);
    return tablePanelTemplate({
      cells: this.#cells,
      note: isTooLarge ? l10n.t('This table is too large. Select a part of it.') : this.#note,
      style: this.#style,
      setStyle: (style) => {
        this.#chosenStyle = style;
        this.#draw();
      },
      addLine: this.#addByKey,
      removeLine: canRemove ? () => this.#remove(focused) : undefined,
      copy: isTooLarge ? undefined : (mayPick) => void act(this.#copy(mayPick)),
      close: () => this.close(),
    });
  }
}

function clampedPoint(view: PDFPageView, { clientX, clientY }: PointerEvent): [x: number, y: number] {
  const [x, y] = pointOnPage(view, clientX, clientY);
  const { width, height } = paperOf(view);
  return [Math.max(0, Math.min(x, width)), Math.max(0, Math.min(y, height))];
}
