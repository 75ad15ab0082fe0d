import '../common/jitless.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import {
  allBlocks,
  type Block,
  type BlockOf,
  type BlockRow,
  type ButtonItem,
  blocksProtocol,
} from '../../protocol/blocks.ts';
import { menuButton } from '../common/menu.ts';
import { PanelPage } from '../common/page.ts';
import { announce, chip, filterBox, icon } from '../common/widgets.ts';
import { chosenInMatrix, matrixTemplate, SideBar, settleMatrix } from './matrix.ts';
import { type BlocksPage, itemButton, piecesTemplate, run } from './pieces.ts';
import { comparisonTemplate, matching, matchingGroups, rowCount, tableTemplate } from './tables.ts';

const bar = new SideBar();
/** The row that a person was led to. */
let marked: string | undefined;
/** It stays in the middle, though rows above it may become higher, until the person moves on. */
let isCentered = false;

const page: BlocksPage = new PanelPage(blocksProtocol, {
  template: ({ blocks }) => pageTemplate(blocks),
  taking({ blocks, keeps, said }, before) {
    if (before !== undefined && said !== undefined) announce(said);
    settleStatus(blocks);
    if (keeps) page.keep({ texts: [...keeps] });
    settleMatrix(page, blocks, before === undefined);
  },
  taken(before) {
    const years = page.root.querySelector<HTMLElement>('.years');
    if (years && before === undefined) years.scrollLeft = years.scrollWidth;
    if (years) bar.follow(years);
    if (isCentered) center();
  },
  events: {
    go(to) {
      if ('row' in to) reveal(to.row);
      else if (document.hasFocus()) focusFirst(to.acts);
      // If a person went to a tree or a palette by then, the keyboard stays there until they come back.
      else window.addEventListener('focus', () => focusFirst(to.acts), { once: true });
    },
  },
});

/** Shows all rows where none has the chosen status any more, and says so. */
function settleStatus(blocks: readonly Block[]): void {
  const { status } = page.state;
  if (status === null || rowsOf(blocks).some((row) => row.status === status)) return;
  page.keep({ status: null });
  announce(l10n.t('No row has that result now. All results are shown.'));
}

function reveal(row: string): void {
  marked = row;
  page.forgetScroll();
  page.set({ filter: '' });
  isCentered = true;
  center()?.querySelector('button')?.focus({ preventScroll: true });
}

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

/** A panel that was open already keeps the keyboard where it is. */
function focusFirst(acts: readonly string[]): void {
  if (document.activeElement !== document.body) return;
  const found = acts.map((act) => page.root.querySelector<HTMLElement>(`[data-act="${act}"]`));
  found.find((control) => control !== null)?.focus();
}

function rowsOf(blocks: readonly Block[]): readonly BlockRow[] {
  return allBlocks(blocks).flatMap((block) => (block.kind === 'table' ? block.rows : []));
}

/** A row is shown by what is typed into the filter, and by the chosen status. */
function shownOf(rows: readonly BlockRow[]): readonly BlockRow[] {
  const { status } = page.state;
  const found = matching(page, rows);
  return status === null ? found : found.filter((row) => row.status === status);
}

const headKinds: readonly Block['kind'][] = ['title', 'line', 'facts', 'notices', 'actions'];

function pageTemplate(blocks: readonly Block[]): TemplateResult {
  const end = blocks.findIndex(({ kind }) => !headKinds.includes(kind));
  const head = end < 0 ? blocks : blocks.slice(0, end);
  return html`<header>${blocksTemplate(head)}</header>
    ${end < 0 ? '' : blocksTemplate(blocks.slice(end))} ${noneTemplate(blocks)}`;
}

function blocksTemplate(blocks: readonly Block[]): unknown[] {
  return blocks.map(blockTemplate);
}

function blockTemplate(block: Block): unknown {
  switch (block.kind) {
    case 'title':
      return html`<h1 lang=${block.lang ?? nothing} dir="auto" title=${block.text}>${block.text}${
        block.detail === undefined ? '' : html` <span class="version">${block.detail}</span>`
      }</h1>`;
    case 'line':
      return html`<div class=${block.look} id=${block.id ?? nothing} role=${block.isStatus ? 'status' : nothing}>${piecesTemplate(page, block.pieces)}</div>`;
    case 'facts':
      return html`<dl class=${block.look}>
        ${block.facts.map(
          ({ label, pieces }) =>
            html`<div><dt>${piecesTemplate(page, [label])}</dt><dd>${piecesTemplate(page, pieces)}</dd></div>`,
        )}
      </dl>`;
    case 'notices':
      return html`<ul class="notices">
        ${block.notices.map(({ tone, text }) => html`<li class=${tone}>${icon(tone)}<bdi>${text}</bdi></li>`)}
      </ul>`;
    case 'actions':
      return actionsTemplate(block);
    case 'tools':
      return toolsTemplate(block);
    case 'section':
      return sectionTemplate(block);
    case 'table': {
      const rows = shownOf(block.rows);
      return rows.length === 0 && block.isHeadHidden ? '' : tableTemplate(page, block, rows, marked);
    }
    case 'matrix':
      return matrixTemplate(page, block);
    case 'sideways':
      return html`<div class="years" .style=${`--columns: ${block.columns}`}>${blocksTemplate(block.blocks)}</div>
        ${bar.element}`;
    case 'comparison':
      return comparisonTemplate(page, block);
    case 'details':
      return detailsTemplate(block);
    case 'text':
      return html`<section aria-labelledby="raw">
        <h2 id="raw">${block.title}</h2>
        <pre class="mono raw" tabindex="0"><bdi>${block.text}</bdi></pre>
      </section>`;
    default:
      return block satisfies never;
  }
}

