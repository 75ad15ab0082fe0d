import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import type { Group, Row } from '../../protocol/metadata.ts';
import { roveOnFocus, roveOnKey, settleStop } from '../common/roving.ts';
import { icon, valueTemplate } from '../common/widgets.ts';

/** What a person can do with a row. */
export interface RowActions {
  copy(row: Row): void;
  explain(row: Row): void;
  open(row: Row): void;
  isCopied(row: Row): boolean;
  isOpen(row: Row): boolean;
}

/** One group of rows. Three-valued facts stand together in a grid of marks, where there are enough of them. */
export function groupTemplate(group: Group, actions: RowActions): TemplateResult {
  const heading = `group-${group.id}`;
  const marks = group.rows.filter(isMark);
  const rows = marks.length > 1 ? group.rows.filter((row) => !isMark(row)) : group.rows;
  return html`<section aria-labelledby=${heading}>
    <h2 id=${heading}>${group.title} <span class="count">${group.rows.length}</span></h2>
    ${group.note === null ? '' : html`<p class="quiet group-note">${group.note}</p>`}
    ${marks.length > 1 ? tableTemplate('answers', heading, marks, actions, markTemplate) : ''}
    ${rows.length > 0 ? tableTemplate('rows', heading, rows, actions, rowTemplate) : ''}
  </section>`;
}

function tableTemplate(
  className: 'answers' | 'rows',
  heading: string,
  rows: readonly Row[],
  actions: RowActions,
  template: (row: Row, actions: RowActions) => TemplateResult,
): TemplateResult {
  return html`<div
    class=${className}
    role="table"
    aria-labelledby=${heading}
    @keydown=${roveOnKey}
    @focusin=${roveOnFocus}
    ${ref(settleStop)}
  >
    ${repeat(
      rows,
      ({ id }) => id,
      (row) => template(row, actions),
    )}
  </div>`;
}

function markTemplate(row: Row, actions: RowActions): TemplateResult {
  return html`<div class="row answer-cell" role="row" data-row=${row.id}>
    <div class="value" role="cell">${valueTemplate(row.value, false, () => actions.open(row))}${columnWarning(row)}</div>
    <div class="label" role="rowheader">${label(row, actions)}</div>
    <div class="name" role="cell">${columnName(row)}</div>
    <div class="tools" role="cell">${copyButton(row, actions)}</div>
  </div>`;
}

function rowTemplate(row: Row, actions: RowActions): TemplateResult {
  return html`<div class="row" role="row" data-row=${row.id}>
    <div class="label" role="rowheader">${label(row, actions)}</div>
    <div class="value" role="cell">
      ${valueTemplate(row.value, actions.isOpen(row), () => actions.open(row))}${columnWarning(row)}
    </div>
    <div class="name" role="cell">${columnName(row)}</div>
    <div class="tools" role="cell">${copyButton(row, actions)}</div>
  </div>`;
}

/** The label of a column leads to its place in the schema dictionary; a field outside the 50 has none there. */
function label(row: Row, actions: RowActions): TemplateResult {
  return row.meaning === null
    ? html`<bdi>${row.label}</bdi>`
    : html`<button
        class="label-link"
        data-stop
        tabindex="-1"
        title=${`${row.meaning} ${l10n.t('Opens the schema dictionary.')}`}
        @click=${() => actions.explain(row)}
      >
        <bdi>${row.label}</bdi>
      </button>`;
}

function columnName(row: Row): TemplateResult | '' {
  return row.name === null ? '' : html`<span class="mono">${row.name}</span>`;
}

function columnWarning(row: Row): TemplateResult | '' {
  return row.columnText === null
    ? ''
    : html`<div class="disagrees">${icon('warning')} ${l10n.t('Metadata column:')} <bdi class="mono">${row.columnText}</bdi></div>`;
}

function copyButton(row: Row, actions: RowActions): TemplateResult | '' {
  return row.copyable
    ? html`<button
        class="icon-button"
        data-stop
        tabindex="-1"
        aria-label=${l10n.t('Copy {0}', row.label)}
        title=${l10n.t('Copy')}
        @click=${() => actions.copy(row)}
      >
        ${icon(actions.isCopied(row) ? 'check' : 'copy')}
      </button>`
    : '';
}

function isMark({ value }: Row): boolean {
  return value.kind === 'mark';
}
