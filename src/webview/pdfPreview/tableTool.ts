import { render } from 'lit';
import type { NumberStyle } from '../../base/cells.ts';
import { l10n } from '../../base/l10n.ts';
import { type CopiedTable, maxTableColumns, maxTableRows } from '../../protocol/pdfPreview.ts';
import { act } from '../common/page.ts';
import { announce } from '../common/widgets.ts';
import { type Framed, TableFrame } from './tableFrame.ts';
import {
  type Area,
  boxOf,
  cellsOf,
  isInside,
  type PlacedWord,
  proposedGrid,
  type TableCell,
  type TableLines,
} from './tableGrid.ts';
import { type Axis, type GridLine, nearest, TableOverlay } from './tableOverlay.ts';
import { cellsToCheck, sizeWords, type TablePanelActs, tablePanelTemplate } from './tablePanel.ts';
import { placedWords, type TextPiece } from './tableWords.ts';
import { linesOnPaper, onPaper, pageOf, type UprightPage, uprightPage } from './uprightPage.ts';
import type { Viewer } from './viewer.ts';

/** A part of the table on a page. */
interface TableDraftPart {
  readonly page: number;
  readonly upright: UprightPage;
  readonly words: readonly PlacedWord[];
  readonly overlay: TableOverlay;
  readonly grid: TableLines;
  readonly cells: readonly (readonly TableCell[])[];
}

/** The table as far as it is made. Each change makes another one; those before are what steps back lead to. */
interface TableDraft {
  readonly parts: readonly TableDraftPart[];
  readonly numbers: readonly (NumberStyle | null)[];
}

const nothing: TableDraft = { parts: [], numbers: [] };

/** Longest text of a cell, in characters. */
const longestCell = 10_000;

/** Copies a table: a person frames it, lines are proposed, and the person corrects them beside the cells. */
export class TableTool {
  readonly #viewer: Viewer;
  readonly #pages: HTMLElement;
  readonly #panel: HTMLElement;
  readonly #send: (table: CopiedTable, mayPick: boolean) => Promise<string | null>;
  readonly #frame: TableFrame;
  readonly #words = new Map<string, Promise<readonly PlacedWord[]>>();
  #draft = nothing;
  #before: TableDraft[] = [];
  /** Where a line was before a drag, so that one step takes all of it back. */
  #dragged: TableDraft | undefined;
  #focused: { readonly part: number; readonly place: GridLine } | undefined;
  #hasHeader = true;
  #note: string | undefined;

  /** @param panel where the cells and what can be done are shown, empty while no table is copied */
  constructor(
    { viewer, pages, panel }: { readonly viewer: Viewer; readonly pages: HTMLElement; readonly panel: HTMLElement },
    send: (table: CopiedTable, mayPick: boolean) => Promise<string | null>,
  ) {
    this.#viewer = viewer;
    this.#pages = pages;
    this.#panel = panel;
    this.#send = send;
    this.#frame = new TableFrame(pages, (page) => viewer.pageView(page), {
      moved: (framed) => void act(this.#tellFrame(framed)),
      chosen: (framed) => void act(this.#take(framed)),
    });
    for (const element of [panel, pages])
      element.addEventListener('keydown', (event) => this.#onKey(event), { capture: true });
  }

  get isOn(): boolean {
    return this.#isFraming || this.#draft.parts.length > 0;
  }

  get #isFraming(): boolean {
    return this.#frame.page !== undefined;
  }

  /** Begins anew, with a frame on the present page. */
  start(): void {
    this.close();
    this.#hasHeader = true;
    this.#showFrame(this.#viewer.position.page);
  }

