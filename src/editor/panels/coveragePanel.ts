import * as vscode from 'vscode';
import { isAbortError } from '../../base/clock.ts';
import { Channel } from '../../base/rpc.ts';
import {
  type CoverageFormat,
  type CoverageLook,
  type CoverageScope,
  type CoverageView,
  coverageProtocol,
  coverageStart,
} from '../../protocol/coverage.ts';
import { type FamilyChoice, familyPlaces, yearLabel } from '../../protocol/coverageCell.ts';
import { coverageExport, coverageText } from '../../protocol/coverageExport.ts';
import type { PanelContext } from './context.ts';
import { coverageView } from './coverageView.ts';
import type { OpenPanel } from './panelHost.ts';
import { pickReport, reportsOfCell } from './pickReport.ts';
import { saveTable } from './saveTable.ts';
import { Soon } from './soon.ts';
import type { TextDocuments } from './textDocuments.ts';

/** A view, and the keys of its rows as the library has them. */
interface Shown {
  readonly view: CoverageView;
  readonly keys: readonly string[];
}

/** The editor's side of the coverage matrix. */
export class CoveragePanel {
  readonly #panel: OpenPanel;
  readonly #context: PanelContext;
  readonly #documents: TextDocuments;
  readonly #channel: Channel<typeof coverageProtocol.host, typeof coverageProtocol.page>;
  #scope: CoverageScope;
  #shown: Shown | undefined;
  #generation = 0;
  #loading = false;
  /** Whether the page has the whole matrix, and takes a newer one in its place. */
  #isWhole = false;

  constructor(panel: OpenPanel, context: PanelContext, documents: TextDocuments, scope: CoverageScope) {
    this.#panel = panel;
    this.#context = context;
    this.#documents = documents;
    this.#scope = scope;
    this.#channel = panel.store.add(
      new Channel({
        port: panel.port,
        mine: coverageProtocol.host,
        theirs: coverageProtocol.page,
        explain: (error) => context.explain(error),
        log: context.log,
        handlers: {
          calls: {
            openCompany: ({ row }) => this.#openCompany(row),
            openCell: ({ row, year, family }) => this.#openCell(row, year, family),
            copyAs: ({ look, format }) => this.#copyAs(look, format),
            save: ({ look }) => this.#save(look),
            viewAsText: ({ look }) => this.#viewAsText(look),
            setScope: (wanted) => this.#setScope(wanted.scope),
          },
          events: { ready: () => this.#ready(), rest: () => this.#sendWhole(), retry: () => void this.#load() },
        },
      }),
    );
    const soon = panel.store.add(new Soon(() => this.#load()));
    panel.store.add(
      context.onDidChange((data) => {
        if (data.kind !== 'library' || data.change.companies.length > 0 || data.change.renamed.length > 0) soon.ask();
      }),
    );
  }

  /** Shows other companies in the same panel. */
  showScope(scope: CoverageScope): void {
    if (scope !== this.#scope) void this.#setScope(scope);
  }

  #ready(): void {
    this.#isWhole = false;
    if (this.#shown) this.#send(this.#shown);
    else if (!this.#loading) void this.#load();
  }

  #send({ view }: Shown): void {
    const start = this.#isWhole ? undefined : coverageStart(view);
    if (start) this.#channel.send('start', start);
    else this.#sendWhole();
  }

  #sendWhole(): void {
    this.#isWhole = true;
    if (this.#shown) this.#channel.send('show', this.#shown.view);
  }

  /** Reads the matrix and what is downloaded; a late answer gives way to a newer one. */
  async #load(): Promise<void> {
    const { coverage } = this.#context;
    const { signal } = this.#panel;
    const generation = ++this.#generation;
    const isCurrent = () => !this.#panel.isDisposed && generation === this.#generation;
    this.#loading = true;
    try {
      const [library, filter] = await Promise.all([coverage.library(signal), coverage.reportsFilter()]);
      const isFiltered = this.#scope === 'filter' && filter !== null;
      const [matrix, files] = await Promise.all([
        isFiltered ? library.coverageOf(filter.query) : library.coverage(),
        coverage.localFiles(),
      ]);
      const reports = files.size === 0 ? [] : await library.summaries([...files.keys()]);
      if (!isCurrent()) return;
      const shown = { scope: isFiltered ? 'filter' : 'watchlist', filterWords: filter?.words ?? null } as const;
      this.#shown = { view: coverageView(matrix, { reports, files }, shown), keys: matrix.keys };
      this.#send(this.#shown);
    } catch (error) {
      if (!isCurrent() || isAbortError(error)) return;
      this.#context.log.warn('The coverage could not be read for its panel.');
      this.#shown = undefined;
      this.#channel.send('problem', { message: this.#context.explain(error) });
    } finally {
      if (generation === this.#generation) this.#loading = false;
    }
  }

  async #setScope(scope: CoverageScope): Promise<null> {
    this.#scope = scope;
    await this.#load();
    return null;
  }

  async #openCompany(row: number): Promise<null> {
    await this.#context.coverage.showCompany(this.#keyOf(row));
    return null;
  }

  async #openCell(row: number, year: number, family: FamilyChoice): Promise<null> {
    const companyKey = this.#keyOf(row);
    const { coverage } = this.#context;
    const library = await coverage.library(this.#panel.signal);
    const reports = await reportsOfCell(library, { companyKey, year, families: familyPlaces(family) });
    const reportId = await pickReport(reports, `${this.#known().view.names[row]}, ${yearLabel(year)}`);
    if (reportId !== undefined) await coverage.openReport(reportId);
    return null;
  }

  async #copyAs(look: CoverageLook, format: CoverageFormat): Promise<null> {
    await vscode.env.clipboard.writeText(coverageExport(this.#known().view, look, format));
    return null;
  }

  #save(look: CoverageLook): Promise<boolean> {
    const { view } = this.#known();
    return saveTable('coverage', (format) => coverageExport(view, look, format));
  }

  async #viewAsText(look: CoverageLook): Promise<null> {
    await this.#documents.show('Coverage.md', coverageText(this.#known().view, look));
    return null;
  }

  #keyOf(row: number): string {
    const key = this.#known().keys[row];
    if (key === undefined) throw new Error(vscode.l10n.t('This company is not in the list any more.'));
    return key;
  }

  #known(): Shown {
    if (!this.#shown) throw new Error(vscode.l10n.t('The coverage is not there yet.'));
    return this.#shown;
  }
}
