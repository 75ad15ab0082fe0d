import * as vscode from 'vscode';
import { isAbortError } from '../../base/clock.ts';
import { Channel } from '../../base/rpc.ts';
import { type AskCost, askedWords, keptWords, type Origin } from '../../protocol/askedResults.ts';
import type { LookupEntry } from '../../protocol/lookupView.ts';
import { tableCsv, tableMarkdown } from '../../protocol/resolveExport.ts';
import { isLong, type ResultsAbout, resolveProtocol } from '../../protocol/resolveResults.ts';
import type { ResolveEntry } from '../../protocol/resolveView.ts';
import type { PanelContext } from './context.ts';
import type { OpenPanel } from './panelHost.ts';
import { entitledKey, type ResultsChannel, type SubjectOf } from './resultsSubject.ts';
import type { TextDocuments } from './textDocuments.ts';

/** What the panel shows: results at hand, or texts to ask for first. */
export type ResultsInput<Entry> =
  | { readonly entries: readonly Entry[]; readonly cost: AskCost; readonly origin: Origin }
  | { readonly queries: readonly string[]; readonly origin?: Origin };

const noOrigin: Origin = { words: null, column: null };

/** The editor's side of the results about identifiers or report keys. */
export class ResolvePanel<Entry extends ResolveEntry | LookupEntry> {
  readonly #panel: OpenPanel;
  readonly #context: PanelContext;
  readonly #documents: TextDocuments;
  readonly #subject: SubjectOf<Entry>;
  readonly #channel: ResultsChannel;
  #input: ResultsInput<Entry>;
  #generation = 0;
  /** Whether the page has all rows, and takes others in their place. */
  #isWhole = false;

  constructor(
    panel: OpenPanel,
    context: PanelContext,
    documents: TextDocuments,
    subject: SubjectOf<Entry>,
    input: ResultsInput<Entry>,
  ) {
    this.#panel = panel;
    this.#context = context;
    this.#documents = documents;
    this.#subject = subject;
    this.#input = input;
    panel.setTitle(subject.title);
    this.#channel = panel.store.add(
      new Channel({
        port: panel.port,
        mine: resolveProtocol.host,
        theirs: resolveProtocol.page,
        explain: (error) => (isAbortError(error) ? vscode.l10n.t('Cancelled.') : context.explain(error)),
        log: context.log,
        handlers: {
          calls: {
            openCompany: ({ row }) => this.#openCompany(row),
            openReport: ({ row }) => this.#openReport(row),
            refine: ({ row }) => this.#refine(row),
            writeBack: () => this.#writeBack(),
            download: () => this.#download(),
            askAgain: () => this.#askAgain(),
            copyAs: ({ format }) => this.#copyAs(format),
            viewAsText: () => this.#viewAsText(),
          },
          events: { ready: () => this.#ready(), rest: () => this.#sendWhole(), retry: () => this.#show() },
        },
      }),
    );
    panel.store.add(
      context.onDidChange(({ kind }) => {
        if (kind === 'session') this.#askAnew();
      }),
    );
  }

