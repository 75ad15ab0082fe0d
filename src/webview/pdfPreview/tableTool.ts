import { render } from 'lit';
import { inferNumberStyle, type NumberStyle } from '../../base/cells.ts';
import { l10n } from '../../base/l10n.ts';
import { type CopiedTable, maxTableColumns, maxTableRows } from '../../protocol/pdfPreview.ts';
import { act } from '../common/page.ts';
import { announce } from '../common/widgets.ts';
import type { ShownTexts } from './pageTexts.ts';
import { type Framed, TableFrame } from './tableFrame.ts';
import { boxOf, cellsOf, isInside, proposedGrid, type TableCell, type TableLines } from './tableGrid.ts';
import { type Axis, type GridLine, nearest, TableOverlay } from './tableOverlay.ts';
import { cellsToCheck, sizeWords, type TablePanelActs, tablePanelTemplate } from './tablePanel.ts';
import { type TextWord, tableWords } from './tableWords.ts';
import { linesOnPaper, onPaper, pageOf, type UprightPage, uprightPage } from './uprightPage.ts';
import type { Viewer } from './viewer.ts';

/** The page of the framed table. */
interface TablePage {
  readonly page: number;
  readonly text: string;
  readonly words: readonly TextWord[];
  readonly upright: UprightPage;
  readonly overlay: TableOverlay;
}

const noLines: TableLines = { columns: [], rows: [] };

/** Longest text of a cell, in characters. */
const longestCell = 10_000;

/** Characters of the page that go along before and after the table's text. */
const around = 500;

/** Copies a table: a person frames it, lines are proposed, and the person corrects them beside the cells. */
export class TableTool {
  readonly #viewer: Viewer;
  readonly #texts: ShownTexts;
  readonly #pages: HTMLElement;
  readonly #panel: HTMLElement;
  readonly #send: (table: CopiedTable, mayPick: boolean) => Promise<string | null>;
  readonly #frame: TableFrame;
  /** Undefined until a table is framed. */
  #table: TablePage | undefined;
  #lines = noLines;
  #cells: readonly (readonly TableCell[])[] = [];
  /** The lines before each change, which Undo leads back to. */
  #before: TableLines[] = [];
  /** The lines before the drag in progress, so that one step undoes all of it. */
  #dragged: TableLines | undefined;
  #focused: GridLine | undefined;
  /** How the person says that numbers are printed, null for none of them; undefined to infer it. */
  #chosenStyle: NumberStyle | null | undefined;
  /** Why the last frame gave nothing. */
  #note: string | undefined;

  /** @param panel where the cells and what can be done are shown, empty while no table is copied */
  constructor(
    {
      viewer,
      texts,
      pages,
      panel,
    }: {
      readonly viewer: Viewer;
      readonly texts: ShownTexts;
      readonly pages: HTMLElement;
      readonly panel: HTMLElement;
    },
    send: (table: CopiedTable, mayPick: boolean) => Promise<string | null>,
  ) {
    this.#viewer = viewer;
    this.#texts = texts;
    this.#pages = pages;
    this.#panel = panel;
    this.#send = send;
    this.#frame = new TableFrame(pages, (page) => viewer.pageView(page), {
      moved: (framed) => void act(this.#announceFrame(framed)),
      chosen: (framed) => void act(this.#open(framed)),
    });
    for (const element of [panel, pages])
      element.addEventListener('keydown', (event) => this.#onKey(event), { capture: true });
  }

  get isOn(): boolean {
    return this.#isFraming || this.#table !== undefined;
  }

  get #isFraming(): boolean {
    return this.#frame.page !== undefined;
  }

  /** Starts again, with a frame on the present page. */
  start(): void {
    this.close();
    const view = this.#viewer.pageView(this.#viewer.position.page);
    if (!view) return;
    const { width, height } = uprightPage(view);
    this.#frame.show(view, { left: width * 0.1, top: height * 0.25, right: width * 0.9, bottom: height * 0.6 });
    this.#draw();
    announce(l10n.t('Draw a frame around the table, or move this one with the arrow keys and press Enter.'));
  }

