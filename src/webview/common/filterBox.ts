import { l10n } from '../../base/l10n.ts';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { html, type TemplateResult } from 'lit';
import { icon } from './icon.ts';

/** A filter over what the page shows. Escape empties it. */
export function filterBox(options: {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}): TemplateResult {
  const { label, value, onChange } = options;
  const onInput = (event: Event) => onChange((event.currentTarget as HTMLInputElement).value);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || value === '') return;
    event.preventDefault();
    onChange('');
  };
  return html`<vscode-textfield
    class="filter"
    .label=${label}
    placeholder=${label}
    maxlength="200"
    .value=${value}
    @input=${onInput}
    @keydown=${onKey}
    >${icon('filter', 'content-before')}<span slot="content-after" class="filter-end"
      >${
        value === ''
          ? ''
          : html`<button class="icon-button" aria-label=${l10n.t('Clear filter')} title=${l10n.t('Clear filter')} @click=${() => onChange('')}>
              ${icon('close')}
            </button>`
      }</span
    ></vscode-textfield
  >`;
}
