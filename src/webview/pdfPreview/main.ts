import '../common/jitless.ts';
import { html, render } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { boxAt, linesOf } from '../../base/placedText.ts';
import {
  firstPosition,
  firstReading,
  longestAddress,
  type PdfAction,
  type Place,
  type Position,
  pdfPreviewProtocol,
  type ReadingHabits,
  type SidebarTab,
} from '../../protocol/pdfPreview.ts';
import { act, errorMessage, openPageChannel, pageRoot } from '../common/page.ts';
import { announce, problemTemplate } from '../common/widgets.ts';
import { Finder, type Search } from './find.ts';
import { layMarks } from './pageGeometry.ts';
import { ShownTexts } from './pageTexts.ts';
import { addQuoteBar, type HowQuoted, isPassageSelected, selectedPassage, selectHit } from './passage.ts';
import { Sidebar } from './sidebar.ts';
import { TableTool } from './tableTool.ts';
import { type Acts, findTemplate, pageDescription, passwordTemplate, toolsTemplate } from './tools.ts';

import { type OutlineEntry, Viewer } from './viewer.ts';

let position: Position = firstPosition;
let reading: ReadingHabits = firstReading;
let outline: readonly OutlineEntry[] = [];
let actions: readonly PdfAction[] = [];
/** Undefined while the find box is closed. */
let search: Search | undefined;
let lastSearch: Search = { text: '', matchCase: false };
/** Counts openings of the file; only the last one counts. */
let openings = 0;
let isOpening = true;
let isDrawScheduled = false;
/** Where the page was asked to go and has not gone yet. */
let requested: Place | undefined;
/** Announced in place of the page's number once that page comes into view. */
let arrivalWords: string | undefined;

const root = pageRoot();
const tools = append(root, 'tools-place');
const desk = append(root, 'desk');
const aside = append(desk, 'pdf-sidebar');
const stage = append(desk, 'stage');
const problem = append(stage, 'problem-place');
const container = append(stage, 'pages');
container.tabIndex = 0;
container.setAttribute('role', 'group');
container.setAttribute('aria-label', l10n.t('Pages'));
const pagesElement = append(container, 'pdfViewer');
const tablePlace = append(root, 'table-place');

const channel = openPageChannel(pdfPreviewProtocol, {
  calls: {},
  events: {
    changed: () => void read(),
    goTo(place) {
      requested = place;
      goToRequested();
    },
    quoteSelection: () => quote({ mayPick: false, isExact: false }),
    copyTable: () => acts.copyTable(),
  },
});

const viewer = new Viewer(container, channel, {
  onPosition(next) {
    const isOther = next.page !== position.page;
    position = next;
    if (isOther) announce(arrivalWords ?? pageDescription(viewer, next.page));
    if (isOther) arrivalWords = undefined;
    draw();
    channel.send('position', position);
  },
  onPageDrawn(page) {
    tables.pageDrawn(page);
    markHits(page);
  },
  openLink: (address) => void act(openLink(address)),
});

const texts = new ShownTexts((page) => channel.call('placedText', { page }));

const finder = new Finder(texts, scheduleDraw, ({ page, placed, start }) => {
  const box = boxAt(placed, start);
  if (box) viewer.scrollTo(page, box);
});

/** Marks what was found on a page. */
function markHits(page: number): void {
  const view = viewer.pageView(page);
  const found = view?.div.hasAttribute('data-loaded') ? finder.hits.filter((hit) => hit.page === page) : [];
  const marks = found.flatMap((hit) => {
    const className = hit === finder.selected ? 'highlight selected' : 'highlight';
    return linesOf(hit.placed, hit.start, hit.end).map(({ box }) => ({ box, className }));
  });
  if (view) layMarks(view, 'find-marks', marks);
}

const tables = new TableTool(viewer, texts, { pages: container, panel: tablePlace }, (table, mayPick) =>
  channel.call('copyTable', { table, mayPick }),
);

const acts: Acts = {
  jumpTo: (page) => viewer.jumpTo(page),
  openFind() {
    search ??= lastSearch;
    draw();
    const box = tools.querySelector<HTMLInputElement>('.find-box');
    box?.focus();
    box?.select();
    if (search.text !== '') find(search);
  },
  closeFind() {
    if (search === undefined) return;
    lastSearch = search;
    search = undefined;
    const { selected } = finder;
    finder.end();
    draw();
    container.focus({ preventScroll: true });
    // As in a browser, what was found is selected then: it can be quoted, and made longer with Shift and the arrows.
    if (selected) selectHit(viewer, selected);
  },
  find,
  findAgain(direction) {
    if (search === undefined) acts.openFind();
    else finder.go(direction);
  },
  toggleSidebar() {
    const isOpen = sidebar.tab(reading.sidebar) !== null;
    const usual: SidebarTab = outline.length > 0 ? 'outline' : 'pages';
    sidebar.show(isOpen ? null : (reading.sidebar ?? usual));
    if (!isOpen) aside.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  },
  listMatches: () => sidebar.show('matches'),
  copyTable() {
    if (viewer.pages > 0 && !container.hidden) tables.start();
  },
  toggleDark: () => keepReading({ darkPages: !reading.darkPages }),
  keepTab: (tab) => keepReading({ sidebar: tab }),
  focusPages: () => container.focus({ preventScroll: true }),
  follow: (entry) => void act(viewer.follow(entry)),
  goToHit(hit) {
    viewer.history.pushCurrentPosition();
    finder.select(hit);
  },
  act: (action) =>
    void act(
      channel.call('act', { action, page: position.page }),
      action === 'copyLink' ? l10n.t('Link copied') : undefined,
    ),
  draw,
};

