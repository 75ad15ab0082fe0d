import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, render, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { type Mark, markIcons } from '../../protocol/format/facts.ts';
import type { PageProblem } from '../../protocol/page.ts';

const isMac = navigator.platform.startsWith('Mac');

/** A key with Ctrl or Alt as this computer's keyboard has it: Command and Option on a Mac. */
export function keyWords(modifier: 'ctrl' | 'alt', key: string): string {
  if (isMac) return `${modifier === 'ctrl' ? '⌘' : '⌥'}${key}`;
  return `${modifier === 'ctrl' ? l10n.t('Ctrl') : 'Alt'}+${key}`;
}

/** A codicon beside words that say the same. */
export function icon(name: string, slot = ''): TemplateResult {
  return slot
    ? html`<span slot=${slot} class="codicon codicon-${name}" aria-hidden="true"></span>`
    : html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

/** One of three answers, in shape, words and color. */
export function markTemplate({ mark, words }: { readonly mark: Mark; readonly words: string }): TemplateResult {
  return html`<span class="answer answer-${mark}">${icon(markIcons[mark])}<span>${words}</span></span>`;
}

/** A missing value: quiet to the eye, in words to a screen reader. */
export function dash(words: string): TemplateResult {
  return html`<span class="dash" title=${words}><span aria-hidden="true">–</span><span class="visually-hidden">${words}</span></span>`;
}

/** A button of a toolbar; disabled where there is nothing that it could do. */
export function button(
  iconName: string,
  words: string,
  onClick: (() => void) | undefined,
  isMain = false,
): TemplateResult {
  return html`<vscode-button ?secondary=${!isMain} ?disabled=${onClick === undefined} @click=${() => onClick?.()}>${icon(iconName, 'content-before')}${words}</vscode-button>`;
}

/** A button that is an icon, with its name and its key in the tooltip. */
export function tool(
  label: string,
  name: string,
  run: () => void,
  options: { readonly disabled?: boolean; readonly pressed?: boolean; readonly key?: string } = {},
): TemplateResult {
  const { disabled = false, pressed, key } = options;
  return html`<button
    class="icon-button"
    title=${key === undefined ? label : `${label} (${key})`}
    aria-label=${label}
    aria-pressed=${pressed ?? nothing}
    ?disabled=${disabled}
    @click=${run}
  >
    ${icon(name)}
  </button>`;
}

/** One of several ways to look at what is shown. */
export function chip(isPressed: boolean, iconName: string, words: unknown, onClick: () => void): TemplateResult {
  return html`<button class="chip" aria-pressed=${isPressed} @click=${onClick}>${icon(iconName)}${words}</button>`;
}

/**
 * A filter over what the page shows, under its name. Escape empties it.
 * @param searched what is searched, shown as the placeholder
 */
export function filterBox(
  label: string,
  value: string,
  onChange: (value: string) => void,
  searched = '',
): TemplateResult {
  const onInput = (event: Event) => onChange((event.currentTarget as HTMLInputElement).value);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || value === '') return;
    event.preventDefault();
    onChange('');
  };
  return html`<div class="choice filter"
    ><span aria-hidden="true">${label}</span><vscode-textfield
    .label=${label}
    placeholder=${searched}
    maxlength="200"
    .value=${value}
    @input=${onInput}
    @keydown=${onKey}
    >${icon('filter', 'content-before')}<span slot="content-after" class="filter-end"
      >${value === '' ? '' : tool(l10n.t('Clear'), 'close', () => onChange(''))}</span
    ></vscode-textfield
  ></div>`;
}

/** A page that has nothing to show yet, or no more. */
interface AbsentPage {
  readonly problem: PageProblem | undefined;
  readonly retry: () => void;
  readonly enter: (how: 'signIn' | 'openDemoLibrary') => unknown;
}

/** Stands in for the content: why there is none and what to do, or a skeleton while reading takes long. */
export function absentTemplate({ problem, retry, enter }: AbsentPage, reading: string): TemplateResult {
  if (problem?.signedOut)
    return refusal(
      'key',
      problem.message,
      html`<vscode-button @click=${() => enter('signIn')}>${l10n.t('Sign In…')}</vscode-button>
        <vscode-button secondary @click=${() => enter('openDemoLibrary')}>${l10n.t('Open Demo Library')}</vscode-button>`,
    );
  if (problem) return problemTemplate(problem.message, retry);
  return html`<div class="skeleton" role="status" aria-label=${reading}>
    <div class="bone title"></div>
    <div class="bone tools-bone"></div>
    ${Array.from({ length: 14 }, () => html`<div class="bone row-bone"></div>`)}
  </div>`;
}

/** The reason why there is no content, and a way to try again. */
export function problemTemplate(message: string, retry: () => void): TemplateResult {
  return refusal('error', message, html`<vscode-button @click=${retry}>${l10n.t('Try Again')}</vscode-button>`);
}

function refusal(iconName: string, message: string, ways: TemplateResult): TemplateResult {
  return html`<div class="problem" role="alert">
    <p>${icon(iconName)} ${message}</p>
    ${ways}
  </div>`;
}

/** How long a failure stays on the screen, in ms. */
const failureShownFor = 8000;

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
  hiding = setTimeout(() => failure && render('', failure), failureShownFor);
}

function append(className: string, role: string): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.setAttribute('role', role);
  document.body.append(element);
  return element;
}

/** Tracks a pressed pointer until it is released or canceled. */
export function trackPointer(
  target: GlobalEventHandlers,
  moved: (event: PointerEvent) => void,
  ended: (event: PointerEvent) => void,
): void {
  const over = new AbortController();
  const { signal } = over;
  const end = (event: PointerEvent) => {
    over.abort();
    ended(event);
  };
  target.addEventListener('pointermove', moved, { signal });
  target.addEventListener('pointerup', end, { signal });
  target.addEventListener('pointercancel', end, { signal });
}
