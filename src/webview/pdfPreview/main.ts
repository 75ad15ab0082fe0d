import '../common/jitless.ts';
import { render } from 'lit';
import { firstPosition, longestAddress, type Position, pdfPreviewProtocol } from '../../protocol/pdfPreview.ts';
import { act, messageOf, openPageChannel, pageRoot } from '../common/page.ts';
import { announce, problemTemplate } from '../common/widgets.ts';
import { onKeys } from './keys.ts';
import { type ToolActions, toolsTemplate } from './page.ts';
import { type Matches, type Search, Viewer } from './viewer.ts';

const nothingFound: Matches = { current: 0, total: 0, isSearching: false };

let position: Position = firstPosition;
let search: Search | undefined;
let lastSearch: Search = { text: '', matchCase: false };
let matches = nothingFound;
let reading = 0;

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

const viewer = new Viewer(container, {
  onPosition(next) {
    if (next.page !== position.page) announce(`Page ${next.page} of ${viewer.pages}`);
    position = next;
    draw();
    channel.send('position', position);
  },
  onMatches(next) {
    matches = next;
    draw();
  },
  readFile: async (file) => (await channel.call('pdfjs', file)).bytes,
  openLink: (address) => void act(channel.call('openLink', { address: address.slice(0, longestAddress) })),
});

const actions: ToolActions = {
  goTo(page) {
    viewer.goTo(page);
    // What was typed may have been no page at all.
    draw();
  },
  zoom: (zoom) => viewer.zoom(zoom),
  zoomBy: (steps) => viewer.zoomBy(steps),
  openFind() {
    search ??= lastSearch;
    draw();
    const box = tools.querySelector<HTMLInputElement>('.find-box');
    box?.focus();
    box?.select();
    if (search.text !== '') viewer.find(search);
  },
  closeFind() {
    if (search === undefined) return;
    lastSearch = search;
    search = undefined;
    matches = nothingFound;
    viewer.endFind();
    draw();
    container.focus({ preventScroll: true });
  },
  find(next) {
    search = next;
    if (next.text === '') matches = nothingFound;
    viewer.find(next);
    draw();
  },
  findAgain(direction) {
    if (search === undefined) actions.openFind();
    else viewer.find(search, direction);
  },
};

onKeys({ actions, position: () => position, pages: () => viewer.pages });

/** Reads the file, again when it changed or did not work; the last reading counts. */
async function read(): Promise<void> {
  const turn = ++reading;
  try {
    const [file] = await Promise.all([channel.call('read', null), viewer.start()]);
    if (turn !== reading) return;
    await viewer.open(file.bytes, file.position);
    if (turn !== reading) return;
    showProblem(undefined);
    if (search !== undefined && search.text !== '') viewer.find(search);
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
  const pages = isShown ? viewer.pages : 0;
  render(toolsTemplate({ position, pages, scale: pages === 0 ? 1 : viewer.scale, search, matches, actions }), tools);
}

function append(parent: HTMLElement, className: string): HTMLDivElement {
  const element = document.createElement('div');
  element.className = className;
  parent.append(element);
  return element;
}

draw();
void read();
