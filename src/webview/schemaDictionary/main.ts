import '../common/jitless.ts';
import { render } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { type FieldUseView, type SchemaView, schemaProtocol, schemaStateSchema } from '../../protocol/schema.ts';
import { act, Kept, openPageChannel, pageRoot } from '../common/page.ts';
import { Copied } from '../common/widgets.ts';
import { type PageActions, pageTemplate } from './page.ts';

const kept = new Kept(schemaStateSchema, { version: 1, filter: '', scroll: 0 });
let filter = kept.state.filter;
let view: SchemaView | undefined;
let use: FieldUseView = { kind: 'none' };
let marked: string | undefined;
const copied = new Copied(draw);

const root = pageRoot();

const channel = openPageChannel(schemaProtocol, {
  calls: {},
  events: {
    show(next) {
      view = next;
      draw();
      kept.restoreScroll();
    },
    use(next) {
      use = next;
      draw();
    },
    reveal({ column }) {
      marked = column;
      filter = '';
      kept.forgetScroll();
      kept.set({ filter });
      draw();
      const row = document.querySelector(`[data-column="${CSS.escape(column)}"]`);
      const place = row?.getBoundingClientRect();
      // Not scrollIntoView: it would scroll the editor around the panel too.
      if (place) scrollBy(0, place.top - (innerHeight - place.height) / 2);
      row?.querySelector('button')?.focus({ preventScroll: true });
    },
  },
});

const actions: PageActions = {
  setFilter(next) {
    filter = next;
    kept.set({ filter });
    draw();
  },
  retry: () => channel.send('retry', null),
  count: () => channel.send('count', null),
  viewAsJson: () => act(channel.call('viewAsJson', null)),
  viewAsText: () => act(channel.call('viewAsText', null)),
  openFieldGuide: () => act(channel.call('openFieldGuide', null)),
  async copy({ column }) {
    if (await act(channel.call('copyColumn', { column }), l10n.t('Copied {0}', column))) copied.show(column);
  },
  isCopied: ({ column }) => copied.is(column),
};

function draw(): void {
  render(pageTemplate({ view, use, filter, marked, actions }), root);
}

channel.send('ready', null);
