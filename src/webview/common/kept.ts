import type * as z from 'zod/mini';
import { editor } from './editorApi.ts';

/** What every panel keeps across hiding and window reloads, beside what is its own. */
interface Place {
  readonly scroll: number;
}

/** The kept state of a page. What came back from outside is checked before it is believed. */
export class Kept<State extends Place> {
  #state: State | undefined;
  readonly #scroller: () => Element | null;
  #scrollWanted: number;

  /**
   * @param fresh the state of a page that never kept one; left out while the page can't know it yet
   * @param scroller what scrolls, where it is not the page
   */
  constructor(schema: z.ZodMiniType<State>, fresh?: State, scroller?: () => Element | null) {
    this.#scroller = scroller ?? (() => document.scrollingElement);
    const parsed = schema.safeParse(editor.getState());
    this.#state = parsed.success ? parsed.data : fresh;
    this.#scrollWanted = parsed.success ? parsed.data.scroll : 0;
    if (!parsed.success && fresh) editor.setState(fresh);
    window.addEventListener('scrollend', () => this.#save(), true);
  }

  get state(): State | undefined {
    return this.#state;
  }

  /** Keeps what changed; the whole state the first time where none was there. */
  set(change: State | Partial<State>): void {
    this.#state = { ...this.#state, ...change } as State;
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
    if (!this.#state) return;
    // Before the content is there the page stands at its top, which says nothing.
    const scroll = this.#scrollWanted > 0 ? this.#scrollWanted : Math.round(this.#scroller()?.scrollTop ?? 0);
    this.#state = { ...this.#state, scroll };
    editor.setState(this.#state);
  }
}