const sidebar = new Sidebar(aside, viewer, finder, acts);

async function quoteSelection({ mayPick, isExact }: HowQuoted): Promise<void> {
  const passage = await selectedPassage(viewer, texts, isExact);
  if (!passage) throw new Error(l10n.t('Select the words to quote first.'));
  const done = await channel.call('quote', { passage, mayPick });
  if (done !== null) announce(done);
}

const quote = (how: HowQuoted) => void act(quoteSelection(how));

addQuoteBar(stage, container, quote, () => channel.call('quoteTarget', null));

function keepReading(change: Partial<ReadingHabits>): void {
  reading = { ...reading, ...change };
  channel.send('reading', reading);
  draw();
}

/**
 * Goes to a requested page, and from there to a text, which stays in the find box. An opening under way goes there at
 * its end.
 */
function goToRequested(): void {
  if (requested === undefined || isOpening) return;
  const { page, rectangles = [], further = [], text, terms, spoken } = requested;
  requested = undefined;
  arrivalWords = page === position.page ? undefined : spoken;
  if (spoken !== undefined && arrivalWords === undefined) announce(spoken);
  if (page !== undefined) viewer.jumpTo(page);
  if (page !== undefined && rectangles.length > 0) viewer.showRegions([{ page, rectangles }, ...further]);
  if (terms !== undefined) find({ text: text ?? terms.join(' '), matchCase: false, terms }, page);
  else if (text !== undefined) find({ text, matchCase: false });
  // A person who went to another part of the editor meanwhile keeps the keyboard there.
  if (document.hasFocus()) container.focus({ preventScroll: true });
  channel.send('arrived', null);
}

/** Keys scroll the pages, not the page's body, which has the keyboard when the editor gives it to the preview. */
function giveToPages(): void {
  if (document.activeElement === document.body) container.focus({ preventScroll: true });
}

window.addEventListener('focus', giveToPages);

/** @param stayOn the page that stays in view, whatever is found */
function find(next: Search, stayOn?: number): void {
  search = next;
  void act(finder.find(next, viewer.pages, stayOn ?? viewer.position.page, stayOn));
  draw();
}

document.addEventListener('keydown', (event) => handle(event, findKey(event) ?? pageKey(event)));
// The outline's tree keeps all arrow keys to itself, also those with Alt.
document.addEventListener('keydown', (event) => handle(event, historyKey(event)), { capture: true });