  close(): void {
    if (!this.isOn) return;
    this.#frame.hide();
    this.#table?.overlay.element.remove();
    [this.#table, this.#focused, this.#chosenStyle, this.#note] = [undefined, undefined, undefined, undefined];
    [this.#before, this.#dragged] = [[], undefined];
    this.#show(noLines);
    this.#pages.focus({ preventScroll: true });
  }

  /** A page was drawn again, which removed what lay over it. */
  pageDrawn(page: number): void {
    if (this.#frame.page === page) this.#frame.draw();
    if (this.#table?.page === page) this.#drawLines();
  }

  /** Says what is in the frame to those who can't see it. */
  async #announceFrame({ view, upright, box }: Framed): Promise<void> {
    const words = (await this.#textOf(pageOf(view), upright)).words.filter((word) => isInside(word, box));
    const [first, last] = [words[0], words.at(-1)];
    announce(first && last ? l10n.t('In the frame: {0} … {1}', first.text, last.text) : l10n.t('No text in the frame'));
  }

  async #textOf(page: number, upright: UprightPage) {
    const placed = await this.#texts.of(page);
    return { text: placed.text, words: tableWords(placed, upright) };
  }

  async #open({ view, upright, box }: Framed): Promise<void> {
    const page = pageOf(view);
    const text = await this.#textOf(page, upright);
    if (!this.#isFraming) return;
    if (!text.words.some((word) => isInside(word, box))) {
      this.#note = l10n.t(
        'There is no text in this area. The page may be a scan, which holds only a picture of its words.',
      );
      announce(this.#note);
      this.#draw();
      return;
    }
    this.#note = undefined;
    this.#frame.hide();
    const overlay = new TableOverlay(upright, {
      move: (line, to, isOver) => this.#move(line, to, isOver),
      add: (axis, at) => this.#add(axis, at),
      remove: (line) => this.#remove(line),
      focused: (line) => {
        this.#focused = line;
        this.#draw();
      },
    });
    this.#table = { page, upright, overlay, ...text };
    this.#show(proposedGrid(text.words, box));
    overlay.focus({ axis: 'columns', index: this.#lines.columns.length > 2 ? 1 : 0 });
    announce(l10n.t('Proposed: {0}', sizeWords(this.#cells)));
  }

  #change(axis: Axis, lines: readonly number[]): void {
    this.#before.push(this.#lines);
    this.#show({ ...this.#lines, [axis]: lines });
  }

  #show(lines: TableLines): void {
    this.#lines = lines;
    this.#cells = this.#table ? cellsOf(this.#table.words, lines) : [];
    this.#drawLines();
    this.#draw();
  }

  #move({ axis, index }: GridLine, to: number, isOver: boolean): void {
    if (!this.#table) return;
    const { width, height } = this.#table.upright;
    const lines = this.#lines[axis];
    const side = axis === 'columns' ? width : height;
    const [min, max] = [(lines[index - 1] ?? -nearest) + nearest, (lines[index + 1] ?? side + nearest) - nearest];
    this.#dragged ??= this.#lines;
    this.#show({ ...this.#lines, [axis]: lines.with(index, Math.min(Math.max(to, min), max)) });
    if (!isOver) return;
    this.#before.push(this.#dragged);
    this.#dragged = undefined;
    announce(sizeWords(this.#cells));
  }

  #add(axis: Axis, at: number): void {
    const lines = this.#lines[axis];
    const next = lines.findIndex((line) => line > at);
    if (next <= 0 || lines.some((line) => Math.abs(line - at) < nearest)) {
      announce(l10n.t('There is no room for another line here'));
      return;
    }
    this.#change(axis, lines.toSpliced(next, 0, at));
    this.#table?.overlay.focus({ axis, index: next });
  }

  /** By keyboard: halfway between the focused line and the next, or in the middle of the widest gap. */
  #addByKey(axis: Axis): void {
    const lines = this.#lines[axis];
    const widths = lines.slice(1).map((line, at) => line - (lines[at] ?? 0));
    const isOnLine = this.#focused?.axis === axis && this.#focused.index < widths.length;
    const at = isOnLine ? (this.#focused?.index ?? 0) : widths.indexOf(Math.max(...widths));
    this.#add(axis, ((lines[at] ?? 0) + (lines[at + 1] ?? 0)) / 2);
  }

  #remove({ axis, index }: GridLine): void {
    const lines = this.#lines[axis];
    if (!this.#isInner({ axis, index })) {
      announce(l10n.t('This is an edge of the table. It can be moved, not removed.'));
      return;
    }
    this.#change(axis, lines.toSpliced(index, 1));
    this.#table?.overlay.focus({ axis, index: Math.min(index, lines.length - 2) });
    announce(l10n.t('Line removed: {0}', sizeWords(this.#cells)));
  }

  /** Whether a line exists and is not an edge. */
  #isInner({ axis, index }: GridLine): boolean {
    return index > 0 && index < this.#lines[axis].length - 1;
  }

  /** Whether the table can't be copied as it is. */
  get #isTooLarge(): boolean {
    const isLong = this.#cells.flat().some(({ text }) => text.length > longestCell);
    return isLong || this.#cells.length > maxTableRows || this.#lines.columns.length > maxTableColumns + 1;
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
    if (key === 'Escape') return () => this.close();
    if (this.#isFraming || target instanceof HTMLSelectElement) return undefined;
    if (key === 'c') return () => this.#addByKey('columns');
    if (key === 'r') return () => this.#addByKey('rows');
    const isOnLine = target instanceof HTMLElement && target.matches('.table-line');
    return key === 'Enter' && isOnLine
      ? () => this.#panel.querySelector<HTMLElement>('.copy-table:not([disabled])')?.focus()
      : undefined;
  }

  #undo(): void {
    if (!this.#table) return;
    const before = this.#before.pop();
    if (before) this.#show(before);
    else this.start();
    announce(l10n.t('Undone'));
  }

  async #copy(mayPick: boolean): Promise<void> {
    if (!this.#table) return;
    const { page, upright, text, words } = this.#table;
    const box = boxOf(this.#lines);
    const inside = words.filter((word) => isInside(word, box));
    const [start, end] = [inside[0]?.start ?? 0, inside.at(-1)?.end ?? 0];
    const from = Math.max(0, start - around);
    const label = this.#viewer.label(page)?.slice(0, 100) ?? null;
    const done = await this.#send(
      {
        passage: {
          ...{ text: text.slice(from, end + around), start: start - from, end: end - from },
          regions: [{ page, label, rectangles: [onPaper(upright, box)] }],
        },
        columns: linesOnPaper(upright, this.#lines.columns, 'columns'),
        rows: linesOnPaper(upright, this.#lines.rows, 'rows'),
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

  #drawLines(): void {
    const view = this.#table && this.#viewer.pageView(this.#table.page);
    if (view) this.#table?.overlay.draw(view, this.#lines);
  }

  readonly #acts: TablePanelActs = {
    copy: (mayPick) => void act(this.#copy(mayPick)),
    addLine: (axis) => this.#addByKey(axis),
    removeLine: () => this.#focused && this.#remove(this.#focused),
    close: () => this.close(),
    setStyle: (style) => {
      this.#chosenStyle = style;
      this.#draw();
    },
  };

  get #style(): NumberStyle | null {
    const texts = () => this.#cells.slice(1).flatMap((row) => row.map(({ text }) => text));
    return this.#chosenStyle === undefined ? inferNumberStyle(texts()) : this.#chosenStyle;
  }

  #draw(): void {
    this.#panel.hidden = !this.isOn;
    const state = {
      cells: this.#cells,
      note: this.#isTooLarge ? l10n.t('This table is too large. Choose a part of it.') : this.#note,
      canCopy: !this.#isTooLarge,
      canRemove: this.#focused !== undefined && this.#isInner(this.#focused),
      style: this.#style,
    };
    render(this.isOn ? tablePanelTemplate(state, this.#acts) : '', this.#panel);
  }
}
