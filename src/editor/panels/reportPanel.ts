import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { isAbortError } from '../../base/clock.ts';
import { LibraryError } from '../../library/libraryError.ts';
import { type LocalFile, type LocalReport, type PdfState, pdfNews, pdfStateOf } from '../../panels/pdfState.ts';
import { type OtherReport, otherYears, reportBlocks, visibleTitle, type YearStep } from '../../panels/report.ts';
import { runCommand, runOnReports } from '../common/commands.ts';
import { bytesText } from '../common/progress.ts';
import { type BlocksOf, showBlocks, updatedWords } from './blocksPanel.ts';
import type { DataChange, PanelPorts } from './context.ts';
import { concernsReports, type OpenPanel, toggleFavorite } from './panel.ts';
import type { PanelDocument } from './panelEditors.ts';

/** Shortest time between two progress messages to the page, in ms. */
const progressInterval = 100;

/** More years than any company has reported for. */
const maxAlike = 300;

interface ReadReport {
  readonly report: Report;
  readonly local: LocalReport;
  readonly others: readonly OtherReport[];
  readonly notKept: string | undefined;
  readonly isFavorite: boolean;
}

/** Whether a PDF came, or was put right, between two looks. */
function hasCome(before: LocalFile | null, now: LocalFile | null): boolean {
  if (!now) return false;
  return now.sha256 !== before?.sha256 || (before.edited && !now.edited && now.doubt !== 'unread');
}

export class ReportPanel {
  readonly #panel: OpenPanel;
  readonly #ports: PanelPorts;
  /** The id asked for; a retired one leads to the surviving report (RID-1). */
  readonly #reportId: number;
  readonly #shown: BlocksOf<ReadReport>;
  readonly #document: Pick<PanelDocument<'report'>, 'input'>;
  /** What was read last, and what is known of its PDF since. */
  #content: ReadReport | undefined;
  #local: LocalReport = { withdrawn: false, file: null };
  /** Set while a download runs or after it failed; otherwise the file's state follows from what is known. */
  #transfer: PdfState | undefined;
  #download: AbortController | undefined;
  /** What a reader knows already. */
  #told: { readonly content: ReadReport; readonly file: PdfState } | undefined;

