import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, svg, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import type { FieldGroup, FieldUseView, FieldView, SchemaView, UsedField } from '../../protocol/schema.ts';
import { roveOnFocus, roveOnKey, settleStop } from '../common/roving.ts';
import { filterBox, icon } from '../common/widgets.ts';

/** Everything the page shows. */
export interface PageState {
  readonly view: SchemaView | undefined;
  readonly use: FieldUseView;
  readonly filter: string;
  /** The column that was asked for. */
  readonly marked: string | undefined;
  readonly actions: PageActions;
}

/** What a person can do here. */
export interface PageActions {
  setFilter(filter: string): void;
  retry(): void;
  count(): void;
  viewAsJson(): void;
  viewAsText(): void;
  openFieldGuide(): void;
  copy(field: FieldView): void;
  isCopied(field: FieldView): boolean;
}

/** The dictionary. It is never empty: the built-in one is there at once. */
export function pageTemplate({ view, use, filter, marked, actions }: PageState): TemplateResult {
  if (!view) return html``;
  const used = new Map(use.kind === 'counted' ? use.fields.map((field) => [field.column, field]) : []);
  const groups = filterFields(view.groups, used, filter);
  const shown = countFields(groups);
  return html`<header>
      <h1>${l10n.t('Schema Dictionary')} <span class="version">${view.version}</span></h1>
      <p class="source ${view.source.tone}" role="status">
        ${view.source.tone === 'warning' ? icon('warning') : ''}<span>${view.source.text}</span>
        ${view.source.canRetry ? html`<button class="link" @click=${actions.retry}>${l10n.t('Try again')}</button>` : ''}
      </p>
      ${useTemplate(use, actions)}
    </header>
    <div class="toolbar">
      ${filterBox({ label: l10n.t('Search fields, meanings and values'), value: filter, onChange: actions.setFilter })}
      <span class="quiet" role="status">${filter === '' ? '' : l10n.t('{0} of {1} fields', shown, countFields(view.groups))}</span>
      <span class="toolbar-end">
        <vscode-button secondary @click=${actions.openFieldGuide}>${icon('file-pdf', 'content-before')}${l10n.t('Field Guide')}</vscode-button>
        <vscode-button secondary @click=${actions.viewAsJson}>${icon('json', 'content-before')}${l10n.t('View as JSON')}</vscode-button>
        <vscode-button secondary @click=${actions.viewAsText}>${icon('list-flat', 'content-before')}${l10n.t('View as Text')}</vscode-button>
      </span>
    </div>
    ${groups.map((group) => groupTemplate(group, used, marked, actions))}
    ${shown === 0 ? html`<p class="quiet">${l10n.t('No field matches. Empty the search to see all.')}</p>` : ''}
    ${view.raw === null ? '' : rawTemplate(view.raw)}`;
}

function groupTemplate(
  group: FieldGroup,
  used: ReadonlyMap<string, UsedField>,
  marked: string | undefined,
  actions: PageActions,
): TemplateResult {
  const heading = `group-${group.id}`;
  return html`<section aria-labelledby=${heading}>
    <h2 id=${heading}>${group.title} <span class="count">${group.fields.length}</span></h2>
    ${group.note === null ? '' : html`<p class="quiet">${group.note}</p>`}
    <div class="rows" role="table" aria-labelledby=${heading} @keydown=${roveOnKey} @focusin=${roveOnFocus} ${ref(settleStop)}>
      <div class="row head" role="row">
        <div class="number" role="columnheader"><span aria-hidden="true">#</span><span class="visually-hidden">${l10n.t('Number')}</span></div>
        <div role="columnheader">${l10n.t('Column')}</div>
        <div role="columnheader">${l10n.t('API field and type')}</div>
        <div role="columnheader">${l10n.t('Meaning and values')}</div>
        <div role="columnheader">${l10n.t('Filled')}</div>
        <div role="columnheader"><span class="visually-hidden">${l10n.t('Copy')}</span></div>
      </div>
      ${repeat(
        group.fields,
        ({ column }) => column,
        (field) => fieldTemplate(field, used.get(field.column), field.column === marked, actions),
      )}
    </div>
  </section>`;
}