/** Keys handled here do not reach the editor. */
function handle(event: KeyboardEvent, run: (() => void) | undefined): void {
  if (run === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  run();
}

function findKey({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): (() => void) | undefined {
  const isCommand = ctrlKey || metaKey;
  if (isCommand && !altKey && !shiftKey && key.toLowerCase() === 'f') return acts.openFind;
  if (isCommand || altKey) return undefined;
  if (key === 'F3') return () => acts.findAgain(shiftKey ? 'previous' : 'next');
  if (key !== 'Escape') return undefined;
  if (sidebar.isOverPages) return () => sidebar.show(null);
  if (search !== undefined) return acts.closeFind;
  if (tables.isOn) return () => tables.close();
  if (isPassageSelected()) return () => document.getSelection()?.removeAllRanges();
  return viewer.hasRegion ? () => viewer.showRegions([]) : undefined;
}

function historyKey({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): (() => void) | undefined {
  if (!altKey || ctrlKey || metaKey) return undefined;
  const { history } = viewer;
  if (key === 'ArrowLeft' && history.canGoBack) return () => history.back();
  return key === 'ArrowRight' && history.canGoForward ? () => history.forward() : undefined;
}

/** Keys that work wherever the focus is, except in a box, or in a list that uses them itself. */
const pageKeys: Readonly<Record<string, () => void>> = {
  '+': () => viewer.zoomBy(1),
  '=': () => viewer.zoomBy(1),
  '-': () => viewer.zoomBy(-1),
  '0': () => viewer.zoom(1),
  w: () => viewer.zoom('page-width'),
  p: () => viewer.zoom('page-fit'),
  t: () => viewer.spread(!position.spread),
  r: () => viewer.rotate(),
  d: () => acts.toggleDark(),
  s: () => acts.toggleSidebar(),
  c: () => acts.copyTable(),
  ArrowRight: () => viewer.goTo(position.page + 1),
  ArrowLeft: () => viewer.goTo(position.page - 1),
  Home: () => viewer.jumpTo(1),
  End: () => viewer.jumpTo(viewer.pages),
};

function pageKey({ key, code, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): (() => void) | undefined {
  if (ctrlKey || metaKey || target instanceof HTMLInputElement || viewer.pages === 0) return undefined;
  // With Option, a Mac's keyboard types another letter.
  if (key.toLowerCase() === 'q' || (altKey && code === 'KeyQ'))
    return () => quote({ mayPick: shiftKey, isExact: altKey });
  if (altKey) return undefined;
  // Shift and the arrows change what is selected.
  if (shiftKey && key.length > 1 && isPassageSelected()) return undefined;
  const isInList = target instanceof Element && target.closest('.pdf-sidebar, .menu, .table-place') !== null;
  return Object.hasOwn(pageKeys, key) && !(isInList && key.length > 1) ? pageKeys[key] : undefined;
}

/** Opens the file, also after it changed or could not be shown. */
async function read(): Promise<void> {
  const opening = ++openings;
  const isOvertaken = () => opening !== openings;
  const fail = (error: unknown) => {
    if (!isOvertaken()) showProblem(errorMessage(error));
  };
  isOpening = true;
  try {
    const file = await channel.call('open', null);
    if (isOvertaken()) return;
    requested = file.place ?? requested;
    reading = file.reading;
    let password: string | undefined;
    const events = {
      onBroken: fail,
      async password(isWrong: boolean) {
        password = await askPassword(isWrong);
        return password;
      },
    };
    await viewer.open(file, events, () => {
      // While a file is opened again, the person reads on.
      const from = viewer.document ? viewer.position : file.position;
      return { ...from, page: requested?.page ?? from.page };
    });
    if (isOvertaken()) return;
    if (password !== undefined) channel.send('password', { password });
    tables.close();
    texts.forget();
    finder.end();
    showProblem(undefined);
    if (search !== undefined && requested?.text === undefined) find(search);
    isOpening = false;
    goToRequested();
    draw();
    // The editor may have given the keyboard before there was anything to listen.
    if (document.hasFocus()) giveToPages();
    // The rest would keep both sides from the first page.
    await viewer.whenDrawn();
    const [headings, possible] = await Promise.all([viewer.outline(), channel.call('actions', null)]);
    if (isOvertaken()) return;
    [outline, actions] = [headings, possible];
  } catch (error) {
    fail(error);
  }
  draw();
}

/** @throws Error with words for a person when it is too long: a part of it would lead elsewhere */
async function openLink(address: string): Promise<void> {
  if (address.length > longestAddress) throw new Error(l10n.t('This link is too long, so it was not opened.'));
  await channel.call('openLink', { address });
}

/** Asks the person; an opening that another one overtakes waits in vain, and is given up. */
function askPassword(isWrong: boolean): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  container.hidden = true;
  render(passwordTemplate(isWrong, resolve), problem);
  draw();
  const box = problem.querySelector<HTMLInputElement>('.password-box');
  // Half-typed text stays when the file is opened anew.
  if (box && isWrong) box.value = '';
  box?.focus();
  return promise;
}

function showProblem(message: string | undefined): void {
  container.hidden = message !== undefined;
  render(message === undefined ? '' : problemTemplate(message, () => void read()), problem);
  draw();
}

/** While a search runs, its matches come faster than they can be seen. */
function scheduleDraw(): void {
  if (isDrawScheduled) return;
  isDrawScheduled = true;
  requestAnimationFrame(() => {
    isDrawScheduled = false;
    for (const page of document.querySelectorAll<HTMLElement>('.page[data-loaded]'))
      markHits(Number(page.dataset.pageNumber));
    draw();
  });
}

function draw(): void {
  const isShown = !container.hidden && viewer.pages > 0;
  const isFinding = search !== undefined;
  const tab = isShown ? sidebar.tab(reading.sidebar) : null;
  const state = { position, reading, actions, isFinding, isShown, isSidebarOpen: tab !== null };
  render(
    html`${toolsTemplate(viewer, acts, state)}${search === undefined ? '' : findTemplate(acts, search, finder)}`,
    tools,
  );
  pagesElement.classList.toggle('dark-pages', reading.darkPages);
  aside.classList.toggle('dark-pages', reading.darkPages);
  const { page, rotation = 0 } = position;
  sidebar.draw(tab && { tab, page, rotation, outline, text: search?.text ?? '' });
}

function append(parent: HTMLElement, className: string): HTMLDivElement {
  const element = document.createElement('div');
  element.className = className;
  parent.append(element);
  return element;
}

draw();
void read();