  constructor(
    panel: OpenPanel,
    ports: PanelPorts,
    reportId: number,
    document: Pick<PanelDocument<'report'>, 'input'> = { input: undefined },
  ) {
    this.#panel = panel;
    this.#ports = ports;
    this.#reportId = reportId;
    this.#document = document;
    const known = () => this.#shown.reading.known().report;
    const onReport = (name: 'exportReports' | 'copyLink' | 'copyCitation') => () =>
      runOnReports(name, [known().report_id]);
    this.#shown = showBlocks(panel, {
      acts: {
        download: () => this.#startDownload(),
        cancelDownload: () => this.#download?.abort(),
        toggleFavorite: () => toggleFavorite(known()),
        openPdf: () => runCommand('openPdf', known().report_id),
        revealDownload: () => ports.revealDownload(known().report_id),
        // Unlike a row, a panel that the notebook covers can't keep the keyboard: the command recognizes it by the id.
        insertIntoNotebook: () => runCommand('insertIntoNotebook', known().report_id, [known().report_id]),
        exportReports: onReport('exportReports'),
        copyLink: onReport('copyLink'),
        copyCitation: onReport('copyCitation'),
        compareReports: () => runOnReports('compareReports', [known().report_id]),
        previous: () => this.#openOther('previous'),
        next: () => this.#openOther('next'),
        viewAsJson: () => panel.showText(`${known().report_key}.json`, `${JSON.stringify(known(), null, 2)}\n`),
        showCompany: () => panel.open({ kind: 'company', companyKey: known().company_key }),
      },
      blocks: (content) =>
        reportBlocks(
          { ...content, withdrawn: content.local.withdrawn, file: this.#fileOf(content) },
          vscode.env.language,
        ),
      said: (content) => this.#news(content),
      title: ({ report }) => visibleTitle(report),
      shown: (content) => this.#lookAround(content),
      read: () => this.#read(),
      follows: (change) => this.#follows(change),
      failed: 'A report could not be read for its panel.',
    });
    panel.store.add({ dispose: () => this.#download?.abort() });
  }

  #follows(change: DataChange): 'now' | 'soon' | false {
    // A failure with the former connection says nothing about this one.
    if (change.kind === 'session' && this.#transfer?.kind === 'failed') this.#transfer = undefined;
    const shown = this.#shown.reading.content?.report.report_id ?? this.#reportId;
    if (change.kind === 'favorites') return 'now';
    if (!concernsReports(change, [this.#reportId, shown])) return false;
    // A person's action is waited for; a sync may write this report more than once.
    return change.kind === 'library' ? 'soon' : 'now';
  }

  async #read(): Promise<ReadReport> {
    let notKept: string | undefined;
    const [report, local] = await Promise.all([
      loadReport(this.#ports, this.#reportId, this.#panel.signal, (why) => {
        notKept = why;
      }),
      this.#ports.localReport(this.#reportId),
    ]);
    const [others, favorites] = await Promise.all([this.#alike(report), this.#ports.favorites.read()]);
    return { report, local, others, notKept, isFavorite: favorites.has(report) };
  }

  /** Reports of the same company and type; none where there is no library, which is no reason not to show this one. */
  async #alike({ company_key, report_type }: Report): Promise<readonly OtherReport[]> {
    try {
      const { library } = await this.#ports.services.library();
      const asked = library.withSignal(this.#panel.signal);
      return (await asked.reports({ company_key: [company_key], type: [report_type] }, { limit: maxAlike })).items;
    } catch (error) {
      if (!isAbortError(error)) this.#panel.log.debug('Reports of other years could not be looked up.');
      return [];
    }
  }

  #fileOf(content: ReadReport): PdfState {
    if (content !== this.#content) {
      const before = this.#local.file;
      this.#content = content;
      this.#local = content.local;
      // A download that failed here may have been made good elsewhere since; the PDF from before it proves nothing.
      if (this.#transfer?.kind === 'failed' && hasCome(before, content.local.file)) this.#transfer = undefined;
    }
    return this.#transfer ?? pdfStateOf(content.report, this.#local);
  }

  /** What to announce: how a download goes on, or that the page was updated. */
  #news(content: ReadReport): string | undefined {
    const before = this.#told;
    const file = this.#fileOf(content);
    this.#told = { content, file };
    if (before === undefined) return undefined;
    const shown = ({ local: { withdrawn }, ...rest }: ReadReport) => ({ ...rest, withdrawn });
    const isSame = before.content === content || isDeepStrictEqual(shown(before.content), shown(content));
    return pdfNews(before.file, file) ?? (isSame ? undefined : updatedWords());
  }

  #lookAround(content: ReadReport): void {
    const { input } = this.#document;
    if (input) this.#shown.page.go({ acts: [input.step, 'previous', 'next'] });
    this.#document.input = undefined;
    const { file } = content.local;
    if (file && !file.edited) void this.#lookAtFile(content);
  }

  /** The page is shown by now: reading a large file would only keep it waiting. */
  async #lookAtFile(content: ReadReport): Promise<void> {
    try {
      const local = await this.#ports.localReport(this.#reportId, this.#panel.signal);
      if (!local.file || this.#panel.signal.aborted || this.#shown.reading.content !== content) return;
      this.#local = local;
      this.#showFile();
    } catch (error) {
      if (!isAbortError(error)) this.#panel.log.warn('A downloaded PDF could not be compared with what came.');
    }
  }

  #showFile(): void {
    const { content } = this.#shown.reading;
    if (content) this.#shown.page.show(this.#news(content));
  }

  async #startDownload(): Promise<void> {
    const { report } = this.#shown.reading.known();
    if (this.#download) return;
    const download = new AbortController();
    this.#download = download;
    this.#progress(0, null);
    let lastTold = 0;
    try {
      const outcome = await this.#ports.downloadReport(
        report,
        (received, total) => {
          const now = performance.now();
          if (this.#panel.signal.aborted || now - lastTold < progressInterval) return;
          lastTold = now;
          this.#progress(received, total);
        },
        download.signal,
      );
      this.#transfer = undefined;
      if (outcome.status === 'failed' || outcome.status === 'not-entitled' || outcome.status === 'no-file')
        this.#transfer = {
          kind: 'failed',
          message: outcome.reason ?? vscode.l10n.t('The PDF could not be downloaded.'),
        };
    } catch (error) {
      this.#transfer = isAbortError(error) ? undefined : { kind: 'failed', message: this.#panel.explain(error) };
    } finally {
      this.#download = undefined;
    }
    if (this.#panel.signal.aborted) return;
    this.#local = await this.#ports.localReport(this.#reportId);
    if (!this.#panel.signal.aborted) this.#showFile();
  }

  #progress(received: number, total: number | null): void {
    const words = received === 0 ? vscode.l10n.t('Waiting for the PDF…') : bytesText(received, total);
    this.#transfer = { kind: 'downloading', received, total, words };
    this.#showFile();
  }

  #openOther(step: YearStep): Promise<void> {
    const { report, others } = this.#shown.reading.known();
    const other = otherYears(report, others)[step];
    if (!other) throw new Error('There is no report of that year.');
    // As a click in a tree does: it takes the place of a tab that was only looked at.
    return this.#panel.open({ kind: 'report', reportId: other.reportId }, { step }, { preview: true });
  }
}

/**
 * Reads a report by id: from the library on this machine, else from the service. One that can't be kept here is
 * returned too, and why is told. May throw an `ApiError`.
 */
export async function loadReport(
  { services, log }: PanelPorts,
  id: number,
  signal: AbortSignal,
  tellNotKept?: (why: string) => void,
): Promise<Report> {
  const { library } = await services.library();
  // Without SQLite, or on a full disk, a report can be shown all the same.
  const notKept = (error: unknown) => {
    if (!(error instanceof LibraryError)) throw error;
    log.warn(`A report could not be kept: ${error.message}`);
    tellNotKept?.(error.message);
    return null;
  };
  const stored = await library.withSignal(signal).report(id).catch(notKept);
  if (stored) return stored.report;
  const report = await services.call((client) => client.report(id, { signal, priority: 'interactive' }));
  await library.applyReport(report, id).catch(notKept);
  return report;
}
