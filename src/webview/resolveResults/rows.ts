import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import {
  type LookupRow,
  type LookupView,
  lookupStatuses,
  type ResolveRow,
  type ResolveView,
  resolveStatuses,
} from '../../protocol/results.ts';
import { icon } from '../common/widgets.ts';

/** What the page shows: companies that identifiers led to, or reports that keys led to. */
export type Results =
  | (ResolveView & { readonly subject: 'companies' })
  | (LookupView & { readonly subject: 'reports' });

export type ResultRow = ResolveRow | LookupRow;
export type Status = ResultRow['status'];

/** How a status looks, beside its words. */
export const statusLooks: Readonly<Record<Status, { readonly icon: string; readonly label: string }>> = {
  entitled: { icon: 'pass-filled', label: l10n.later('Matched') },
  'not-licensed': { icon: 'lock', label: l10n.later('Not in your licence') },
  ambiguous: { icon: 'question', label: l10n.later('Ambiguous') },
  unmatched: { icon: 'circle-slash', label: l10n.later('No match') },
  malformed: { icon: 'error', label: l10n.later('Malformed') },
  found: { icon: 'pass-filled', label: l10n.later('Found') },
  renamed: { icon: 'arrow-swap', label: l10n.later('Renamed') },
  'not-found': { icon: 'circle-slash', label: l10n.later('Not found') },
};

/** The statuses that rows of a kind can have, in the order of their chips. */
export function statusesOf({ subject }: Results): readonly Status[] {
  return subject === 'companies' ? resolveStatuses : lookupStatuses;
}

/** Whether a row holds what a person filters for. */
export function matches(row: ResultRow, filter: string): boolean {
  const wanted = filter.trim().toLocaleLowerCase();
  if (wanted === '') return true;
  return textsOf(row).some((text) => text?.toLocaleLowerCase().includes(wanted));
}

function textsOf(row: ResultRow): (string | null | undefined)[] {
  if ('report' in row) {
    const { report } = row;
    return [row.query, row.words, report?.key, report?.title, report?.company, report?.year, report?.type];
  }
  const { company } = row;
  const held = company?.identifiers.map(({ value }) => value) ?? [];
  return [row.query, row.kind, row.words, row.refined, company?.name, company?.key, company?.country, ...held];
}

/** What a person can do with a row. */
export interface RowActions {
  openCompany(row: ResolveRow): void;
  openReport(row: LookupRow): void;
  refine(row: ResolveRow): void;
}

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
export function companyRow(row: ResolveRow, actions: RowActions): TemplateResult {
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
export function reportRow(row: LookupRow, actions: RowActions): TemplateResult {
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
