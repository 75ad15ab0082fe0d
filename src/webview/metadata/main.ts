import '../common/jitless.ts';
import { l10n } from '../../base/l10n.ts';
import {
  type MetadataRow,
  type MetadataView,
  metadataProtocol,
  type PdfFileState,
  type ReportAction,
  type RowGroup,
  valueText,
} from '../../protocol/metadata.ts';
import { PanelPage } from '../common/page.ts';
import {
  announce,
  button,
  columnLabel,
  copyButton,
  countRows,
  factTemplate,
  fieldTools,
  filterGroups,
  icon,
  noticesTemplate,
  starButton,
  valueTemplate,
} from '../common/widgets.ts';
import '@vscode-elements/elements/dist/vscode-badge/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { type MenuItem, menuButton } from '../common/menu.ts';
import { rove } from '../common/roving.ts';

/** Undefined until the editor told. */
let file: PdfFileState | undefined;

const page: PanelPage<typeof metadataProtocol> = new PanelPage(metadataProtocol, {
  template: pageTemplate,
  updated: l10n.later('The page was updated'),
  events: {
    file(next) {
      const before = file;
      file = next;
      page.draw();
      if (next.kind === 'downloading') announceQuarter(next, before);
      else if (before?.kind === 'downloading') announce(endWords(next));
    },
    stepped({ step }) {
      const goOn = () => {
        // A panel that was open already keeps the keyboard where it is.
        if (document.activeElement !== document.body) return;
        const buttons = page.root.querySelectorAll<HTMLElement>('nav button');
        const same = [...buttons].find((button) => button.dataset.step === step);
        (same ?? buttons[0])?.focus();
      };
      // If a person went to a tree or a palette by then, the keyboard stays there until they come back.
      if (document.hasFocus()) goOn();
      else window.addEventListener('focus', goOn, { once: true });
    },
  },
});

type Downloading = Extract<PdfFileState, { kind: 'downloading' }>;

/** Tells a download's start and its quarters: each step would be too much to hear. */
function announceQuarter(next: Downloading, before: PdfFileState | undefined): void {
  const quarter = ({ received, total }: Downloading) => (total ? Math.floor((4 * received) / total) : 0);
  if (before?.kind !== 'downloading' || quarter(next) > quarter(before)) announce(next.words);
}

function endWords(state: PdfFileState): string {
  if (state.kind === 'downloaded') return state.verified ? l10n.t('Downloaded and verified') : l10n.t('Downloaded');
  return state.kind === 'failed' ? state.message : l10n.t('Download cancelled');
}

function pageTemplate(view: MetadataView): TemplateResult {
  const { filter } = page.state;
  const groups = filterGroups(view.groups, filter, (row) => [
    row.label,
    row.name,
    valueText(row.value),
    row.columnText,
  ]);
  const shown = countRows(groups);
  return html`${headerTemplate(view)}
    ${fieldTools(page, l10n.t('Filter fields'), filter === '' ? '' : l10n.t('{0} of {1} fields', shown, countRows(view.groups)))}
    ${groups.map((group) => groupTemplate(group))}
    ${shown === 0 ? html`<p class="quiet">${l10n.t('No field matches. Clear the filter to see all.')}</p>` : ''}`;
}

function headerTemplate(view: MetadataView): TemplateResult {
  const look = file && fileLook(file);
  return html`<header>
    <div class="overline">
      ${view.typeCode === null ? '' : html`<vscode-badge><bdi>${view.typeCode}</bdi></vscode-badge>`}
      <bdi>${view.type}</bdi> ${starButton(view.isFavorite, () => page.call('toggleFavorite', null))}
      <nav aria-label=${l10n.t('Other years')}>${yearButton('previous')}${yearButton('next')}</nav>
    </div>
    <h1 lang=${view.contentLanguage ?? nothing} dir="auto" title=${view.title}>${view.title}</h1>
    <p class="company">
      <button class="link" title=${l10n.t('Show the company')} @click=${() => page.call('showCompany', null)}><bdi>${view.company}</bdi></button>
      <bdi class="quiet">${view.companyDetail}</bdi>
    </p>
    <dl class="facts">${view.facts.map((fact) => factTemplate(fact.label, fact))}</dl>
    ${noticesTemplate(view.notices)}
    <div class="actions">
      ${file && look ? fileButton(file, look) : ''}
      ${button('notebook', l10n.t('Insert into Notebook'), () => run('insertIntoNotebook'))}
      ${menuButton(l10n.t('More'), menuItems())}
    </div>
    <p class="file-state" id="file-state">${look?.line}</p>
  </header>`;
}

