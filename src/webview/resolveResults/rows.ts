import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import {
  type LookupRow,
  lookupStatuses,
  type ResolveRow,
  type ResolveState,
  type ResultsSubject,
  type ResultsView,
  type resolveProtocol,
  resolveStatuses,
} from '../../protocol/results.ts';
import type { PanelPage } from '../common/page.ts';
import { announce, icon } from '../common/widgets.ts';

export type ResultsPage = PanelPage<typeof resolveProtocol, ResultsView, ResolveState>;
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
export function statusesOf(subject: ResultsSubject): readonly Status[] {
  return subject === 'companies' ? resolveStatuses : lookupStatuses;
}

/** What a filter looks at. */
export function textsOf(row: ResultRow): (string | null | undefined)[] {
  if ('report' in row) {
    const { report } = row;
    return [row.query, row.words, report?.key, report?.title, report?.company, report?.year, report?.type];
  }
  const { company } = row;
  const held = company?.identifiers.map(({ value }) => value) ?? [];
  return [row.query, row.kind, row.words, row.refined, company?.name, company?.key, company?.country, ...held];
}

/**
 * Asks for a row by one of its candidates, by what the person says next, or as it was; then tells what the row says. The
 * button may be gone: the first of the row takes the keyboard.
 */
async function ask(page: ResultsPage, { number }: ResolveRow, candidate: number | null | 'undo'): Promise<void> {
  const isDone = await (candidate === 'undo'
    ? page.call('undoRefine', { row: number })
    : page.call('refine', { row: number, candidate }));
  if (!isDone) return;
  page.root.querySelector<HTMLElement>(`[data-row="${number}"] [data-stop]`)?.focus();
  const words = page.view?.rows[number - 1]?.words;
  if (words !== undefined) announce(words);
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
function rowLink(words: string, title: string, onClick: () => unknown, about = ''): TemplateResult {
  return html`<button class="link" data-stop tabindex="-1" title=${title} aria-label=${about === '' ? words : `${words} ${about}`} @click=${onClick}>
    <bdi>${words}</bdi>
  </button>`;
}

/** What became of one identifier. */
export function companyRow(page: ResultsPage, row: ResolveRow): TemplateResult {
  const { company, query } = row;
  const refine = refineWords[row.status];
  const about = l10n.t('for “{0}”', query);
  return html`<div class="row" role="row" data-row=${row.number} aria-rowindex=${row.number + 1}>
    ${numberCell(row.number)}
    <div class="query" role="rowheader">
      <bdi class="mono">${query}</bdi> ${row.kind === null ? '' : html`<bdi class="quiet kind">${row.kind}</bdi>`}
      ${
        row.refined === null
          ? ''
          : html`<span class="quiet refined"
              >${l10n.t('asked as')} <bdi class="mono">${row.refined}</bdi> ·
              ${rowLink(l10n.t('Undo'), l10n.t('Show what the service said of “{0}”', query), () => ask(page, row, 'undo'), about)}</span
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
                l10n.t('Try another identifier, such as MIC:TICKER or LEI'),
                () => ask(page, row, null),
                about,
              )
        }</span
      >
    </div>
    <div class="company" role="cell">
      ${
        company === null
          ? candidates(page, row, about)
          : html`${rowLink(company.name, l10n.t('Open company'), () => page.call('openCompany', { row: row.number }))}
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
function candidates(page: ResultsPage, row: ResolveRow, about: string): TemplateResult | string {
  if (row.candidates.length === 0) return '';
  return html`<div class="quiet">${l10n.t('Which one is meant?')}</div>
    ${row.candidates.slice(0, maxCandidates).map(
      ({ name, text }, place) =>
        html`<div>
          ${rowLink(name, l10n.t('Ask for {0} instead', text), () => ask(page, row, place), about)}
          <bdi class="quiet mono">${text}</bdi>
        </div>`,
    )}
    ${
      row.candidates.length > maxCandidates
        ? html`<div>${rowLink(l10n.t('More…'), l10n.t('Show all that may be meant'), () => ask(page, row, null), about)}</div>`
        : ''
    }`;
}

/** What became of one report key. */
export function reportRow(page: ResultsPage, row: LookupRow): TemplateResult {
  const { report } = row;
  const notes = report ? [report.year, report.type, report.isKnown && !report.hasFile ? l10n.t('no PDF') : null] : [];
  return html`<div class="row" role="row" data-row=${row.number} aria-rowindex=${row.number + 1}>
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
          : html`${rowLink(report.title, l10n.t('Open report'), () => page.call('openReport', { row: row.number }))}
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
