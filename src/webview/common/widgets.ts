import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, render, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import type { Value } from '../../protocol/metadata.ts';

/** A codicon beside words that say the same. */
export function icon(name: string, slot = ''): TemplateResult {
  return slot
    ? html`<span slot=${slot} class="codicon codicon-${name}" aria-hidden="true"></span>`
    : html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

/** Longer text is cut until asked for, in characters, where a panel has no less room. */
const longText = 480;

/** Three shapes: full, crossed out, asking; colour only adds to them (CNV-2). */
const markIcons = { yes: 'pass-filled', no: 'circle-slash', undetermined: 'question' } as const;

/** A value as its kind is shown, in a table that the arrow keys lead through. Long text opens in place. */
export function valueTemplate(
  value: Value,
  isOpen: boolean,
  open: () => void,
  longest: number = longText,
): TemplateResult {
  const cut = (text: string) => (isOpen || text.length <= longest ? text : `${text.slice(0, longest)}…`);
  const more = (text: string) =>
    isOpen || text.length <= longest
      ? ''
      : html` <button class="link" data-stop tabindex="-1" @click=${open}>${l10n.t('Show all {0} characters', countText(text.length))}</button>`;
  switch (value.kind) {
    case 'missing':
      return value.note === null ? dash(l10n.t('No value')) : html`<span class="quiet">${value.note}</span>`;
    case 'text':
      return html`<bdi class=${value.mono ? 'mono' : ''}>${cut(value.text)}</bdi>${
        value.detail === null ? '' : html` <bdi class="quiet mono detail">${cut(value.detail)}</bdi>`
      }${more(value.text)}`;
    case 'json':
      return html`<pre class="mono"><bdi>${cut(value.text)}</bdi></pre>${more(value.text)}`;
    case 'mark':
      return markTemplate(value);
    case 'goals':
      return html`<ul class="goals">
        ${value.goals.map(
          ({ number, name }) =>
            html`<li><bdi class="goal-number">${number}</bdi> ${name === null ? '' : html`<span>${name}</span>`}</li>`,
        )}
      </ul>`;
  }
}

/** One of three answers, in shape, words and colour. */
export function markTemplate({ mark, words }: Extract<Value, { kind: 'mark' }>): TemplateResult {
  return html`<span class="answer answer-${mark}">${icon(markIcons[mark])}<span>${words}</span></span>`;
}

/** A missing value: quiet to the eye, in words to a screen reader. */
export function dash(words: string): TemplateResult {
  return html`<span class="dash" title=${words}><span aria-hidden="true">–</span><span class="visually-hidden">${words}</span></span>`;
}

/** A column's name as a link to its place in the schema dictionary. In a table that the arrow keys lead through, `tabIndex` is -1. */
export function columnLabel(label: string, explain: () => void, tabIndex: 0 | -1 = 0): TemplateResult {
  return html`<button class="label-link" data-stop tabindex=${tabIndex} title=${l10n.t('Open in the schema dictionary')} @click=${explain}>
    <bdi>${label}</bdi>
  </button>`;
}

/** A filter over what the page shows. Escape empties it. */
export function filterBox(options: {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}): TemplateResult {
  const { label, value, onChange } = options;
  const onInput = (event: Event) => onChange((event.currentTarget as HTMLInputElement).value);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || value === '') return;
    event.preventDefault();
    onChange('');
  };
  return html`<vscode-textfield
    class="filter"
    .label=${label}
    placeholder=${label}
    maxlength="200"
    .value=${value}
    @input=${onInput}
    @keydown=${onKey}
    >${icon('filter', 'content-before')}<span slot="content-after" class="filter-end"
      >${
        value === ''
          ? ''
          : html`<button class="icon-button" aria-label=${l10n.t('Clear filter')} title=${l10n.t('Clear filter')} @click=${() => onChange('')}>
              ${icon('close')}
            </button>`
      }</span
    ></vscode-textfield
  >`;
}

/** Stands where the content would be, with the reason and a way to try again. */
export function problemTemplate(message: string, retry: () => void): TemplateResult {
  return html`<div class="problem" role="alert">
    <p>${icon('error')} ${message}</p>
    <vscode-button @click=${retry}>${l10n.t('Try Again')}</vscode-button>
  </div>`;
}

/** How long a copied value shows that it was copied, in ms. */
const shownFor = 1500;

/** Remembers for a moment what was copied last, and asks for a new drawing when that changes. */
export class Copied {
  readonly #draw: () => void;
  #id: string | undefined;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  is(id: string): boolean {
    return this.#id === id;
  }

  show(id: string): void {
    this.#id = id;
    this.#draw();
    setTimeout(() => {
      if (this.#id !== id) return;
      this.#id = undefined;
      this.#draw();
    }, shownFor);
  }
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
