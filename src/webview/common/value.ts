import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import type { Value } from '../../protocol/metadata.ts';
import { icon } from './icon.ts';

/** Longer text is cut until asked for, in characters, where a panel has no less room. */
const longText = 480;

/** Three shapes: full, crossed out, asking; colour only adds to them (CNV-2). */
const markIcons = { yes: 'pass-filled', no: 'circle-slash', undetermined: 'question' } as const;

/** A value as its kind is shown, in a table that the arrow keys lead through. Long text opens in place. */
export function valueTemplate(
  value: Value,
  isOpen: boolean,
  open: () => void,
  longest: number = longText,
): TemplateResult {
  const cut = (text: string) => (isOpen || text.length <= longest ? text : `${text.slice(0, longest)}…`);
  const more = (text: string) =>
    isOpen || text.length <= longest
      ? ''
      : html` <button class="link" data-stop tabindex="-1" @click=${open}>${l10n.t('Show all {0} characters', countText(text.length))}</button>`;
  switch (value.kind) {
    case 'missing':
      return value.note === null ? dash(l10n.t('No value')) : html`<span class="quiet">${value.note}</span>`;
    case 'text':
      return html`<bdi class=${value.mono ? 'mono' : ''}>${cut(value.text)}</bdi>${
        value.detail === null ? '' : html` <bdi class="quiet mono detail">${cut(value.detail)}</bdi>`
      }${more(value.text)}`;
    case 'json':
      return html`<pre class="mono"><bdi>${cut(value.text)}</bdi></pre>${more(value.text)}`;
    case 'mark':
      return markTemplate(value);
    case 'goals':
      return html`<ul class="goals">
        ${value.goals.map(
          ({ number, name }) =>
            html`<li><bdi class="goal-number">${number}</bdi> ${name === null ? '' : html`<span>${name}</span>`}</li>`,
        )}
      </ul>`;
  }
}

/** One of three answers, in shape, words and colour. */
export function markTemplate({ mark, words }: Extract<Value, { kind: 'mark' }>): TemplateResult {
  return html`<span class="answer answer-${mark}">${icon(markIcons[mark])}<span>${words}</span></span>`;
}

/** A missing value: quiet to the eye, in words to a screen reader. */
export function dash(words: string): TemplateResult {
  return html`<span class="dash" title=${words}><span aria-hidden="true">–</span><span class="visually-hidden">${words}</span></span>`;
}
