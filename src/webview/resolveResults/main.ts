import '../common/jitless.ts';
import { render } from 'lit';
import { l10n } from '../../base/l10n.ts';
import {
  maxKeptQueries,
  type ResolveRow,
  type ResolveState,
  resolveProtocol,
  resolveStateSchema,
} from '../../protocol/results.ts';
import { act, editor, openPageChannel, pageRoot, Shown } from '../common/page.ts';
import { announce, Copied } from '../common/widgets.ts';
import { type PageActions, pageTemplate } from './page.ts';
import type { ResultRow, Results, Status } from './rows.ts';

const kept = resolveStateSchema.safeParse(editor.getState());
let filter = kept.success ? kept.data.filter : '';
let status: Status | null = kept.success ? kept.data.status : null;
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
  refine: (row, candidate) => inRow(row, channel.call('refine', { row: row.number, candidate })),
  undoRefine: (row) => inRow(row, channel.call('undoRefine', { row: row.number })),
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

/** Does what changes a row and then tells what the row says. The button may be gone: another of the row takes the focus. */
async function inRow({ number }: ResolveRow, work: Promise<null>): Promise<void> {
  if (!(await act(work))) return;
  const row = root.querySelector(`[data-row][aria-rowindex="${number + 1}"]`);
  row?.querySelector<HTMLElement>('[data-stop]')?.focus();
  const words = shown.view?.rows[number - 1]?.words;
  if (words !== undefined) announce(words);
}

/** Holds back the buttons that would begin the same twice. */
async function whileBusy(work: Promise<null>): Promise<void> {
  busy = true;
  draw();
  await act(work);
  busy = false;
  draw();
}

function show(next: Results): void {
  const rows: readonly ResultRow[] = next.rows;
  if (status !== null && !rows.some((row) => row.status === status)) {
    status = null;
    announce(l10n.t('No row has that result any more. All results are shown.'));
  }
  shown.show(next);
}

function draw(): void {
  const { view: results, problem } = shown;
  render(pageTemplate({ results, problem, filter, status, busy, actions }), root);
}

function keep(): void {
  // A list that is too long to be kept can't be brought back after a reload; the panel then says so.
  const isKept = queries.length > 0 && queries.length <= maxKeptQueries;
  const state: ResolveState | null = isKept ? { version: 3, queries: [...queries], filter, status } : null;
  editor.setState(state);
}

draw();
channel.send('ready', null);
channel.send('restore', { queries: [...queries] });
