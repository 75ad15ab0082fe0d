import * as vscode from 'vscode';
import { isAbortError } from '../../base/clock.ts';
import type { Event } from '../../base/disposable.ts';
import type { Channel } from '../../base/rpc.ts';
import { csvTable, markdownTable } from '../../protocol/format/table.ts';
import {
  type ResultsAbout,
  type ResultsSubject,
  type ResultsView,
  resolveProtocol,
  resultsStart,
} from '../../protocol/results.ts';
import {
  type AskCost,
  type AskHow,
  askedWords,
  type Candidate,
  type ColumnOrigin,
  type InputOrigin,
  keptWords,
  type LookupBatch,
  type LookupEntry,
  lookupRows,
  lookupTable,
  type ResolveEntry,
  resolveRows,
  resolveTable,
  statusOf,
} from '../../protocol/resultsView.ts';
import { fileName } from '../common/messages.ts';
import { type OpenPanel, openChannel, pageProblem } from './panel.ts';
import type { PanelDocument } from './panelEditors.ts';

export interface ResultsPanelPorts {
  /** Resolves identifiers as the person gave them, one entry each, in the same order (RES-2). */
  resolve(queries: readonly string[], how: AskHow): Promise<LookupBatch<ResolveEntry>>;
  /** Looks report keys up, one entry each, in the same order (LKP-1). */
  lookup(queries: readonly string[], how: AskHow): Promise<LookupBatch<LookupEntry>>;
  /**
   * Asks for another identifier in place of one that led nowhere: a candidate's, or else what the person says. Undefined
   * when the person leaves.
   */
  refine(entry: ResolveEntry, candidate: Candidate | undefined): Promise<LookupBatch<ResolveEntry> | undefined>;
  /** Adds what was found to the document that the identifiers came from. */
  writeBack(column: ColumnOrigin, entries: readonly ResolveEntry[]): Promise<void>;
  /** Offers the PDFs of companies or reports; the person sees the plan and confirms it. */
  downloadCompanies(companyKeys: readonly string[]): Promise<void>;
  downloadFound(reportIds: readonly number[]): Promise<void>;
}

/** What the panel shows: results at hand, or texts to ask for first. */
type ResultsInput<Entry> =
  | { readonly entries: readonly Entry[]; readonly cost: AskCost; readonly origin: InputOrigin }
  | { readonly queries: readonly string[]; readonly origin?: InputOrigin };

const noOrigin: InputOrigin = { words: null, column: null };

/** Where the results stand beside their panels: what one of them learns, one that is split off shows too. */
interface Held<Entry> {
  input: ResultsInput<Entry> | undefined;
  readonly onDidTakeInput: Event<void>;
}

export function resultsPanel(panel: OpenPanel, ports: ResultsPanelPorts, document: PanelDocument<'results'>): unknown {
  // The address says which of the two it is, and `open` lets no other results in.
  return document.key.subject === 'companies'
    ? new ResultsPanel(panel, ports, companySubject(ports), document as Held<ResolveEntry>)
    : new ResultsPanel(panel, ports, reportSubject(ports), document as Held<LookupEntry>);
}

class ResultsPanel<Entry extends ResolveEntry | LookupEntry> {
  readonly #panel: OpenPanel;
  readonly #ports: ResultsPanelPorts;
  readonly #subject: SubjectOf<Entry>;
  readonly #held: Held<Entry>;
  readonly #channel: Channel<typeof resolveProtocol.host, typeof resolveProtocol.page>;
  #generation = 0;
  /** Whether the page has all rows, and takes others in their place. */
  #isWhole = false;

