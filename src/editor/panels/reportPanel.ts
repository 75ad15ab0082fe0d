import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { isAbortError } from '../../base/clock.ts';
import { Channel } from '../../base/rpc.ts';
import { formatBytes } from '../../protocol/format/numbers.ts';
import { type FileState, metadataProtocol } from '../../protocol/metadata.ts';
import { fileStateOf, type LocalFile, type LocalReport } from '../../protocol/metadataFile.ts';
import { metadataText } from '../../protocol/metadataText.ts';
import { type MetadataPage, metadataPage } from '../../protocol/metadataView.ts';
import { concernsReports, type PanelContext } from './context.ts';
import type { OpenPanel } from './panelHost.ts';
import { Soon } from './soon.ts';
import type { TextDocuments } from './textDocuments.ts';

/** Shortest time between two progress messages to the page, in ms. */
const progressInterval = 100;

/** What a report panel needs beside the product's ports. */
export interface ReportPanelOptions {
  readonly panel: OpenPanel;
  readonly context: PanelContext;
  readonly documents: TextDocuments;
  /** The id asked for; a retired one leads to the surviving report (RID-1). */
  readonly reportId: number;
  /** The report, when the caller has it at hand. */
  readonly report: Report | undefined;
  showColumn(column: string): void;
}

/** The editor's side of one report panel. */
export class ReportPanel {
  readonly #options: ReportPanelOptions;
  readonly #channel: Channel<typeof metadataProtocol.host, typeof metadataProtocol.page>;
  readonly #locale = vscode.env.language;
  #report: Report | undefined;
  #local: LocalReport = { withdrawn: false, file: null };
  #page: MetadataPage | undefined;
  /** Set while a download runs or after it failed; otherwise the file's state follows from what is known. */
  #transfer: FileState | undefined;
  #download: AbortController | undefined;
  #generation = 0;
  #loading = false;

