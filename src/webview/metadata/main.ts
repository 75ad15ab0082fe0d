import { l10n } from '../../base/l10n.ts';
import '../common/jitless.ts';
import { render } from 'lit';
import { type FileState, type MetadataView, metadataProtocol, metadataStateSchema } from '../../protocol/metadata.ts';
import { announce } from '../common/announce.ts';
import { Copied } from '../common/copied.ts';
import { Kept } from '../common/kept.ts';
import { act, openPageChannel } from '../common/pageChannel.ts';
import { pageRoot } from '../common/root.ts';
import { type PageActions, pageTemplate } from './page.ts';

const kept = new Kept(metadataStateSchema);
let filter = kept.state?.filter ?? '';
let view: MetadataView | undefined;
let file: FileState | undefined;
let problem: string | undefined;
const opened = new Set<string>();
const copied = new Copied(draw);

const root = pageRoot();

const channel = openPageChannel(metadataProtocol, {
  calls: {},
  events: {
    show(next) {
      if (view) announce(l10n.t('The report was updated'));
      view = next;
      problem = undefined;
      kept.set({ version: 1, reportId: next.reportId, filter, scroll: 0 });
      draw();
      kept.restoreScroll();
    },
    file(next) {
      const before = file;
      file = next;
      draw();
      if (before?.kind === 'downloading' && next.kind !== 'downloading') announce(endWords(next));
    },
    problem({ message }) {
      problem = message;
      view = undefined;
      draw();
    },
  },
});

const actions: PageActions = {
  download: () => act(channel.call('download', null)),
  cancel: () => act(channel.call('cancelDownload', null)),
  openPdf: () => act(channel.call('openPdf', null)),
  viewAsJson: () => act(channel.call('viewAsJson', null)),
  viewAsText: () => act(channel.call('viewAsText', null)),
  copyKey: () => act(channel.call('copyKey', null), l10n.t('Copied the report key')),
  copyLink: () => act(channel.call('copyLink', null)),
  copyCitation: () => act(channel.call('copyCitation', null)),
  compare: () => act(channel.call('compare', null)),
  showCompany: () => act(channel.call('showCompany', null)),
  retry() {
    problem = undefined;
    draw();
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
  isCopied: ({ id }) => copied.is(id),
  isOpen: ({ id }) => opened.has(id),
};

function draw(): void {
  render(pageTemplate({ view, file, problem, filter, actions }), root);
}

function endWords(state: FileState): string {
  if (state.kind === 'downloaded') return state.verified ? l10n.t('Downloaded and verified') : l10n.t('Downloaded');
  return state.kind === 'failed' ? state.message : l10n.t('Download cancelled');
}

draw();
channel.send('ready', null);