  constructor(panel: OpenPanel, ports: ResultsPanelPorts, subject: SubjectOf<Entry>, held: Held<Entry>) {
    this.#panel = panel;
    this.#ports = ports;
    this.#subject = subject;
    this.#held = held;
    panel.setTitle(subject.title);
    this.#channel = openChannel(
      { ...panel, explain: (error) => (isAbortError(error) ? vscode.l10n.t('Cancelled.') : panel.explain(error)) },
      resolveProtocol,
      {
        calls: {
          openCompany: ({ row }) => this.#openCompany(row),
          openReport: ({ row }) => this.#openReport(row),
          refine: ({ row, candidate }) => this.#refine(row, candidate),
          undoRefine: ({ row }) => this.#undoRefine(row),
          writeBack: () => {
            const { column } = this.#known().origin;
            if (!column) throw new Error(vscode.l10n.t('These results did not come from a CSV column.'));
            return ports.writeBack(column, this.#companies());
          },
          download: () => subject.download(this.#known().entries),
          askAgain: () => this.#askAgain(),
          copyAs: ({ format }) => panel.copy(this.#text(format)),
          viewAsText: () => panel.showText(`${subject.title}.md`, this.#text('markdown')),
        },
        events: {
          ready: () => this.#ready(),
          restore: ({ queries }) => this.#restore(queries),
          rest: () => this.#sendWhole(),
          retry: () => this.#show(),
        },
      },
    );
    panel.store.add(held.onDidTakeInput(() => this.#show()));
    panel.store.add(
      panel.onDidChange(({ kind }) => {
        if (kind === 'session') this.#askAnew();
      }),
    );
  }

  /** Shows what the panel is of now. */
  #show(): void {
    const { input } = this.#held;
    if (input === undefined) this.#channel.send('problem', { message: this.#gone() });
    else if ('entries' in input) this.#send();
    else void this.#ask(input.queries);
  }

  #ready(): void {
    this.#isWhole = false;
    // A page that came back with its window tells next what it showed.
    if (this.#held.input !== undefined) this.#show();
  }

  /** After a reload of the window only the page knows what was asked. */
  #restore(queries: readonly string[]): void {
    if (this.#held.input !== undefined) return;
    if (queries.length > 0) this.#held.input = { queries };
    this.#show();
  }

  #gone(): string {
    return vscode.l10n.t('These results are no longer available. Resolve the identifiers or report keys again.');
  }

  /** Another licence has other answers: what was answered before is not shown again, nor what is still being asked. */
  #askAnew(): void {
    const { input } = this.#held;
    if (input === undefined) return;
    const { origin } = input;
    this.#held.input = { queries: this.#queries(), ...(origin ? { origin } : {}) };
    this.#show();
  }

  #queries(): readonly string[] {
    const { input } = this.#held;
    if (input === undefined) return [];
    return 'entries' in input ? input.entries.map(({ query }) => query) : input.queries;
  }

  async #ask(queries: readonly string[]): Promise<void> {
    const generation = ++this.#generation;
    const isCurrent = () => !this.#panel.signal.aborted && generation === this.#generation;
    try {
      const asked = await this.#subject.ask(queries, { signal: this.#panel.signal });
      if (!isCurrent()) return;
      this.#held.input = { ...asked, origin: this.#held.input?.origin ?? noOrigin };
      this.#send();
    } catch (error) {
      if (!isCurrent() || isAbortError(error)) return;
      this.#panel.log.warn('Results could not be read for their panel.');
      this.#channel.send('problem', pageProblem(this.#panel, error));
    }
  }

