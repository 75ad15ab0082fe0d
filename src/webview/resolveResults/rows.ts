import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import type { LookupRow, ResolveRow } from '../../protocol/resolveResults.ts';
import { icon } from '../common/icon.ts';
import type { PageActions } from './page.ts';
import { statusLooks } from './results.ts';

/** Names of the columns, after the number. */
export const columnNames = {
  companies: [l10n.later('Identifier'), l10n.later('Result'), l10n.later('Company'), l10n.later('Identifiers held')],
  reports: [l10n.later('Report key'), l10n.later('Result'), l10n.later('Report'), l10n.later('Company')],
} as const;

const refineWords: Readonly<Partial<Record<ResolveRow['status'], string>>> = {
  ambiguous: l10n.later('Refine…'),
  unmatched: l10n.later('Try Another…'),
  malformed: l10n.later('Correct…'),
};

/** What became of one identifier. */
export function companyRow(row: ResolveRow, actions: PageActions): TemplateResult {
  const { company } = row;
  const refine = refineWords[row.status];
  return html`<div class="row" role="row" data-row aria-rowindex=${row.number + 1}>
    ${numberCell(row.number)}
    <div class="query" role="rowheader">
      <bdi class="mono">${row.query}</bdi> ${row.kind === null ? '' : html`<bdi class="quiet kind">${row.kind}</bdi>`}
      ${row.refined === null ? '' : html`<span class="quiet refined">${l10n.t('asked as')} <bdi class="mono">${row.refined}</bdi></span>`}
    </div>
    <div class="result ${row.status}" role="cell">
      ${icon(statusLooks[row.status].icon)}<span
        >${row.words}${
          refine === undefined
            ? ''
            : html` <button
                class="link refine"
                data-stop
                tabindex="-1"
                title=${l10n.t('Ask for this one by another identifier, such as MIC:TICKER or LEI')}
                @click=${() => actions.refine(row)}
              >
                ${l10n.word(refine)}
              </button>`
        }</span
      >
    </div>
    <div class="company" role="cell">
      ${
        company === null
          ? ''
          : html`<button class="link" data-stop tabindex="-1" title=${l10n.t('Open company')} @click=${() => actions.openCompany(row)}>
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

/** What became of one report key. */
export function reportRow(row: LookupRow, actions: PageActions): TemplateResult {
  const { report } = row;
  const notes = report ? [report.year, report.type, report.isKnown && !report.hasFile ? l10n.t('no PDF') : null] : [];
  return html`<div class="row" role="row" data-row aria-rowindex=${row.number + 1}>
    ${numberCell(row.number)}
    <div class="query" role="rowheader"><bdi class="mono">${row.query}</bdi></div>
    <div class="result ${row.status}" role="cell">
      ${icon(statusLooks[row.status].icon)}<span
        >${row.words}${
          row.status === 'renamed' && report ? html`: ${l10n.t('now')} <bdi class="mono">${report.key}</bdi>` : ''
        }</span
      >
    </div>
    <div class="company" role="cell">
      ${
        report === null
          ? ''
          : html`<button class="link" data-stop tabindex="-1" title=${l10n.t('Open report')} @click=${() => actions.openReport(row)}>
                <bdi class=${report.isKnown ? '' : 'mono'}>${report.title}</bdi>
              </button>
              <div class="quiet">
                ${report.isKnown ? '' : l10n.t('not on this machine yet')}${notes.map((note) => (note ? html`<bdi>${note}</bdi>` : ''))}
              </div>`
      }
    </div>
    <div class="identifiers" role="cell">${report?.company ? html`<bdi>${report.company}</bdi>` : ''}</div>
  </div>`;
}

function numberCell(number: number): TemplateResult {
  return html`<div class="number" role="cell">${number}</div>`;
}
