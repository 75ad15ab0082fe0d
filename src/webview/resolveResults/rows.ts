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
  /** By one of the row's candidates, or by what the person says next. */
  refine(row: ResolveRow, candidate: number | null): void;
  undoRefine(row: ResolveRow): void;
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

/** A link of a row; where rows repeat its words, `about` goes on with what tells it from the others. */
function rowLink(words: string, title: string, onClick: () => void, about = ''): TemplateResult {
  return html`<button class="link" data-stop tabindex="-1" title=${title} aria-label=${about === '' ? words : `${words} ${about}`} @click=${onClick}>
    <bdi>${words}</bdi>
  </button>`;
}

/** What became of one identifier. */
export function companyRow(row: ResolveRow, actions: RowActions): TemplateResult {
  const { company, query } = row;
  const refine = refineWords[row.status];
  const about = l10n.t('for “{0}”', query);
  return html`<div class="row" role="row" data-row aria-rowindex=${row.number + 1}>
    ${numberCell(row.number)}
    <div class="query" role="rowheader">
      <bdi class="mono">${query}</bdi> ${row.kind === null ? '' : html`<bdi class="quiet kind">${row.kind}</bdi>`}
      ${
        row.refined === null
          ? ''
          : html`<span class="quiet refined"
              >${l10n.t('asked as')} <bdi class="mono">${row.refined}</bdi> ·
              ${rowLink(l10n.t('Undo'), l10n.t('Show what the service said of “{0}”', query), () => actions.undoRefine(row), about)}</span
            >`
      }
    </div>
    <div class="result ${row.status}" role="cell">
      ${icon(statusLooks[row.status].icon)}<span
        >${row.words}
        ${
          refine === undefined
            ? ''
            : rowLink(
                l10n.word(refine),
                l10n.t('Ask for this one by another identifier, such as MIC:TICKER or LEI'),
                () => actions.refine(row, null),
                about,
              )
        }</span
      >
    </div>
    <div class="company" role="cell">
      ${
        company === null
          ? candidates(row, actions, about)
          : html`${rowLink(company.name, l10n.t('Open company'), () => actions.openCompany(row))}
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

/** More candidates are listed only when a person asks. */
const maxCandidates = 3;

/** Companies that may be meant, each a link that asks for it. */
function candidates(row: ResolveRow, actions: RowActions, about: string): TemplateResult | string {
  if (row.candidates.length === 0) return '';
  return html`<div class="quiet">${l10n.t('Which one is meant?')}</div>
    ${row.candidates.slice(0, maxCandidates).map(
      ({ name, text }, place) =>
        html`<div>
          ${rowLink(name, l10n.t('Ask for {0} instead', text), () => actions.refine(row, place), about)}
          <bdi class="quiet mono">${text}</bdi>
        </div>`,
    )}
    ${
      row.candidates.length > maxCandidates
        ? html`<div>${rowLink(l10n.t('More…'), l10n.t('Show all that may be meant'), () => actions.refine(row, null), about)}</div>`
        : ''
    }`;
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
          : html`${rowLink(report.title, l10n.t('Open report'), () => actions.openReport(row))}
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
