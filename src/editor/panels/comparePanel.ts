import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { isAbortError } from '../../base/clock.ts';
import type { Channel } from '../../base/rpc.ts';
import { compareProtocol } from '../../protocol/compare.ts';
import {
  type ComparedReport,
  type ComparePage,
  comparePage,
  compareText,
  inReadingOrder,
} from '../../protocol/compareView.ts';
import { oneLine } from '../../protocol/format/visibleText.ts';
import type { LocalReport } from '../../protocol/metadataView.ts';
import { labelText } from '../common/messages.ts';
import { fewestCompared } from '../common/panelUri.ts';
import { concernsReports, type NamedText, type OpenPanel, openChannel, Reading } from './panel.ts';

/** Longest name of a report in the diff's title, in characters. */
const longestName = 60;

/** What a comparison needs from the rest of the product. */
export interface ComparePanelPorts {
  /** Reads a report by id. May throw an `ApiError`. */
  readReport(reportId: number, signal: AbortSignal): Promise<Report>;
  /** What is known locally; never asks the service, and reads no whole file. */
  localReport(reportId: number): Promise<LocalReport>;
}

interface Content {
  readonly compared: readonly ComparedReport[];
  readonly page: ComparePage;
}

/** The editor's side of one comparison. */
export class ComparePanel {
  readonly #panel: OpenPanel;
  readonly #ports: ComparePanelPorts;
  readonly #reportIds: readonly number[];
  readonly #channel: Channel<typeof compareProtocol.host, typeof compareProtocol.page>;
  readonly #reading: Reading<Content>;

  constructor(panel: OpenPanel, ports: ComparePanelPorts, reportIds: readonly number[]) {
    this.#panel = panel;
    this.#ports = ports;
    this.#reportIds = reportIds;
    this.#channel = openChannel(panel, compareProtocol, {
      calls: {
        copyCell: ({ row, column }) => panel.copy(this.#known().page.copies.get(row)?.[column]),
        explainColumn: ({ row }) => panel.open({ kind: 'schema' }, { column: row }),
        openReport: ({ column }) => this.#openReport(column),
        diffAsJson: () => this.#diffAsJson(),
        viewAsText: () => panel.showText('Compare Reports.txt', compareText(this.#known().page.view)),
        chooseReports: () => panel.chooseComparison(reportIds),
      },
      events: { ready: () => this.#reading.ready(), retry: () => void this.#reading.read() },
    });
    this.#reading = new Reading<Content>(panel, {
      read: () => this.#read(),
      show: (content, before) => this.#show(content, before),
      fail: (message) => this.#channel.send('problem', { message }),
      failed: 'Too few of the reports to compare could be read.',
    });
    panel.store.add(
      panel.onDidChange((data) => {
        const shown = this.#reading.content?.compared.map(({ report }) => report.report_id) ?? [];
        if (data.kind === 'session') this.#reading.forget();
        if (concernsReports(data, [...reportIds, ...shown])) this.#reading.readSoon();
      }),
    );
  }

  #show({ page: { view } }: Content, before: Content | undefined): void {
    if (before && isDeepStrictEqual(before.page.view, view)) return;
    this.#panel.setTitle(vscode.l10n.t('Compare: {0}', view.title));
    this.#channel.send('show', view);
  }

  /** Reads the reports; one that can't be read is told, and the rest is compared. */
  async #read(): Promise<Content> {
    const read = await Promise.allSettled(this.#reportIds.map((id) => this.#readOne(id)));
    const found = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const failures = read.flatMap((each, index) =>
      each.status === 'rejected' && !isAbortError(each.reason)
        ? [
            vscode.l10n.t(
              'Report {0} could not be read. {1}',
              this.#reportIds[index] ?? '',
              this.#panel.explain(each.reason),
            ),
          ]
        : [],
    );
    if (found.length < fewestCompared)
      throw new Error(failures.join(' ') || vscode.l10n.t('The reports could not be read.'));
    const compared = inReadingOrder(found);
    return { compared, page: comparePage(compared, failures, vscode.env.language) };
  }

  async #readOne(reportId: number): Promise<ComparedReport> {
    const [report, local] = await Promise.all([
      this.#ports.readReport(reportId, this.#panel.signal),
      this.#ports.localReport(reportId),
    ]);
    return { report, isGone: local.withdrawn };
  }

  #openReport(column: number): Promise<null> {
    const compared = this.#known().compared[column];
    if (!compared) throw new Error(vscode.l10n.t('That report is not part of the comparison.'));
    return this.#panel.open({ kind: 'report', reportId: compared.report.report_id });
  }

  /** Shows two reports in the editor's own diff, as the JSON that the service sent; of more than two, asks which. */
  async #diffAsJson(): Promise<null> {
    const reports = this.#known().compared.map(({ report }) => report);
    const pair = reports.length > 2 ? await choosePair(reports) : reports;
    const [left, right] = pair ?? [];
    if (!left || !right) return null;
    const title = `${oneLine(left.report_key, longestName)} ↔ ${oneLine(right.report_key, longestName)}`;
    return this.#panel.diffTexts(asJson(left), asJson(right), title);
  }

  #known(): Content {
    const { content } = this.#reading;
    if (!content) throw new Error(vscode.l10n.t('The reports are not there yet.'));
    return content;
  }
}

async function choosePair(reports: readonly Report[]): Promise<readonly Report[] | undefined> {
  const items = reports.flatMap((left, index) =>
    reports.slice(index + 1).map((right) => ({
      label: labelText(`${left.report_key} ↔ ${right.report_key}`),
      pair: [left, right],
    })),
  );
  const choice = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Compare as JSON'),
    placeHolder: vscode.l10n.t('Which two reports?'),
  });
  return choice?.pair;
}

/** Two reports may share a key that was renamed; their ids tell them apart. */
function asJson(report: Report): NamedText {
  const { report_id, report_key } = report;
  return {
    name: `${report_id}/${report_key.replaceAll('/', '-')}.json`,
    content: `${JSON.stringify(report, null, 2)}\n`,
  };
}
