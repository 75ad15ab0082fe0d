import * as vscode from 'vscode';
import { isAbortError } from '../../base/clock.ts';
import { Channel } from '../../base/rpc.ts';
import { countingView, fieldUseView } from '../../protocol/fieldUseView.ts';
import { type FieldUseView, schemaProtocol } from '../../protocol/schemaDictionary.ts';
import { type LiveDictionary, schemaText, schemaView } from '../../protocol/schemaView.ts';
import type { PanelContext } from './context.ts';
import type { OpenPanel } from './panelHost.ts';
import { Soon } from './soon.ts';
import type { TextDocuments } from './textDocuments.ts';

/** A library of so many reports is counted within about a second. */
const countedAtOnce = 30_000;
/** Shortest time between two messages about how far the counting is, in ms. */
const progressInterval = 150;

/** The editor's side of the schema dictionary. Shows the built-in dictionary at once, the service's when it came. */
export class SchemaPanel {
  readonly #panel: OpenPanel;
  readonly #context: PanelContext;
  readonly #documents: TextDocuments;
  readonly #channel: Channel<typeof schemaProtocol.host, typeof schemaProtocol.page>;
  #live: LiveDictionary = { kind: 'reading' };
  #use: FieldUseView = { kind: 'none' };
  #asked = false;
  /** Whom the counting that runs is for; a later session begins its own. */
  #counting: number | undefined;
  #isSmall = false;
  #session = 0;
  #isReady = false;
  #wanted: string | undefined;

  constructor(panel: OpenPanel, context: PanelContext, documents: TextDocuments, column: string | undefined) {
    this.#panel = panel;
    this.#context = context;
    this.#documents = documents;
    this.#wanted = column;
    this.#channel = panel.store.add(
      new Channel({
        port: panel.port,
        mine: schemaProtocol.host,
        theirs: schemaProtocol.page,
        explain: (error) => context.explain(error),
        log: context.log,
        handlers: {
          calls: {
            viewAsJson: () => this.#viewAsJson(),
            viewAsText: () => this.#viewAsText(),
            openFieldGuide: async () => {
              await context.openFieldGuide();
              return null;
            },
            copyColumn: ({ column: name }) => this.#copyColumn(name),
          },
          events: {
            ready: () => this.#ready(),
            retry: () => void this.#read(),
            count: () => void this.#count(),
          },
        },
      }),
    );
    const soon = panel.store.add(new Soon(() => this.#countAgain()));
    panel.store.add(
      context.onDidChange((data) => {
        if (!this.#asked) return;
        if (data.kind === 'session') this.#readAnew();
        else if (data.kind === 'library' && data.change.reports.length > 0) soon.ask();
      }),
    );
  }

  /** Another connection has another dictionary, and another library to count. */
  #readAnew(): void {
    this.#session++;
    this.#showUse({ kind: 'none' });
    void this.#read();
    void this.#offerCount();
  }

  /** Keeps the figures of a library that is counted in a moment; those of a larger one say when they were counted. */
  async #countAgain(): Promise<void> {
    if (this.#use.kind !== 'counted') await this.#offerCount();
    else if (this.#isSmall) await this.#count({ quietly: true });
  }

  /** Scrolls to a column and marks it, now or as soon as the page can. */
  reveal(column: string): void {
    this.#wanted = column;
    if (this.#isReady) this.#sendReveal();
  }

  #ready(): void {
    this.#isReady = true;
    this.#send();
    this.#channel.send('use', this.#use);
    this.#sendReveal();
    if (this.#asked) return;
    void this.#read();
    void this.#offerCount();
  }

  async #read(): Promise<void> {
    const session = this.#session;
    this.#asked = true;
    this.#show({ kind: 'reading' });
    try {
      const dictionary = await this.#context.readSchema(this.#panel.signal);
      if (session === this.#session) this.#show({ kind: 'read', dictionary });
    } catch (error) {
      if (session !== this.#session || isAbortError(error)) return;
      this.#context.log.warn('The schema dictionary could not be read.');
      this.#show({ kind: 'failed', message: this.#context.explain(error) });
    }
  }

  /** Counts a library at once where that takes a moment, and offers it where it takes longer. */
  async #offerCount(): Promise<void> {
    const session = this.#session;
    try {
      const library = await this.#context.library();
      const { listed } = await library.withSignal(this.#panel.signal).totals();
      if (session !== this.#session) return;
      this.#isSmall = listed <= countedAtOnce;
      if (this.#isSmall) return await this.#count();
      const reports = new Intl.NumberFormat(vscode.env.language).format(listed);
      this.#showUse({ kind: 'offered', words: vscode.l10n.t('Your library has {0} reports.', reports) });
    } catch (error) {
      // Without a library the dictionary is whole all the same; a failing one tells of itself where it is browsed.
      if (!isAbortError(error)) this.#context.log.debug(vscode.l10n.t('There is no library to count the columns of.'));
    }
    return undefined;
  }

  /** Asks for slice after slice until the result is there; ends with the panel. What was counted before may stay meanwhile. */
  async #count({ quietly = false } = {}): Promise<void> {
    const session = this.#session;
    if (this.#counting === session) return;
    this.#counting = session;
    const locale = vscode.env.language;
    let toldAt = Number.NEGATIVE_INFINITY;
    try {
      const library = (await this.#context.library()).withSignal(this.#panel.signal);
      for (;;) {
        const { counted, total, fields } = await library.fieldUse();
        if (session !== this.#session) return;
        if (fields) return this.#showUse(fieldUseView(counted, fields, locale));
        if (quietly || performance.now() - toldAt < progressInterval) continue;
        toldAt = performance.now();
        this.#showUse(countingView(counted, total, locale));
      }
    } catch (error) {
      if (session !== this.#session || isAbortError(error)) return;
      this.#context.log.warn('The columns of the library could not be counted.');
      this.#showUse({ kind: 'failed', message: this.#context.explain(error) });
    } finally {
      if (this.#counting === session) this.#counting = undefined;
    }
  }

  #showUse(use: FieldUseView): void {
    this.#use = use;
    if (!this.#panel.isDisposed) this.#channel.send('use', use);
  }

  #show(live: LiveDictionary): void {
    if (this.#panel.isDisposed) return;
    this.#live = live;
    this.#send();
  }

  #send(): void {
    this.#channel.send('show', schemaView(this.#live));
  }

  #sendReveal(): void {
    if (this.#wanted !== undefined) this.#channel.send('reveal', { column: this.#wanted });
    this.#wanted = undefined;
  }

  async #viewAsJson(): Promise<null> {
    const shown = this.#live.kind === 'read' ? this.#live.dictionary.raw : schemaView(this.#live).groups;
    await this.#documents.show('Schema Dictionary.json', `${JSON.stringify(shown, null, 2)}\n`);
    return null;
  }

  async #viewAsText(): Promise<null> {
    await this.#documents.show('Schema Dictionary.txt', schemaText(schemaView(this.#live), this.#use));
    return null;
  }

  async #copyColumn(name: string): Promise<null> {
    const fields = schemaView(this.#live).groups.flatMap((group) => group.fields);
    if (!fields.some(({ column }) => column === name)) throw new Error(vscode.l10n.t('There is nothing to copy.'));
    await vscode.env.clipboard.writeText(name);
    return null;
  }
}