function yearButton(which: 'previous' | 'next'): TemplateResult | '' {
  const other = page.view?.[which];
  if (!other) return '';
  const words =
    which === 'previous' ? l10n.t('Previous year: {0}', other.title) : l10n.t('Next year: {0}', other.title);
  return html`<button class="link" data-step=${which} title=${words} aria-label=${words} @click=${() => page.call('openOther', { which })}>
    ${which === 'previous' ? icon('chevron-left') : ''}${other.year}${which === 'next' ? icon('chevron-right') : ''}
  </button>`;
}

function run(action: ReportAction): void {
  void page.call('run', { action });
}

/** All that can be done with the report beside what its two buttons do. */
function menuItems(): MenuItem[] {
  const isHere = file?.kind === 'downloaded';
  const isOutdated = file?.kind === 'downloaded' && file.outdated;
  const items: (MenuItem | false)[] = [
    isOutdated && { icon: 'file-pdf', words: l10n.t('Open PDF'), act: () => run('openPdf') },
    isHere && { icon: 'folder-opened', words: l10n.t('Reveal in Explorer'), act: () => run('revealDownload') },
    { icon: 'export', words: l10n.t('Export…'), act: () => run('exportReports') },
    { icon: 'diff-multiple', words: l10n.t('Compare…'), act: () => page.call('compare', null) },
    { icon: 'quote', words: l10n.t('Copy Citation…'), act: () => run('copyCitation') },
    {
      icon: 'copy',
      words: l10n.t('Copy Report Key'),
      act: () => page.call('copy', { text: page.view?.reportKey ?? '' }, l10n.t('Report key copied')),
    },
    { icon: 'link', words: l10n.t('Copy Link'), act: () => run('copyLink') },
    { icon: 'json', words: l10n.t('View as JSON'), act: () => page.call('viewAsJson', null) },
    { icon: 'list-flat', words: l10n.t('View as Text'), act: page.viewAsText },
  ];
  return items.filter((item) => item !== false);
}

/** How a PDF stands: the button most wanted, which does nothing where nothing can be done, and a line of words. */
interface FileLook {
  readonly icon: string;
  readonly words: string;
  readonly act?: () => void;
  readonly line: TemplateResult;
}

function fileLook(file: PdfFileState): FileLook {
  const download = (words: string, line: TemplateResult): FileLook => {
    return { icon: 'cloud-download', words, act: () => page.call('download', null), line };
  };
  switch (file.kind) {
    case 'available':
      return download(l10n.t('Download PDF'), line('circle-outline', '', l10n.t('PDF available, not downloaded')));
    case 'none':
      return { icon: 'cloud-download', words: l10n.t('Download PDF'), line: line('circle-slash', '', file.reason) };
    case 'downloading': {
      const act = () => page.call('cancelDownload', null);
      const shown = html`${progress(file)} <span>${file.words}</span>`;
      return { icon: 'close', words: l10n.t('Cancel Download'), act, line: shown };
    }
    case 'failed':
      return download(l10n.t('Try Again'), line('error', 'failed', file.message));
    case 'downloaded': {
      const shown = html`${downloadedLine(file)} <bdi class="mono path">${file.path}</bdi>`;
      if (file.outdated) return download(l10n.t('Update PDF'), shown);
      if (file.served && file.doubt === 'lfs-pointer') return download(l10n.t('Download PDF'), shown);
      return { icon: 'file-pdf', words: l10n.t('Open PDF'), act: () => run('openPdf'), line: shown };
    }
  }
}

/** It stays the same element, so that the keyboard stays on it. */
function fileButton({ kind }: PdfFileState, { icon: name, words, act }: FileLook): TemplateResult {
  // The second click of a double one was meant for what stood there at the first: it would cancel what that began.
  const onClick = ({ detail }: MouseEvent) => detail < 2 && act?.();
  return html`<vscode-button
    ?secondary=${kind === 'downloading'}
    ?disabled=${!act}
    aria-disabled=${act ? nothing : 'true'}
    aria-describedby=${act ? nothing : 'file-state'}
    @click=${onClick}
    >${icon(name, 'content-before')}${words}</vscode-button
  >`;
}

/** Without a total the bar only says that something goes on. */
function progress({ received, total }: Downloading): TemplateResult {
  return html`<progress aria-label=${l10n.t('Download')} max=${total ?? nothing} value=${total === null ? nothing : received}></progress>`;
}

