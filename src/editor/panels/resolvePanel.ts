import * as vscode from 'vscode';
import { isAbortError } from '../../base/abort.ts';
import { Channel } from '../../protocol/channel.ts';
import { resolveCsv, resolveMarkdown } from '../../protocol/resolveExport.ts';
import { resolveProtocol } from '../../protocol/resolveResults.ts';
import { type ResolveEntry, resolveRows } from '../../protocol/resolveView.ts';
import type { PanelContext } from './context.ts';
import type { OpenPanel } from './panelHost.ts';
import type { TextDocuments } from './textDocuments.ts';

/** What the panel shows: results at hand, or identifiers to resolve first. */
export type ResolveInput = { readonly entries: readonly ResolveEntry[] } | { readonly queries: readonly string[] };

/** The editor's side of the resolve results. */
export class ResolvePanel {
  readonly #panel: OpenPanel;
  readonly #context: PanelContext;
  readonly #documents: TextDocuments;
  readonly #channel: Channel<typeof resolveProtocol.host, typeof resolveProtocol.page>;
  #input: ResolveInput;
  #generation = 0;

  constructor(panel: OpenPanel, context: PanelContext, documents: TextDocuments, input: ResolveInput) {
    this.#panel = panel;
    this.#context = context;
    this.#documents = documents;
    this.#input = input;
    this.#channel = panel.store.add(
      new Channel({
        port: panel.port,
        mine: resolveProtocol.host,
        theirs: resolveProtocol.page,
        explain: (error) => context.explain(error),
        log: context.log,
        handlers: {
          calls: {
            openCompany: ({ row }) => this.#openCompany(row),
            copyAs: ({ format }) => this.#copyAs(format),
            viewAsText: () => this.#viewAsText(),
          },
          events: { ready: () => this.#show(), retry: () => this.#show() },
        },
      }),
    );
  }

  /** Shows other results in the same panel. */
  update(input: ResolveInput): void {
    this.#input = input;
    this.#show();
  }

  #show(): void {
    const input = this.#input;
    if ('entries' in input) this.#send(input.entries);
    else void this.#resolve(input.queries);
  }

  async #resolve(queries: readonly string[]): Promise<void> {
    const generation = ++this.#generation;
    const isCurrent = () => !this.#panel.isDisposed && generation === this.#generation;
    try {
      const entries = await this.#context.resolve(queries, this.#panel.signal);
      if (!isCurrent()) return;
      this.#input = { entries };
      this.#send(entries);
    } catch (error) {
      if (!isCurrent() || isAbortError(error)) return;
      this.#context.log.warn('Identifiers could not be resolved for their panel.');
      this.#channel.send('problem', { message: this.#context.explain(error) });
    }
  }

  #send(entries: readonly ResolveEntry[]): void {
    this.#generation++;
    this.#channel.send('show', { rows: resolveRows(entries) });
    this.#channel.send('input', { queries: entries.map(({ query }) => query) });
  }

  async #openCompany(row: number): Promise<null> {
    const result = this.#entries()[row - 1]?.result;
    if (!result?.company || result.entitled === false) throw new Error('This company can’t be opened.');
    await this.#context.openCompany(result.company.company_key);
    return null;
  }

  async #copyAs(format: 'markdown' | 'csv'): Promise<null> {
    const entries = this.#entries();
    await vscode.env.clipboard.writeText(format === 'csv' ? resolveCsv(entries) : resolveMarkdown(entries));
    return null;
  }

  async #viewAsText(): Promise<null> {
    await this.#documents.show('Resolved Identifiers.md', resolveMarkdown(this.#entries()));
    return null;
  }

  #entries(): readonly ResolveEntry[] {
    if (!('entries' in this.#input)) throw new Error('The results are not there yet.');
    return this.#input.entries;
  }
}
