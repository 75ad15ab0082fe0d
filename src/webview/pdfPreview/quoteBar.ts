import { html, render } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { icon } from '../common/widgets.ts';
import { isPassageSelected } from './passage.ts';

/**
 * The small buttons at what is selected. They come when a selection is made, not while it is, and never take it away.
 * @param stage a positioned element that the pages scroll in
 */
export class QuoteBar {
  readonly #bar: HTMLElement;
  readonly #stage: HTMLElement;
  #isPressed = false;

  constructor(stage: HTMLElement, pages: HTMLElement, quote: (mayPick: boolean) => void) {
    this.#stage = stage;
    this.#bar = document.createElement('div');
    this.#bar.className = 'quote-bar';
    this.#bar.role = 'toolbar';
    this.#bar.ariaLabel = l10n.t('Quote');
    this.#bar.hidden = true;
    // A press would take the selection away.
    this.#bar.addEventListener('pointerdown', (event) => event.preventDefault());
    this.#bar.addEventListener('mousedown', (event) => event.preventDefault());
    const [insert, pick] = [l10n.t('Quote'), l10n.t('Quote As…')];
    render(
      html`<button class="quote-button" title="${insert} (q)" @click=${() => quote(false)}>${icon('quote')} ${insert}</button
        ><button class="icon-button" title="${pick} (Shift+q)" aria-label=${pick} @click=${() => quote(true)}
          >${icon('chevron-down')}</button
        >`,
      this.#bar,
    );
    stage.append(this.#bar);
    document.addEventListener('selectionchange', () => this.#follow());
    pages.addEventListener('scroll', () => this.#follow(), { passive: true });
    pages.addEventListener('pointerdown', () => this.#follow(true));
    for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => this.#follow(false));
  }

  #follow(isPressed = this.#isPressed): void {
    this.#isPressed = isPressed;
    const isShown = !this.#isPressed && isPassageSelected();
    this.#bar.hidden = !isShown;
    if (!isShown) return;
    const boxes = document.getSelection()?.getRangeAt(0).getClientRects();
    const last = boxes?.[boxes.length - 1];
    if (!last) return;
    const around = this.#stage.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#bar;
    const below = last.bottom - around.top + 4;
    const top = below + height < around.height ? below : last.top - around.top - height - 4;
    this.#bar.style.top = `${Math.max(4, Math.min(top, around.height - height - 4))}px`;
    this.#bar.style.left = `${Math.max(4, Math.min(last.right - around.left - width, around.width - width - 20))}px`;
  }
}
