import '../common/jitless.ts';
import { render } from 'lit';
import {
  type ResolveRow,
  type ResolveState,
  type ResolveStatus,
  resolveProtocol,
  resolveStateSchema,
} from '../../protocol/resolveResults.ts';
import { Copied } from '../common/copied.ts';
import { editor } from '../common/editorApi.ts';
import { act, openPageChannel } from '../common/pageChannel.ts';
import { pageRoot } from '../common/root.ts';
import { type PageActions, pageTemplate } from './page.ts';

const kept = resolveStateSchema.safeParse(editor.getState());
let filter = kept.success ? kept.data.filter : '';
let status: ResolveStatus | null = kept.success ? kept.data.status : null;
let queries: readonly string[] = kept.success ? kept.data.queries : [];
let rows: readonly ResolveRow[] | undefined;
let problem: string | undefined;
const copied = new Copied(draw);

const root = pageRoot();

const channel = openPageChannel(resolveProtocol, {
  calls: {},
  events: {
    show(next) {
      rows = next.rows;
      problem = undefined;
      if (status !== null && !rows.some((row) => row.status === status)) status = null;
      draw();
    },
    input(next) {
      queries = next.queries;
      keep();
    },
    problem({ message }) {
      problem = message;
      rows = undefined;
      draw();
    },
  },
});

const actions: PageActions = {
  setFilter(next) {
    filter = next;
    keep();
    draw();
  },
  setStatus(next) {
    status = next;
    keep();
    draw();
  },
  retry() {
    problem = undefined;
    draw();
    channel.send('retry', null);
  },
  openCompany: ({ number }) => act(channel.call('openCompany', { row: number })),
  async copyAs(format) {
    const words = format === 'csv' ? 'Copied all results as CSV' : 'Copied all results as Markdown';
    if (await act(channel.call('copyAs', { format }), words)) copied.show(format);
  },
  viewAsText: () => act(channel.call('viewAsText', null)),
  isCopied: (format) => copied.is(format),
};

function draw(): void {
  render(pageTemplate({ rows, problem, filter, status, actions }), root);
}

function keep(): void {
  if (queries.length === 0) return;
  const state: ResolveState = { version: 1, queries: [...queries], filter, status };
  editor.setState(state);
}

draw();
channel.send('ready', null);
