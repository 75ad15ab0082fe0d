import { html, render, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import { barsOf, maxYears, type YearCount } from '../../protocol/reportTable.ts';
import { rove } from '../common/roving.ts';
import { announce, trackPointer } from '../common/widgets.ts';

/** Room that the number of a year takes with what stands it apart from the next, in px. */
const labelWidth = 36;
/** Until it is laid out, in px. */
const widestDrawn = 600;
const steps = [1, 2, 5, 10, 20];

/**
 * The reports by fiscal year, as a row of bars. Dragging over them, or Shift with the arrow keys and Enter, narrows to
 * those years; choosing what is chosen alone takes that back.
 */
export class YearBars {
  readonly element = document.createElement('div');
  readonly #choose: (years: YearCount['year'][]) => void;
  #bars: readonly YearCount[] = [];
  #drawnStep = 1;
  /** The bars that are being chosen, from where it began to where it is. */
  #range: readonly [from: number, to: number] | undefined;

  constructor(choose: (years: YearCount['year'][]) => void) {
    this.#choose = choose;
    const { element } = this;
    element.className = 'years';
    element.role = 'group';
    element.ariaLabel = l10n.t('Reports by fiscal year');
    element.ariaDescription = l10n.t('Shift+Left or Right Arrow selects years; Enter filters by them.');
    rove(element);
    new ResizeObserver(() => this.#onSize()).observe(element);
    element.addEventListener('pointerdown', (event) => this.#onPointer(event));
    element.addEventListener('keydown', (event) => this.#onKey(event));
    element.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) this.#setRange(undefined);
    });
  }

  show(counts: readonly YearCount[]): void {
    this.#bars = barsOf(counts);
    this.#draw();
  }

  #onSize(): void {
    if (this.#step() !== this.#drawnStep) this.#draw();
  }

  #draw(): void {
    this.#drawnStep = this.#step();
    const max = Math.max(1, ...this.#bars.map(({ count }) => count));
    const isNarrowed = this.#bars.some(({ isOn }) => isOn);
    this.element.classList.toggle('narrowed', isNarrowed);
    render(
      html`<div class="bars" data-row>${this.#bars.map((bar, at) => this.#bar(bar, at, max))}</div>`,
      this.element,
    );
  }

  #bar({ year, count, isOn }: YearCount, at: number, max: number): TemplateResult {
    const words = year === null ? l10n.t('Undated') : String(year);
    const name = `${words}: ${counted(count, l10n.later('1 report'), l10n.later('{0} reports'))}`;
    const [from = -1, to = -1] = this.#range ? [...this.#range].sort((a, b) => a - b) : [];
    const height = count === 0 ? 0 : Math.max(4, (100 * count) / max);
    return html`<button class="year ${isOn ? 'on' : ''} ${at >= from && at <= to ? 'within' : ''}" data-stop data-at=${at} tabindex="-1" aria-pressed=${isOn} aria-label=${name} title=${name} @click=${({ detail }: MouseEvent) => detail === 0 && this.#settle([at, at])}>
      <span class="column"><span .style=${`height: ${height}%`}></span></span
      ><span class="label" aria-hidden="true">${year === null ? '–' : at % this.#drawnStep === 0 ? words : ''}</span>
    </button>`;
  }

  /** Every so many years bear their number: as many as stand apart. */
  #step(): number {
    const fitting = Math.max(1, Math.floor((this.element.clientWidth || widestDrawn) / labelWidth));
    return steps.find((step) => this.#bars.length / step <= fitting) ?? maxYears;
  }

  #setRange(range: readonly [number, number] | undefined): void {
    if (range?.[0] === this.#range?.[0] && range?.[1] === this.#range?.[1]) return;
    this.#range = range;
    this.#draw();
  }

  /** Narrows to the bars of a range, or back to all when these are what is chosen. */
  #settle([one, other]: readonly [number, number]): void {
    this.#setRange(undefined);
    const within = this.#bars.slice(Math.min(one, other), Math.max(one, other) + 1);
    const chosen = this.#bars.filter(({ isOn }) => isOn);
    const isSame = chosen.length === within.length && within.every(({ isOn }) => isOn);
    this.#choose(isSame ? [] : within.map(({ year }) => year));
  }

  #onPointer(event: PointerEvent): void {
    const at = placeOf(event.target);
    if (at === undefined || event.button !== 0) return;
    this.#setRange([at, at]);
    const under = ({ clientX, clientY }: PointerEvent) => placeOf(document.elementFromPoint(clientX, clientY));
    const move = (event: PointerEvent) => this.#setRange([at, under(event) ?? this.#range?.[1] ?? at]);
    trackPointer(window, move, ({ type }) => {
      if (type === 'pointerup') this.#settle(this.#range ?? [at, at]);
      else this.#setRange(undefined);
    });
  }

  #onKey(event: KeyboardEvent): void {
    const at = placeOf(document.activeElement);
    if (at === undefined) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#settle(this.#range ?? [at, at]);
    } else if (event.key === 'Escape' && this.#range) this.#setRange(undefined);
    // The row of buttons has moved the keyboard already, but at an end.
    else if (event.defaultPrevented && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      const step = event.key === 'ArrowLeft' ? -1 : 1;
      this.#setRange(event.shiftKey ? [this.#range?.[0] ?? at - step, at] : undefined);
      const years = this.#range && this.#bars.slice(Math.min(...this.#range), Math.max(...this.#range) + 1);
      if (years) announce(l10n.t('{0} to {1}', String(years[0]?.year ?? ''), String(years.at(-1)?.year ?? '')));
    }
  }
}

function placeOf(target: unknown): number | undefined {
  const bar = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null;
  return bar ? Number(bar.dataset.at) : undefined;
}
