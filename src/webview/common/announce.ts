import { html, render } from 'lit';
import { icon } from './icon.ts';

/** How long a failure stays on the screen, in ms. */
const shownFor = 8000;

let region: HTMLElement | undefined;
let failure: HTMLElement | undefined;
let hiding: ReturnType<typeof setTimeout> | undefined;

/** Tells a screen reader what changed, without moving the focus. */
export function announce(words: string): void {
  region ??= append('visually-hidden', 'status');
  // The same words twice are a change too.
  region.textContent = region.textContent === words ? `${words}\u00A0` : words;
}

/** Shows and tells for a while why something did not work. */
export function announceFailure(words: string): void {
  failure ??= append('failure', 'alert');
  clearTimeout(hiding);
  render(html`${icon('error')}<span>${words}</span>`, failure);
  hiding = setTimeout(() => failure && render('', failure), shownFor);
}

function append(className: string, role: string): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.setAttribute('role', role);
  document.body.append(element);
  return element;
}
