import '@vscode-elements/elements/dist/vscode-badge/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { type FileState, type Group, type MetadataView, type Row, valueText } from '../../protocol/metadata.ts';
import { dash, filterBox, icon, problemTemplate } from '../common/widgets.ts';
import { groupTemplate, type RowActions } from './rows.ts';

/** Everything the page shows. */
export interface PageState {
  readonly view: MetadataView | undefined;
  /** Undefined until the editor told. */
  readonly file: FileState | undefined;
  readonly problem: string | undefined;
  readonly filter: string;
  readonly actions: PageActions;
}

/** What a person can do here. */
export interface PageActions extends HeaderActions, RowActions {
  retry(): void;
  setFilter(filter: string): void;
}

/** The report, or what stands in its place while it is read or after that failed. */
export function pageTemplate(state: PageState): TemplateResult {
  const { view, file, problem, filter, actions } = state;
  if (!view) return problem === undefined ? skeleton() : problemTemplate(problem, actions.retry);
  const groups = filterGroups(view.groups, filter);
  const shown = countRows(groups);
  return html`${headerTemplate(view, file, actions)}
    <div class="toolbar">
      ${filterBox({ label: l10n.t('Filter fields'), value: filter, onChange: actions.setFilter })}
      <span class="quiet" role="status">${filter === '' ? '' : l10n.t('{0} of {1} fields', shown, countRows(view.groups))}</span>
    </div>
    ${groups.map((group) => groupTemplate(group, actions))}
    ${shown === 0 ? html`<p class="quiet">${l10n.t('No field matches. Empty the filter to see all.')}</p>` : ''}`;
}

function filterGroups(groups: readonly Group[], filter: string): Group[] {
  const wanted = filter.trim().toLocaleLowerCase();
  if (wanted === '') return [...groups];
  return groups
    .map((group) => ({ ...group, rows: group.rows.filter((row) => rowMatches(row, wanted)) }))
    .filter(({ rows }) => rows.length > 0);
}

function rowMatches(row: Row, wanted: string): boolean {
  const texts = [row.label, row.name ?? '', valueText(row.value), row.columnText ?? ''];
  return texts.some((text) => text.toLocaleLowerCase().includes(wanted));
}

function countRows(groups: readonly Group[]): number {
  return groups.reduce((sum, { rows }) => sum + rows.length, 0);
}

const bone = (size: string) => html`<div class="bone ${size}"></div>`;

/** Stands where the report will be; shows only when that takes a while. */
const skeleton = () => html`<div class="skeleton" role="status" aria-label=${l10n.t('Reading the report')}>
  ${bone('short')}${bone('title')}${bone('medium')}
  <div class="bone-facts">${Array.from({ length: 7 }, () => bone('fact'))}</div>
  ${bone('actions-bone')} ${Array.from({ length: 14 }, () => bone('row-bone'))}
</div>`;

/** What a person can do with the whole report. */
interface HeaderActions extends FileActions {
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

/** What a person can do with the PDF. */
interface FileActions {
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
function fileButtons(file: FileState, actions: FileActions): TemplateResult {
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
function fileLine(file: FileState): TemplateResult {
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
  if (file.doubt === 'unread') return line('unverified', '', l10n.t('Downloaded; being checked'));
  if (file.doubt === 'matches-lock')
    return line('unverified', '', l10n.t('Matches the lock file, not compared with the service'));
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
