/** What the keyboard can be given to. */
const focusable = 'vscode-button:not([disabled]), button:not([disabled]), input, select, summary, [tabindex="0"]';

/** Longest way to an element that is kept, in characters. */
const longestWay = 500;

/**
 * Keeps the keyboard from falling to the page's body: when the focused element is redrawn, when a question of the
 * editor ends, and when a hidden page comes back. The focus then returns to where it was, or to what stands there now.
 */
export class FocusKeeper {
  readonly #root: HTMLElement;
  #way: string;
  #last: Element | undefined;

  /** `way` leads to what had the keyboard in an earlier page; `keep` is told of each new one. */
  constructor(root: HTMLElement, way: string | undefined, keep: (way: string) => void) {
    this.#root = root;
    this.#way = way ?? '';
    root.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof Element)) return;
      this.#last = target;
      this.#way = wayTo(target, root);
      if (this.#way.length <= longestWay) keep(this.#way);
    });
    window.addEventListener('focus', () => this.#restore());
  }

  /** To be called after the page was drawn. Components take the keyboard only once they have drawn themselves. */
  settle(): void {
    if (this.#last?.isConnected) return;
    requestAnimationFrame(() => {
      if (document.hasFocus()) this.#restore();
    });
  }

  #restore(): void {
    const { activeElement } = document;
    if (this.#way === '' || (activeElement !== document.body && activeElement !== null)) return;
    const isThere = this.#last?.isConnected === true && this.#last.matches(focusable);
    const to = isThere ? (this.#last as HTMLElement) : this.#nearest();
    to?.focus({ preventScroll: true });
  }

  /** What stands at the end of the way now, or the first thing near it. */
  #nearest(): HTMLElement | null {
    const steps = this.#way.split(' > ');
    const exact = find(this.#root, steps);
    if (exact?.matches(`${focusable}, [tabindex]`)) return exact;
    for (let length = steps.length - 1; length > 0; length--) {
      const found = find(this.#root, steps.slice(0, length))?.querySelector<HTMLElement>(focusable);
      if (found) return found;
    }
    return this.#root.querySelector<HTMLElement>(focusable);
  }
}

function find(root: HTMLElement, steps: readonly string[]): HTMLElement | null {
  try {
    return root.querySelector<HTMLElement>(`:scope ${steps[0]?.startsWith('[') ? '' : '> '}${steps.join(' > ')}`);
  } catch {
    // The stored value comes from outside, and may be invalid.
    return null;
  }
}

/** From a row or another part that goes by a name, else from the root, by the places of elements among their like. */
function wayTo(element: Element, root: HTMLElement): string {
  const steps: string[] = [];
  for (let at: Element | null = element; at && at !== root; at = at.parentElement) {
    const name = at.getAttribute('data-row');
    if (name) return [`[data-row="${CSS.escape(name)}"]`, ...steps].join(' > ');
    // A grid knows its own cell.
    if (at.getAttribute('role') === 'grid') steps.length = 0;
    const like: Element[] = [...(at.parentElement?.children ?? [])].filter(
      ({ localName }) => localName === at?.localName,
    );
    steps.unshift(`${at.localName}:nth-of-type(${like.indexOf(at) + 1})`);
  }
  return steps.join(' > ');
}
