import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import { type BlockGroup, type BlockOf, type BlockRow, piecesText } from '../../protocol/blocks.ts';
import { rove } from '../common/roving.ts';
import { icon } from '../common/widgets.ts';
import { type BlocksPage, piecesTemplate } from './pieces.ts';

/** Longer text is cut until asked for, in characters; the columns of a comparison are narrow. */
const longText = { table: 480, comparison: 160 };

/** Of longer lists only the chunks near the screen are in the page. */
const longList = 500;
const chunkSize = 50;
/** How high a row is until its chunk was drawn, in px. */
const usualHeight = 44;
/** The chunks near the visible area, by their index. */
const nearChunks = new Set([0]);
/** How high chunks were, by their rows. */
const heights = new Map<string, number>();
let observer: IntersectionObserver | undefined;

const texts = new WeakMap<BlockRow, string>();

/** The rows whose cells hold what is typed into the filter, and that have the chosen status. */
export function matching({ state: { filter } }: BlocksPage, rows: readonly BlockRow[]): readonly BlockRow[] {
  const wanted = filter.trim().toLocaleLowerCase();
  if (wanted === '') return rows;
  return rows.filter((row) => {
    const text = texts.get(row) ?? row.cells.map(piecesText).join('\n').toLocaleLowerCase();
    texts.set(row, text);
    return text.includes(wanted);
  });
}

export function matchingGroups(page: BlocksPage, groups: readonly BlockGroup[]): readonly BlockGroup[] {
  return groups.map((group) => ({ ...group, rows: matching(page, group.rows) })).filter(({ rows }) => rows.length > 0);
}

/** How many rows groups have. */
export function rowCount(groups: readonly { readonly rows: readonly unknown[] }[]): number {
  return groups.reduce((sum, { rows }) => sum + rows.length, 0);
}

/** These rows of a table. The buttons in them are one stop of the Tab key. */
export function tableTemplate(
  page: BlocksPage,
  table: BlockOf<'table'>,
  rows: readonly BlockRow[],
  marked: string | undefined,
): TemplateResult {
  const { name, look, columns, isHeadHidden } = table;
  const row = (each: BlockRow) => rowTemplate(page, table, each, marked);
  return html`<div class=${look} role="table" aria-label=${name} aria-rowcount=${table.rows.length + 1} ${ref(rove)}>
    <div class=${isHeadHidden ? 'visually-hidden' : 'row head'} role="row">
      ${columns.map(
        ({ head, look: place, short, isHeadHidden: isHidden }) =>
          html`<div class=${place} role="columnheader">${
            isHidden || short !== undefined
              ? html`<span aria-hidden="true">${short ?? ''}</span><span class="visually-hidden">${head}</span>`
              : head
          }</div>`,
      )}
    </div>
    ${rows.length > longList ? chunksTemplate(page, rows, row) : repeat(rows, ({ id }) => id, row)}
  </div>`;
}

/** Chunks away from the screen are empty boxes as high as their rows were. */
function chunksTemplate(
  page: BlocksPage,
  rows: readonly BlockRow[],
  row: (each: BlockRow) => TemplateResult,
): TemplateResult[] {
  observer ??= new IntersectionObserver((changes) => onChunksMoved(page, changes), { rootMargin: '800px 0px' });
  return Array.from({ length: Math.ceil(rows.length / chunkSize) }, (_, place) => {
    const chunk = rows.slice(place * chunkSize, (place + 1) * chunkSize);
    const name = `${chunk[0]?.id} ${chunk.length}`;
    const isNear = nearChunks.has(place);
    const height = isNear ? 'auto' : `${heights.get(name) ?? chunk.length * usualHeight}px`;
    return html`<div role="rowgroup" data-chunk=${place} data-name=${name} .style=${`height: ${height}`} ${ref(watchChunk)}>${
      isNear ? repeat(chunk, ({ id }) => id, row) : ''
    }</div>`;
  });
}

function watchChunk(chunk: Element | undefined): void {
  if (chunk) observer?.observe(chunk);
}

