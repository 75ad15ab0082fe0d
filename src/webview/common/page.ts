import { render, type TemplateResult } from 'lit';
import type * as z from 'zod/mini';
import { l10n } from '../../base/l10n.ts';
import { Channel, type Handlers, type Port, type Side } from '../../base/rpc.ts';
import { type AnyPanel, type PageProblem, readDataBlock, type StateOf, type ViewOf } from '../../protocol/page.ts';
import { FocusKeeper } from './focus.ts';
import { absentTemplate, announce, announceFailure } from './widgets.ts';

declare global {
  function acquireVsCodeApi(): {
    postMessage(message: unknown): void;
    getState(): unknown;
    setState(state: unknown): void;
  };
}

/** The editor's side of this page. May be acquired once only. */
const editor = acquireVsCodeApi();

/** Messages to and from the editor. The content in the page's HTML comes first, once the page's script has run. */
const editorPort: Port = {
  post: (message) => editor.postMessage(message),
  onMessage(listener) {
    const brought = readDataBlock(document.querySelector('#messages')?.textContent);
    void replay(Array.isArray(brought) ? brought : [], listener);
    const onMessage = (event: MessageEvent<unknown>) => listener(event.data);
    window.addEventListener('message', onMessage);
    return { dispose: () => window.removeEventListener('message', onMessage) };
  },
};

/** Passes messages on one by one: what waits for one goes on before the next comes, as if they came now. */
async function replay(messages: readonly unknown[], listener: (message: unknown) => void): Promise<void> {
  for (const message of messages) {
    await null;
    listener(message);
  }
}

export function errorMessage(error: unknown): string {
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
  // The page has no log of its own: what is worth knowing goes to the developer tools.
  const { page: mine, host: theirs } = protocol;
  return new Channel({ port: editorPort, mine, theirs, handlers, explain: errorMessage, log: console });
}

/** Waits for what a person asked for; tells when it is done, or why it did not work. */
export async function act(work: Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work;
    if (done !== undefined) announce(done);
    return true;
  } catch (error) {
    announceFailure(errorMessage(error));
    return false;
  }
}

/** How long a copied value shows that it was copied, in ms. */
const copiedFor = 1500;

type CallName<P extends AnyPanel> = keyof P['host']['calls'] & string;
type CallParams<P extends AnyPanel, Name extends CallName<P>> = z.output<P['host']['calls'][Name]['params']>;
type CallResult<P extends AnyPanel, Name extends CallName<P>> = z.output<P['host']['calls'][Name]['result']>;

interface PanelPageOptions<P extends AnyPanel> {
  template(view: ViewOf<P>): TemplateResult;
  /** What the editor tells beside the view and what became of reading it. */
  readonly events?: Omit<Handlers<P['page']>['events'], 'show' | 'problem'>;
  /** A view came, and is about to be drawn. */
  readonly taking?: (view: ViewOf<P>, before: ViewOf<P> | undefined) => void;
  /** It has been drawn. */
  readonly taken?: (before: ViewOf<P> | undefined) => void;
}

type CommonChannel = Channel<AnyPanel['page'], AnyPanel['host']>;

/**
 * A panel's page: its conversation with the editor, what it shows, what it keeps across hiding and window reloads, and
 * where the keyboard is. Templates draw from it and call what it offers.
 */
export class PanelPage<P extends AnyPanel> {
  readonly root: HTMLElement;
  /** An earlier page kept its state. */
  readonly isBack: boolean;
  /** What is shown; undefined while it is being read, and where there is a problem. */
  view: ViewOf<P> | undefined;
  problem: PageProblem | undefined;
  readonly #options: PanelPageOptions<P>;
  readonly #channel: Channel<P['page'], P['host']>;
  /** The same, for what every page may ask and tell. */
  readonly #common: CommonChannel;
  readonly #focus: FocusKeeper;
  readonly #opened = new Set<string>();
  #state: StateOf<P>;
  #copied: string | undefined;
  #scrollWanted: number;

