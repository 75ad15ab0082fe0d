import { serialize } from 'node:v8';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Port } from '../../base/rpc.ts';
import { oneLine } from '../../base/words.ts';
import { pageHtml } from '../../protocol/page.ts';
import { newNonce, pageFiles, pageOptions } from '../common/pageParts.ts';

/** Longest text of a tab, in characters. */
const longestTitle = 60;

export interface PageType {
  /** Names `dist/webview/<bundle>.js` and, without a style, `media/panels/<bundle>.css`. */
  readonly bundle: string;
  /** Names a style sheet of its own. */
  readonly look?: string;
  readonly title: string;
  /** A codicon's name, or a picture. */
  readonly icon: string | { readonly light: vscode.Uri; readonly dark: vscode.Uri };
}

export interface OpenPage {
  readonly port: Port;
  /** Ends with the tab. */
  readonly store: DisposableStore;
  /** Aborts with the tab. */
  readonly signal: AbortSignal;
  /** Whether the page is in sight; a hidden one misses what it is told. */
  isVisible(): boolean;
  /** Text from the service may be given; it becomes one short, visible line. */
  setTitle(title: string): void;
}

/** Fills a tab with a page; `connect` starts the conversation with it. */
export function fillPage(
  tab: vscode.WebviewPanel,
  type: PageType,
  { extensionUri, log }: { readonly extensionUri: vscode.Uri; readonly log: Logger },
  connect: (page: OpenPage) => void,
): void {
  const store = new DisposableStore();
  const ended = new AbortController();
  tab.webview.options = pageOptions;
  tab.iconPath = typeof type.icon === 'string' ? new vscode.ThemeIcon(type.icon) : type.icon;
  const port = store.add(new PanelPort(tab.webview, pageOf(type, extensionUri)));
  const fail = (error: unknown) => log.error(`A panel’s page could not be read: ${String(error)}`);
  tab.onDidChangeViewState(() => {
    if (!tab.visible) port.hide().catch(fail);
  });
  tab.onDidDispose(() => {
    ended.abort();
    store.dispose();
  });
  const setTitle = (title: string) => {
    const line = oneLine(title, longestTitle);
    if (!ended.signal.aborted && line !== '') tab.title = line;
  };
  connect({ port, store, signal: ended.signal, isVisible: () => tab.visible, setTitle });
  port.open().catch(fail);
}

/** Reads the page's files; gives its HTML, with what it is told at once. */
async function pageOf(
  { bundle, look = bundle, title }: PageType,
  extensionUri: vscode.Uri,
): Promise<(messages?: readonly unknown[]) => string> {
  const files = await pageFiles(extensionUri, bundle, { look });
  return (messages = []) => pageHtml({ ...files, nonce: newNonce(), title, messages });
}

/** Longer content, in bytes, comes by message: HTML is copied several times on its way. */
const longestInHtml = 500_000;

/** How long the page waits for its first content, in ms: about as long as the editor takes to make room for it. */
const patience = 100;

/** What a page says when it can listen. */
const ready = { kind: 'event', name: 'ready', data: null } as const;

/**
 * Messages to and from a panel's page. Its first content is read while the editor creates the page, and comes
 * with the HTML. A page without content in its HTML asks for it.
 */
export class PanelPort implements Port, Disposable {
  readonly #webview: Pick<vscode.Webview, 'html' | 'postMessage' | 'onDidReceiveMessage'>;
  readonly #page: Promise<(messages?: readonly unknown[]) => string>;
  readonly #listeners = new Set<(message: unknown) => void>();
  /** What the HTML will bring; undefined once the HTML is there. */
  #first: unknown[] | undefined = [];
  readonly #came = Promise.withResolvers<void>();
  #isDisposed = false;

  constructor(
    webview: Pick<vscode.Webview, 'html' | 'postMessage' | 'onDidReceiveMessage'>,
    page: Promise<(messages?: readonly unknown[]) => string>,
  ) {
    this.#webview = webview;
    this.#page = page;
  }

  post(message: unknown): void {
    if (this.#isDisposed) return;
    // The editor keeps it for a page that is being loaded. A hidden page misses it: it asks again when it shows.
    if (this.#first === undefined) void this.#webview.postMessage(message);
    else this.#first.push(message);
    this.#came.resolve();
  }

  onMessage(listener: (message: unknown) => void): Disposable {
    this.#listeners.add(listener);
    return this.#webview.onDidReceiveMessage(listener);
  }

  /** Asks in the page's place for what it shows, and fills the page. Throws when the page's files can't be read. */
  async open(): Promise<void> {
    for (const listener of this.#listeners) listener(ready);
    await Promise.race([this.#came.promise, systemClock.sleep(patience)]);
    const page = await this.#page;
    if (this.#isDisposed) return;
    const messages = this.#first ?? [];
    this.#first = undefined;
    this.#webview.html = page(serialize(messages).length > longestInHtml ? [] : messages);
  }

  /** The page went out of sight, and is made anew when it shows again: what it was told first is old by then. */
  async hide(): Promise<void> {
    const page = await this.#page;
    if (this.#first === undefined && !this.#isDisposed) this.#webview.html = page();
  }

  dispose(): void {
    this.#isDisposed = true;
  }
}
