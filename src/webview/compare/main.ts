import '../common/jitless.ts';
import { render } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { type CompareView, compareProtocol, compareStateSchema } from '../../protocol/compare.ts';
import { act, Kept, openPageChannel, pageRoot, Shown } from '../common/page.ts';
import { announce, Copied } from '../common/widgets.ts';
import { cellId, type PageActions, pageTemplate } from './page.ts';

const kept = new Kept(compareStateSchema, { version: 2, filter: '', showSame: false, scroll: 0 }, () =>
  document.querySelector('.scroller'),
);
let filter = kept.state.filter;
let showSame = kept.state.showSame;
const shown = new Shown<CompareView>(draw);
const opened = new Set<string>();
const copied = new Copied(draw);

const root = pageRoot();

const channel = openPageChannel(compareProtocol, {
  calls: {},
  events: {
    show(next) {
      if (shown.view) announce(l10n.t('The comparison was updated'));
      shown.show(next);
      kept.restoreScroll();
    },
    problem: (reason) => shown.fail(reason),
  },
});

const actions: PageActions = {
  setFilter(next) {
    filter = next;
    kept.set({ filter });
    draw();
  },
  setShowSame(next) {
    showSame = next;
    kept.set({ showSame });
    draw();
  },
  retry() {
    shown.retry();
    channel.send('retry', null);
  },
  openReport: (column) => act(channel.call('openReport', { column })),
  explain: ({ id }) => act(channel.call('explainColumn', { row: id })),
  async copy({ id, label }, column) {
    if (await act(channel.call('copyCell', { row: id, column }), l10n.t('Copied {0}', label)))
      copied.show(cellId(id, column));
  },
  diffAsJson: () => act(channel.call('diffAsJson', null)),
  viewAsText: () => act(channel.call('viewAsText', null)),
  chooseReports: () => act(channel.call('chooseReports', null)),
  open(id) {
    opened.add(id);
    draw();
  },
  isOpen: (id) => opened.has(id),
  isCopied: (id) => copied.is(id),
};

function draw(): void {
  const { view, problem } = shown;
  render(pageTemplate({ view, problem, filter, showSame, actions }), root);
}

draw();
channel.send('ready', null);