function fieldTemplate(
  field: FieldView,
  used: UsedField | undefined,
  isMarked: boolean,
  actions: PageActions,
): TemplateResult {
  return html`<div class="row ${isMarked ? 'marked' : ''}" role="row" data-row data-column=${field.column}>
    <div class="number" role="cell">${field.number ?? ''}</div>
    <div class="column" role="rowheader">
      <bdi class="mono">${field.column}</bdi>
      ${field.label === null ? '' : html`<span class="quiet">${field.label}</span>`}
    </div>
    <div class="api" role="cell">
      ${field.apiField === null ? '' : html`<bdi class="mono">${field.apiField}</bdi>`}
      ${field.type === null ? '' : html`<bdi class="quiet">${field.type}</bdi>`}
    </div>
    <div class="meaning" role="cell">
      <bdi>${field.meaning ?? l10n.t('No meaning given.')}</bdi>
      ${
        field.values.length === 0
          ? ''
          : html`<ul class="values" aria-label=${l10n.t('Values')}>
              ${field.values.map((value) => html`<li><bdi class="mono">${value}</bdi></li>`)}
            </ul>`
      }
      ${used === undefined ? '' : occurringTemplate(used)}
    </div>
    <div class="filled" role="cell">${used === undefined ? '' : filledTemplate(used)}</div>
    <div class="tools" role="cell">
      <button class="icon-button" data-stop tabindex="-1" aria-label=${l10n.t('Copy {0}', field.column)} title=${l10n.t('Copy column name')} @click=${() => actions.copy(field)}>
        ${icon(actions.isCopied(field) ? 'check' : 'copy')}
      </button>
    </div>
  </div>`;
}

function rawTemplate(raw: string): TemplateResult {
  return html`<section aria-labelledby="group-raw">
    <h2 id="group-raw">${l10n.t('The service’s answer')}</h2>
    <pre class="mono raw" tabindex="0"><bdi>${raw}</bdi></pre>
  </section>`;
}

function filterFields(
  groups: readonly FieldGroup[],
  used: ReadonlyMap<string, UsedField>,
  filter: string,
): FieldGroup[] {
  const wanted = filter.trim().toLocaleLowerCase();
  if (wanted === '') return [...groups];
  const matches = ({ column, label, apiField, type, meaning, values }: FieldView) =>
    [column, label, apiField, type, meaning, ...values, ...occurring(used.get(column))].some((text) =>
      text?.toLocaleLowerCase().includes(wanted),
    );
  return groups
    .map((group) => ({ ...group, fields: group.fields.filter(matches) }))
    .filter(({ fields }) => fields.length > 0);
}

function occurring(used: UsedField | undefined): string[] {
  return used?.values.map(({ value }) => value) ?? [];
}

function countFields(groups: readonly FieldGroup[]): number {
  return groups.reduce((sum, { fields }) => sum + fields.length, 0);
}

/** Where the counting stands, in one line that is there from the start. */
function useTemplate(use: FieldUseView, actions: { count(): void }): TemplateResult {
  return html`<p class="use" role="status">${lineTemplate(use, actions)}</p>`;
}

function lineTemplate(use: FieldUseView, { count }: { count(): void }): TemplateResult | string {
  switch (use.kind) {
    case 'none':
      return '';
    case 'offered':
      return html`${use.words}
        <button class="link" @click=${count}>${l10n.t('Count how their columns are filled')}</button>`;
    case 'counting':
      return html`<progress aria-label=${l10n.t('Counting')} max="1" value=${use.share}></progress> ${use.words}`;
    case 'counted':
      return html`${use.words} <button class="link" @click=${count}>${l10n.t('Count again')}</button>`;
    case 'failed':
      return html`<span class="warning">${icon('warning')}</span> ${l10n.t('The columns could not be counted.')} ${use.message}
        <button class="link" @click=${count}>${l10n.t('Try again')}</button>`;
  }
}

/** How often a column is filled: a share in words, and its picture. */
function filledTemplate({ share, filled }: UsedField): TemplateResult {
  return html`<span>${filled}</span>
    <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      ${svg`<rect class="whole" width="100" height="1"></rect><rect class="part" width=${share * 100} height="1"></rect>`}
    </svg>`;
}

/** The values that occur in the library, most frequent first. */
function occurringTemplate({ values, others }: UsedField): TemplateResult | '' {
  if (values.length === 0 && others === null) return '';
  return html`<ul class="occurring" aria-label=${l10n.t('In your library')}>
    ${values.map(({ value, count }) => html`<li><bdi>${value}</bdi> <span class="quiet">${count}</span></li>`)}
    ${others === null ? '' : html`<li class="quiet">${others}</li>`}
  </ul>`;
}