  constructor(options: ReportPanelOptions) {
    this.#options = options;
    const { panel, context } = options;
    this.#channel = panel.store.add(
      new Channel({
        port: panel.port,
        mine: metadataProtocol.host,
        theirs: metadataProtocol.page,
        explain: (error) => context.explain(error),
        log: context.log,
        handlers: {
          calls: {
            download: () => this.#startDownload(),
            cancelDownload: () => this.#cancelDownload(),
            openPdf: () => this.#openPdf(),
            viewAsJson: () => this.#viewAsJson(),
            viewAsText: () => this.#viewAsText(),
            copyKey: () => copy(this.#known().report.report_key),
            copyLink: () => this.#handOver('copyLink'),
            copyCitation: () => this.#handOver('copyCitation'),
            compare: () => this.#compare(),
            showCompany: () => this.#showCompany(),
            copyValue: ({ row }) => copy(this.#known().page.copies.get(row)),
            explainColumn: ({ row }) => this.#explainColumn(row),
          },
          events: {
            ready: () => this.#ready(),
            retry: () => void this.#load(),
          },
        },
      }),
    );
    const soon = panel.store.add(new Soon(() => this.#load()));
    panel.store.add(
      context.onDidChange((data) => {
        const shown = this.#report ? [options.reportId, this.#report.report_id] : [options.reportId];
        if (data.kind === 'session') this.#forget();
        if (!concernsReports(data, shown)) return;
        // A download that ended is waited for; a sync may write this report more than once.
        if (data.kind === 'files') void this.#load();
        else soon.ask();
      }),
    );
    panel.store.add({ dispose: () => this.#download?.abort() });
  }

  /** What was read for somebody else is not shown, nor what is still being read for them. */
  #forget(): void {
    this.#generation++;
    this.#page = undefined;
  }

  /** Shows a newer version of the report that a caller has at hand. */
  update(report: Report): void {
    void this.#load(report);
  }

  #ready(): void {
    if (this.#page) this.#sendAll();
    else if (!this.#loading) void this.#load(this.#options.report);
  }

  /** Reads report and local state, and shows them; a late answer gives way to a newer one. */
  async #load(given?: Report): Promise<void> {
    const { panel, context, reportId } = this.#options;
    const generation = ++this.#generation;
    const isCurrent = () => !panel.isDisposed && generation === this.#generation;
    this.#loading = true;
    try {
      const [report, local] = await Promise.all([
        given ?? context.readReport(reportId, panel.signal),
        context.localReport(reportId),
      ]);
      if (!isCurrent()) return;
      this.#report = report;
      this.#local = local;
      const before = this.#page;
      this.#page = metadataPage(report, local.withdrawn, this.#locale);
      // A page that has it already is not told again, so that nothing is announced that did not change.
      if (before && isDeepStrictEqual(before.view, this.#page.view)) this.#sendFile();
      else this.#sendAll();
      if (local.file && !local.file.edited) await this.#lookAtFile(local.file, isCurrent);
    } catch (error) {
      if (!isCurrent() || isAbortError(error)) return;
      context.log.warn('A report could not be read for its panel.');
      if (!this.#page) this.#channel.send('problem', { message: context.explain(error) });
    } finally {
      if (generation === this.#generation) this.#loading = false;
    }
  }

  /** The page is shown by now: reading a large file would only keep it waiting. */
  async #lookAtFile(file: LocalFile, isCurrent: () => boolean): Promise<void> {
    const { panel, context, reportId } = this.#options;
    const edited = await context.isEdited(reportId, panel.signal);
    if (!edited || !isCurrent()) return;
    this.#local = { ...this.#local, file: { ...file, edited } };
    this.#sendFile();
  }

  #sendAll(): void {
    const { page } = this.#known();
    this.#options.panel.setTitle(page.view.title);
    this.#channel.send('show', { ...page.view, reportId: this.#options.reportId });
    this.#sendFile();
  }

  #sendFile(): void {
    if (!this.#report) return;
    this.#channel.send('file', this.#transfer ?? fileStateOf(this.#report, this.#local));
  }

  async #startDownload(): Promise<null> {
    const { context, panel } = this.#options;
    const { report } = this.#known();
    if (this.#download) return null;
    const download = new AbortController();
    this.#download = download;
    this.#progress(0, null);
    let lastTold = 0;
    try {
      const outcome = await context.downloadReport(
        report,
        (received, total) => {
          const now = performance.now();
          if (panel.isDisposed || now - lastTold < progressInterval) return;
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
      this.#transfer = isAbortError(error) ? undefined : { kind: 'failed', message: context.explain(error) };
    } finally {
      this.#download = undefined;
    }
    if (panel.isDisposed) return null;
    this.#local = await context.localReport(this.#options.reportId);
    if (!panel.isDisposed) this.#sendFile();
    return null;
  }

  #progress(received: number, total: number | null): void {
    const done = formatBytes(received, this.#locale);
    const words =
      received === 0
        ? vscode.l10n.t('Waiting for the PDF…')
        : total === null
          ? done
          : vscode.l10n.t('{0} of {1}', done, formatBytes(total, this.#locale));
    this.#transfer = { kind: 'downloading', received, total, words };
    this.#sendFile();
  }

  #cancelDownload(): null {
    this.#download?.abort();
    return null;
  }

  async #openPdf(): Promise<null> {
    await this.#options.context.openPdf(this.#known().report.report_id);
    return null;
  }

  async #compare(): Promise<null> {
    await this.#options.context.chooseComparison([this.#known().report.report_id]);
    return null;
  }

  async #handOver(to: 'copyLink' | 'copyCitation'): Promise<null> {
    await this.#options.context[to](this.#known().report.report_id);
    return null;
  }

  async #showCompany(): Promise<null> {
    await this.#options.context.openCompany(this.#known().report.company_key);
    return null;
  }

  async #viewAsJson(): Promise<null> {
    const { report } = this.#known();
    await this.#options.documents.show(`${report.report_key}.json`, `${JSON.stringify(report, null, 2)}\n`);
    return null;
  }

  async #viewAsText(): Promise<null> {
    const { report, page } = this.#known();
    await this.#options.documents.show(`${report.report_key}.txt`, metadataText(page.view));
    return null;
  }

  #explainColumn(row: string): null {
    this.#options.showColumn(row);
    return null;
  }

  #known(): { report: Report; page: MetadataPage } {
    if (!this.#report || !this.#page) throw new Error(vscode.l10n.t('The report is not there yet.'));
    return { report: this.#report, page: this.#page };
  }
}

async function copy(text: string | undefined): Promise<null> {
  if (text === undefined) throw new Error(vscode.l10n.t('There is nothing to copy.'));
  await vscode.env.clipboard.writeText(text);
  return null;
}
