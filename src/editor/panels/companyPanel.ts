import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { columns } from '../../api/schemas/fields.ts';
import { familyIndex, typeFamilies } from '../../api/schemas/reportTypes.ts';
import type { Channel } from '../../base/rpc.ts';
import { yearColumns } from '../../library/coverage.ts';
import type { LibraryCalls } from '../../library/library.ts';
import { type CellName, type CompanyView, companyProtocol } from '../../protocol/company.ts';
import { companyText, companyView } from '../../protocol/companyView.ts';
import { yearLabel } from '../../protocol/coverage.ts';
import { maxReports, pickReport, reportsOfCell } from './chosenReport.ts';
import { type DataChange, type OpenPanel, openChannel, Reading } from './panel.ts';

/** What a company's panel needs from the rest of the product. */
export interface CompanyPanelPorts {
  /** The library that is in use, kept up to date from now on; calls end with the signal. May throw an `ApiError`. */
  syncedLibrary(signal: AbortSignal): Promise<LibraryCalls>;
  /** Brings a company's reports while a first load has not come to it yet. */
  loadCompany(companyKey: string): Promise<void>;
  /** SHA-256, if known, of the PDFs in this window's folders, by report. */
  localFiles(): Promise<ReadonlyMap<number, string | null>>;
  revealCompany(companyKey: string): Promise<void>;
  /** Downloads PDFs after a question that says what it comes to. */
  downloadReports(reportIds: readonly number[]): Promise<void>;
}

interface Content {
  readonly view: CompanyView;
  /** Raw text of each fact that can be copied. */
  readonly copies: ReadonlyMap<string, string>;
}

/** The editor's side of one company's panel. */
export class CompanyPanel {
  readonly #panel: OpenPanel;
  readonly #ports: CompanyPanelPorts;
  readonly #askedFor: string;
  readonly #channel: Channel<typeof companyProtocol.host, typeof companyProtocol.page>;
  readonly #reading: Reading<Content>;

  constructor(panel: OpenPanel, ports: CompanyPanelPorts, companyKey: string) {
    this.#panel = panel;
    this.#ports = ports;
    this.#askedFor = companyKey;
    this.#channel = openChannel(panel, companyProtocol, {
      calls: {
        openCell: (cell) => this.#openCell(cell),
        download: ({ cells }) => this.#download(cells),
        copyFact: ({ id }) => panel.copy(this.#reading.known().copies.get(id)),
        explainColumn: ({ column }) => this.#explainColumn(column),
        revealInWatchlist: () => this.#reveal(),
        viewAsText: () => this.#viewAsText(),
      },
      events: { ready: () => this.#reading.ready(), retry: () => void this.#reading.read() },
    });
    this.#reading = new Reading<Content>(panel, {
      read: () => this.#read(),
      show: (content, before) => this.#show(content, before),
      fail: (message) => this.#channel.send('problem', { message }),
      follows: (change) => this.#concerns(change) && 'soon',
      failed: 'A company could not be read for its panel.',
      missing: vscode.l10n.t('The company is still loading.'),
    });
  }

  #concerns(data: DataChange): boolean {
    if (data.kind !== 'library') return data.kind !== 'filter';
    const { companies, renamed } = data.change;
    const key = this.#reading.content?.view.companyKey ?? this.#askedFor;
    return renamed.length > 0 || companies === 'many' || companies.includes(key);
  }

  #show({ view }: Content, before: Content | undefined): void {
    if (before && isDeepStrictEqual(before.view, view)) return;
    this.#panel.setTitle(view.title);
    this.#channel.send('show', view);
  }

  async #read(): Promise<Content> {
    const ports = this.#ports;
    const [library, downloaded] = await Promise.all([ports.syncedLibrary(this.#panel.signal), ports.localFiles()]);
    await ports.loadCompany(this.#askedFor);
    const company = await library.company(this.#askedFor);
    if (!company)
      throw new Error(vscode.l10n.t('No company in your licence has that key. Check it, or resolve its identifiers.'));
    const { items } = await library.reports(
      { company_key: [company.company_key], state: 'all' },
      { limit: maxReports },
    );
    const reports = await library.storedReports(items.map(({ report_id }) => report_id));
    const years = yearColumns(reports.map(({ fiscal_year }) => fiscal_year ?? 0));
    const input = { company, askedFor: this.#askedFor, reports, years, downloaded };
    const { isin, lei, figi, cik, ticker, company_key } = company;
    const raw = Object.entries({ company_key, isin, lei, figi, cik, ticker });
    return {
      view: companyView(input, vscode.env.language),
      copies: new Map(raw.filter((entry): entry is [string, string] => entry[1] !== null)),
    };
  }

  async #openCell({ year, family }: CellName): Promise<null> {
    const { companyKey, title } = this.#reading.known().view;
    const library = await this.#ports.syncedLibrary(this.#panel.signal);
    const families = [typeFamilies.indexOf(family)];
    const reports = await reportsOfCell(library, { companyKey, year, families });
    const reportId = await pickReport(reports, `${title}, ${yearLabel(year)}`);
    return reportId === undefined ? null : this.#panel.open({ kind: 'report', reportId });
  }

  async #download(cells: readonly CellName[]): Promise<null> {
    const { companyKey } = this.#reading.known().view;
    const library = await this.#ports.syncedLibrary(this.#panel.signal);
    const wanted = new Set(cells.map(({ year, family }) => `${year} ${typeFamilies.indexOf(family)}`));
    const { items } = await library.reports({ company_key: [companyKey] }, { limit: maxReports });
    const chosen = items.filter(({ fiscal_year, type }) => wanted.has(`${fiscal_year ?? 0} ${familyIndex(type)}`));
    const ids = chosen.filter(({ has_file }) => has_file !== false).map(({ report_id }) => report_id);
    if (ids.length === 0)
      throw new Error(vscode.l10n.t('None of these reports has a PDF. Select cells where one is available.'));
    await this.#ports.downloadReports(ids);
    return null;
  }

  #explainColumn(column: string): Promise<null> | null {
    return columns.some(({ name }) => name === column) ? this.#panel.open({ kind: 'schema' }, { column }) : null;
  }

  async #reveal(): Promise<null> {
    await this.#ports.revealCompany(this.#reading.known().view.companyKey);
    return null;
  }

  #viewAsText(): Promise<null> {
    const { view } = this.#reading.known();
    return this.#panel.showText(`${view.companyKey}.md`, companyText(view));
  }
}
