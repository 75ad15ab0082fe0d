import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { columns } from '../../api/schemas/fields.ts';
import { familyIndex, typeFamilies } from '../../api/schemas/reportTypes.ts';
import { isAbortError } from '../../base/clock.ts';
import { Channel } from '../../base/rpc.ts';
import { yearColumns } from '../../library/coverage.ts';
import { type CellName, type CompanyView, companyProtocol } from '../../protocol/company.ts';
import { companyText } from '../../protocol/companyText.ts';
import { companyView } from '../../protocol/companyView.ts';
import { yearLabel } from '../../protocol/coverageCell.ts';
import type { DataChange, PanelContext } from './context.ts';
import type { OpenPanel } from './panelHost.ts';
import { mostReports, pickReport, reportsOfCell } from './pickReport.ts';
import { Soon } from './soon.ts';
import type { TextDocuments } from './textDocuments.ts';

interface Shown {
  readonly view: CompanyView;
  /** Raw text of each fact that can be copied. */
  readonly copies: ReadonlyMap<string, string>;
}

/** The editor's side of one company's panel. */
export class CompanyPanel {
  readonly #panel: OpenPanel;
  readonly #context: PanelContext;
  readonly #documents: TextDocuments;
  readonly #askedFor: string;
  readonly #showColumn: (column: string) => void;
  readonly #channel: Channel<typeof companyProtocol.host, typeof companyProtocol.page>;
  #shown: Shown | undefined;
  #generation = 0;

  constructor(
    panel: OpenPanel,
    context: PanelContext,
    documents: TextDocuments,
    companyKey: string,
    showColumn: (column: string) => void,
  ) {
    this.#panel = panel;
    this.#context = context;
    this.#documents = documents;
    this.#askedFor = companyKey;
    this.#showColumn = showColumn;
    this.#channel = panel.store.add(
      new Channel({
        port: panel.port,
        mine: companyProtocol.host,
        theirs: companyProtocol.page,
        explain: (error) => context.explain(error),
        log: context.log,
        handlers: {
          calls: {
            openCell: (cell) => this.#openCell(cell),
            download: ({ cells }) => this.#download(cells),
            copyFact: ({ id }) => this.#copyFact(id),
            explainColumn: ({ column }) => this.#explainColumn(column),
            revealInWatchlist: () => this.#reveal(),
            viewAsText: () => this.#viewAsText(),
          },
          events: { ready: () => this.#ready(), retry: () => void this.#load() },
        },
      }),
    );
    const soon = panel.store.add(new Soon(() => this.#load()));
    panel.store.add(
      context.onDidChange((data) => {
        if (data.kind === 'session') this.#forget();
        if (this.#concerns(data)) soon.ask();
      }),
    );
  }

  /** What was read for somebody else is not shown, nor what is still being read for them. */
  #forget(): void {
    this.#generation++;
    this.#shown = undefined;
  }

  #concerns(data: DataChange): boolean {
    if (data.kind !== 'library') return data.kind !== 'filter';
    const { companies, renamed } = data.change;
    const key = this.#shown?.view.companyKey ?? this.#askedFor;
    return renamed.length > 0 || companies === 'many' || companies.includes(key);
  }

  #ready(): void {
    if (this.#shown) this.#channel.send('show', this.#shown.view);
    else void this.#load();
  }

  /** Reads the company, its reports and what is downloaded; a late answer gives way to a newer one. */
  async #load(): Promise<void> {
    const generation = ++this.#generation;
    const isCurrent = () => !this.#panel.isDisposed && generation === this.#generation;
    try {
      const shown = await this.#read();
      if (!isCurrent()) return;
      const before = this.#shown;
      this.#shown = shown;
      if (before && isDeepStrictEqual(before.view, shown.view)) return;
      this.#panel.setTitle(shown.view.title);
      this.#channel.send('show', shown.view);
    } catch (error) {
      if (!isCurrent() || isAbortError(error)) return;
      this.#context.log.warn('A company could not be read for its panel.');
      if (!this.#shown) this.#channel.send('problem', { message: this.#context.explain(error) });
    }
  }

  async #read(): Promise<Shown> {
    const { coverage } = this.#context;
    const [library, downloaded] = await Promise.all([coverage.library(this.#panel.signal), coverage.localFiles()]);
    await coverage.loadCompany(this.#askedFor);
    const company = await library.company(this.#askedFor);
    if (!company)
      throw new Error(vscode.l10n.t('No company in your licence has that key. Check it, or resolve its identifiers.'));
    const { items } = await library.reports(
      { company_key: [company.company_key], state: 'all' },
      { limit: mostReports },
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
    const { companyKey, title } = this.#known().view;
    const { coverage } = this.#context;
    const library = await coverage.library(this.#panel.signal);
    const families = [typeFamilies.indexOf(family)];
    const reports = await reportsOfCell(library, { companyKey, year, families });
    const reportId = await pickReport(reports, `${title}, ${yearLabel(year)}`);
    if (reportId !== undefined) await coverage.openReport(reportId);
    return null;
  }

  async #download(cells: readonly CellName[]): Promise<null> {
    const { companyKey } = this.#known().view;
    const { coverage } = this.#context;
    const library = await coverage.library(this.#panel.signal);
    const wanted = new Set(cells.map(({ year, family }) => `${year} ${typeFamilies.indexOf(family)}`));
    const { items } = await library.reports({ company_key: [companyKey] }, { limit: mostReports });
    const chosen = items.filter(({ fiscal_year, type }) => wanted.has(`${fiscal_year ?? 0} ${familyIndex(type)}`));
    const ids = chosen.filter(({ has_file }) => has_file !== false).map(({ report_id }) => report_id);
    if (ids.length === 0)
      throw new Error(vscode.l10n.t('None of these reports has a PDF. Choose cells where one is available.'));
    await coverage.download(ids);
    return null;
  }

  async #copyFact(id: string): Promise<null> {
    const text = this.#known().copies.get(id);
    if (text === undefined) throw new Error(vscode.l10n.t('There is nothing to copy.'));
    await vscode.env.clipboard.writeText(text);
    return null;
  }

  #explainColumn(column: string): null {
    if (columns.some(({ name }) => name === column)) this.#showColumn(column);
    return null;
  }

  async #reveal(): Promise<null> {
    await this.#context.coverage.revealCompany(this.#known().view.companyKey);
    return null;
  }

  async #viewAsText(): Promise<null> {
    const { view } = this.#known();
    await this.#documents.show(`${view.companyKey}.md`, companyText(view));
    return null;
  }

  #known(): Shown {
    if (!this.#shown) throw new Error(vscode.l10n.t('The company is not there yet.'));
    return this.#shown;
  }
}
