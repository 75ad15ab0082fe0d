import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, type TemplateResult } from 'lit';
import type { UsageView } from '../../protocol/usage.ts';
import { inAll, minuteText } from '../../protocol/usageView.ts';
import { icon } from '../common/icon.ts';
import { problemTemplate } from '../common/problem.ts';
import { dash } from '../common/value.ts';
import { chartTemplate } from './chart.ts';

/** Everything the page shows. */
export interface PageState {
  readonly view: UsageView | undefined;
  readonly problem: string | undefined;
  readonly actions: PageActions;
}

/** What a person can do here. */
export interface PageActions {
  retry(): void;
  viewAsText(): void;
  viewAsJson(): void;
}

/** The numbers, or what stands in their place while nothing is known. */
export function pageTemplate({ view, problem, actions }: PageState): TemplateResult {
  if (!view) return problem === undefined ? skeleton : problemTemplate(problem, actions.retry);
  return html`<header>
      <h1>Usage</h1>
      <p class="quiet"><bdi>${view.connection}</bdi></p>
    </header>
    ${monthTemplate(view, actions)} ${windowTemplate(view)}
    ${
      view.month.kind === 'read'
        ? html`<section aria-labelledby="raw">
            <h2 id="raw">The service’s answer</h2>
            <pre class="mono raw" tabindex="0"><bdi>${view.month.raw}</bdi></pre>
          </section>`
        : ''
    }`;
}

function monthTemplate({ month, rate }: UsageView, actions: PageActions): TemplateResult {
  const amount = (value: string | null) =>
    month.kind === 'reading' ? html`<span class="bone amount-bone"></span>` : value === null ? dash('Unknown') : value;
  return html`<section aria-labelledby="month">
    <div class="heading">
      <h2 id="month">This month</h2>
      <div class="actions">
        <vscode-button secondary @click=${actions.retry}>${icon('refresh', 'content-before')}Refresh</vscode-button>
        <vscode-button secondary @click=${actions.viewAsJson}>${icon('json', 'content-before')}View as JSON</vscode-button>
        <vscode-button secondary @click=${actions.viewAsText}>${icon('list-flat', 'content-before')}View as Text</vscode-button>
      </div>
    </div>
    <dl class="amounts">
      <div>
        <dt>Requests</dt>
        <dd>${amount(month.kind === 'read' ? month.requests : null)}</dd>
      </div>
      <div>
        <dt>Downloads</dt>
        <dd>${amount(month.kind === 'read' ? month.downloads : null)}</dd>
      </div>
    </dl>
    <p class="told" role="status">
      ${
        month.kind === 'failed'
          ? html`<span class="warning">${icon('warning')} ${month.message}</span>`
          : 'Counted by the service for this key: every window and program that uses it.'
      }
    </p>
    <p class="told"><bdi>${rate ?? ''}</bdi></p>
  </section>`;
}

function windowTemplate(view: UsageView): TemplateResult {
  const { works, minutes, refused, failed, since } = view;
  const lastHour = works.reduce((sum, each) => sum + each.lastHour, 0);
  const total = works.reduce((sum, each) => sum + each.total, 0);
  const busy = minutes.filter((each) => inAll(each) > 0);
  return html`<section aria-labelledby="window">
    <h2 id="window">This window, since ${since}</h2>
    <p class="quiet">Counted here alone, sent nowhere, and gone when the window closes.</p>
    ${chartTemplate(view, lastHour)}
    <table>
      <thead>
        <tr>
          <th scope="col">What used it</th>
          <th scope="col" class="amount">Last hour</th>
          <th scope="col" class="amount">Since ${since}</th>
        </tr>
      </thead>
      <tbody>
        ${works.map(
          ({ id, label, note, lastHour, total }) =>
            html`<tr>
              <th scope="row"><span class="swatch swatch-${id}"></span>${label} <span class="quiet note">${note}</span></th>
              <td class="amount">${lastHour}</td>
              <td class="amount">${total}</td>
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">All <span class="quiet note">${troubles(refused, failed)}</span></th>
          <td class="amount">${lastHour}</td>
          <td class="amount">${total}</td>
        </tr>
      </tfoot>
    </table>
    <details>
      <summary>The last hour by the minute</summary>
      ${
        busy.length === 0
          ? html`<p class="quiet">No requests in the last hour.</p>`
          : html`<ul class="minutes">
              ${busy.map((each) => html`<li><span class="time">${each.time}</span> ${minuteText(view, each)}</li>`)}
            </ul>`
      }
    </details>
  </section>`;
}

function troubles(refused: number, failed: number): string {
  const parts = [];
  if (refused > 0) parts.push(`${refused} refused because of the rate`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(', ');
}

/** Stands where the numbers will be; shows only when that takes a while. */
const skeleton = html`<div class="skeleton" role="status" aria-label="Reading the usage">
  <div class="bone title"></div>
  <div class="bone amounts-bone"></div>
  <div class="bone chart-bone"></div>
</div>`;
