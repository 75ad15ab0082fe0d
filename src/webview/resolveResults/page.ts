import '@vscode-elements/elements/dist/vscode-button/index.js';
import { flow } from '@lit-labs/virtualizer/layouts/flow.js';
import { virtualize } from '@lit-labs/virtualizer/virtualize.js';
import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import type { ResultsAbout } from '../../protocol/results.ts';
import { roveOnFocus, roveOnKey, settleStop } from '../common/roving.ts';
import { filterBox, icon, problemTemplate } from '../common/widgets.ts';
import {
  columnNames,
  companyRow,
  matches,
  type ResultRow,
  type Results,
  type RowActions,
  reportRow,
  type Status,
  statusesOf,
  statusLooks,
} from './rows.ts';

/** Longer lists keep only the rows near the screen in the page. */
const longList = 500;

/** Everything the page shows. */
export interface PageState {
  readonly results: Results | undefined;
  readonly problem: string | undefined;
  readonly filter: string;
  /** Shows one status only; null shows all. */
  readonly status: Status | null;
  /** What is under way, so that it is not begun twice. */
  readonly busy: boolean;
  readonly actions: PageActions;
}

/** What a person can do here. */
export interface PageActions extends RowActions {
  setFilter(filter: string): void;
  setStatus(status: Status | null): void;
  retry(): void;
  writeBack(): void;
  download(): void;
  askAgain(): void;
  copyAs(format: 'markdown' | 'csv'): void;
  viewAsText(): void;
  isCopied(format: 'markdown' | 'csv'): boolean;
}

/** The results, or what stands in their place while they are read or after that failed. */
export function pageTemplate(state: PageState): TemplateResult {
  const { results, problem, filter, status, busy, actions } = state;
  if (!results) return problem === undefined ? skeleton() : problemTemplate(problem, actions.retry);
  const rows: readonly ResultRow[] = results.rows;
  const found = rows.filter((row) => matches(row, filter));
  const shown = status === null ? found : found.filter((row) => row.status === status);
  return html`<header>
      <h1>${results.subject === 'companies' ? l10n.t('Resolved Identifiers') : l10n.t('Report Keys')}</h1>
      ${aboutTemplate(results.about, busy, actions)}
    </header>
    <div class="toolbar">
      <div class="chips" role="group" aria-label=${l10n.t('Show')}>
        ${chip(null, 'list-unordered', l10n.t('All'), found.length, status, actions)}
        ${statusesOf(results).map((each) => {
          const count = found.filter((row) => row.status === each).length;
          return count === 0 && each !== status
            ? ''
            : chip(each, statusLooks[each].icon, l10n.word(statusLooks[each].label), count, status, actions);
        })}
      </div>
      ${filterBox({ label: l10n.t('Filter results'), value: filter, onChange: actions.setFilter })}
      <span class="toolbar-end">${buttons(results.about, busy, actions)}</span>
    </div>
    <span class="visually-hidden" role="status">${l10n.t('{0} of {1} results', shown.length, rows.length)}</span>
    ${tableTemplate(results, shown, actions)}
    ${shown.length === 0 ? html`<p class="quiet none">${l10n.t('Nothing matches. Show all, or empty the filter.')}</p>` : ''}`;
}

function aboutTemplate({ words, kept }: ResultsAbout, busy: boolean, actions: PageActions): TemplateResult {
  const again = html`<button class="link" ?disabled=${busy} @click=${actions.askAgain}>${l10n.t('Ask Again')}</button>`;
  return html`<p class="quiet about">${words}${kept === null ? '' : html` · ${kept} ${again}`}</p>`;
}

function buttons({ writeBack, canDownload }: ResultsAbout, busy: boolean, actions: PageActions): TemplateResult {
  return html`${
    writeBack === null
      ? ''
      : html`<vscode-button
          ?disabled=${busy}
          title=${l10n.t('Add what was found as new columns to {0}', writeBack)}
          @click=${actions.writeBack}
          >${icon('insert', 'content-before')}${l10n.t('Write Back…')}</vscode-button
        >`
  }
  ${
    canDownload
      ? html`<vscode-button secondary ?disabled=${busy} @click=${actions.download}
          >${icon('cloud-download', 'content-before')}${l10n.t('Download PDFs…')}</vscode-button
        >`
      : ''
  }
  ${copyButton('csv', l10n.t('Copy as CSV'), actions)} ${copyButton('markdown', l10n.t('Copy as Markdown'), actions)}
  <vscode-button secondary @click=${actions.viewAsText}>${icon('list-flat', 'content-before')}${l10n.t('View as Text')}</vscode-button>`;
}

function tableTemplate(
  { subject, rows: all }: Results,
  rows: readonly ResultRow[],
  actions: PageActions,
): TemplateResult {
  const row = (each: ResultRow) => ('report' in each ? reportRow(each, actions) : companyRow(each, actions));
  const numberHead = html`<span aria-hidden="true">#</span><span class="visually-hidden">${l10n.t('Number')}</span>`;
  return html`<div
    class="rows"
    role="table"
    aria-label=${l10n.t('Results in input order')}
    aria-rowcount=${all.length + 1}
    @keydown=${roveOnKey}
    @focusin=${roveOnFocus}
    ${ref(settleStop)}
  >
    <div role="rowgroup">
      <div class="row head" role="row">
        <div class="number" role="columnheader">${numberHead}</div>
        ${columnNames[subject].map((name) => html`<div role="columnheader">${l10n.word(name)}</div>`)}
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

function chip(
  status: Status | null,
  name: string,
  label: string,
  count: number,
  chosen: Status | null,
  actions: PageActions,
): TemplateResult {
  return html`<button class="chip ${status ?? ''}" aria-pressed=${status === chosen} @click=${() => actions.setStatus(status)}>
    ${icon(name)}<span>${label}</span><span class="chip-count">${countText(count)}</span>
  </button>`;
}

function copyButton(format: 'markdown' | 'csv', words: string, actions: PageActions): TemplateResult {
  const done = actions.isCopied(format);
  return html`<vscode-button secondary @click=${() => actions.copyAs(format)}
    >${icon(done ? 'check' : 'copy', 'content-before')}${words}</vscode-button
  >`;
}

/** Stands where the results will be; shows only when they take a while. */
const skeleton = () => html`<div class="skeleton" role="status" aria-label=${l10n.t('Resolving')}>
  <div class="bone title"></div>
  ${Array.from({ length: 12 }, () => html`<div class="bone row-bone"></div>`)}
</div>`;
