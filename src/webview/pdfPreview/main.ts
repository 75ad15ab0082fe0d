import '../common/jitless.ts';
import { render } from 'lit';
import { firstPlace, longestAddress, type Place, pdfPreviewProtocol } from '../../protocol/pdfPreview.ts';
import { announce } from '../common/announce.ts';
import { messageOf } from '../common/editorApi.ts';
import { act, openPageChannel } from '../common/pageChannel.ts';
import { problemTemplate } from '../common/problem.ts';
import { pageRoot } from '../common/root.ts';
import { Engine, type Matches, type Search } from './engine.ts';
import { onKeys } from './keys.ts';
import { type ToolActions, toolsTemplate } from './page.ts';

const nothingFound: Matches = { current: 0, total: 0, isSearching: false };

let place: Place = firstPlace;
let search: Search | undefined;
let lastSearch: Search = { text: '', matchCase: false };
let matches = nothingFound;
let reading = 0;
let lacksPictures = false;

const root = pageRoot();
const tools = append(root, 'tools-place');
const stage = append(root, 'stage');
const problem = append(stage, 'problem-place');
const container = append(stage, 'pages');
container.tabIndex = 0;
container.setAttribute('role', 'group');
container.setAttribute('aria-label', 'Pages');
append(container, 'pdfViewer');

const channel = openPageChannel(pdfPreviewProtocol, {
  calls: {},
  events: { changed: () => void read() },
});

const engine = new Engine(container, {
  onPlace(next) {
    if (next.page !== place.page) announce(`Page ${next.page} of ${engine.pages}`);
    place = next;
    draw();
    channel.send('place', place);
  },
  onMatches(next) {
    matches = next;
    draw();
  },
  readWorker: async () => (await channel.call('worker', null)).script,
  readCharMaps: async () => (await channel.call('charMaps', null)).packed,
  onMissingPicture() {
    lacksPictures = true;
    draw();
  },
  openLink: (address) => void act(channel.call('openLink', { address: address.slice(0, longestAddress) })),
});

const actions: ToolActions = {
  goTo(page) {
    engine.goTo(page);
    // What was typed may have been no page at all.
    draw();
  },
  zoom: (zoom) => engine.zoom(zoom),
  zoomBy: (steps) => engine.zoomBy(steps),
  openFind() {
    search ??= lastSearch;
    draw();
    const box = tools.querySelector<HTMLInputElement>('.find-box');
    box?.focus();
    box?.select();
    if (search.text !== '') engine.find(search);
  },
  closeFind() {
    if (search === undefined) return;
    lastSearch = search;
    search = undefined;
    matches = nothingFound;
    engine.endFind();
    draw();
    container.focus({ preventScroll: true });
  },
  find(next) {
    search = next;
    if (next.text === '') matches = nothingFound;
    engine.find(next);
    draw();
  },
  openOutside: () => void act(channel.call('openOutside', null)),
  findAgain(direction) {
    if (search === undefined) actions.openFind();
    else engine.find(search, direction);
  },
};

onKeys({ actions, place: () => place, pages: () => engine.pages });

/** Reads the file, again when it changed or did not work; the last reading counts. */
async function read(): Promise<void> {
  const turn = ++reading;
  try {
    const file = await channel.call('read', null);
    if (turn !== reading) return;
    lacksPictures = false;
    await engine.open(file.bytes, file.place);
    if (turn !== reading) return;
    showProblem(undefined);
    if (search !== undefined && search.text !== '') engine.find(search);
  } catch (error) {
    if (turn === reading) showProblem(messageOf(error));
  }
  draw();
}

function showProblem(message: string | undefined): void {
  container.hidden = message !== undefined;
  render(message === undefined ? '' : problemTemplate(message, () => void read()), problem);
}

function draw(): void {
  const isShown = !container.hidden;
  const pages = isShown ? engine.pages : 0;
  render(
    toolsTemplate({ place, pages, scale: pages === 0 ? 1 : engine.scale, search, matches, lacksPictures, actions }),
    tools,
  );
}

function append(parent: HTMLElement, className: string): HTMLDivElement {
  const element = document.createElement('div');
  element.className = className;
  parent.append(element);
  return element;
}

draw();
void read();
