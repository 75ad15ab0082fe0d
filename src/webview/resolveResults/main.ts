import { l10n } from '../../base/l10n.ts';
import '../common/jitless.ts';
import { render } from 'lit';
import {
  mostKeptQueries,
  type ResolveState,
  type ResultsSubject,
  resolveProtocol,
  resolveStateSchema,
} from '../../protocol/resolveResults.ts';
import { Copied } from '../common/copied.ts';
import { editor } from '../common/editorApi.ts';
import { act, openPageChannel } from '../common/pageChannel.ts';
import { pageRoot } from '../common/root.ts';
import { Shown } from '../common/shown.ts';
import { type PageActions, pageTemplate } from './page.ts';
import type { Results, Row, Status } from './results.ts';

const kept = resolveStateSchema.safeParse(editor.getState());
let filter = kept.success ? kept.data.filter : '';
let status: Status | null = kept.success ? kept.data.status : null;
let subject: ResultsSubject = kept.success ? kept.data.subject : 'companies';
let queries: readonly string[] = kept.success ? kept.data.queries : [];
const shown = new Shown<Results>(draw);
let busy = false;
const copied = new Copied(draw);

const root = pageRoot();

const channel = openPageChannel(resolveProtocol, {
  calls: {},
  events: {
    show: (next) => show({ ...next, subject: 'companies' }),
    showReports: (next) => show({ ...next, subject: 'reports' }),
    input(next) {
      queries = next.queries;
      subject = next.subject;
      keep();
    },
    problem: (reason) => shown.fail(reason),
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
    shown.retry();
    channel.send('retry', null);
  },
  openCompany: ({ number }) => act(channel.call('openCompany', { row: number })),
  openReport: ({ number }) => act(channel.call('openReport', { row: number })),
  refine: ({ number }) => act(channel.call('refine', { row: number })),
  writeBack: () => whileBusy(channel.call('writeBack', null)),
  download: () => whileBusy(channel.call('download', null)),
  askAgain: () => whileBusy(channel.call('askAgain', null)),
  async copyAs(format) {
    const words = format === 'csv' ? l10n.t('Copied all results as CSV') : l10n.t('Copied all results as Markdown');
    if (await act(channel.call('copyAs', { format }), words)) copied.show(format);
  },
  viewAsText: () => act(channel.call('viewAsText', null)),
  isCopied: (format) => copied.is(format),
};

/** Holds back the buttons that would begin the same twice. */
async function whileBusy(work: Promise<null>): Promise<void> {
  busy = true;
  draw();
  await act(work);
  busy = false;
  draw();
}

function show(next: Results): void {
  if (next.rest !== null) {
    const isFirstSeen = shown.view === undefined && filter === '' && status === null;
    if (isFirstSeen) shown.show(next);
    requestAnimationFrame(() => setTimeout(() => channel.send('rest', null)));
    return;
  }
  const rows: readonly Row[] = next.rows;
  if (status !== null && !rows.some((row) => row.status === status)) status = null;
  shown.show(next);
}

function draw(): void {
  const { view: results, problem } = shown;
  render(pageTemplate({ results, problem, filter, status, busy, actions }), root);
}

function keep(): void {
  // A list that is too long to be kept can't be brought back after a reload; the panel then closes.
  const isKept = queries.length > 0 && queries.length <= mostKeptQueries;
  const state: ResolveState | null = isKept ? { version: 2, subject, queries: [...queries], filter, status } : null;
  editor.setState(state);
}

draw();
channel.send('ready', null);
