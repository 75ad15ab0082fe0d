import '@vscode-elements/elements/dist/vscode-button/index.js';
import { virtualize } from '@lit-labs/virtualizer/virtualize.js';
import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { type ResolveRow, type ResolveStatus, resolveStatuses } from '../../protocol/resolveResults.ts';
import { filterBox } from '../common/filterBox.ts';
import { icon } from '../common/icon.ts';
import { problemTemplate } from '../common/problem.ts';
import { roveOnFocus, roveOnKey, settleStop } from '../common/roving.ts';

/** Longer lists keep only the rows near the screen in the page. */
const longList = 500;

/** Everything the page shows. */
export interface PageState {
  readonly rows: readonly ResolveRow[] | undefined;
  readonly problem: string | undefined;
  readonly filter: string;
  /** Shows one status only; null shows all. */
  readonly status: ResolveStatus | null;
  readonly actions: PageActions;
}

/** What a person can do here. */
export interface PageActions {
  setFilter(filter: string): void;
  setStatus(status: ResolveStatus | null): void;
  retry(): void;
  openCompany(row: ResolveRow): void;
  copyAs(format: 'markdown' | 'csv'): void;
  viewAsText(): void;
  isCopied(format: 'markdown' | 'csv'): boolean;
}

const statuses: Readonly<Record<ResolveStatus, { readonly icon: string; readonly label: string }>> = {
  entitled: { icon: 'pass-filled', label: 'Matched' },
  'not-licensed': { icon: 'lock', label: 'Not in your licence' },
  ambiguous: { icon: 'question', label: 'Ambiguous' },
  unmatched: { icon: 'circle-slash', label: 'No match' },
  malformed: { icon: 'error', label: 'Malformed' },
};

/** The results, or what stands in their place while they are read or after that failed. */
export function pageTemplate(state: PageState): TemplateResult {
  const { rows, problem, filter, status, actions } = state;
  if (!rows) return problem === undefined ? skeleton : problemTemplate(problem, actions.retry);
  const found = rows.filter((row) => matches(row, filter));
  const shown = status === null ? found : found.filter((row) => row.status === status);
  return html`<header>
      <h1>Resolved Identifiers</h1>
    </header>
    <div class="toolbar">
      <div class="chips" role="group" aria-label="Show">
        ${chip(null, 'list-unordered', 'All', found.length, status, actions)}
        ${resolveStatuses.map((each) => {
          const count = found.filter((row) => row.status === each).length;
          return count === 0 && each !== status
            ? ''
            : chip(each, statuses[each].icon, statuses[each].label, count, status, actions);
        })}
      </div>
      ${filterBox({ label: 'Filter results', value: filter, onChange: actions.setFilter })}
      <span class="toolbar-end">
        ${copyButton('csv', 'Copy as CSV', actions)} ${copyButton('markdown', 'Copy as Markdown', actions)}
        <vscode-button secondary @click=${actions.viewAsText}>${icon('list-flat', 'content-before')}View as Text</vscode-button>
      </span>
    </div>
    <span class="visually-hidden" role="status">${shown.length} of ${rows.length} results</span>
    ${tableTemplate(shown, actions)}
    ${shown.length === 0 ? html`<p class="quiet none">Nothing matches. Show all, or empty the filter.</p>` : ''}`;
}

function tableTemplate(rows: readonly ResolveRow[], actions: PageActions): TemplateResult {
  const row = (each: ResolveRow) => rowTemplate(each, actions);
  return html`<div
    class="rows"
    role="table"
    aria-label="Results in input order"
    aria-rowcount=${rows.length + 1}
    @keydown=${roveOnKey}
    @focusin=${roveOnFocus}
    ${ref(settleStop)}
  >
    <div role="rowgroup">
      <div class="row head" role="row">
        <div class="number" role="columnheader"><span aria-hidden="true">#</span><span class="visually-hidden">Number</span></div>
        <div role="columnheader">Identifier</div>
        <div role="columnheader">Result</div>
        <div role="columnheader">Company</div>
        <div role="columnheader">Identifiers held</div>
      </div>
    </div>
    ${
      rows.length > longList
        ? html`<div role="rowgroup" class="window">
            ${virtualize({ items: rows as ResolveRow[], renderItem: row, keyFunction: ({ number }) => number })}
          </div>`
        : html`<div role="rowgroup">${repeat(rows, ({ number }) => number, row)}</div>`
    }
  </div>`;
}

function rowTemplate(row: ResolveRow, actions: PageActions): TemplateResult {
  const { company } = row;
  return html`<div class="row" role="row" data-row aria-rowindex=${row.number + 1}>
    <div class="number" role="cell">${row.number}</div>
    <div class="query" role="rowheader">
      <bdi class="mono">${row.query}</bdi> ${row.kind === null ? '' : html`<bdi class="quiet kind">${row.kind}</bdi>`}
    </div>
    <div class="result ${row.status}" role="cell">${icon(statuses[row.status].icon)}<span>${row.words}</span></div>
    <div class="company" role="cell">
      ${
        company === null
          ? ''
          : html`<button class="link" data-stop tabindex="-1" title="Open company" @click=${() => actions.openCompany(row)}>
                <bdi>${company.name}</bdi>
              </button>
              <div class="quiet">
                <bdi class="mono">${company.key}</bdi>${company.country === null ? '' : html`<bdi>${company.country}</bdi>`}
              </div>`
      }
    </div>
    <div class="identifiers" role="cell">
      ${company?.identifiers.map(
        ({ name, value, isNote }) =>
          html`<span><span class="quiet">${name}</span> <bdi class=${isNote ? 'quiet' : 'mono'}>${value}</bdi></span>`,
      )}
    </div>
  </div>`;
}

function chip(
  status: ResolveStatus | null,
  name: string,
  label: string,
  count: number,
  chosen: ResolveStatus | null,
  actions: PageActions,
): TemplateResult {
  return html`<button class="chip ${status ?? ''}" aria-pressed=${status === chosen} @click=${() => actions.setStatus(status)}>
    ${icon(name)}<span>${label}</span><span class="chip-count">${count.toLocaleString()}</span>
  </button>`;
}

function copyButton(format: 'markdown' | 'csv', words: string, actions: PageActions): TemplateResult {
  const done = actions.isCopied(format);
  return html`<vscode-button secondary @click=${() => actions.copyAs(format)}
    >${icon(done ? 'check' : 'copy', 'content-before')}${words}</vscode-button
  >`;
}

function matches({ query, kind, words, company }: ResolveRow, filter: string): boolean {
  const wanted = filter.trim().toLocaleLowerCase();
  if (wanted === '') return true;
  const texts = [query, kind, words, company?.name, company?.key, company?.country];
  const held = company?.identifiers.map(({ value }) => value) ?? [];
  return [...texts, ...held].some((text) => text?.toLocaleLowerCase().includes(wanted));
}

/** Stands where the results will be; shows only when they take a while. */
const skeleton = html`<div class="skeleton" role="status" aria-label="Resolving">
  <div class="bone title"></div>
  ${Array.from({ length: 12 }, () => html`<div class="bone row-bone"></div>`)}
</div>`;
