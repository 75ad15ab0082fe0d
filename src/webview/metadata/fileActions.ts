import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import type { FileState } from '../../protocol/metadata.ts';
import { icon } from '../common/icon.ts';

/** What a person can do with the PDF. */
export interface FileActions {
  download(): void;
  cancel(): void;
  openPdf(): void;
}

/** The second click of a double one was meant for the button that stood there at the first: it would cancel what that began. */
function clicked(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail < 2) act();
  };
}

/** The buttons that fit where the PDF stands; the first is the one most wanted. */
export function fileButtons(file: FileState, actions: FileActions): TemplateResult {
  const download = (words: string) =>
    html`<vscode-button @click=${clicked(actions.download)}>${icon('cloud-download', 'content-before')}${words}</vscode-button>`;
  const open = (secondary: boolean) =>
    html`<vscode-button ?secondary=${secondary} @click=${clicked(actions.openPdf)}>${icon('file-pdf', 'content-before')}${l10n.t('Open PDF')}</vscode-button>`;
  switch (file.kind) {
    case 'available':
      return download(l10n.t('Download PDF'));
    case 'none':
      return html`<vscode-button disabled aria-disabled="true" aria-describedby="file-state">${icon('cloud-download', 'content-before')}${l10n.t('Download PDF')}</vscode-button>`;
    case 'downloading':
      return html`<vscode-button secondary @click=${clicked(actions.cancel)}>${icon('close', 'content-before')}${l10n.t('Cancel Download')}</vscode-button>`;
    case 'downloaded':
      return file.outdated ? html`${download(l10n.t('Update PDF'))}${open(true)}` : open(false);
    case 'failed':
      return download(l10n.t('Try Again'));
  }
}

/** Where the PDF stands, in one line. */
export function fileLine(file: FileState): TemplateResult {
  switch (file.kind) {
    case 'available':
      return line('circle-outline', '', l10n.t('PDF available, not downloaded'));
    case 'none':
      return line('circle-slash', '', file.reason);
    case 'downloading':
      return html`${progress(file)} <span>${file.words}</span>`;
    case 'failed':
      return line('error', 'failed', file.message);
    case 'downloaded':
      return html`${downloadedWords(file)} <bdi class="mono path">${file.path}</bdi>`;
  }
}

/** Without a total the bar only says that something goes on. */
function progress({ received, total }: Extract<FileState, { kind: 'downloading' }>): TemplateResult {
  return total === null
    ? html`<progress aria-label=${l10n.t('Download')}></progress>`
    : html`<progress aria-label=${l10n.t('Download')} max=${total} value=${received}></progress>`;
}

function downloadedWords(file: Extract<FileState, { kind: 'downloaded' }>): TemplateResult {
  if (file.edited) return line('edit', 'changed', editedWords(file));
  if (file.outdated) return line('arrow-circle-up', 'changed', l10n.t('Downloaded; the service has a newer PDF'));
  if (!file.served) return line('archive', 'changed', l10n.t('Downloaded before it was withdrawn'));
  if (file.verified) return line('verified-filled', 'passed', l10n.t('Downloaded and verified'));
  return line('unverified', '', l10n.t('Downloaded; no SHA-256 was published to verify it'));
}

function editedWords({ outdated, served }: Extract<FileState, { kind: 'downloaded' }>): string {
  if (!served) return l10n.t('Edited since it was downloaded; withdrawn by the service');
  return outdated
    ? l10n.t('Edited since it was downloaded; the service has a newer PDF')
    : l10n.t('Edited since it was downloaded');
}

function line(name: string, tone: string, words: string): TemplateResult {
  return html`<span class="state ${tone}">${icon(name)} ${words}</span>`;
}
