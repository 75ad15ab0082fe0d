import { html, type TemplateResult } from 'lit';

/** A codicon beside words that say the same. */
export function icon(name: string, slot = ''): TemplateResult {
  return slot
    ? html`<span slot=${slot} class="codicon codicon-${name}" aria-hidden="true"></span>`
    : html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}
