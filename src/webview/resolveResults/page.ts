import '@vscode-elements/elements/dist/vscode-button/index.js';
import { flow } from '@lit-labs/virtualizer/layouts/flow.js';
import { virtualize } from '@lit-labs/virtualizer/virtualize.js';
import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import type { ResultsAbout, ResultsView } from '../../protocol/results.ts';
import { rove } from '../common/roving.ts';
import { absentTemplate, button, chip, filterBox, filterGroups } from '../common/widgets.ts';
import {
  columnNames,
  companyRow,
  type ResultRow,
  type ResultsPage,
  reportRow,
  type Status,
  statusesOf,
  statusLooks,
  textsOf,
} from './rows.ts';

/** Longer lists keep only the rows near the screen in the page. */
const longList = 500;

/** The results, or what stands in their place while they are read or after that failed. */
export function pageTemplate(page: ResultsPage): TemplateResult {
  const { view, problem, retry } = page;
  if (!view) return absentTemplate(problem, retry, l10n.t('Resolving'));
  const { filter, status } = page.state;
  const all: readonly ResultRow[] = view.rows;
  const [{ rows: found } = { rows: [] }] = filterGroups([{ rows: all }], filter, textsOf);
  const shown = status === null ? found : found.filter((row) => row.status === status);
  return html`<header>
      <h1>${view.subject === 'companies' ? l10n.t('Resolved Identifiers') : l10n.t('Report Keys')}</h1>
      ${aboutTemplate(page, view.about)}
    </header>
    <div class="toolbar">
      <div class="chips" role="group" aria-label=${l10n.t('Show')}>
        ${statusChip(page, null, 'list-unordered', l10n.t('All'), found.length)}
        ${statusesOf(view.subject).map((each) => {
          const count = found.filter((row) => row.status === each).length;
          const { icon, label } = statusLooks[each];
          return count === 0 && each !== status ? '' : statusChip(page, each, icon, l10n.word(label), count);
        })}
      </div>
      ${filterBox(l10n.t('Filter results'), filter, (next) => page.set({ filter: next }))}
      <span class="toolbar-end">${buttons(page, view.about)}</span>
    </div>
    <span class="visually-hidden" role="status">${l10n.t('{0} of {1} results', shown.length, all.length)}</span>
    ${tableTemplate(page, view, shown)}
    ${shown.length === 0 ? html`<p class="quiet none">${l10n.t('Nothing matches. Show all, or clear the filter.')}</p>` : ''}`;
}

/** What is under way, so that it is not begun twice. */
let busy = false;

async function whileBusy(page: ResultsPage, call: 'writeBack' | 'download' | 'askAgain'): Promise<void> {
  busy = true;
  page.draw();
  await page.call(call, null);
  busy = false;
  page.draw();
}

function aboutTemplate(page: ResultsPage, { words, kept }: ResultsAbout): TemplateResult {
  const again = () => whileBusy(page, 'askAgain');
  return html`<p class="quiet about">${words}${
    kept === null
      ? ''
      : html` · ${kept} <button class="link" ?disabled=${busy} @click=${again}>${l10n.t('Ask Again')}</button>`
  }</p>`;
}

function buttons(page: ResultsPage, { writeBack, canDownload }: ResultsAbout): TemplateResult {
  const unlessBusy = (call: 'writeBack' | 'download') => (busy ? undefined : () => whileBusy(page, call));
  const copyAs = (format: 'csv' | 'markdown', words: string, done: string) =>
    button(page.isCopied(format) ? 'check' : 'copy', words, () => page.copyBy(format, done, 'copyAs', { format }));
  return html`${
    writeBack === null
      ? ''
      : html`<span title=${l10n.t('Add what was found as new columns to {0}', writeBack)}
          >${button('insert', l10n.t('Write Back…'), unlessBusy('writeBack'), true)}</span
        >`
  }
  ${canDownload ? button('cloud-download', l10n.t('Download PDFs…'), unlessBusy('download')) : ''}
  ${copyAs('csv', l10n.t('Copy as CSV'), l10n.t('Copied all results as CSV'))}
  ${copyAs('markdown', l10n.t('Copy as Markdown'), l10n.t('Copied all results as Markdown'))}
  ${button('list-flat', l10n.t('View as Text'), () => page.call('viewAsText', null))}`;
}

function tableTemplate(page: ResultsPage, view: ResultsView, rows: readonly ResultRow[]): TemplateResult {
  const row = (each: ResultRow) => ('report' in each ? reportRow(page, each) : companyRow(page, each));
  return html`<div
    class="rows"
    role="table"
    aria-label=${l10n.t('Results in input order')}
    aria-rowcount=${view.rows.length + 1}
    ${ref(rove)}
  >
    <div role="rowgroup">
      <div class="row head" role="row">
        <div class="number" role="columnheader"><span aria-hidden="true">#</span><span class="visually-hidden">${l10n.t('Number')}</span></div>
        ${columnNames[view.subject].map((name) => html`<div role="columnheader">${l10n.word(name)}</div>`)}
      </div>
    </div>
    ${
      rows.length > longList
        ? html`<div role="rowgroup" class="window">
            ${virtualize({ items: rows as ResultRow[], layout: flow(), renderItem: row, keyFunction: ({ number }) => number })}
          </div>`
        : html`<div role="rowgroup">${repeat(rows, ({ number }) => number, row)}</div>`
    }
  </div>`;
}

function statusChip(
  page: ResultsPage,
  status: Status | null,
  name: string,
  label: string,
  count: number,
): TemplateResult {
  const words = html`<span>${label}</span><span class="chip-count">${countText(count)}</span>`;
  return chip(page.state.status === status, name, words, () => page.set({ status }));
}
