import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, render, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import type { CellValue } from '../../protocol/metadata.ts';
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

/** Longer text is cut until asked for, in characters, where a panel has no less room. */
const longText = 480;

/** Three shapes: full, crossed out, asking; colour only adds to them (CNV-2). */
export const markIcons = { yes: 'pass-filled', no: 'circle-slash', undetermined: 'question' } as const;

/** A value as its kind is shown, in a table that the arrow keys lead through. Long text opens in place. */
export function valueTemplate(
  value: CellValue,
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
      return html`<bdi class=${value.mono ? 'mono' : ''}>${breakable(cut(value.text))}</bdi>${
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

/** A path or key wraps behind its separators first. */
function breakable(text: string): unknown {
  return text.includes(' ') ? text : text.split(/(?<=[/_.])/).map((part) => html`${part}<wbr>`);
}

/** One of three answers, in shape, words and colour. */
export function markTemplate({ mark, words }: Extract<CellValue, { kind: 'mark' }>): TemplateResult {
  return html`<span class="answer answer-${mark}">${icon(markIcons[mark])}<span>${words}</span></span>`;
}

/** A missing value: quiet to the eye, in words to a screen reader. */
export function dash(words: string): TemplateResult {
  return html`<span class="dash" title=${words}><span aria-hidden="true">–</span><span class="visually-hidden">${words}</span></span>`;
}

/** Words, or the place in the schema dictionary that they lead to. In a table with arrow keys, `tabIndex` is -1. */
export function columnLabel(
  label: string,
  explain: () => void,
  tabIndex: 0 | -1 = -1,
  title = l10n.t('Open in the schema dictionary'),
): TemplateResult {
  return html`<button class="label-link" data-stop tabindex=${tabIndex} title=${title} @click=${explain}><bdi>${label}</bdi></button>`;
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

/** What copies a text, and knows for a moment that it did. */
interface Copier {
  copy(id: string, done: string, text: string): unknown;
  isCopied(id: string): boolean;
}

/** A small button that copies what goes by a label, in a table unless `tabIndex` says otherwise. */
export function copyButton(
  page: Copier,
  id: string,
  label: string,
  text: string,
  name = l10n.t('Copy {0}', label),
  tabIndex: 0 | -1 = -1,
): TemplateResult {
  const copy = () => page.copy(id, l10n.t('Copied {0}', label), text);
  return html`<button class="icon-button" data-stop tabindex=${tabIndex} aria-label=${name} title=${name} @click=${copy}>
    ${icon(page.isCopied(id) ? 'check' : 'copy')}
  </button>`;
}

/** One of several ways to look at what is shown. */
export function chip(isPressed: boolean, iconName: string, words: unknown, onClick: () => void): TemplateResult {
  return html`<button class="chip" aria-pressed=${isPressed} @click=${onClick}>${icon(iconName)}${words}</button>`;
}

/** A filter over what the page shows, under its name. Escape empties it. */
export function filterBox(label: string, value: string, onChange: (value: string) => void): TemplateResult {
  const onInput = (event: Event) => onChange((event.currentTarget as HTMLInputElement).value);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || value === '') return;
    event.preventDefault();
    onChange('');
  };
  return html`<div class="choice filter"
    ><span aria-hidden="true">${label}</span><vscode-textfield
    .label=${label}
    maxlength="200"
    .value=${value}
    @input=${onInput}
    @keydown=${onKey}
    >${icon('filter', 'content-before')}<span slot="content-after" class="filter-end"
      >${value === '' ? '' : tool(l10n.t('Clear'), 'close', () => onChange(''))}</span
    ></vscode-textfield
  ></div>`;
}

/** The tools above a table: a filter, how much it leaves, and what can be done with all. */
export function fieldTools(
  page: { readonly state: { readonly filter: string }; set(change: { readonly filter: string }): void },
  label: string,
  count: string,
  tools: unknown = '',
): TemplateResult {
  return html`<div class="toolbar">
    ${filterBox(label, page.state.filter, (filter) => page.set({ filter }))}
    <span class="quiet" role="status">${count}</span>
    ${tools === '' ? '' : html`<span class="toolbar-end">${tools}</span>`}
  </div>`;
}

/** The groups with those of their rows that hold a text; all without one. */
export function filterGroups<Group extends { readonly rows: readonly unknown[] }>(
  groups: readonly Group[],
  filter: string,
  textsOf: (row: Group['rows'][number]) => readonly (string | null | undefined)[],
): Group[] {
  const wanted = filter.trim().toLocaleLowerCase();
  if (wanted === '') return [...groups];
  const matches = (row: Group['rows'][number]) =>
    textsOf(row).some((text) => text?.toLocaleLowerCase().includes(wanted));
  return groups.map((group) => ({ ...group, rows: group.rows.filter(matches) })).filter(({ rows }) => rows.length > 0);
}

export function countRows(groups: readonly { readonly rows: readonly unknown[] }[]): number {
  return groups.reduce((sum, { rows }) => sum + rows.length, 0);
}

/** A term and what there is to say of it, under one another, beside others. */
export function factTemplate(
  label: unknown,
  { text, note }: { readonly text: string | null; readonly note: string | null },
  isCode = false,
  tools: unknown = '',
): TemplateResult {
  const unknown = note === null ? dash(l10n.t('Unknown')) : '';
  return html`<div>
    <dt>${label}</dt>
    <dd>
      ${text === null ? unknown : html`<bdi class=${isCode ? 'mono' : ''}>${text}</bdi>`}${
        note === null ? '' : html`<span class="quiet note"><bdi>${note}</bdi></span>`
      }${tools}
    </dd>
  </div>`;
}

/** What the service answered, as it came. */
export function rawTemplate(raw: string): TemplateResult {
  return html`<section aria-labelledby="raw">
    <h2 id="raw">${l10n.t('The service’s answer')}</h2>
    <pre class="mono raw" tabindex="0"><bdi>${raw}</bdi></pre>
  </section>`;
}

export function starButton(isFavorite: boolean, toggle: () => void): TemplateResult {
  const words = isFavorite ? l10n.t('Remove from Favorites') : l10n.t('Add to Favorites');
  return html`<button class="icon-button" aria-pressed=${isFavorite} aria-label=${l10n.t('Favorite')} title=${words} @click=${toggle}>
    ${icon(isFavorite ? 'star-full' : 'star-empty')}
  </button>`;
}

/** What a reader must not miss. */
export function noticesTemplate(
  notices: readonly { readonly tone: 'info' | 'warning'; readonly text: string }[],
): TemplateResult | '' {
  if (notices.length === 0) return '';
  return html`<ul class="notices">
    ${notices.map(({ tone, text }) => html`<li class=${tone}>${icon(tone)}<bdi>${text}</bdi></li>`)}
  </ul>`;
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