  constructor(protocol: P, options: PanelPageOptions<P>) {
    this.#options = options;
    const kept = protocol.kept.schema.safeParse(editor.getState());
    this.#state = (kept.success ? kept.data : protocol.kept.fresh) as StateOf<P>;
    this.#scrollWanted = this.#state.scroll ?? 0;
    this.isBack = kept.success;
    this.root = pageRoot();
    this.#focus = new FocusKeeper(this.root, this.#state.focus, (focus) => this.keep({ focus } as Partial<StateOf<P>>));
    const events = {
      ...options.events,
      show: (view: ViewOf<P>) => this.show(view),
      problem: (problem: PageProblem) => this.#fail(problem),
    } as unknown as Handlers<P['page']>['events'];
    const handlers = { calls: {}, events } as Handlers<P['page']>;
    this.#channel = openPageChannel<P['page'], P['host']>(protocol, handlers);
    this.#common = this.#channel as unknown as CommonChannel;
    window.addEventListener('scrollend', () => this.keep({}), true);
  }

  /** Draws the page, and requests its content unless the HTML contains it. */
  open(): void {
    this.draw();
    if (!document.querySelector('#messages')) this.#common.send('ready', null);
  }

  #template(): TemplateResult {
    return this.view === undefined
      ? absentTemplate(this, l10n.t('Loading the page'))
      : this.#options.template(this.view);
  }

  draw(): void {
    render(this.#template(), this.root);
    this.#focus.settle();
  }

  show(view: ViewOf<P>): void {
    const { taking, taken } = this.#options;
    const before = this.view;
    taking?.(view, before);
    this.view = view;
    this.problem = undefined;
    this.draw();
    taken?.(before);
    if (this.#scrollWanted > 0) this.#scroller()?.scrollTo(0, this.#scrollWanted);
    this.#scrollWanted = 0;
  }

  #fail(problem: PageProblem): void {
    this.view = undefined;
    this.problem = problem;
    this.draw();
  }

  /** Tries to read again what could not be read. */
  readonly retry = (): void => {
    this.problem = undefined;
    this.draw();
    this.#common.send('retry', null);
  };

  /** Has the editor ask for a key, or open the demo library. */
  readonly enter = (how: 'signIn' | 'openDemoLibrary'): Promise<boolean> => act(this.#common.call('enter', { how }));

  /** Asks the editor for something; tells `done` when it is, or why it did not work. */
  call<Name extends CallName<P>>(name: Name, params: CallParams<P, Name>, done?: string): Promise<boolean> {
    return act(this.#channel.call(name, params), done);
  }

  /** Asks the editor for an answer; one that is no longer wanted is given up by its signal. */
  async ask<Name extends CallName<P>>(
    name: Name,
    params: CallParams<P, Name>,
    signal?: AbortSignal,
  ): Promise<CallResult<P, Name>> {
    return (await this.#channel.call(name, params, signal)) as CallResult<P, Name>;
  }

  /** Has the editor copy something, and shows for a moment that it did. */
  async copyBy<Name extends CallName<P>>(
    id: string,
    done: string,
    name: Name,
    params: CallParams<P, Name>,
  ): Promise<void> {
    if (!(await this.call(name, params, done))) return;
    this.#copied = id;
    this.draw();
    setTimeout(() => {
      if (this.#copied !== id) return;
      this.#copied = undefined;
      this.draw();
    }, copiedFor);
  }

  isCopied(id: string): boolean {
    return this.#copied === id;
  }

  unfold(id: string): void {
    this.#opened.add(id);
    this.draw();
  }

  isUnfolded(id: string): boolean {
    return this.#opened.has(id);
  }

  send<Name extends keyof P['host']['events'] & string>(name: Name, data: unknown = null): void {
    this.#channel.send(name, data as never);
  }

  get state(): StateOf<P> {
    return this.#state;
  }

  set(change: Partial<StateOf<P>>): void {
    this.keep(change);
    this.draw();
  }

  keep(change: Partial<StateOf<P>>): void {
    // Before the content is there the page stands at its top, which says nothing.
    const scroll = this.#scrollWanted > 0 ? this.#scrollWanted : Math.round(this.#scroller()?.scrollTop ?? 0);
    this.#state = { ...this.#state, ...change, scroll };
    editor.setState(this.#state);
  }

  /** The page goes somewhere else of its own. */
  forgetScroll(): void {
    this.#scrollWanted = 0;
  }

  /** What scrolls, which may be a part of the page. */
  #scroller(): Element | null {
    return document.querySelector('.scroller') ?? document.scrollingElement;
  }
}