  #send(): void {
    this.#generation++;
    const { input } = this.#held;
    if (input === undefined || !('entries' in input)) return;
    const view = this.#subject.view(input.entries, this.#about());
    const start = this.#isWhole ? undefined : resultsStart(view);
    if (start) this.#channel.send('start', start);
    else this.#sendWhole(view);
  }

  #sendWhole(view?: ResultsView): void {
    this.#isWhole = true;
    const { input } = this.#held;
    if (input === undefined || !('entries' in input)) return;
    this.#channel.send('show', view ?? this.#subject.view(input.entries, this.#about()));
    this.#channel.send('input', { queries: [...this.#queries()] });
  }

  #about(): ResultsAbout {
    const { entries, cost, origin } = this.#known();
    const { subject } = this.#subject;
    const asked = { subject, entries, cost, origin } as Parameters<typeof askedWords>[0];
    const mayWriteBack = subject === 'companies' && origin.column !== null;
    return {
      words: askedWords(asked),
      kept: keptWords(cost, vscode.env.language),
      writeBack: mayWriteBack && origin.column ? fileName(vscode.Uri.parse(origin.column.uri)) : null,
      canDownload: entries.some((entry) => this.#subject.canDownload(entry)),
    };
  }

  #openCompany(row: number): Promise<void> {
    const entry = this.#companies()[row - 1];
    const key = entry ? entitledKey(entry) : null;
    if (key === null) throw new Error(vscode.l10n.t('This company can’t be opened.'));
    return this.#panel.open({ kind: 'company', companyKey: key });
  }

  #openReport(row: number): Promise<void> {
    const entry = this.#known().entries[row - 1] as LookupEntry | undefined;
    const id = this.#subject.subject === 'reports' ? entry?.result?.report_id : null;
    if (id == null) throw new Error(vscode.l10n.t('This report can’t be opened.'));
    return this.#panel.open({ kind: 'report', reportId: id });
  }

  async #refine(row: number, candidate: number | null): Promise<void> {
    const entry = this.#companies()[row - 1];
    if (!entry || entitledKey(entry) !== null) throw new Error(vscode.l10n.t('There is nothing to refine.'));
    const chosen = candidate === null ? undefined : entry.candidates?.[candidate];
    const asked = await this.#ports.refine(entry, chosen);
    const [refined] = asked?.entries ?? [];
    if (asked && refined && !this.#panel.signal.aborted) this.#replace(entry.query, refined, asked.cost.requests);
  }

  #undoRefine(row: number): void {
    const before = this.#companies()[row - 1]?.refined?.before;
    if (before) this.#replace(before.query, before, 0);
  }

  /** Every row that asked the same gets the answer: what differs is only where it stands. */
  #replace(query: string, entry: ResolveEntry, requests: number): void {
    const known = this.#known();
    const entries = known.entries.map((each) => (each.query === query ? (entry as Entry) : each));
    this.#held.input = { ...known, entries, cost: { ...known.cost, requests: known.cost.requests + requests } };
    this.#send();
  }

  async #askAgain(): Promise<void> {
    const { origin, entries: before } = this.#known();
    const generation = this.#generation;
    const asked = await this.#subject.ask(this.#queries(), { signal: this.#panel.signal, fresh: true });
    if (this.#panel.signal.aborted || generation !== this.#generation) return;
    // What a person refined stays as it is until they undo it.
    const refined = (entry: Entry | undefined) => (entry && 'refined' in entry ? entry : undefined);
    const entries = asked.entries.map((entry, index) => refined(before[index]) ?? entry);
    this.#held.input = { ...asked, entries, origin };
    this.#send();
  }

  #text(format: 'markdown' | 'csv'): string {
    const table = this.#subject.table(this.#known().entries);
    return format === 'csv' ? csvTable(table) : markdownTable(table);
  }

  #companies(): readonly ResolveEntry[] {
    if (this.#subject.subject !== 'companies') throw new Error(vscode.l10n.t('These results are not about companies.'));
    return this.#known().entries as readonly ResolveEntry[];
  }

  #known(): Extract<ResultsInput<Entry>, { entries: unknown }> {
    const { input } = this.#held;
    if (input === undefined || !('entries' in input)) throw new Error(vscode.l10n.t('The results are still loading.'));
    return input;
  }
}

interface SubjectOf<Entry> {
  readonly subject: ResultsSubject;
  readonly title: string;
  ask(queries: readonly string[], how: AskHow): Promise<LookupBatch<Entry>>;
  view(entries: readonly Entry[], about: ResultsAbout): ResultsView;
  /** The names of the columns, then a row each. */
  table(entries: readonly Entry[]): string[][];
  canDownload(entry: Entry): boolean;
  /** Offers what of these can be downloaded; a person confirms the plan. */
  download(entries: readonly Entry[]): Promise<void>;
}

function companySubject(ports: ResultsPanelPorts): SubjectOf<ResolveEntry> {
  return {
    subject: 'companies',
    title: vscode.l10n.t('Resolved Identifiers'),
    ask: (queries, how) => ports.resolve(queries, how),
    view: (entries, about) => ({ subject: 'companies', rows: resolveRows(entries), about }),
    table: resolveTable,
    canDownload: (entry) => entitledKey(entry) !== null,
    download: (entries) => ports.downloadCompanies([...new Set(entries.flatMap((entry) => entitledKey(entry) ?? []))]),
  };
}

function reportSubject(ports: ResultsPanelPorts): SubjectOf<LookupEntry> {
  return {
    subject: 'reports',
    title: vscode.l10n.t('Report Keys'),
    ask: (queries, how) => ports.lookup(queries, how),
    view: (entries, about) => ({ subject: 'reports', rows: lookupRows(entries), about }),
    table: lookupTable,
    canDownload: ({ result }) => result?.report_id != null,
    download: (entries) => ports.downloadFound([...new Set(entries.flatMap(({ result }) => result?.report_id ?? []))]),
  };
}

/** The key of the company that an entry led to and that the licence covers. */
function entitledKey(entry: ResolveEntry): string | null {
  return statusOf(entry) === 'entitled' ? (entry.result?.company?.company_key ?? null) : null;
}
