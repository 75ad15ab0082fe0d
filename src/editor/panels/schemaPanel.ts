import * as vscode from 'vscode';
import { isAbortError } from '../../base/abort.ts';
import { Channel } from '../../protocol/channel.ts';
import { schemaProtocol } from '../../protocol/schemaDictionary.ts';
import { type LiveDictionary, schemaText, schemaView } from '../../protocol/schemaView.ts';
import type { PanelContext } from './context.ts';
import type { OpenPanel } from './panelHost.ts';
import type { TextDocuments } from './textDocuments.ts';

/** The editor's side of the schema dictionary. Shows the built-in dictionary at once, the service's when it came. */
export class SchemaPanel {
  readonly #panel: OpenPanel;
  readonly #context: PanelContext;
  readonly #documents: TextDocuments;
  readonly #channel: Channel<typeof schemaProtocol.host, typeof schemaProtocol.page>;
  #live: LiveDictionary = { kind: 'reading' };
  #asked = false;
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
          events: { ready: () => this.#ready(), retry: () => void this.#read() },
        },
      }),
    );
  }

  /** Scrolls to a column and marks it, now or as soon as the page can. */
  reveal(column: string): void {
    this.#wanted = column;
    if (this.#isReady) this.#sendReveal();
  }

  #ready(): void {
    this.#isReady = true;
    this.#send();
    this.#sendReveal();
    if (!this.#asked) void this.#read();
  }

  async #read(): Promise<void> {
    this.#asked = true;
    this.#show({ kind: 'reading' });
    try {
      const dictionary = await this.#context.readSchema(this.#panel.signal);
      this.#show({ kind: 'read', dictionary });
    } catch (error) {
      if (isAbortError(error)) return;
      this.#context.log.warn('The schema dictionary could not be read.');
      this.#show({ kind: 'failed', message: this.#context.explain(error) });
    }
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
    await this.#documents.show('Schema Dictionary.txt', schemaText(schemaView(this.#live)));
    return null;
  }

  async #copyColumn(name: string): Promise<null> {
    const fields = schemaView(this.#live).groups.flatMap((group) => group.fields);
    if (!fields.some(({ column }) => column === name)) throw new Error('There is nothing to copy.');
    await vscode.env.clipboard.writeText(name);
    return null;
  }
}
