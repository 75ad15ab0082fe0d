import type * as z from 'zod/mini';
import { l10n } from '../../base/l10n.ts';
import { Channel, type Handlers, type Port, type Side } from '../../base/rpc.ts';
import { readDataBlock } from '../../protocol/page.ts';
import { announce, announceFailure } from './widgets.ts';

interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** The editor's side of this page. May be acquired once only. */
export const editor = acquireVsCodeApi();

/** Messages to and from the editor. What the page's HTML brought along comes first, once the page's script has run. */
const editorPort: Port = {
  post: (message) => editor.postMessage(message),
  onMessage(listener) {
    const brought = readDataBlock(document.querySelector('#messages')?.textContent);
    if (Array.isArray(brought)) queueMicrotask(() => brought.forEach(listener));
    const onMessage = (event: MessageEvent<unknown>) => listener(event.data);
    window.addEventListener('message', onMessage);
    return { dispose: () => window.removeEventListener('message', onMessage) };
  },
};

/** The page has no log of its own: what is worth knowing goes to the developer tools. */
const pageLog = {
  debug: (message: string) => console.debug(message),
  info: (message: string) => console.info(message),
  warn: (message: string) => console.warn(message),
  error: (message: string) => console.error(message),
};

/** Words of a failed call. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Translations = Readonly<Record<string, string>> | undefined;

/** Takes up the reader's language, and makes the element that a page draws into. */
export function pageRoot(): HTMLElement {
  l10n.speak(
    document.documentElement.lang,
    readDataBlock(document.querySelector('#words')?.textContent) as Translations,
  );
  const root = document.createElement('main');
  document.body.prepend(root);
  // Read while the first message is on its way, the icons' font makes the page lay nothing out twice.
  void document.fonts.load('16px codicon');
  // The button component acts on the space bar but leaves the browser to scroll the page as well.
  root.addEventListener('keydown', (event) => {
    if (event.key === ' ' && event.target instanceof HTMLElement && event.target.matches('vscode-button'))
      event.preventDefault();
  });
  return root;
}

/** Opens the page's end of a conversation. */
export function openPageChannel<Page extends Side, Host extends Side>(
  protocol: { readonly page: Page; readonly host: Host },
  handlers: Handlers<Page>,
): Channel<Page, Host> {
  return new Channel({
    port: editorPort,
    mine: protocol.page,
    theirs: protocol.host,
    handlers,
    explain: messageOf,
    log: pageLog,
  });
}

/** Waits for what a person asked for; tells when it is done, or why it did not work. */
export async function act(work: Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work;
    if (done !== undefined) announce(done);
    return true;
  } catch (error) {
    announceFailure(messageOf(error));
    return false;
  }
}

/** What a page shows: its view, or the reason why there is none. Undefined both while it is being read. */
export class Shown<View> {
  readonly #draw: () => void;
  #view: View | undefined;
  #problem: string | undefined;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  get view(): View | undefined {
    return this.#view;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /** Puts a view in place of what was there. */
  show(view: View): void {
    this.#view = view;
    this.#problem = undefined;
    this.#draw();
  }

  /** Puts the reason in place of what was there. */
  fail({ message }: { readonly message: string }): void {
    this.#view = undefined;
    this.#problem = message;
    this.#draw();
  }

  /** Takes the reason away while it is tried again. */
  retry(): void {
    this.#problem = undefined;
    this.#draw();
  }
}

/** What every panel keeps across hiding and window reloads, beside what is its own. */
interface ScrollState {
  readonly scroll: number;
}

/** The kept state of a page. What came back from outside is checked before it is believed. */
export class Kept<State extends ScrollState> {
  #state: State;
  readonly #scroller: () => Element | null;
  #scrollWanted: number;

  /**
   * @param fresh the state of a page that never kept one
   * @param scroller what scrolls, where it is not the page
   */
  constructor(schema: z.ZodMiniType<State>, fresh: State, scroller?: () => Element | null) {
    this.#scroller = scroller ?? (() => document.scrollingElement);
    const parsed = schema.safeParse(editor.getState());
    this.#state = parsed.success ? parsed.data : fresh;
    this.#scrollWanted = parsed.success ? parsed.data.scroll : 0;
    if (!parsed.success) editor.setState(fresh);
    window.addEventListener('scrollend', () => this.#save(), true);
  }

  get state(): State {
    return this.#state;
  }

  /** Keeps what changed. */
  set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    this.#save();
  }

  /** Goes back, once, to where the page was; to be called when there is something to scroll. */
  restoreScroll(): void {
    if (this.#scrollWanted > 0) this.#scroller()?.scrollTo(0, this.#scrollWanted);
    this.#scrollWanted = 0;
  }

  /** The page goes somewhere else of its own. */
  forgetScroll(): void {
    this.#scrollWanted = 0;
  }

  #save(): void {
    // Before the content is there the page stands at its top, which says nothing.
    const scroll = this.#scrollWanted > 0 ? this.#scrollWanted : Math.round(this.#scroller()?.scrollTop ?? 0);
    this.#state = { ...this.#state, scroll };
    editor.setState(this.#state);
  }
}
