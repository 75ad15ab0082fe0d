import * as vscode from 'vscode';
import type { Services } from '../../app/session.ts';
import { isAbortError, Soon } from '../../base/clock.ts';
import {
  type ColumnUse,
  countedUse,
  countingUse,
  dictionaryBlocks,
  dictionaryGroups,
  type LiveDictionary,
} from '../../panels/dictionary.ts';
import { runCommand } from '../common/commands.ts';
import { type BlocksChannel, openBlocks } from './blocksPanel.ts';
import type { PanelPorts } from './context.ts';
import type { OpenPanel } from './panel.ts';
import type { PanelDocument } from './panelEditors.ts';

/** A library of so many reports is counted within about a second. */
const countedAtOnce = 30_000;
/** Shortest time between two messages about how far the counting is, in ms. */
const progressInterval = 150;

/** The editor's side of the schema dictionary. Shows the built-in dictionary at once, the service's when it came. */
export class SchemaPanel {
  readonly #panel: OpenPanel;
  readonly #services: Services;
  readonly #document: Pick<PanelDocument<'schema'>, 'input' | 'onDidTakeInput'>;
  readonly #page: BlocksChannel;
  #live: LiveDictionary = { kind: 'reading' };
  #use: ColumnUse = { kind: 'none' };
  #asked = false;
  #isCounting = false;
  #isSmall = false;
  /** Aborts with the panel, and when another connection is in use. */
  #here = new AbortController();
  #isReady = false;
  /** What a page went to, which does not go there again when it is made anew. */
  #revealed: { readonly column: string } | undefined;

  constructor(
    panel: OpenPanel,
    { services }: Pick<PanelPorts, 'services'>,
    document: Pick<PanelDocument<'schema'>, 'input' | 'onDidTakeInput'>,
  ) {
    this.#panel = panel;
    this.#services = services;
    this.#document = document;
    panel.store.add(document.onDidTakeInput(() => this.#sendReveal()));
    panel.store.add({ dispose: () => this.#here.abort() });
    this.#page = openBlocks(panel, {
      acts: {
        viewAsJson: () => this.#viewAsJson(),
        openFieldGuide: () => runCommand('openFieldGuide'),
        count: () => void this.#count(),
      },
      ready: () => this.#ready(),
      retry: () => void this.#read(),
      view: () => ({ blocks: dictionaryBlocks(this.#live, this.#use) }),
    });
    const soon = panel.store.add(new Soon(() => this.#countAgain()));
    panel.store.add(
      panel.onDidChange((data) => {
        if (!this.#asked) return;
        if (data.kind === 'session') this.#readAnew();
        else if (data.kind === 'library' && data.change.reports.length > 0) soon.ask();
      }),
    );
  }

  /** Another connection has another dictionary, and another library to count. */
  #readAnew(): void {
    this.#here.abort();
    this.#here = new AbortController();
    this.#isCounting = false;
    this.#showUse({ kind: 'none' });
    void this.#read();
    void this.#offerCount();
  }

  /** Keeps the figures of a library that is counted in a moment; those of a larger one say when they were counted. */
  async #countAgain(): Promise<void> {
    if (this.#use.kind !== 'counted') await this.#offerCount();
    else if (this.#isSmall) await this.#count({ quietly: true });
  }

  #ready(): void {
    this.#isReady = true;
    this.#page.show();
    this.#sendReveal();
    this.#document.input = undefined;
    if (this.#asked) return;
    void this.#read();
    void this.#offerCount();
  }

  async #read(): Promise<void> {
    const { signal } = this.#here;
    this.#asked = true;
    this.#show({ kind: 'reading' });
    try {
      const options = { signal, priority: 'interactive' } as const;
      const dictionary = await this.#services.call((client) => client.schema(options));
      if (!signal.aborted) this.#show({ kind: 'read', dictionary });
    } catch (error) {
      if (signal.aborted || isAbortError(error)) return;
      this.#panel.log.warn('The schema dictionary could not be read.');
      this.#show({ kind: 'failed', message: this.#panel.explain(error) });
    }
  }

  /** Counts a library at once where that takes a moment, and offers it where it takes longer. */
  async #offerCount(): Promise<void> {
    const { signal } = this.#here;
    try {
      const { library } = await this.#services.library();
      const { listed } = await library.withSignal(signal).totals();
      if (signal.aborted) return;
      this.#isSmall = listed <= countedAtOnce;
      if (this.#isSmall) return await this.#count();
      const reports = new Intl.NumberFormat(vscode.env.language).format(listed);
      this.#showUse({ kind: 'offered', words: vscode.l10n.t('Your library has {0} reports.', reports) });
    } catch (error) {
      // Without a library the dictionary is whole all the same; a failing one tells of itself where it is browsed.
      if (!isAbortError(error)) this.#panel.log.debug('There is no library to count the columns of.');
    }
    return undefined;
  }

  /** Counts slice after slice until done; ends with the panel. Earlier counts may stay meanwhile. */
  async #count({ quietly = false } = {}): Promise<void> {
    const { signal } = this.#here;
    if (this.#isCounting) return;
    this.#isCounting = true;
    let toldAt = Number.NEGATIVE_INFINITY;
    try {
      const library = (await this.#services.library()).library.withSignal(signal);
      for (;;) {
        const { counted, total, fields } = await library.fieldUse();
        if (signal.aborted) return;
        if (fields) return this.#showUse(countedUse(counted, fields));
        if (quietly || performance.now() - toldAt < progressInterval) continue;
        toldAt = performance.now();
        this.#showUse(countingUse(counted, total));
      }
    } catch (error) {
      if (signal.aborted || isAbortError(error)) return;
      this.#panel.log.warn('The columns of the library could not be counted.');
      this.#showUse({ kind: 'failed', message: this.#panel.explain(error) });
    } finally {
      if (!signal.aborted) this.#isCounting = false;
    }
  }

  #showUse(use: ColumnUse): void {
    this.#use = use;
    this.#page.show();
  }

  #show(live: LiveDictionary): void {
    this.#live = live;
    this.#page.show();
  }

  /**
   * Scrolls to a column and marks it, now or as soon as the page can. A page in a hidden tab misses what it is sent, so
   * the column stays wanted until a page says that it is ready.
   */
  #sendReveal(): void {
    const { input } = this.#document;
    if (!this.#isReady || !input || input === this.#revealed) return;
    this.#page.go({ row: input.column });
    if (this.#panel.isVisible()) this.#revealed = input;
  }

  #viewAsJson(): Promise<void> {
    const shown = this.#live.kind === 'read' ? this.#live.dictionary.raw : dictionaryGroups(this.#live);
    return this.#panel.showText('Schema Dictionary.json', `${JSON.stringify(shown, null, 2)}\n`);
  }
}