  close(): void {
    if (!this.isOn) return;
    this.#frame.hide();
    [this.#before, this.#dragged, this.#focused, this.#note] = [[], undefined, undefined, undefined];
    this.#words.clear();
    this.#show(nothing);
    this.#pages.focus({ preventScroll: true });
  }

  /** A page was drawn anew, and what lay over it is gone. */
  pageDrawn(page: number): void {
    if (this.#frame.page === page) this.#frame.draw();
    if (this.#draft.parts.some((part) => part.page === page)) this.#drawLines();
  }

  #showFrame(page: number, like?: Area): void {
    const view = this.#viewer.pageView(page);
    if (!view) return;
    this.#note = undefined;
    const { width, height } = uprightPage(view);
    const box = { left: width * 0.1, top: height * 0.25, right: width * 0.9, bottom: height * 0.6 };
    this.#frame.show(view, like ? { ...box, left: like.left, right: like.right, top: height * 0.1 } : box);
    this.#draw();
    announce(l10n.t('Draw a frame around the table, or move this one with the arrow keys and press Enter.'));
  }

  /** What is in the frame, for those who can't see it. */
  async #tellFrame({ view, upright, box }: Framed): Promise<void> {
    const words = (await this.#wordsOn(pageOf(view), upright)).filter((word) => isInside(word, box));
    const [first, last] = [words[0], words.at(-1)];
    announce(first && last ? l10n.t('In the frame: {0} … {1}', first.text, last.text) : l10n.t('No text in the frame'));
  }

  async #wordsOn(page: number, upright: UprightPage): Promise<readonly PlacedWord[]> {
    // The view may be turned between two parts.
    const key = `${page} ${upright.rotation}`;
    const read = async () => {
      const loaded = await this.#viewer.document?.getPage(page);
      const { items = [] } = (await loaded?.getTextContent()) ?? {};
      const pieces = items.filter((item): item is Extract<typeof item, TextPiece> => 'str' in item);
      return placedWords(pieces, upright);
    };
    const words = this.#words.get(key) ?? read();
    this.#words.set(key, words);
    return words;
  }

  async #take({ view, upright, box }: Framed): Promise<void> {
    const page = pageOf(view);
    const words = await this.#wordsOn(page, upright);
    if (!this.#isFraming) return;
    if (!words.some((word) => isInside(word, box))) {
      this.#note = l10n.t(
        'There is no text in this area. The page may be a scan, which holds only a picture of its words.',
      );
      announce(this.#note);
      this.#draw();
      return;
    }
    this.#note = undefined;
    this.#frame.hide();
    const { parts, numbers } = this.#draft;
    const overlay = this.#overlay(parts.length, page, upright);
    const grid = this.#likeFirst(proposedGrid(words, box));
    const part = { page, upright, words, overlay, grid, cells: cellsOf(words, grid) };
    this.#change({ parts: [...parts, part], numbers });
    overlay.focus({ axis: 'columns', index: grid.columns.length > 2 ? 1 : 0 });
    announce(l10n.t('Proposed: {0}', this.#size()));
  }

  #overlay(index: number, page: number, upright: UprightPage): TableOverlay {
    const name = this.#viewer.label(page) ?? page;
    return new TableOverlay(upright, l10n.t('Lines of the table on page {0}', name), {
      move: (place, to, isOver) => this.#move(index, place, to, isOver),
      add: (axis, at) => this.#add(index, axis, at),
      remove: (place) => this.#remove(index, place),
      focused: (place) => {
        this.#focused = { part: index, place };
        this.#draw();
      },
    });
  }

  /** A part that goes on another has its columns where those are, if it would have another number of them. */
  #likeFirst(grid: TableLines): TableLines {
    const first = this.#draft.parts[0]?.grid.columns;
    if (!first || first.length === grid.columns.length) return grid;
    const [from = 0, to = 1] = [first[0], first.at(-1)];
    const [left = 0, right = 1] = [grid.columns[0], grid.columns.at(-1)];
    return { ...grid, columns: first.map((x) => left + ((x - from) / (to - from)) * (right - left)) };
  }

  #change(next: TableDraft): void {
    this.#before.push(this.#draft);
    this.#show(next);
  }

  #show({ parts, numbers }: TableDraft): void {
    for (const { overlay } of this.#draft.parts)
      if (!parts.some((part) => part.overlay === overlay)) overlay.element.remove();
    const columns = parts[0]?.grid.columns.slice(1) ?? [];
    this.#draft = { parts, numbers: columns.map((_, index) => numbers[index] ?? null) };
    this.#drawLines();
    this.#draw();
  }

