import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import { type Mark, markIcons, marks, marksNote, markWords } from '../../protocol/format/facts.ts';
import {
  type FacetRow,
  type FacetSectionId,
  type FactRow,
  type Narrowing,
  type Section,
  sectionIds,
  sectionLabel,
} from '../../protocol/reportTable.ts';
import { rove } from '../common/roving.ts';
import { icon } from '../common/widgets.ts';

/** Values that a section shows before it is asked for all. */
const fewValues = 8;

interface FacetContext {
  readonly sections: ReadonlyMap<FacetSectionId, Section>;
  readonly open: readonly FacetSectionId[];
  isWhole(id: FacetSectionId): boolean;
  showWhole(id: FacetSectionId): void;
  toggle(id: FacetSectionId, isOpen: boolean): void;
  narrow(step: Narrowing): void;
}

/** What the reports can be narrowed by, each value with how many it leaves. */
export function facetsTemplate(context: FacetContext): TemplateResult {
  return html`<div class="facets" role="group" aria-label=${l10n.t('Filters')}>
    ${sectionIds.map((id) => sectionTemplate(id, context))}
  </div>`;
}

function sectionTemplate(id: FacetSectionId, context: FacetContext): TemplateResult {
  const isOpen = context.open.includes(id);
  const section = context.sections.get(id);
  const chosen = section ? chosenIn(section) : 0;
  const onToggle = ({ currentTarget }: Event) => context.toggle(id, (currentTarget as HTMLDetailsElement).open);
  return html`<details data-section=${id} ?open=${isOpen} @toggle=${onToggle}>
    <summary>${icon('chevron-right')}<span>${sectionLabel(id)}</span>${
      chosen > 0 ? html`<span class="chosen" title=${chosenWords(chosen)}>${countText(chosen)}</span>` : ''
    }</summary>
    ${isOpen ? html`<div class="values" role="group" aria-label=${sectionLabel(id)} ${ref(rove)}>${section ? valuesTemplate(section, context) : reading()}</div>` : ''}
  </details>`;
}

function reading(): TemplateResult {
  return html`<p class="quiet waiting">${l10n.t('Counting…')}</p>`;
}

function chosenIn({ rows, facts }: Section): number {
  return rows.filter(({ isOn }) => isOn).length + facts.filter(({ answer }) => answer !== null).length;
}

function chosenWords(count: number): string {
  return l10n.t('{0} chosen', countText(count));
}

function valuesTemplate(section: Section, context: FacetContext): TemplateResult {
  const { id, facet, rows, facts } = section;
  const isWhole = context.isWhole(id) || rows.length <= fewValues + 1;
  const shown = isWhole ? rows : rows.filter((row, at) => at < fewValues || row.isOn);
  const max = Math.max(1, ...rows.map(({ count }) => count));
  const isAll = shown.length === rows.length;
  return html`${facts.map((fact) => factTemplate(fact, context))}
    ${shown.map((row) => rowTemplate(row, max, () => context.narrow({ by: 'value', facet: facet ?? '', value: row.value })))}
    ${
      isAll
        ? ''
        : html`<button class="link more" data-row data-stop tabindex="-1" @click=${() => context.showWhole(id)}>
            ${l10n.t('Show all {0}', countText(rows.length))}
          </button>`
    }
    ${rows.length === 0 && facts.length === 0 ? html`<p class="quiet waiting">${l10n.t('Nothing to choose from')}</p>` : ''}
    ${facts.length > 1 && id === 'standards' ? html`<p class="quiet waiting">${marksNote()}</p>` : ''}`;
}

function rowTemplate({ words, count, isOn }: FacetRow, max: number, choose: () => void): TemplateResult {
  const share = Math.max(count > 0 ? 2 : 0, (100 * count) / max);
  return html`<button class="value" role="checkbox" aria-checked=${isOn} data-row data-stop tabindex="-1"
    aria-label=${l10n.t('{0}, {1}', words, reportsWords(count))} title=${words} @click=${choose}>
    <span class="box" aria-hidden="true">${isOn ? icon('check') : ''}</span><bdi>${words}</bdi><span class="number">${countText(count)}</span>
    <span class="share"><span .style=${`width: ${share}%`}></span></span>
  </button>`;
}

function reportsWords(count: number): string {
  return counted(count, l10n.later('1 report'), l10n.later('{0} reports'));
}

/** A question with its three answers, which never differ by color alone. */
function factTemplate({ field, words, counts, answer }: FactRow, { narrow }: FacetContext): TemplateResult {
  const all = Math.max(1, counts[0] + counts[1] + counts[2]);
  const offered = marks.filter((mark) => mark !== 'undetermined' || (field !== 'downloaded' && field !== 'favorite'));
  const count = (mark: Mark) => counts[marks.indexOf(mark)] ?? 0;
  return html`<div class="fact" role="group" aria-label=${words}>
    <bdi>${words}</bdi>
    <div class="answers" data-row>
      ${offered.map((mark) => {
        const name = l10n.t('{0}, {1}', l10n.t('{0}: {1}', words, markWords(mark)), reportsWords(count(mark)));
        const choose = () => narrow({ by: 'fact', field, answer: mark });
        return html`<button class="answer answer-${mark}" data-stop tabindex="-1" aria-pressed=${answer === mark} aria-label=${name} title=${name} @click=${choose}>
          ${icon(markIcons[mark])}<span>${countText(count(mark))}</span>
        </button>`;
      })}
    </div>
    <span class="share">${offered.map((mark) => html`<span class=${mark} .style=${`width: ${(100 * count(mark)) / all}%`}></span>`)}</span>
  </div>`;
}