  #ready(): void {
    this.#isWhole = false;
    this.#show();
  }

  /** Another licence has other answers. What was answered before is nobody's to see, nor what is still being asked. */
  #askAnew(): void {
    const { origin } = this.#input;
    this.#input = { queries: this.#queries(), ...(origin ? { origin } : {}) };
    this.#show();
  }

  #queries(): readonly string[] {
    return 'entries' in this.#input ? this.#input.entries.map(({ query }) => query) : this.#input.queries;
  }

  /** Shows other results in the same panel. */
  update(input: ResultsInput<Entry>): void {
    this.#input = input;
    this.#show();
  }

  #show(): void {
    if ('entries' in this.#input) this.#send();
    else void this.#ask(this.#input.queries);
  }

  async #ask(queries: readonly string[]): Promise<void> {
    const generation = ++this.#generation;
    const isCurrent = () => !this.#panel.isDisposed && generation === this.#generation;
    try {
      const asked = await this.#subject.ask(queries, { signal: this.#panel.signal });
      if (!isCurrent()) return;
      this.#input = { ...asked, origin: this.#input.origin ?? noOrigin };
      this.#send();
    } catch (error) {
      if (!isCurrent() || isAbortError(error)) return;
      this.#context.log.warn('Results could not be read for their panel.');
      this.#channel.send('problem', { message: this.#context.explain(error) });
    }
  }

  #send(): void {
    this.#generation++;
    const { entries } = this.#known();
    if (this.#isWhole || !isLong(entries)) this.#sendWhole();
    else this.#subject.send(this.#channel, entries, this.#about(), 'start');
  }

  #sendWhole(): void {
    this.#isWhole = true;
    if (!('entries' in this.#input)) return;
    this.#subject.send(this.#channel, this.#input.entries, this.#about(), 'whole');
    this.#channel.send('input', { subject: this.#subject.subject, queries: [...this.#queries()] });
  }

  #about(): ResultsAbout {
    const { entries, cost, origin } = this.#known();
    const { subject } = this.#subject;
    const asked = { subject, entries, cost, origin } as Parameters<typeof askedWords>[0];
    const mayWriteBack = subject === 'companies' && origin.column !== null;
    return {
      words: askedWords(asked),
      kept: keptWords(cost, vscode.env.language),
      writeBack: mayWriteBack && origin.column ? nameOf(origin.column.uri) : null,
      canDownload: entries.some((entry) => this.#subject.canDownload(entry)),
    };
  }

  async #openCompany(row: number): Promise<null> {
    const entry = this.#companies()[row - 1];
    const key = entry ? entitledKey(entry) : null;
    if (key === null) throw new Error(vscode.l10n.t('This company can’t be opened.'));
    await this.#context.openCompany(key);
    return null;
  }

  async #openReport(row: number): Promise<null> {
    const entry = this.#known().entries[row - 1] as LookupEntry | undefined;
    const id = this.#subject.subject === 'reports' ? entry?.result?.report_id : null;
    if (id == null) throw new Error(vscode.l10n.t('This report can’t be opened.'));
    await this.#context.openReport(id);
    return null;
  }

  async #refine(row: number): Promise<null> {
    const entry = this.#companies()[row - 1];
    if (!entry || entitledKey(entry) !== null) throw new Error(vscode.l10n.t('There is nothing to refine.'));
    const refined = await this.#context.refine(entry);
    if (!refined || this.#panel.isDisposed) return null;
    const known = this.#known();
    // Every row that asked the same gets the answer: what differs is only where it stood.
    const entries = known.entries.map((each) => (each.query === entry.query ? (refined as Entry) : each));
    this.#input = { ...known, entries };
    this.#send();
    return null;
  }

  async #writeBack(): Promise<null> {
    const { origin } = this.#known();
    if (!origin.column) throw new Error(vscode.l10n.t('These results did not come from a CSV column.'));
    await this.#context.writeBack(origin.column, this.#companies());
    return null;
  }

  async #download(): Promise<null> {
    await this.#subject.download(this.#known().entries);
    return null;
  }

  async #askAgain(): Promise<null> {
    const { origin } = this.#known();
    const generation = this.#generation;
    const asked = await this.#subject.ask(this.#queries(), { signal: this.#panel.signal, fresh: true });
    if (this.#panel.isDisposed || generation !== this.#generation) return null;
    this.#input = { ...asked, origin };
    this.#send();
    return null;
  }

  async #copyAs(format: 'markdown' | 'csv'): Promise<null> {
    const table = this.#subject.table(this.#known().entries);
    await vscode.env.clipboard.writeText(format === 'csv' ? tableCsv(table) : tableMarkdown(table));
    return null;
  }

  async #viewAsText(): Promise<null> {
    const table = this.#subject.table(this.#known().entries);
    await this.#documents.show(`${this.#subject.title}.md`, tableMarkdown(table));
    return null;
  }

  #companies(): readonly ResolveEntry[] {
    if (this.#subject.subject !== 'companies') throw new Error(vscode.l10n.t('These results are not about companies.'));
    return this.#known().entries as readonly ResolveEntry[];
  }

  #known(): Extract<ResultsInput<Entry>, { entries: unknown }> {
    if (!('entries' in this.#input)) throw new Error(vscode.l10n.t('The results are not there yet.'));
    return this.#input;
  }
}

/** The last part of a document's address, for a person. */
function nameOf(uri: string): string {
  return vscode.Uri.parse(uri).path.split('/').at(-1) ?? '';
}