function downloadedLine(file: Extract<PdfFileState, { kind: 'downloaded' }>): TemplateResult {
  if (file.edited) return line('edit', 'changed', editedWords(file));
  if (file.doubt === 'lfs-pointer')
    return line('warning', 'changed', l10n.t('A Git LFS pointer, not the PDF. Run git lfs pull, or restore the PDF'));
  if (file.doubt === 'line-ends')
    return line(
      'warning',
      'changed',
      l10n.t('Line endings changed by Git. Restore the PDF, and mark *.pdf as binary in .gitattributes'),
    );
  if (file.outdated) return line('arrow-circle-up', 'changed', l10n.t('Downloaded, newer PDF available'));
  if (!file.served) return line('archive', 'changed', l10n.t('Withdrawn by the service. The file is kept'));
  if (file.verified) return line('verified-filled', 'passed', l10n.t('Downloaded and verified'));
  if (file.doubt === 'unread') return line('unverified', '', l10n.t('PDF being checked'));
  if (file.doubt === 'matches-lock')
    return line('unverified', '', l10n.t('Matches the lock file; not yet checked with the service'));
  if (file.doubt === 'other-key')
    return line('warning', 'changed', l10n.t('Its key in the lock file doesn’t match the library'));
  return line('unverified', '', l10n.t('Not verified: the service published no hash'));
}

function editedWords({ outdated, served }: Extract<PdfFileState, { kind: 'downloaded' }>): string {
  if (!served) return l10n.t('Edited since it was downloaded; withdrawn by the service');
  return outdated
    ? l10n.t('Edited since it was downloaded; the service has a newer PDF')
    : l10n.t('Edited since it was downloaded');
}

function line(name: string, tone: string, words: string): TemplateResult {
  return html`<span class="state ${tone}">${icon(name)} ${words}</span>`;
}

/** One group of rows. Three-valued facts stand together in a grid of marks, where there are enough of them. */
function groupTemplate(group: RowGroup): TemplateResult {
  const heading = `group-${group.id}`;
  const marks = group.rows.filter(({ value }) => value.kind === 'mark');
  const rows = marks.length > 1 ? group.rows.filter(({ value }) => value.kind !== 'mark') : group.rows;
  return html`<section aria-labelledby=${heading}>
    <h2 id=${heading}>${group.title} <span class="count">${group.rows.length}</span></h2>
    ${group.note === null ? '' : html`<p class="quiet group-note">${group.note}</p>`}
    ${marks.length > 1 ? tableTemplate('answers', l10n.t('{0}: standards and statements', group.title), marks) : ''}
    ${rows.length > 0 ? tableTemplate('rows', group.title, rows) : ''}
  </section>`;
}

function tableTemplate(className: 'answers' | 'rows', name: string, rows: readonly MetadataRow[]): TemplateResult {
  const heads = [l10n.t('Field'), l10n.t('Value'), l10n.t('Column'), l10n.t('Copy')];
  return html`<div class=${className} role="table" aria-label=${name} ${ref(rove)}>
    <div class="visually-hidden" role="row">${heads.map((head) => html`<span role="columnheader">${head}</span>`)}</div>
    ${repeat(
      rows,
      ({ id }) => id,
      (row) => rowTemplate(row),
    )}
  </div>`;
}

function rowTemplate(row: MetadataRow): TemplateResult {
  const { id, label, meaning, name, value, columnText, copy } = row;
  return html`<div class="row ${value.kind === 'mark' ? 'answer-cell' : ''}" role="row" data-row=${id}>
    <div class="label" role="rowheader">
      ${
        // A field outside the 50 columns has no place in the schema dictionary.
        meaning === null
          ? html`<bdi>${label}</bdi>`
          : columnLabel(label, () => page.explain(id), -1, `${meaning} ${l10n.t('Opens the schema dictionary.')}`)
      }
    </div>
    <div class="value" role="cell">
      ${valueTemplate(value, page.isUnfolded(id), () => page.unfold(id))}${
        columnText === null
          ? ''
          : html`<div class="disagrees">${icon('warning')} ${l10n.t('Metadata column:')} <bdi class="mono">${columnText}</bdi></div>`
      }
    </div>
    <div class="name" role="cell">${name === null ? '' : html`<span class="mono">${name}</span>`}</div>
    <div class="tools" role="cell">${copy === null ? '' : copyButton(page, id, label, copy)}</div>
  </div>`;
}

page.open();
