import * as vscode from 'vscode';
import type * as z from 'zod/mini';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Port } from '../../base/rpc.ts';
import { oneLine } from '../../protocol/format/visibleText.ts';
import { pageHtml } from '../../protocol/page.ts';
import { newNonce, pageFiles, pageOptions } from '../common/pageParts.ts';
import { PanelPort } from './panelPort.ts';

/** Longest text of a tab, in characters. */
const longestTitle = 60;

/** An open panel as its feature sees it. */
export interface OpenPanel {
  readonly port: Port;
  /** Ends with the panel. */
  readonly store: DisposableStore;
  /** Aborts with the panel. */
  readonly signal: AbortSignal;
  readonly isDisposed: boolean;
  /** Text from the service may be given; it becomes one short, visible line. */
  setTitle(title: string): void;
}

/** One kind of panel. At most one panel is open for each key. */
export interface PanelKind<Key extends string | number, State, Panel> {
  readonly viewType: string;
  /** Names `dist/webview/<bundle>.js` and `media/panels/<bundle>.css`. */
  readonly bundle: string;
  readonly title: string;
  /** A codicon's name. */
  readonly icon: string;
  /** What a page keeps. It comes back from outside, so it is checked. */
  readonly state: z.ZodMiniType<State>;
  /** Which panel a kept state was of; undefined when it can't be one. */
  keyOf(state: State): Key | undefined;
  /** Starts the conversation with a new page. What it makes goes to the panel's store. */
  connect(panel: OpenPanel, key: Key): Panel;
}

/** Opens, reuses and restores the panels of one kind. */
export class PanelHost<Key extends string | number, State = unknown, Panel = unknown> implements Disposable {
  readonly #kind: PanelKind<Key, State, Panel>;
  readonly #extensionUri: vscode.Uri;
  readonly #log: Logger;
  readonly #open = new Map<Key, vscode.WebviewPanel>();
  readonly #connected = new Map<Key, Panel>();

  constructor(
    kind: PanelKind<Key, State, Panel>,
    { extensionUri, log }: { readonly extensionUri: vscode.Uri; readonly log: Logger },
  ) {
    this.#kind = kind;
    this.#extensionUri = extensionUri;
    this.#log = log;
  }

  get viewType(): string {
    return this.#kind.viewType;
  }

  /** The editor's side of an open panel. */
  opened(key: Key): Panel | undefined {
    return this.#connected.get(key);
  }

  /** Shows the panel of a key, the open one if there is one. */
  show(key: Key, options: { readonly beside?: boolean; readonly preserveFocus?: boolean } = {}): void {
    const open = this.#open.get(key);
    if (open) {
      open.reveal(undefined, options.preserveFocus);
      return;
    }
    const viewColumn = options.beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(
      this.#kind.viewType,
      this.#kind.title,
      { viewColumn, preserveFocus: options.preserveFocus ?? false },
      // The page is rebuilt when it shows again, so that hidden panels cost no memory.
      { retainContextWhenHidden: false, enableFindWidget: true, ...pageOptions },
    );
    this.#fill(panel, key);
  }

  dispose(): void {
    for (const panel of [...this.#open.values()]) panel.dispose();
  }

  /** Fills a panel that the editor brought back, or closes it when its state can't be trusted. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = this.#kind.state.safeParse(state);
    const key = kept.success ? this.#kind.keyOf(kept.data) : undefined;
    if (key === undefined || this.#open.has(key)) {
      this.#log.info(`Closed a ${this.#kind.viewType} panel that could not be restored.`);
      panel.dispose();
      return;
    }
    panel.webview.options = pageOptions;
    this.#fill(panel, key);
  }

  #fill(panel: vscode.WebviewPanel, key: Key): void {
    const store = new DisposableStore();
    const ended = new AbortController();
    this.#open.set(key, panel);
    panel.iconPath = new vscode.ThemeIcon(this.#kind.icon);
    panel.onDidDispose(() => {
      this.#open.delete(key);
      this.#connected.delete(key);
      ended.abort();
      store.dispose();
    });
    const { webview } = panel;
    const port = store.add(new PanelPort(webview, this.#page()));
    const fail = (error: unknown) => this.#log.error(`A panel’s page could not be read: ${String(error)}`);
    panel.onDidChangeViewState(() => {
      if (!panel.visible) port.hide().catch(fail);
    });
    const connected = this.#kind.connect(
      {
        port,
        store,
        signal: ended.signal,
        get isDisposed() {
          return store.isDisposed;
        },
        setTitle: (title) => {
          if (!store.isDisposed) panel.title = oneLine(title, longestTitle) || this.#kind.title;
        },
      },
      key,
    );
    this.#connected.set(key, connected);
    port.open().catch(fail);
  }

  /** Reads the page's files; gives its HTML, with what it is told at once. */
  async #page(): Promise<(messages?: readonly unknown[]) => string> {
    const { bundle, title } = this.#kind;
    const files = await pageFiles(this.#extensionUri, bundle);
    return (messages = []) => pageHtml({ ...files, nonce: newNonce(), title, messages });
  }
}
