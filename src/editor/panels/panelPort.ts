import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Port } from '../../base/rpc.ts';
import { isReadyMessage, readyMessage } from '../../protocol/everyPanel.ts';

/** How long the page waits for the first of what it shows, in ms: the editor takes about as long to make room for it. */
const patience = 100;

/**
 * Messages to and from a panel's page. What a page shows first is read while the editor makes room for it, and comes
 * with its HTML, instead of being asked for once the page can ask.
 */
export class PanelPort implements Port, Disposable {
  readonly #webview: Pick<vscode.Webview, 'html' | 'postMessage' | 'onDidReceiveMessage'>;
  readonly #page: Promise<(messages?: readonly unknown[]) => string>;
  readonly #listeners = new Set<(message: unknown) => void>();
  /** What the HTML will bring; undefined once the HTML is there. */
  #first: unknown[] | undefined = [];
  #came = () => {};
  /** The page's first question for what it shows is answered before it is asked. */
  #isAnswered = true;
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
    if (this.#first === undefined) {
      // The editor keeps it for a page that is being loaded. A hidden page misses it: it asks again when it shows.
      void this.#webview.postMessage(message);
      return;
    }
    this.#first.push(message);
    this.#came();
  }

  onMessage(listener: (message: unknown) => void): Disposable {
    this.#listeners.add(listener);
    const subscription = this.#webview.onDidReceiveMessage((message: unknown) => {
      if (this.#isAnswered && isReadyMessage(message)) this.#isAnswered = false;
      else listener(message);
    });
    return {
      dispose: () => {
        this.#listeners.delete(listener);
        subscription.dispose();
      },
    };
  }

  /** Asks in the page's place for what it shows, and fills the page. Throws when the page's files can't be read. */
  async open(): Promise<void> {
    const came = new Promise<void>((resolve) => {
      this.#came = resolve;
    });
    for (const listener of this.#listeners) listener(readyMessage);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    try {
      await Promise.race([came, late]);
      const page = await this.#page;
      if (this.#isDisposed) return;
      const messages = this.#first;
      this.#first = undefined;
      this.#webview.html = page(messages);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The page went out of sight, and is made anew when it shows again: what it was told first is old by then. */
  async hide(): Promise<void> {
    this.#isAnswered = false;
    const page = await this.#page;
    if (this.#first === undefined && !this.#isDisposed) this.#webview.html = page();
  }

  dispose(): void {
    this.#isDisposed = true;
  }
}
