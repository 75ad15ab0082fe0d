import '../common/jitless.ts';
import { html, svg, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import {
  type DictionaryGroup,
  type FieldUseView,
  type FieldView,
  type SchemaView,
  schemaProtocol,
  type UsedField,
} from '../../protocol/schema.ts';
import { PanelPage } from '../common/page.ts';
import { rove } from '../common/roving.ts';
import { button, copyButton, countRows, fieldTools, filterGroups, icon, rawTemplate } from '../common/widgets.ts';

let use: FieldUseView = { kind: 'none' };
let marked: string | undefined;
/** The requested row stays in the middle, though counting makes rows above it higher, until the person moves on. */
let isCentered = false;

const page: PanelPage<typeof schemaProtocol> = new PanelPage(schemaProtocol, {
  template: pageTemplate,
  events: {
    use(next) {
      use = next;
      page.draw();
      if (isCentered) center();
    },
    reveal({ column }) {
      marked = column;
      page.forgetScroll();
      page.set({ filter: '' });
      isCentered = true;
      center()?.querySelector('button')?.focus({ preventScroll: true });
    },
  },
});

function center(): Element | null {
  const row = page.root.querySelector(`[data-row="${CSS.escape(marked ?? '')}"]`);
  const place = row?.getBoundingClientRect();
  // Not scrollIntoView: it would scroll the editor around the panel too.
  if (place) scrollBy(0, place.top - (innerHeight - place.height) / 2);
  return row;
}

for (const name of ['wheel', 'keydown', 'pointerdown'])
  window.addEventListener(name, () => {
    isCentered = false;
  });

function pageTemplate(view: SchemaView): TemplateResult {
  const { filter } = page.state;
  const used = new Map(use.kind === 'counted' ? use.fields.map((field) => [field.column, field]) : []);
  const groups = filterGroups(view.groups, filter, ({ column, label, apiField, type, meaning, values }) => {
    const occurring = used.get(column)?.values.map(({ value }) => value) ?? [];
    return [column, label, apiField, type, meaning, ...values, ...occurring];
  });
  const shown = countRows(groups);
  const count = filter === '' ? '' : l10n.t('{0} of {1} fields', shown, countRows(view.groups));
  const tools = html`${button('file-pdf', l10n.t('Field Guide'), () => page.call('openFieldGuide', null))}
    ${button('json', l10n.t('View as JSON'), () => page.call('viewAsJson', null))}
    ${button('list-flat', l10n.t('View as Text'), page.viewAsText)}`;
  return html`<header>
      <h1>${l10n.t('Schema Dictionary')} <span class="version">${view.version}</span></h1>
      <p class="source ${view.source.tone}" role="status">
        ${view.source.tone === 'warning' ? icon('warning') : ''}<span>${view.source.text}</span>
        ${view.source.tone === 'warning' ? html`<button class="link" @click=${page.retry}>${l10n.t('Try Again')}</button>` : ''}
      </p>
      <p class="use" role="status">${useTemplate(use, () => page.send('count'))}</p>
    </header>
    ${fieldTools(page, l10n.t('Search fields, meanings and values'), count, tools)}
    ${groups.map((group) => groupTemplate(group, used))}
    ${shown === 0 ? html`<p class="quiet">${l10n.t('No field matches. Clear the filter to see all.')}</p>` : ''}
    ${view.raw === null ? '' : rawTemplate(view.raw)}`;
}

function groupTemplate(group: DictionaryGroup, used: ReadonlyMap<string, UsedField>): TemplateResult {
  const heading = `group-${group.id}`;
  return html`<section aria-labelledby=${heading}>
    <h2 id=${heading}>${group.title} <span class="count">${group.rows.length}</span></h2>
    ${group.note === null ? '' : html`<p class="quiet">${group.note}</p>`}
    <div class="rows" role="table" aria-labelledby=${heading} ${ref(rove)}>
      <div class="row head" role="row">
        <div class="number" role="columnheader"><span aria-hidden="true">#</span><span class="visually-hidden">${l10n.t('Number')}</span></div>
        <div role="columnheader">${l10n.t('Column')}</div>
        <div role="columnheader">${l10n.t('API field and type')}</div>
        <div role="columnheader">${l10n.t('Meaning and values')}</div>
        <div role="columnheader">${l10n.t('Filled')}</div>
        <div role="columnheader"><span class="visually-hidden">${l10n.t('Copy')}</span></div>
      </div>
      ${repeat(
        group.rows,
        ({ column }) => column,
        (field) => fieldTemplate(field, used.get(field.column)),
      )}
    </div>
  </section>`;
}

function fieldTemplate(field: FieldView, used: UsedField | undefined): TemplateResult {
  return html`<div class="row ${field.column === marked ? 'marked' : ''}" role="row" data-row=${field.column}>
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
      ${copyButton(page, field.column, field.column, field.column)}
    </div>
  </div>`;
}

/** Where the counting stands, in one line that is there from the start. */
function useTemplate(use: FieldUseView, count: () => void): TemplateResult | string {
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
        <button class="link" @click=${count}>${l10n.t('Try Again')}</button>`;
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

page.open();