  /** The table with other lines in one of its parts. */
  #withLines(index: number, axis: Axis, lines: readonly number[], numbers = this.#draft.numbers): TableDraft {
    const parts = this.#draft.parts.map((part, at) => {
      if (at !== index) return part;
      const grid = { ...part.grid, [axis]: lines };
      return { ...part, grid, cells: cellsOf(part.words, grid) };
    });
    return { parts, numbers };
  }

  #move(index: number, { axis, index: line }: GridLine, to: number, isOver: boolean): void {
    const part = this.#draft.parts[index];
    if (!part) return;
    const lines = part.grid[axis];
    const side = axis === 'columns' ? part.upright.width : part.upright.height;
    const [min, max] = [(lines[line - 1] ?? -nearest) + nearest, (lines[line + 1] ?? side + nearest) - nearest];
    this.#dragged ??= this.#draft;
    this.#show(this.#withLines(index, axis, lines.with(line, Math.min(Math.max(to, min), max))));
    if (!isOver) return;
    this.#before.push(this.#dragged);
    this.#dragged = undefined;
    announce(this.#size());
  }

  #add(index: number, axis: Axis, at: number): void {
    const { parts, numbers } = this.#draft;
    const lines = parts[index]?.grid[axis] ?? [];
    const next = lines.findIndex((line) => line > at);
    if (next <= 0 || lines.some((line) => Math.abs(line - at) < nearest)) {
      announce(l10n.t('There is no room for another line here'));
      return;
    }
    const styles = isOfNumbers(index, axis) ? numbers.toSpliced(next - 1, 1, null, null) : numbers;
    this.#change(this.#withLines(index, axis, lines.toSpliced(next, 0, at), styles));
    parts[index]?.overlay.focus({ axis, index: next });
  }

  /** By keyboard: half way to the line after the one with the keyboard, or in the widest place. */
  #addByKey(axis: Axis): void {
    const { part: index, place } = this.#focused ?? { part: 0, place: undefined };
    const lines = this.#draft.parts[index]?.grid[axis] ?? [];
    const widths = lines.slice(1).map((line, at) => line - (lines[at] ?? 0));
    const isOnLine = place?.axis === axis && place.index < widths.length;
    const at = isOnLine ? place.index : widths.indexOf(Math.max(...widths));
    this.#add(index, axis, ((lines[at] ?? 0) + (lines[at + 1] ?? 0)) / 2);
  }

  #remove(index: number, { axis, index: line }: GridLine): void {
    const { parts, numbers } = this.#draft;
    const lines = parts[index]?.grid[axis] ?? [];
    if (!this.#isInner({ part: index, place: { axis, index: line } })) {
      announce(l10n.t('This is an edge of the table. It can be moved, not removed.'));
      return;
    }
    const styles = isOfNumbers(index, axis) ? numbers.toSpliced(line, 1) : numbers;
    this.#change(this.#withLines(index, axis, lines.toSpliced(line, 1), styles));
    parts[index]?.overlay.focus({ axis, index: Math.min(line, lines.length - 2) });
    announce(l10n.t('Line removed: {0}', this.#size()));
  }

  /** Whether a line is there and is no edge. */
  #isInner({ part, place }: { readonly part: number; readonly place: GridLine }): boolean {
    const lines = this.#draft.parts[part]?.grid[place.axis] ?? [];
    return place.index > 0 && place.index < lines.length - 1;
  }

  get #cells(): readonly TableDraftPart['cells'][] {
    return this.#draft.parts.map(({ cells }) => cells);
  }

  #size(): string {
    return sizeWords(this.#cells);
  }

  /** Why the table can't be copied as it is. */
  #problem(): string | undefined {
    const { parts, numbers } = this.#draft;
    const rows = this.#cells.flat();
    const isLong = rows.flat().some(({ text }) => text.length > longestCell);
    if (rows.length > maxTableRows || numbers.length >= maxTableColumns || isLong)
      return l10n.t('This table is too large. Choose a part of it.');
    if (parts.some(({ grid }) => grid.columns.length !== numbers.length + 1))
      return l10n.t('The parts have different numbers of columns. Add or remove lines until they agree.');
    return undefined;
  }

  /** Keys of the table, wherever the keyboard is in its lines or below. */
  #onKey(event: KeyboardEvent): void {
    if (!this.isOn || event.defaultPrevented || event.altKey) return;
    const run = this.#keyOf(event);
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  }

  #keyOf({ key, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent): (() => void) | undefined {
    if ((ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === 'z') return () => this.#undo();
    if (ctrlKey || metaKey) return undefined;
    if (key === 'Escape') return () => this.#endContinuing() || this.close();
    if (this.#isFraming || target instanceof HTMLSelectElement) return undefined;
    if (key === 'c') return () => this.#addByKey('columns');
    if (key === 'r') return () => this.#addByKey('rows');
    const isOnLine = target instanceof HTMLElement && target.matches('.table-line');
    return key === 'Enter' && isOnLine
      ? () => this.#panel.querySelector<HTMLElement>('.copy-table:not([disabled])')?.focus()
      : undefined;
  }

  #undo(): void {
    if (this.#endContinuing()) return;
    const before = this.#before.pop();
    if (!before) return;
    if (before.parts.length === 0) this.start();
    else this.#show(before);
    announce(l10n.t('Undone'));
  }

  /** Ends the choice of a further part; false where there is none to end. */
  #endContinuing(): boolean {
    const last = this.#draft.parts.at(-1);
    if (!this.#isFraming || !last) return false;
    this.#frame.hide();
    this.#note = undefined;
    this.#draw();
    last.overlay.focus({ axis: 'columns', index: 0 });
    return true;
  }

  async #copy(mayPick: boolean): Promise<void> {
    const { parts, numbers } = this.#draft;
    const table: CopiedTable = {
      parts: parts.map(({ page, upright, grid, cells }) => ({
        page,
        label: this.#viewer.label(page)?.slice(0, 100) ?? null,
        rectangle: onPaper(upright, boxOf(grid)),
        columns: linesOnPaper(upright, grid.columns, 'columns'),
        rows: linesOnPaper(upright, grid.rows, 'rows'),
        cells: cells.map((row) => row.map(({ text }) => text)),
      })),
      hasHeader: this.#hasHeader,
      numbers: [...numbers],
      toCheck: cellsToCheck(this.#cells),
    };
    const done = await this.#send(table, mayPick);
    if (done === null) return;
    this.close();
    announce(done);
  }

  #drawLines(): void {
    for (const { page, overlay, grid } of this.#draft.parts) {
      const view = this.#viewer.pageView(page);
      if (view) overlay.draw(view, grid);
    }
  }

  readonly #acts: TablePanelActs = {
    copy: (mayPick) => void act(this.#copy(mayPick)),
    addLine: (axis) => this.#addByKey(axis),
    removeLine: () => this.#focused && this.#remove(this.#focused.part, this.#focused.place),
    goOn: () => {
      const last = this.#draft.parts.at(-1);
      if (!last || last.page >= this.#viewer.pages) return;
      this.#viewer.goTo(last.page + 1);
      this.#showFrame(last.page + 1, boxOf(last.grid));
    },
    close: () => this.close(),
    setHeader: (hasHeader) => {
      this.#hasHeader = hasHeader;
      this.#draw();
    },
    setNumbers: (column, style) => {
      const { parts, numbers } = this.#draft;
      this.#draft = { parts, numbers: numbers.with(column, style) };
      this.#draw();
    },
  };

  #draw(): void {
    this.#panel.hidden = !this.isOn;
    const { parts, numbers } = this.#draft;
    const state = {
      parts: this.#cells,
      isFraming: this.#isFraming,
      note: this.#note,
      problem: this.#problem(),
      canRemove: this.#focused !== undefined && this.#isInner(this.#focused),
      canGoOn: (parts.at(-1)?.page ?? this.#viewer.pages) < this.#viewer.pages,
      hasHeader: this.#hasHeader,
      numbers,
    };
    render(this.isOn ? tablePanelTemplate(state, this.#acts) : '', this.#panel);
  }
}

/** The first part's columns are those of the table. */
function isOfNumbers(part: number, axis: Axis): boolean {
  return part === 0 && axis === 'columns';
}