function actionsTemplate({ buttons, menu }: BlockOf<'actions'>): TemplateResult {
  return html`<div class="actions">
    ${buttons.map((item) => itemButton(page, withRange(item)))}
    ${
      menu
        ? menuButton(
            menu.words,
            menu.items.map((item) => ({ icon: item.icon, words: item.words, act: () => run(page, item) })),
          )
        : ''
    }
  </div>`;
}

/** A button about cells is about those that are chosen. */
function withRange(item: ButtonItem): ButtonItem {
  const chosen = item.ofRange === undefined ? undefined : chosenInMatrix(page);
  if (!chosen) return item;
  return { ...item, at: chosen.cells, words: chosen.isRange ? (item.ofRange ?? item.words) : item.words };
}

function toolsTemplate({ filter, counts, idle = '', chips, buttons }: BlockOf<'tools'>): TemplateResult {
  const isFields = counts === 'fields';
  const [shown, all] = countsOf(page.view?.blocks ?? []);
  const words = isFields ? l10n.t('{0} of {1} fields', shown, all) : l10n.t('{0} of {1} results', shown, all);
  const count = html`<span class=${isFields ? 'quiet' : 'visually-hidden'} role="status">${
    isFields && page.state.filter === '' ? idle : words
  }</span>`;
  return html`<div class="toolbar">
      ${chips ? chipsTemplate(chips) : ''} ${filterBox(filter, page.state.filter, (next) => page.set({ filter: next }))}
      ${isFields ? count : ''}
      ${buttons.length === 0 ? '' : html`<span class="toolbar-end">${buttons.map((item) => itemButton(page, item))}</span>`}
    </div>
    ${isFields ? '' : count}`;
}

/** How many rows show, and how many there are. */
function countsOf(blocks: readonly Block[]): readonly [shown: number, all: number] {
  const rows = rowsOf(blocks);
  const groups = blocks.flatMap((block) => (block.kind === 'comparison' ? [...block.different, ...block.same] : []));
  return [shownOf(rows).length + rowCount(matchingGroups(page, groups)), rows.length + rowCount(groups)];
}

function chipsTemplate(chips: NonNullable<BlockOf<'tools'>['chips']>): TemplateResult {
  const { status } = page.state;
  const found = matching(page, rowsOf(page.view?.blocks ?? []));
  const one = (each: string | null, name: string, label: string, count: number) =>
    chip(status === each, name, html`<span>${label}</span><span class="chip-count">${countText(count)}</span>`, () =>
      page.set({ status: each }),
    );
  return html`<div class="chips" role="group" aria-label=${l10n.t('Show')}>
    ${one(null, 'list-unordered', l10n.t('All'), found.length)}
    ${chips.map((each) => {
      const count = found.filter((row) => row.status === each.status).length;
      return count === 0 && each.status !== status ? '' : one(each.status, each.icon, each.label, count);
    })}
  </div>`;
}

function sectionTemplate({ id, title, note, buttons, isCounted, blocks }: BlockOf<'section'>): TemplateResult | '' {
  const count = isCounted ? shownOf(rowsOf(blocks)).length : undefined;
  if (count === 0) return '';
  const heading = html`<h2 id=${id}>${title}${count === undefined ? '' : html` <span class="count">${count}</span>`}</h2>`;
  return html`<section aria-labelledby=${id}>
    ${
      buttons
        ? html`<div class="heading">${heading}<div class="actions">${buttons.map((item) => itemButton(page, item))}</div></div>`
        : heading
    }
    ${note === undefined ? '' : html`<p class="quiet group-note">${note}</p>`} ${blocksTemplate(blocks)}
  </section>`;
}

function detailsTemplate({ title, items }: BlockOf<'details'>): TemplateResult {
  return html`<details>
    <summary>${title}</summary>
    <dl class="statements">
      ${items.map(({ term, lines }) => html`<div><dt>${term}</dt><dd>${lines.map((line) => html`<bdi>${line}</bdi>`)}</dd></div>`)}
    </dl>
  </details>`;
}

function noneTemplate(blocks: readonly Block[]): TemplateResult | '' {
  const none = blocks.find((block) => block.kind === 'tools')?.none;
  return none !== undefined && countsOf(blocks)[0] === 0 ? html`<p class="quiet none">${none}</p>` : '';
}

page.open();
void page.call('act', { act: 'restore', at: page.state.texts });
