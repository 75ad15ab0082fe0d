import '../common/jitless.ts';
import { flow } from '@lit-labs/virtualizer/layouts/flow.js';
import { virtualize } from '@lit-labs/virtualizer/virtualize.js';
import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import {
  type LookupRow,
  longList,
  lookupStatuses,
  maxKeptQueries,
  type ResolveRow,
  type ResultsAbout,
  type ResultsView,
  resolveProtocol,
  resolveStatuses,
  statusLooks,
} from '../../protocol/results.ts';
import { PanelPage } from '../common/page.ts';
import { rove } from '../common/roving.ts';
import { announce, button, chip, filterBox, filterGroups, icon } from '../common/widgets.ts';

const page: PanelPage<typeof resolveProtocol> = new PanelPage(resolveProtocol, {
  reading: l10n.later('Resolving'),
  template: pageTemplate,
  taking(view) {
    const rows: readonly ResultRow[] = view.rows;
    const { status } = page.state;
    if (status === null || rows.some((row) => row.status === status)) return;
    page.keep({ status: null });
    announce(l10n.t('No row has that result now. All results are shown.'));
  },
  events: {
    // A list that is too long to be kept can't be brought back after a reload; the panel then says so.
    input: ({ queries }) => page.keep({ queries: queries.length <= maxKeptQueries ? queries : [] }),
  },
});

function pageTemplate(view: ResultsView): TemplateResult {
  const { filter, status } = page.state;
  const all: readonly ResultRow[] = view.rows;
  const [{ rows: found } = { rows: [] }] = filterGroups([{ rows: all }], filter, textsOf);
  const shown = status === null ? found : found.filter((row) => row.status === status);
  return html`<header>
      <h1>${view.subject === 'companies' ? l10n.t('Resolved Identifiers') : l10n.t('Report Keys')}</h1>
      ${aboutTemplate(view.about)}
    </header>
    <div class="toolbar">
      <div class="chips" role="group" aria-label=${l10n.t('Show')}>
        ${statusChip(null, 'list-unordered', l10n.t('All'), found.length)}
        ${(view.subject === 'companies' ? resolveStatuses : lookupStatuses).map((each) => {
          const count = found.filter((row) => row.status === each).length;
          const { icon, label } = statusLooks[each];
          return count === 0 && each !== status ? '' : statusChip(each, icon, l10n.word(label), count);
        })}
      </div>
      ${filterBox(l10n.t('Filter results'), filter, (next) => page.set({ filter: next }))}
      <span class="toolbar-end">${buttons(view.about)}</span>
    </div>
    <span class="visually-hidden" role="status">${l10n.t('{0} of {1} results', shown.length, all.length)}</span>
    ${tableTemplate(view, shown)}
    ${shown.length === 0 ? html`<p class="quiet none">${l10n.t('Nothing matches. Show all, or clear the filter.')}</p>` : ''}`;
}

/** What is under way, so that it is not begun twice. */
let busy = false;

async function whileBusy(call: 'writeBack' | 'download' | 'askAgain'): Promise<void> {
  busy = true;
  page.draw();
  await page.call(call, null);
  busy = false;
  page.draw();
}

function aboutTemplate({ words, kept }: ResultsAbout): TemplateResult {
  const again = () => whileBusy('askAgain');
  return html`<p class="quiet about">${words}${
    kept === null
      ? ''
      : html` · ${kept} <button class="link" ?disabled=${busy} @click=${again}>${l10n.t('Ask Again')}</button>`
  }</p>`;
}

function buttons({ writeBack, canDownload }: ResultsAbout): TemplateResult {
  const unlessBusy = (call: 'writeBack' | 'download') => (busy ? undefined : () => whileBusy(call));
  const copyAs = (format: 'csv' | 'markdown', words: string) =>
    button(page.isCopied(format) ? 'check' : 'copy', words, () =>
      page.copyBy(format, l10n.t('Copied'), 'copyAs', { format }),
    );
  return html`${
    writeBack === null
      ? ''
      : html`<span title=${l10n.t('Add the results as new columns to {0}', writeBack)}
          >${button('insert', l10n.t('Write Back…'), unlessBusy('writeBack'), true)}</span
        >`
  }
  ${canDownload ? button('cloud-download', l10n.t('Download PDFs…'), unlessBusy('download')) : ''}
  ${copyAs('csv', l10n.t('Copy as CSV'))}
  ${copyAs('markdown', l10n.t('Copy as Markdown'))}
  ${button('list-flat', l10n.t('View as Text'), () => page.call('viewAsText', null))}`;
}

