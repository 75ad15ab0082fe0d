import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import type { Group, MetadataState, MetadataView, metadataProtocol, Row } from '../../protocol/metadata.ts';
import type { PanelPage } from '../common/page.ts';
import { rove } from '../common/roving.ts';
import { columnLabel, copyButton, icon, valueTemplate } from '../common/widgets.ts';

export type ReportPage = PanelPage<typeof metadataProtocol, MetadataView, MetadataState>;

/** One group of rows. Three-valued facts stand together in a grid of marks, where there are enough of them. */
export function groupTemplate(group: Group, page: ReportPage): TemplateResult {
  const heading = `group-${group.id}`;
  const marks = group.rows.filter(({ value }) => value.kind === 'mark');
  const rows = marks.length > 1 ? group.rows.filter(({ value }) => value.kind !== 'mark') : group.rows;
  return html`<section aria-labelledby=${heading}>
    <h2 id=${heading}>${group.title} <span class="count">${group.rows.length}</span></h2>
    ${group.note === null ? '' : html`<p class="quiet group-note">${group.note}</p>`}
    ${marks.length > 1 ? tableTemplate('answers', l10n.t('{0}: standards and statements', group.title), marks, page) : ''}
    ${rows.length > 0 ? tableTemplate('rows', group.title, rows, page) : ''}
  </section>`;
}

function tableTemplate(
  className: 'answers' | 'rows',
  name: string,
  rows: readonly Row[],
  page: ReportPage,
): TemplateResult {
  const heads = [l10n.t('Field'), l10n.t('Value'), l10n.t('Column'), l10n.t('Copy')];
  return html`<div class=${className} role="table" aria-label=${name} ${ref(rove)}>
    <div class="visually-hidden" role="row">${heads.map((head) => html`<span role="columnheader">${head}</span>`)}</div>
    ${repeat(
      rows,
      ({ id }) => id,
      (row) => rowTemplate(row, page),
    )}
  </div>`;
}

function rowTemplate(row: Row, page: ReportPage): TemplateResult {
  const { id, label, meaning, name, value, columnText, copy } = row;
  return html`<div class="row ${value.kind === 'mark' ? 'answer-cell' : ''}" role="row" data-row=${id}>
    <div class="label" role="rowheader">
      ${
        // A field outside the 50 columns has no place in the schema dictionary.
        meaning === null
          ? html`<bdi>${label}</bdi>`
          : columnLabel(
              label,
              () => page.call('explainColumn', { column: id }),
              -1,
              `${meaning} ${l10n.t('Opens the schema dictionary.')}`,
            )
      }
    </div>
    <div class="value" role="cell">
      ${valueTemplate(value, page.isOpen(id), () => page.open(id))}${
        columnText === null
          ? ''
          : html`<div class="disagrees">${icon('warning')} ${l10n.t('Metadata column:')} <bdi class="mono">${columnText}</bdi></div>`
      }
    </div>
    <div class="name" role="cell">${name === null ? '' : html`<span class="mono">${name}</span>`}</div>
    <div class="tools" role="cell">${copy === null ? '' : copyButton(page, id, label, copy)}</div>
  </div>`;
}
