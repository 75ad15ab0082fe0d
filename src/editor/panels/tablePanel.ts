import * as vscode from 'vscode';
import { isAbortError } from '../../base/clock.ts';
import { l10n } from '../../base/l10n.ts';
import type { Channel } from '../../base/rpc.ts';
import { counted, countText } from '../../base/words.ts';
import type { Favorites } from '../../favorites/favorites.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { ReportQuery, TableRow } from '../../library/reportQuery.ts';
import { markdownText } from '../../protocol/format/table.ts';
import {
  blockSize,
  type CopyForm,
  type FacetSectionId,
  firstColumns,
  type RowsToSelect,
  type ShownColumn,
  type TableAction,
  type TableLook,
  type TableOrder,
  type TableSelection,
  type TableView,
  tableLookSchema,
  tableProtocol,
} from '../../protocol/reportTable.ts';
import { runCommand, runOnReports } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { chipsOf, countSection, countYears } from '../common/filterFacets.ts';
import { withCountedProgress } from '../common/progress.ts';
import {
  describeFilter,
  type FilterSets,
  isEmptyFilter,
  queryOf,
  type ReportsFilter,
  toggledFilter,
} from '../common/reportsFilter.ts';
import { chooseSavedFilter, rememberedFilter, rememberFilter } from '../common/savedFilters.ts';
import type { PanelPorts } from './context.ts';
import { LatestLoad, libraryInUse, type OpenPanel, openChannel } from './panel.ts';
import type { PanelDocument } from './panelEditors.ts';
import { SelectedReports } from './selectedReports.ts';
import { identifiersOf, type RowMarks, rowsAsText, shownRow } from './tableRows.ts';

interface ReadTable {
  /** What its rows go by. Other stars or files leave them in their places, and keep it. */
  readonly version: number;
  readonly changes: number;
  readonly query: ReportQuery;
  readonly order: TableOrder;
  readonly filter: ReportsFilter;
  readonly count: number;
  readonly total: number;
  readonly isLoading: boolean;
  readonly offset: number;
  readonly rows: readonly TableRow[];
  readonly here: ReadonlyMap<number, string | null>;
  readonly favorites: Favorites;
}

const lookKey = 'table.look';
const firstOrder: TableOrder = { column: 'published', descending: true };

/** Most rows that are copied: what is longer is a file's matter. */
const maxCopied = 10_000;
/** Rows that are asked for at once while they are copied, and ids while a range is selected. */
const pageSize = 1000;

/** The editor's side of the table of all reports. The reports stay in the library; the page gets those in sight. */
export class TablePanel {
  readonly #panel: OpenPanel;
  readonly #ports: PanelPorts;
  readonly #document: Pick<PanelDocument<'table'>, 'input' | 'onDidTakeInput'>;
  readonly #channel: Channel<typeof tableProtocol.host, typeof tableProtocol.page>;
  readonly #reading: LatestLoad<ReadTable>;
  /** Of one filter and one connection: another of either begins with another one. */
  #selected = new SelectedReports();
  #filter: ReportsFilter;
  #look: TableLook;
  #open: readonly FacetSectionId[] = [];
  #offset = 0;
  #version = 0;
  /** How often reports may have come, gone or moved. */
  #changes = 0;
  /** Ends what is asked for a filter or an order that gave way to another. */
  #asking = new AbortController();

