import { l10n } from '../../base/l10n.ts';
import '@vscode-elements/elements/dist/vscode-badge/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import type { FileState, MetadataView } from '../../protocol/metadata.ts';
import { icon } from '../common/icon.ts';
import { dash } from '../common/value.ts';
import { type FileActions, fileButtons, fileLine } from './fileActions.ts';

/** What a person can do with the whole report. */
export interface HeaderActions extends FileActions {
  viewAsJson(): void;
  viewAsText(): void;
  copyKey(): void;
  copyLink(): void;
  copyCitation(): void;
  compare(): void;
  showCompany(): void;
  /** Whether this was copied a moment ago. */
  isHandedOver(what: 'key' | 'link'): boolean;
}

/** Title, company, facts, notices and actions. */
export function headerTemplate(
  view: MetadataView,
  file: FileState | undefined,
  actions: HeaderActions,
): TemplateResult {
  return html`<header>
    <p class="overline">
      ${view.typeCode === null ? '' : html`<vscode-badge><bdi>${view.typeCode}</bdi></vscode-badge>`}
      <bdi>${view.type}</bdi>
    </p>
    <h1 lang=${view.contentLanguage ?? nothing} dir="auto" title=${view.title}>${view.title}</h1>
    <p class="company">
      <button class="link" title=${l10n.t('Show the company')} @click=${actions.showCompany}><bdi>${view.company}</bdi></button>
      <bdi class="quiet">${view.companyDetail}</bdi>
    </p>
    <dl class="facts">
      ${view.facts.map(
        ({ label, text, note }) =>
          html`<div>
            <dt>${label}</dt>
            <dd>
              ${text === null ? (note === null ? dash(l10n.t('Unknown')) : '') : html`<bdi>${text}</bdi>`}
              ${note === null ? '' : html`<span class="quiet">${note}</span>`}
            </dd>
          </div>`,
      )}
    </dl>
    ${
      view.notices.length === 0
        ? ''
        : html`<ul class="notices">
            ${view.notices.map(({ tone, text }) => html`<li class=${tone}>${icon(tone)}<span>${text}</span></li>`)}
          </ul>`
    }
    <div class="actions">
      ${file === undefined ? '' : fileButtons(file, actions)}
      <vscode-button secondary @click=${actions.compare}>${icon('diff-multiple', 'content-before')}${l10n.t('Compare…')}</vscode-button>
      <vscode-button secondary @click=${actions.copyKey}>${icon(actions.isHandedOver('key') ? 'check' : 'copy', 'content-before')}${l10n.t('Copy Report Key')}</vscode-button>
      <vscode-button secondary @click=${actions.copyLink}>${icon(actions.isHandedOver('link') ? 'check' : 'link', 'content-before')}${l10n.t('Copy Link')}</vscode-button>
      <vscode-button secondary @click=${actions.copyCitation}>${icon('quote', 'content-before')}${l10n.t('Copy Citation…')}</vscode-button>
      <vscode-button secondary @click=${actions.viewAsJson}>${icon('json', 'content-before')}${l10n.t('View as JSON')}</vscode-button>
      <vscode-button secondary @click=${actions.viewAsText}>${icon('list-flat', 'content-before')}${l10n.t('View as Text')}</vscode-button>
    </div>
    <p class="file-state" id="file-state">${file === undefined ? '' : fileLine(file)}</p>
  </header>`;
}