function onChunksMoved(page: BlocksPage, changes: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting, boundingClientRect } of changes) {
    const { chunk, name = '' } = (target as HTMLElement).dataset;
    if (isIntersecting) nearChunks.add(Number(chunk));
    else if (nearChunks.delete(Number(chunk)) && target.isConnected) heights.set(name, boundingClientRect.height);
  }
  page.draw();
}

function rowTemplate(
  page: BlocksPage,
  { columns }: BlockOf<'table'>,
  { id, cells, look = '', place: at }: BlockRow,
  marked: string | undefined,
): TemplateResult {
  return html`<div class="row ${look} ${id === marked ? 'marked' : ''}" role="row" data-row=${id} aria-rowindex=${at === undefined ? nothing : at + 1}>
    ${columns.map(({ look: place, isHeader }, column) => {
      const where = { id: `${id}\n${column}`, inTable: true, longest: longText.table };
      const pieces = piecesTemplate(page, cells[column] ?? [], where);
      return html`<div class=${place} role=${isHeader ? 'rowheader' : 'cell'}>${pieces}</div>`;
    })}
  </div>`;
}

/** Things as columns, fields as rows; head and first column stay in sight. */
export function comparisonTemplate(page: BlocksPage, block: BlockOf<'comparison'>): TemplateResult {
  const { columns } = block;
  const { filter, showsSame } = page.state;
  const [different, same] = [matchingGroups(page, block.different), matchingGroups(page, block.same)];
  const isFiltered = filter !== '';
  const sameCount = rowCount(same);
  // A filter looks for a field wherever it is.
  const isSameShown = showsSame || isFiltered;
  const none = isFiltered ? l10n.t('No differing field matches.') : l10n.t('The reports do not differ.');
  const group = (each: BlockGroup, isSame: boolean) => groupTemplate(page, each, columns.length, isSame);
  return html`<div class="scroller">
    <table class="columns-${columns.length}" aria-label=${l10n.t('Comparison')} ${ref(rove)}>
      <thead>
        <tr data-row>
          <th scope="col" class="corner"><span class="visually-hidden">${l10n.t('Field')}</span></th>
          ${columns.map((pieces) => html`<th scope="col">${piecesTemplate(page, pieces, { id: '', inTable: true })}</th>`)}
        </tr>
      </thead>
      ${different.map((each) => group(each, false))}
      ${different.length > 0 ? '' : html`<tbody><tr><td colspan=${columns.length + 1} class="quiet none">${none}</td></tr></tbody>`}
      <tbody>
        <tr class="divider" data-row>
          <th colspan=${columns.length + 1} scope="colgroup">
            <button
              class="fold"
              data-stop
              tabindex="-1"
              aria-expanded=${isSameShown}
              ?disabled=${sameCount === 0 || isFiltered}
              @click=${() => page.set({ showsSame: !showsSame })}
            >
              ${icon(isSameShown ? 'chevron-down' : 'chevron-right')}${l10n.t('The same in all reports')}
              <span class="count">${sameCount}</span>
            </button>
          </th>
        </tr>
      </tbody>
      ${isSameShown ? same.map((each) => group(each, true)) : ''}
    </table>
  </div>`;
}

/** Where all are the same, one cell stands for the row. */
function groupTemplate(page: BlocksPage, group: BlockGroup, columns: number, isSame: boolean): TemplateResult {
  const cell = ({ id, cells }: BlockRow, at: number) =>
    html`<div class="cell">${piecesTemplate(page, cells[at] ?? [], { id: `${id}\n${at}`, inTable: true, longest: longText.comparison })}</div>`;
  const rowOf = (row: BlockRow) => html`<tr class="row" data-row=${row.id}>
    <th scope="row">${piecesTemplate(page, row.cells[0] ?? [], { id: row.id, inTable: true, isTight: true })}</th>
    ${isSame ? html`<td colspan=${columns}>${cell(row, 1)}</td>` : row.cells.slice(1).map((_, at) => html`<td>${cell(row, at + 1)}</td>`)}
  </tr>`;
  return html`<tbody>
    <tr class="group">
      <th colspan=${columns + 1} scope="rowgroup"><span>${group.title} <span class="count">${group.rows.length}</span></span></th>
    </tr>
    ${repeat(group.rows, ({ id }) => id, rowOf)}
  </tbody>`;
}