  constructor(panel: OpenPanel, ports: PanelPorts, document: Pick<PanelDocument<'table'>, 'input' | 'onDidTakeInput'>) {
    this.#panel = panel;
    this.#ports = ports;
    this.#document = document;
    const workspace = ports.extension.workspaceState;
    const kept = tableLookSchema.safeParse(workspace.get(lookKey));
    this.#look = kept.success ? kept.data : { order: firstOrder, columns: [...firstColumns] };
    // After a reload of the window nothing else knows what it was narrowed to.
    this.#filter = document.input?.filter ?? rememberedFilter(workspace, 'table');
    panel.store.add(document.onDidTakeInput(() => void this.#takeInput()));
    this.#channel = openChannel(panel, tableProtocol, {
      calls: {
        rows: ({ version, offset }, signal) => this.#rows(version, offset, signal),
        narrow: (step) => this.#show(toggledFilter(this.#filter, step)),
        sort: (order) => this.#sort(order),
        arrange: ({ columns }) => this.#remember({ columns }),
        select: (asked, signal) => this.#select(asked, signal),
        openReport: ({ id }) => panel.open({ kind: 'report', reportId: id }),
        star: async ({ id }) => {
          const ids = await this.#selected.inTurn(async () => (this.#selected.has(id) ? this.#readSelected() : [id]));
          await runOnReports('toggleFavourite', ids);
        },
        run: ({ action }) => this.#run(action),
        copyAs: ({ form }, signal) => this.#copy(form, signal),
        viewAsText: (_, signal) => this.#viewAsText(signal),
        savedFilters: async () => {
          const filter = await chooseSavedFilter(ports.extension.globalState, this.#filter);
          if (filter) await this.#show(filter);
        },
        takeReportsFilter: () => this.#takeReportsFilter(),
        showInReports: async () => {
          await runCommand('filterReports', this.#filter);
          await vscode.commands.executeCommand(`${viewIds.reports}.focus`);
        },
        copyLink: () => runCommand('copyLink', { kind: 'table', filter: this.#filter }),
      },
      events: {
        ready: () => this.#reading.ready(),
        retry: () => void this.#reading.read(),
        open: ({ sections }) => this.#openSections(sections),
      },
    });
    this.#reading = new LatestLoad<ReadTable>(panel, {
      read: () => this.#read(),
      show: (content) => {
        this.#channel.send('show', this.#view(content));
        void this.#count(content, this.#open, true);
      },
      fail: (problem) => this.#channel.send('problem', problem),
      follows: ({ kind }) => kind !== 'filter' && 'soon',
      failed: 'The table of all reports could not be read.',
    });
    panel.store.add(
      panel.onDidChange(({ kind }) => {
        if (kind === 'session') this.#selected = new SelectedReports();
        const { downloaded, favorite } = this.#filter;
        const isOfMarks = kind === 'files' || kind === 'favorites';
        if (!isOfMarks || downloaded !== undefined || favorite !== undefined) this.#changes++;
      }),
    );
    panel.store.add({ dispose: () => this.#asking.abort() });
  }

  async #read(): Promise<ReadTable> {
    this.#asking.abort();
    this.#asking = new AbortController();
    const [filter, changes, offset] = [this.#filter, this.#changes, this.#offset];
    const { order } = this.#look;
    const [library, here, favorites] = await Promise.all([
      this.#library(this.#asking.signal),
      this.#ports.localFiles(),
      this.#ports.favorites.read(),
    ]);
    const query = await queryOf(filter, this.#sets(here));
    // In this order: the library may know by the rows how many there are.
    const [rows, count, { listed }, { phase }] = await Promise.all([
      library.reportsAt(query, order, { offset, limit: blockSize }),
      library.countReports(query),
      library.totals(),
      library.syncRecord(),
    ]);
    const isLoading = phase !== 'following';
    const { content } = this.#reading;
    const isSame = content?.filter === filter && content.order === order && content.changes === changes;
    const version = isSame ? content.version : ++this.#version;
    return { version, changes, filter, query, order, count, total: listed, isLoading, offset, rows, here, favorites };
  }

  #sets(here: ReadTable['here']): FilterSets {
    return { marks: { here: async () => [...here.keys()] }, favorites: this.#ports.favorites };
  }

  #library(signal: AbortSignal): Promise<LibraryCalls> {
    return libraryInUse(this.#ports, AbortSignal.any([this.#panel.signal, signal]));
  }

  #view(content: ReadTable): TableView {
    const { version, filter, count, total, isLoading, order, offset, rows } = content;
    return {
      ...{ version, count, total, isLoading, order, offset },
      text: (filter.text ?? '').slice(0, 200),
      chips: chipsOf(filter),
      columns: this.#look.columns,
      rows: rows.map((row) => shownRow(row, this.#look.columns, this.#marks(content))),
      selection: this.#selection(content),
    };
  }

  #marks({ here, favorites }: ReadTable): RowMarks {
    return { isHere: (id) => here.has(id), isSelected: (id) => this.#selected.has(id), favorites };
  }

  #selection({ count, favorites }: ReadTable): TableSelection {
    const isFavorite = (id: number) => favorites.has({ report_id: id, company_key: '' });
    const selected = this.#selected;
    return {
      count: selected.count(count),
      isAll: selected.isAll && count > 0,
      isStarred: selected.every(isFavorite),
    };
  }

  /** A block of rows; null when another filter or order is shown by now. */
  async #rows(version: number, offset: number, signal: AbortSignal) {
    const content = this.#current(version);
    if (!content) return null;
    this.#offset = offset;
    const library = await this.#library(signal);
    const rows = await library.reportsAt(content.query, content.order, { offset, limit: blockSize });
    return this.#current(version) ? rows.map((row) => shownRow(row, this.#look.columns, this.#marks(content))) : null;
  }

  #current(version: number): ReadTable | undefined {
    const { content } = this.#reading;
    return content?.version === version ? content : undefined;
  }

  /** Shows what another filter leaves, from its first row on. When that fails, what is shown stays, with its filter. */
  async #show(filter: ReportsFilter): Promise<void> {
    this.#offset = 0;
    const kept = this.#keepFilter(filter);
    const read = this.#reading.readChosen(async (shown) => {
      await this.#keepFilter(shown.filter);
      // The page shows again what it was narrowed to, and that nothing is selected.
      this.#reading.ready();
    });
    await Promise.all([kept, read]);
  }

