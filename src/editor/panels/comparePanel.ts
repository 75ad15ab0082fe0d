import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { isAbortError } from '../../base/clock.ts';
import { Channel } from '../../base/rpc.ts';
import { compareProtocol, fewestCompared } from '../../protocol/compare.ts';
import {
  type ComparedReport,
  type ComparePage,
  comparePage,
  compareText,
  inReadingOrder,
} from '../../protocol/compareView.ts';
import { concernsReports, type PanelContext } from './context.ts';
import { diffAsJson } from './jsonDiff.ts';
import type { OpenPanel } from './panelHost.ts';
import { Soon } from './soon.ts';
import type { TextDocuments } from './textDocuments.ts';

/** What a comparison needs beside the product's ports. */
export interface ComparePanelOptions {
  readonly panel: OpenPanel;
  readonly context: PanelContext;
  readonly documents: TextDocuments;
  readonly reportIds: readonly number[];
  showColumn(column: string): void;
  showReport(reportId: number): void;
}

/** The editor's side of one comparison. */
export class ComparePanel {
  readonly #options: ComparePanelOptions;
  readonly #channel: Channel<typeof compareProtocol.host, typeof compareProtocol.page>;
  #compared: readonly ComparedReport[] = [];
  #page: ComparePage | undefined;
  #generation = 0;

  constructor(options: ComparePanelOptions) {
    this.#options = options;
    const { panel, context } = options;
    this.#channel = panel.store.add(
      new Channel({
        port: panel.port,
        mine: compareProtocol.host,
        theirs: compareProtocol.page,
        explain: (error) => context.explain(error),
        log: context.log,
        handlers: {
          calls: {
            copyCell: ({ row, column }) => this.#copyCell(row, column),
            explainColumn: ({ row }) => this.#explainColumn(row),
            openReport: ({ column }) => this.#openReport(column),
            diffAsJson: () => this.#diffAsJson(),
            viewAsText: () => this.#viewAsText(),
            chooseReports: () => this.#chooseReports(),
          },
          events: { ready: () => this.#ready(), retry: () => void this.#load() },
        },
      }),
    );
    const soon = panel.store.add(new Soon(() => this.#load()));
    panel.store.add(
      context.onDidChange((data) => {
        const shown = this.#compared.map(({ report }) => report.report_id);
        if (data.kind === 'session') this.#forget();
        if (concernsReports(data, [...options.reportIds, ...shown])) soon.ask();
      }),
    );
  }

  /** What was read for somebody else is not shown, nor what is still being read for them. */
  #forget(): void {
    this.#generation++;
    this.#page = undefined;
  }

  #ready(): void {
    this.#channel.send('input', { reportIds: [...this.#options.reportIds] });
    if (this.#page) this.#channel.send('show', this.#page.view);
    else void this.#load();
  }

  /** Reads the reports and shows them; one that can't be read is told, and the rest is compared. */
  async #load(): Promise<void> {
    const { panel, context, reportIds } = this.#options;
    const generation = ++this.#generation;
    const read = await Promise.allSettled(reportIds.map((id) => this.#read(id)));
    if (panel.isDisposed || generation !== this.#generation) return;
    const compared = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const failures = read.flatMap((each, index) =>
      each.status === 'rejected' && !isAbortError(each.reason)
        ? [vscode.l10n.t('Report {0} could not be read. {1}', reportIds[index] ?? '', context.explain(each.reason))]
        : [],
    );
    if (compared.length < fewestCompared) {
      context.log.warn('Too few of the reports to compare could be read.');
      // What is shown holds until somebody else is signed in.
      if (this.#page) return;
      this.#channel.send('problem', { message: failures.join(' ') || vscode.l10n.t('The reports could not be read.') });
      return;
    }
    this.#compared = inReadingOrder(compared);
    const before = this.#page;
    this.#page = comparePage(this.#compared, failures, vscode.env.language);
    if (before && isDeepStrictEqual(before.view, this.#page.view)) return;
    panel.setTitle(vscode.l10n.t('Compare: {0}', this.#page.view.title));
    this.#channel.send('show', this.#page.view);
  }

  async #read(reportId: number): Promise<ComparedReport> {
    const { context, panel } = this.#options;
    const [report, local] = await Promise.all([
      context.readReport(reportId, panel.signal),
      context.localReport(reportId),
    ]);
    return { report, isGone: local.withdrawn };
  }

  async #copyCell(row: string, column: number): Promise<null> {
    const text = this.#known().copies.get(row)?.[column];
    if (text === null || text === undefined) throw new Error(vscode.l10n.t('There is nothing to copy.'));
    await vscode.env.clipboard.writeText(text);
    return null;
  }

  #explainColumn(row: string): null {
    this.#options.showColumn(row);
    return null;
  }

  #openReport(column: number): null {
    const compared = this.#compared[column];
    if (!compared) throw new Error(vscode.l10n.t('That report is not part of the comparison.'));
    this.#options.showReport(compared.report.report_id);
    return null;
  }

  async #diffAsJson(): Promise<null> {
    this.#known();
    await diffAsJson(
      this.#compared.map(({ report }) => report),
      this.#options.documents,
    );
    return null;
  }

  async #viewAsText(): Promise<null> {
    await this.#options.documents.show('Compare Reports.txt', compareText(this.#known().view));
    return null;
  }

  async #chooseReports(): Promise<null> {
    await this.#options.context.chooseComparison(this.#options.reportIds);
    return null;
  }

  #known(): ComparePage {
    if (!this.#page) throw new Error(vscode.l10n.t('The reports are not there yet.'));
    return this.#page;
  }
}
