import { l10n } from '../../base/l10n.ts';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, type TemplateResult } from 'lit';
import { icon } from './icon.ts';

/** Stands where the content would be, with the reason and a way to try again. */
export function problemTemplate(message: string, retry: () => void): TemplateResult {
  return html`<div class="problem" role="alert">
    <p>${icon('error')} ${message}</p>
    <vscode-button @click=${retry}>${l10n.t('Try Again')}</vscode-button>
  </div>`;
}