  async #takeReportsFilter(): Promise<void> {
    const filter = rememberedFilter(this.#ports.extension.workspaceState);
    if (isEmptyFilter(filter)) throw new Error(vscode.l10n.t('The Reports view shows all reports. Filter it first.'));
    await this.#show(filter);
  }

  /** The panel is opened for another filter: nobody waits for an answer, so the page tells why there is none. */
  async #takeInput(): Promise<void> {
    this.#offset = 0;
    await Promise.all([this.#keepFilter(this.#document.input?.filter ?? {}), this.#reading.readElse()]);
  }

  async #keepFilter(filter: ReportsFilter): Promise<void> {
    this.#filter = filter;
    this.#document.input = { filter };
    this.#selected = new SelectedReports();
    await rememberFilter(this.#ports.extension.workspaceState, filter, 'table');
  }

  async #sort(order: TableOrder): Promise<void> {
    this.#offset = 0;
    const kept = this.#remember({ order });
    const read = this.#reading.readChosen((shown) => this.#remember({ order: shown.order }));
    await Promise.all([kept, read]);
  }

  async #remember(change: { readonly order?: TableOrder; readonly columns?: ShownColumn[] }): Promise<void> {
    this.#look = { ...this.#look, ...change };
    await this.#ports.extension.workspaceState.update(lookKey, this.#look);
  }

  #openSections(sections: readonly FacetSectionId[]): void {
    const more = sections.filter((id) => !this.#open.includes(id));
    this.#open = sections;
    const { content } = this.#reading;
    if (content && more.length > 0) void this.#count(content, more, false);
  }

  /** Counts what can be narrowed by, one thing after the other, so that rows that are scrolled to come in between. */
  async #count(
    { filter, here, version }: ReadTable,
    sections: readonly FacetSectionId[],
    withYears: boolean,
  ): Promise<void> {
    try {
      const library = await this.#library(this.#asking.signal);
      const counted = { library, filter, sets: this.#sets(here) };
      const isCurrent = () => this.#current(version) !== undefined;
      if (withYears) {
        const years = await countYears(counted);
        if (isCurrent()) this.#channel.send('years', years);
      }
      for (const id of sections) {
        const section = isCurrent() && (await countSection(counted, id));
        if (section && isCurrent()) this.#channel.send('section', section);
      }
    } catch (error) {
      if (!isAbortError(error)) this.#panel.log.warn('What the table can be narrowed by could not be counted.');
    }
  }

  async #select({ version, how, from, to }: RowsToSelect, signal: AbortSignal): Promise<TableSelection> {
    const content = this.#reading.known();
    // The rows have others in their places by now, or soon: none is selected that the person did not see.
    if (content.version !== version || content.filter !== this.#filter) return this.#selection(content);
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    const isWhole = first === 0 && last === content.count - 1;
    const read = () => this.#idsBetween(content, first, last, signal);
    // After a change of the filter or the connection, late answers go into a selection no longer used.
    await this.#selected.select(how, isWhole, read);
    return this.#selection(content);
  }

  async #run(action: TableAction): Promise<void> {
    const ids = await this.#selectedIds();
    if (action !== 'resolveIdentifiers') return runOnReports(action, ids);
    const title = vscode.l10n.t('Resolving identifiers');
    const identifiers = await withCountedProgress(title, async (signal, onProgress) =>
      identifiersOf(await this.#library(signal), ids, onProgress),
    );
    await runCommand('resolveIdentifiers', { identifiers });
  }

  async #idsBetween({ query, order }: ReadTable, from: number, to: number, signal: AbortSignal): Promise<number[]> {
    const library = await this.#library(signal);
    const found: number[] = [];
    for (let at = from; at <= to; ) {
      const { ids } = await library.idsBetween(query, order, at, to + 1);
      if (ids.length === 0) break;
      found.push(...ids);
      at += ids.length;
    }
    return found;
  }

  #selectedIds(): Promise<readonly number[]> {
    return this.#selected.inTurn(() => this.#readSelected());
  }

  async #readSelected(): Promise<readonly number[]> {
    const { query } = this.#reading.known();
    const selected = this.#selected;
    const library = await this.#library(this.#panel.signal);
    const ids = await selected.ids(() => library.reportIds(query));
    if (selected !== this.#selected) throw new Error(vscode.l10n.t('The list was refreshed. Choose again.'));
    if (ids.length === 0) throw new Error(vscode.l10n.t('Select at least one report first.'));
    return ids;
  }

  /** The first rows as a document; the words of the filter say which they are of. */
  async #viewAsText(signal: AbortSignal): Promise<void> {
    const { query, order, count, filter } = this.#reading.known();
    const library = await this.#library(signal);
    const rows = await library.reportsAt(query, order, { offset: 0, limit: pageSize });
    const title = vscode.l10n.t('All Reports as Table');
    const about = vscode.l10n.t('{0} of {1} reports', countText(rows.length), countText(count));
    const lines = [`# ${title}`, markdownText([about, describeFilter(filter)].filter(Boolean).join(' · '))];
    const table = rowsAsText(rows, this.#shownColumns(), 'markdown');
    await this.#panel.showText(`${title}.md`, `${lines.join('\n\n')}\n\n${table}`);
  }

  #shownColumns() {
    return this.#look.columns.map(({ id }) => id);
  }

  async #copy(form: CopyForm, signal: AbortSignal): Promise<void> {
    const { order } = this.#reading.known();
    const ids = await this.#selectedIds();
    if (ids.length > maxCopied)
      throw new Error(vscode.l10n.t('At most {0} rows can be copied. Use Export… for more.', countText(maxCopied)));
    const library = await this.#library(signal);
    const query: ReportQuery = { among: [{ ids, is: true }], state: 'all' };
    const rows: TableRow[] = [];
    while (rows.length < ids.length) {
      const next = await library.reportsAt(query, order, { offset: rows.length, limit: pageSize });
      if (next.length === 0) break;
      rows.push(...next);
    }
    await this.#panel.copy(rowsAsText(rows, this.#shownColumns(), form));
    const copied = vscode.l10n.t('Copied {0}', counted(rows.length, l10n.later('1 report'), l10n.later('{0} reports')));
    vscode.window.setStatusBarMessage(`${copied} (${form === 'markdown' ? 'Markdown' : form.toUpperCase()})`, 3_000);
  }
}
