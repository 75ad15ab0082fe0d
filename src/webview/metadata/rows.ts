import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Group, Row } from '../../protocol/metadata.ts';
import { icon } from '../common/icon.ts';
import { roveOnFocus, roveOnKey, settleStop } from '../common/roving.ts';
import { valueTemplate } from './value.ts';

/** What a person can do with a row. */
export interface RowActions {
  copy(row: Row): void;
  explain(row: Row): void;
  open(row: Row): void;
  isCopied(row: Row): boolean;
  isOpen(row: Row): boolean;
}

/** One group of rows. */
export function groupTemplate(group: Group, actions: RowActions): TemplateResult {
  const heading = `group-${group.id}`;
  return html`<section aria-labelledby=${heading}>
    <h2 id=${heading}>${group.title} <span class="count">${group.rows.length}</span></h2>
    ${group.note === null ? '' : html`<p class="quiet group-note">${group.note}</p>`}
    <div
      class="rows"
      role="table"
      aria-labelledby=${heading}
      @keydown=${roveOnKey}
      @focusin=${roveOnFocus}
      ${ref(settleStop)}
    >
      ${repeat(
        group.rows,
        ({ id }) => id,
        (row) => rowTemplate(row, actions),
      )}
    </div>
  </section>`;
}

function rowTemplate(row: Row, actions: RowActions): TemplateResult {
  const isColumn = row.meaning !== null;
  return html`<div class="row" role="row" data-row=${row.id}>
    <div class="label" role="rowheader" title=${row.meaning ?? ''}><bdi>${row.label}</bdi></div>
    <div class="value" role="cell">
      ${valueTemplate(row.value, actions.isOpen(row), () => actions.open(row))}
      ${
        row.columnText === null
          ? ''
          : html`<div class="disagrees">${icon('warning')} Metadata column: <bdi class="mono">${row.columnText}</bdi></div>`
      }
    </div>
    <div class="name" role="cell">
      ${
        row.name === null
          ? ''
          : isColumn
            ? html`<button class="link mono" data-stop tabindex="-1" title="Open in the schema dictionary" @click=${() => actions.explain(row)}>
                ${row.name}
              </button>`
            : html`<span class="mono">${row.name}</span>`
      }
    </div>
    <div class="tools" role="cell">
      ${
        row.copyable
          ? html`<button
              class="icon-button"
              data-stop
              tabindex="-1"
              aria-label="Copy ${row.label}"
              title="Copy"
              @click=${() => actions.copy(row)}
            >
              ${icon(actions.isCopied(row) ? 'check' : 'copy')}
            </button>`
          : ''
      }
    </div>
  </div>`;
}
