import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import { type CompanyFact, type CompanyView, type ReportSize, sizesTable } from '../../protocol/company.ts';
import { barChart } from '../common/bars.ts';
import type { Selection } from '../common/cellKeys.ts';
import { legend } from '../common/coverageMark.ts';
import { columnLabel, icon, problemTemplate } from '../common/widgets.ts';
import { assuranceTable, type MatrixActions, matrixTemplate, standardsLegend, standardsTable } from './tables.ts';

/** Everything the page shows. */
export interface PageState {
  readonly view: CompanyView | undefined;
  readonly problem: string | undefined;
  readonly selection: Selection;
  readonly actions: PageActions;
}

/** What a person can do here. */
export interface PageActions extends MatrixActions {
  retry(): void;
  download(): void;
  reveal(): void;
  viewAsText(): void;
  copy(fact: CompanyFact): void;
  /** Shows a column in the schema dictionary. */
  explain(column: string): void;
  isCopied(fact: CompanyFact): boolean;
}

/** The company, or what stands in its place while it is read or after that failed. */
export function pageTemplate({ view, problem, selection, actions }: PageState): TemplateResult {
  if (!view) return problem === undefined ? skeleton() : problemTemplate(problem, actions.retry);
  return html`${headerTemplate(view, selection, actions)}
    ${view.years.length === 0 ? '' : yearsTemplate(view, selection, actions)} ${sizesTemplate(view)}`;
}

function headerTemplate(view: CompanyView, selection: Selection, actions: PageActions): TemplateResult {
  return html`<header>
    <h1 dir="auto" title=${view.title}>${view.title}</h1>
    <p class="quiet"><bdi>${view.detail}</bdi></p>
    <dl class="facts">${view.facts.map((fact) => factTemplate(fact, actions))}</dl>
    ${
      view.notices.length === 0
        ? ''
        : html`<ul class="notices">
            ${view.notices.map((text) => html`<li>${icon('info')}<bdi>${text}</bdi></li>`)}
          </ul>`
    }
    <div class="actions">
      <vscode-button ?disabled=${view.years.length === 0} @click=${actions.download}
        >${icon('cloud-download', 'content-before')}${
          selection.anchor === null ? l10n.t('Download All PDFs…') : l10n.t('Download Selected PDFs…')
        }</vscode-button
      >
      <vscode-button secondary @click=${actions.reveal}>${icon('list-tree', 'content-before')}${l10n.t('Reveal in Watchlist')}</vscode-button>
      <vscode-button secondary @click=${actions.viewAsText}>${icon('list-flat', 'content-before')}${l10n.t('View as Text')}</vscode-button>
    </div>
  </header>`;
}

function factTemplate(fact: CompanyFact, actions: PageActions): TemplateResult {
  const { label, text, note, isCode } = fact;
  const done = actions.isCopied(fact);
  return html`<div>
    <dt>${fact.isColumn ? columnLabel(label, () => actions.explain(fact.id)) : label}</dt>
    <dd>
      ${
        text === null
          ? note === null
            ? html`<span class="dash" title=${l10n.t('Unknown')}><span aria-hidden="true">–</span><span class="visually-hidden">${l10n.t('Unknown')}</span></span>`
            : ''
          : html`<bdi class=${isCode ? 'mono' : ''}>${text}</bdi>`
      }
      ${note === null ? '' : html`<span class="quiet note"><bdi>${note}</bdi></span>`}
      ${
        isCode && text !== null
          ? html`<button class="icon-button" aria-label=${l10n.t('Copy {0}', label)} title=${l10n.t('Copy {0}', label)} @click=${() => actions.copy(fact)}>
              ${icon(done ? 'check' : 'copy')}
            </button>`
          : ''
      }
    </dd>
  </div>`;
}