function tableTemplate(view: ResultsView, rows: readonly ResultRow[]): TemplateResult {
  const row = (each: ResultRow) => ('report' in each ? reportRow(each) : companyRow(each));
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

function statusChip(status: Status | null, name: string, label: string, count: number): TemplateResult {
  const words = html`<span>${label}</span><span class="chip-count">${countText(count)}</span>`;
  return chip(page.state.status === status, name, words, () => page.set({ status }));
}

type ResultRow = ResolveRow | LookupRow;
type Status = ResultRow['status'];

function textsOf(row: ResultRow): (string | null | undefined)[] {
  if ('report' in row) {
    const { report } = row;
    return [row.query, row.words, report?.key, report?.title, report?.company, report?.year, report?.type];
  }
  const { company } = row;
  const held = company?.identifiers.map(({ value }) => value) ?? [];
  return [row.query, row.kind, row.words, row.refined, company?.name, company?.key, company?.country, ...held];
}

/**
 * Asks again for a row: by one of its candidates, by the person's next answer, or unchanged; then announces the row. If
 * the button is gone, the row's first one takes the keyboard, unless the person moved on meanwhile.
 */
async function ask({ number }: ResolveRow, candidate: number | null | 'undo'): Promise<void> {
  const isDone = await (candidate === 'undo'
    ? page.call('undoRefine', { row: number })
    : page.call('refine', { row: number, candidate }));
  if (!isDone) return;
  const active = document.activeElement?.closest('[data-row], vscode-button, button, input, a') ?? null;
  if (active === null || active.matches(`[data-row="${number}"], [data-row="${number}"] *`))
    page.root.querySelector<HTMLElement>(`[data-row="${number}"] [data-stop]`)?.focus();
  const words = page.view?.rows[number - 1]?.words;
  if (words !== undefined) announce(words);
}

const columnNames = {
  companies: [l10n.later('Identifier'), l10n.later('Result'), l10n.later('Company'), l10n.later('Known identifiers')],
  reports: [l10n.later('Report key'), l10n.later('Result'), l10n.later('Report'), l10n.later('Company')],
} as const;

const refineWords: Readonly<Partial<Record<ResolveRow['status'], string>>> = {
  ambiguous: l10n.later('Refine…'),
  unmatched: l10n.later('Try Another…'),
  malformed: l10n.later('Correct…'),
};

/** A link of a row; where rows repeat its words, `about` goes on with what tells it from the others. */
function rowLink(words: string, title: string, onClick: () => unknown, about = ''): TemplateResult {
  return html`<button class="link" data-stop tabindex="-1" title=${title} aria-label=${about === '' ? words : `${words} ${about}`} @click=${onClick}>
    <bdi>${words}</bdi>
  </button>`;
}

/** A row's cells beside its number: what was asked, what became of it, and what it led to. */
interface RowCells {
  readonly query: unknown;
  readonly result: unknown;
  readonly found: unknown;
  readonly beside: unknown;
}

function rowTemplate({ number, status }: ResultRow, { query, result, found, beside }: RowCells): TemplateResult {
  return html`<div class="row" role="row" data-row=${number} aria-rowindex=${number + 1}>
    <div class="number" role="cell">${number}</div>
    <div class="query" role="rowheader">${query}</div>
    <div class="result ${status}" role="cell">${icon(statusLooks[status].icon)}<span>${result}</span></div>
    <div class="company" role="cell">${found}</div>
    <div class="identifiers" role="cell">${beside}</div>
  </div>`;
}

function companyRow(row: ResolveRow): TemplateResult {
  const { company, query, kind, refined } = row;
  const refine = refineWords[row.status];
  const about = l10n.t('for “{0}”', query);
  const undo = l10n.t('Show the service’s result for “{0}”', query);
  const another = l10n.t('Try another identifier, such as MIC:TICKER or LEI');
  return rowTemplate(row, {
    query: html`<bdi class="mono">${query}</bdi> ${kind === null ? '' : html`<bdi class="quiet kind">${kind}</bdi>`}
      ${
        refined === null
          ? ''
          : html`<span class="quiet refined"
              >${l10n.t('looked up as')} <bdi class="mono">${refined}</bdi> · ${rowLink(l10n.t('Undo'), undo, () => ask(row, 'undo'), about)}</span
            >`
      }`,
    result: html`${row.words} ${refine === undefined ? '' : rowLink(l10n.word(refine), another, () => ask(row, null), about)}`,
    found:
      company === null
        ? candidates(row, about)
        : html`${rowLink(company.name, l10n.t('Open Company'), () => page.call('openCompany', { row: row.number }))}
            <div class="quiet">
              <bdi class="mono">${company.key}</bdi>${company.country === null ? '' : html`<bdi>${company.country}</bdi>`}
            </div>`,
    beside: company?.identifiers.map(
      ({ name, value, isNote }) =>
        html`<span><span class="quiet">${name}</span> <bdi class=${isNote ? 'quiet' : 'mono'}>${value}</bdi></span>`,
    ),
  });
}

/** More candidates are listed only when a person asks. */
const maxCandidates = 3;

/** Companies that may be meant, each a link that asks for it. */
function candidates(row: ResolveRow, about: string): TemplateResult | string {
  if (row.candidates.length === 0) return '';
  return html`<div class="quiet">${l10n.t('Which one do you mean?')}</div>
    ${row.candidates.slice(0, maxCandidates).map(
      ({ name, text }, place) =>
        html`<div>
          ${rowLink(name, l10n.t('Look up {0} instead', text), () => ask(row, place), about)}
          <bdi class="quiet mono">${text}</bdi>
        </div>`,
    )}
    ${
      row.candidates.length > maxCandidates
        ? html`<div>${rowLink(l10n.t('More…'), l10n.t('Show all candidates'), () => ask(row, null), about)}</div>`
        : ''
    }`;
}

function reportRow(row: LookupRow): TemplateResult {
  const { report } = row;
  const notes = report ? [report.year, report.type, report.isKnown && !report.hasFile ? l10n.t('no PDF') : null] : [];
  const present = row.status === 'renamed' ? report?.key : undefined;
  return rowTemplate(row, {
    query: html`<bdi class="mono">${row.query}</bdi>`,
    result: html`${row.words}${present === undefined ? '' : html`: ${l10n.t('now')} <bdi class="mono">${present}</bdi>`}`,
    found:
      report &&
      html`${rowLink(report.title, l10n.t('Open Report'), () => page.call('openReport', { row: row.number }))}
        <div class="quiet">
          ${report.isKnown ? '' : l10n.t('not on this machine yet')}${notes.map((note) => (note ? html`<bdi>${note}</bdi>` : ''))}
        </div>`,
    beside: report?.company ? html`<bdi>${report.company}</bdi>` : '',
  });
}

page.open();
page.send('restore', { queries: page.state.queries });
