import '../common/jitless.ts';
import { render } from 'lit';
import {
  type SchemaState,
  type SchemaView,
  schemaProtocol,
  schemaStateSchema,
} from '../../protocol/schemaDictionary.ts';
import { Copied } from '../common/copied.ts';
import { editor } from '../common/editorApi.ts';
import { act, openPageChannel } from '../common/pageChannel.ts';
import { pageRoot } from '../common/root.ts';
import { type PageActions, pageTemplate } from './page.ts';

const kept = schemaStateSchema.safeParse(editor.getState());
let filter = kept.success ? kept.data.filter : '';
let scrollWanted = kept.success ? kept.data.scroll : 0;
let view: SchemaView | undefined;
let marked: string | undefined;
const copied = new Copied(draw);

const root = pageRoot();

const channel = openPageChannel(schemaProtocol, {
  calls: {},
  events: {
    show(next) {
      view = next;
      draw();
      if (scrollWanted > 0) window.scrollTo(0, scrollWanted);
      scrollWanted = 0;
    },
    reveal({ column }) {
      marked = column;
      filter = '';
      scrollWanted = 0;
      draw();
      const row = document.querySelector(`[data-column="${CSS.escape(column)}"]`);
      row?.scrollIntoView({ block: 'center' });
      row?.querySelector('button')?.focus({ preventScroll: true });
    },
  },
});

const actions: PageActions = {
  setFilter(next) {
    filter = next;
    keep();
    draw();
  },
  retry: () => channel.send('retry', null),
  viewAsJson: () => act(channel.call('viewAsJson', null)),
  viewAsText: () => act(channel.call('viewAsText', null)),
  openFieldGuide: () => act(channel.call('openFieldGuide', null)),
  async copy({ column }) {
    if (await act(channel.call('copyColumn', { column }), `Copied ${column}`)) copied.show(column);
  },
  isCopied: ({ column }) => copied.is(column),
};

function draw(): void {
  render(pageTemplate({ view, filter, marked, actions }), root);
}

function keep(): void {
  const state: SchemaState = { version: 1, filter, scroll: Math.round(window.scrollY) };
  editor.setState(state);
}

window.addEventListener('scrollend', keep);
if (!kept.success) keep();
channel.send('ready', null);
