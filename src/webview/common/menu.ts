import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { rove } from './roving.ts';
import { icon } from './widgets.ts';

export interface MenuItem {
  readonly icon: string;
  readonly words: string;
  /** Whether it is on; undefined for what only acts. */
  readonly isOn?: boolean;
  /** The key that does the same. */
  readonly key?: string;
  act(): unknown;
}

/** A button that opens a menu below it. Arrow keys lead through it; Escape, a click elsewhere and a choice close it. */
export function menuButton(words: string, items: readonly MenuItem[], isOff = false): TemplateResult {
  const button = html`<vscode-button secondary ?disabled=${isOff} data-menu aria-haspopup="menu" aria-expanded="false" @click=${open}
    >${words}${icon('chevron-down', 'content-after')}</vscode-button
  >`;
  return menuPlace(words, button, items);
}

/** The same behind an icon. */
export function iconMenu(words: string, iconName: string, items: readonly MenuItem[]): TemplateResult {
  const button = html`<button class="icon-button" data-menu title=${words} aria-label=${words} aria-haspopup="menu" aria-expanded="false" @click=${open}>
    ${icon(iconName)}
  </button>`;
  return menuPlace(words, button, items);
}

/** A menu that {@link openMenuAt} opens. */
export function contextMenu(words: string, items: readonly MenuItem[]): TemplateResult {
  return menuPlace(words, html``, items);
}

/** Opens a menu where the pointer is, or the cell that has the keyboard. */
export function openMenuAt(menu: HTMLElement, { clientX, clientY }: MouseEvent): void {
  menu.showPopover();
  // Below the pointer, also at its round corner: a button that is let go elsewhere would close it.
  moveMenu(menu, clientX - 6, clientY - 6);
}

function menuPlace(words: string, button: TemplateResult, items: readonly MenuItem[]): TemplateResult {
  return html`<div class="menu-place">
    ${button}
    <div class="menu" role="menu" aria-label=${words} popover @toggle=${onToggle} @keydown=${onKey} ${ref(rove)}>
      ${items.map(itemTemplate)}
    </div>
  </div>`;
}

function itemTemplate(item: MenuItem): TemplateResult {
  const { isOn, key } = item;
  return html`<button
    role=${isOn === undefined ? 'menuitem' : 'menuitemcheckbox'}
    aria-checked=${isOn ?? nothing}
    aria-keyshortcuts=${key ?? nothing}
    data-row
    data-stop
    tabindex="-1"
    @click=${(event: Event) => choose(event, item)}
  >
    ${icon(isOn ? 'check' : item.icon)}<span>${item.words}</span>${key === undefined ? '' : html`<span class="key" aria-hidden="true">${key}</span>`}
  </button>`;
}

function partsOf({ currentTarget }: Event): { readonly button: HTMLElement | null; readonly menu: HTMLElement | null } {
  const place = (currentTarget as Element).closest('.menu-place');
  return {
    button: place?.querySelector<HTMLElement>('[data-menu]') ?? null,
    menu: place?.querySelector('.menu') ?? null,
  };
}

function open(event: Event): void {
  const { button, menu } = partsOf(event);
  if (!button || !menu) return;
  menu.showPopover();
  const { left, bottom } = button.getBoundingClientRect();
  moveMenu(menu, left, bottom + 2);
}

/** As near to a point as the window has room; nothing shows in what it keeps free for a scroll bar. */
function moveMenu(menu: HTMLElement, left: number, top: number): void {
  const { right } = document.documentElement.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(left, right - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(top, innerHeight - menu.offsetHeight - 8))}px`;
}

/** Comes after the key that opened it, which would else choose the first item as well. */
function onToggle(event: ToggleEvent): void {
  const isOpen = event.newState === 'open';
  const { button, menu } = partsOf(event);
  button?.setAttribute('aria-expanded', String(isOpen));
  if (isOpen) menu?.querySelector<HTMLElement>('[data-stop]')?.focus();
}

function onKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' && event.key !== 'Tab') return;
  event.preventDefault();
  close(event);
}

function close(event: Event): void {
  const { button, menu } = partsOf(event);
  menu?.hidePopover();
  button?.focus();
}

function choose(event: Event, item: MenuItem): void {
  close(event);
  item.act();
}