function yearsTemplate(view: CompanyView, selection: Selection, actions: PageActions): TemplateResult {
  return html`<div class="years">
    <section aria-labelledby="coverage">
      <h2 id="coverage" class="stay">${l10n.t('Coverage')}</h2>
      <p class="quiet stay">${l10n.t('Enter or a click opens a report. Shift with the arrow keys or a click chooses a range to download.')}</p>
      ${matrixTemplate(view, selection, actions)}
      <div class="stay">${legend()}</div>
    </section>
    <section aria-labelledby="standards">
      <h2 id="standards" class="stay">${l10n.t('Standards')}</h2>
      <p class="quiet stay">${l10n.t('Extracted from what the reports state; not an audit.')}</p>
      ${standardsTable(view, actions.explain)}
      <div class="stay">${standardsLegend()}</div>
    </section>
    <section aria-labelledby="assurance">
      <h2 id="assurance" class="stay">${l10n.t('Assurance')}</h2>
      <p class="quiet stay">${l10n.t('As the reports state it.')}</p>
      ${assuranceTable(view, actions.explain)}
    </section>
  </div>`;
}

const line = (size: string) => html`<div class="bone ${size}"></div>`;

/** Stands where the company will be; shows only when that takes a while. */
const skeleton = () => html`<div class="skeleton" role="status" aria-label=${l10n.t('Reading the company')}>
  ${line('title')}${line('medium')}
  <div class="bone-facts">${Array.from({ length: 8 }, () => line('fact'))}</div>
  ${line('actions-bone')}${Array.from({ length: 12 }, () => line('row-bone'))}
</div>`;

/** Pages and megabytes over the years as charts, and as the table that they are drawn from. */
function sizesTemplate(view: CompanyView): TemplateResult | '' {
  if (view.sizes.length === 0) return '';
  const [head = [], ...rows] = sizesTable(view);
  return html`<section aria-labelledby="sizes">
    <h2 id="sizes">${l10n.t('Pages and sizes')}</h2>
    <div class="charts">
      ${sizeChart(view.sizes, 'pages', l10n.t('Pages'))} ${sizeChart(view.sizes, 'megabytes', l10n.t('Megabytes'))}
    </div>
    <details>
      <summary>${l10n.t('Show as table')}</summary>
      <table>
        <thead>
          <tr>
            ${head.map((text, place) => html`<th scope="col" class=${place > 1 ? 'figure' : ''}>${text}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) => html`<tr>
              ${row.map((text, place) => html`<td class=${place > 1 ? 'figure' : ''}>${text}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </section>`;
}

type Measure = 'pages' | 'megabytes';

/** A bar a year, a part a report. Empty when nothing is known. */
function sizeChart(sizes: readonly ReportSize[], measure: Measure, label: string): TemplateResult | '' {
  const known = sizes
    .filter((size) => size[measure] !== null)
    .sort((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
  if (known.length === 0) return '';
  const years = known.map(({ year }) => year);
  const [first, last] = [Math.min(...years), Math.max(...years)];
  const every = Math.ceil((last - first + 1) / 8);
  return barChart({
    caption: label,
    label: l10n.t('{0} by fiscal year', label),
    description: described(known, measure, label),
    amount: (value) => value.toLocaleString(l10n.language()),
    bars: Array.from({ length: last - first + 1 }, (_, index) => first + index).map((year) => ({
      label: (last - year) % every === 0 ? String(year) : '',
      parts: known
        .filter((size) => size.year === year)
        .map((size) => ({ value: size[measure] ?? 0, className: 'bar-size', title: barText(size, measure) })),
    })),
  });
}

function barText(size: ReportSize, measure: Measure): string {
  const value = (size[measure] ?? 0).toLocaleString(l10n.language());
  const amount = measure === 'pages' ? l10n.t('{0} pages', value) : `${value} MB`;
  return `${size.year}, ${size.type}: ${amount}`;
}

function described(sizes: readonly ReportSize[], measure: Measure, label: string): string {
  const byYear = new Map<number, number>();
  for (const size of sizes) byYear.set(size.year, (byYear.get(size.year) ?? 0) + (size[measure] ?? 0));
  const values = [...byYear].sort(([a], [b]) => a - b);
  const [from, to] = [values[0], values.at(-1)];
  const say = (entry: readonly [number, number] | undefined) =>
    entry ? l10n.t('{0} in {1}', countText(Math.round(entry[1])), entry[0]) : '';
  return l10n.t('{0}: {1}, {2}. The table below has every report.', label, say(from), say(to));
}
