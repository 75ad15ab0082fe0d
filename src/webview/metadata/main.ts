import '../common/jitless.ts';
import { render } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { type FileState, type MetadataView, metadataProtocol, metadataStateSchema } from '../../protocol/metadata.ts';
import { act, Kept, openPageChannel, pageRoot, Shown } from '../common/page.ts';
import { announce, Copied } from '../common/widgets.ts';
import { type PageActions, pageTemplate } from './page.ts';

const kept = new Kept(metadataStateSchema, { version: 2, filter: '', scroll: 0 });
let filter = kept.state.filter;
const shown = new Shown<MetadataView>(draw);
let file: FileState | undefined;
const opened = new Set<string>();
const copied = new Copied(draw);

const root = pageRoot();

const channel = openPageChannel(metadataProtocol, {
  calls: {},
  events: {
    show(next) {
      if (shown.view) announce(l10n.t('The report was updated'));
      shown.show(next);
      kept.restoreScroll();
    },
    file(next) {
      const before = file;
      file = next;
      draw();
      if (before?.kind === 'downloading' && next.kind !== 'downloading') announce(endWords(next));
    },
    problem: (reason) => shown.fail(reason),
  },
});

const actions: PageActions = {
  download: () => act(channel.call('download', null)),
  cancel: () => act(channel.call('cancelDownload', null)),
  openPdf: () => act(channel.call('openPdf', null)),
  viewAsJson: () => act(channel.call('viewAsJson', null)),
  viewAsText: () => act(channel.call('viewAsText', null)),
  async copyKey() {
    if (await act(channel.call('copyKey', null), l10n.t('Copied the report key'))) copied.show('header key');
  },
  async copyLink() {
    if (await act(channel.call('copyLink', null), l10n.t('Link copied'))) copied.show('header link');
  },
  copyCitation: () => act(channel.call('copyCitation', null)),
  compare: () => act(channel.call('compare', null)),
  showCompany: () => act(channel.call('showCompany', null)),
  retry() {
    shown.retry();
    channel.send('retry', null);
  },
  setFilter(next) {
    filter = next;
    kept.set({ filter });
    draw();
  },
  async copy({ id, label }) {
    if (await act(channel.call('copyValue', { row: id }), l10n.t('Copied {0}', label))) copied.show(id);
  },
  explain: ({ id }) => act(channel.call('explainColumn', { row: id })),
  open({ id }) {
    opened.add(id);
    draw();
  },
  isHandedOver: (what) => copied.is(`header ${what}`),
  isCopied: ({ id }) => copied.is(id),
  isOpen: ({ id }) => opened.has(id),
};

function draw(): void {
  const { view, problem } = shown;
  render(pageTemplate({ view, file, problem, filter, actions }), root);
}

function endWords(state: FileState): string {
  if (state.kind === 'downloaded') return state.verified ? l10n.t('Downloaded and verified') : l10n.t('Downloaded');
  return state.kind === 'failed' ? state.message : l10n.t('Download cancelled');
}

draw();
channel.send('ready', null);
