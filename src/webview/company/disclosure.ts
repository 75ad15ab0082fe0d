import { html, type TemplateResult } from 'lit';
import type { CompanyView, YearMark } from '../../protocol/company.ts';
import { yearMarkLabels } from '../../protocol/companyText.ts';
import { yearLabel } from '../../protocol/coverageCell.ts';
import { icon } from '../common/icon.ts';
import { yearHeads } from './matrix.ts';

const markIcons = { yes: 'check', no: 'circle-slash' } as const;

/** Three answers that never look alike, and nothing where there is no report (CNV-2). */
function markTemplate(mark: YearMark): TemplateResult {
  if (mark === 'none') return html`<span class="visually-hidden">${yearMarkLabels.none}</span>`;
  const look = mark === 'undetermined' ? html`<span class="dash" aria-hidden="true">–</span>` : icon(markIcons[mark]);
  return html`<span class="standard ${mark}" title=${yearMarkLabels[mark]}>${look}<span class="visually-hidden">${yearMarkLabels[mark]}</span></span>`;
}

/** What the marks of standards mean. */
export function standardsLegend(): TemplateResult {
  return html`<ul class="legend" aria-label="Legend of standards">
    <li><span class="standard yes">${icon('check')}</span><span>${yearMarkLabels.yes}</span></li>
    <li><span class="standard no">${icon('circle-slash')}</span><span>${yearMarkLabels.no}</span></li>
    <li><span class="dash" aria-hidden="true">–</span><span>${yearMarkLabels.undetermined}</span></li>
  </ul>`;
}

/** The standards that the reports of each year state to apply. */
export function standardsTable({ years, standards }: CompanyView): TemplateResult {
  return html`<div class="table" role="table" aria-label="Standards by fiscal year">
    ${yearHeads(years, 'Standard')} ${standards.map(({ label, marks }) => markRow(label, marks))}
  </div>`;
}

const levels = { limited: 'Limited', reasonable: 'Reason.', other: 'Other' } as const;
const levelWords = {
  limited: 'Limited assurance',
  reasonable: 'Reasonable assurance',
  other: 'Another level',
} as const;

/** The assurance that the reports of each year state. */
export function assuranceTable({ years, assurance }: CompanyView): TemplateResult {
  return html`<div class="table" role="table" aria-label="Assurance by fiscal year">
      ${yearHeads(years, 'Assurance')}
      <div class="row" role="row">
        <div class="cell label" role="rowheader">Level</div>
        ${assurance.map(
          ({ level, lines }) => html`<div class="cell level" role="cell" title=${lines.join('\n')}>
            ${
              level === null
                ? html`<span class="visually-hidden">Not stated</span>`
                : html`<span aria-hidden="true">${levels[level]}</span><span class="visually-hidden">${levelWords[level]}</span>`
            }
          </div>`,
        )}
      </div>
      ${markRow(
        'Statement in the report',
        assurance.map(({ statement }) => statement),
      )}
    </div>
    ${statements({ years, assurance })}`;
}

function statements({ years, assurance }: Pick<CompanyView, 'years' | 'assurance'>): TemplateResult {
  const stated = years
    .map((year, column) => ({ year, lines: assurance[column]?.lines ?? [] }))
    .filter(({ lines }) => lines.length > 0)
    .reverse();
  if (stated.length === 0) return html`<p class="quiet stay">No report states any assurance.</p>`;
  return html`<details class="stay">
    <summary>Providers, standards and scope</summary>
    <dl class="statements">
      ${stated.map(({ year, lines }) => html`<div><dt>${yearLabel(year)}</dt><dd>${lines.map((line) => html`<bdi>${line}</bdi>`)}</dd></div>`)}
    </dl>
  </details>`;
}

function markRow(label: string, marks: readonly YearMark[]): TemplateResult {
  return html`<div class="row" role="row">
    <div class="cell label" role="rowheader"><span class="words">${label}</span></div>
    ${marks.map((mark) => html`<div class="cell" role="cell">${markTemplate(mark)}</div>`)}
  </div>`;
}
