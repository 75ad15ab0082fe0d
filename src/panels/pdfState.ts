import type { Report } from '../api/schemas/report.ts';
import { l10n } from '../base/l10n.ts';
import { visibleText } from '../base/words.ts';
import type { ButtonItem, Inline } from '../protocol/blocks.ts';

/**
 * What keeps a PDF from counting as verified: it wasn't read yet, was compared with the lock file alone, has another
 * key there, or was rewritten by Git.
 */
export const pdfDoubts = ['unread', 'matches-lock', 'other-key', 'lfs-pointer', 'line-ends'] as const;
export type PdfDoubt = (typeof pdfDoubts)[number];

/** Where the PDF stands. */
export type PdfState =
  | { readonly kind: 'available' }
  | { readonly kind: 'none'; readonly reason: string }
  /** In bytes; the total is null while it is unknown. */
  | { readonly kind: 'downloading'; readonly received: number; readonly total: number | null; readonly words: string }
  | {
      readonly kind: 'downloaded';
      readonly path: string;
      /** The bytes agree with the published SHA-256. */
      readonly verified: boolean;
      readonly doubt?: PdfDoubt;
      /** The service has a newer PDF than this one. */
      readonly outdated: boolean;
      /** The service still serves this report. */
      readonly served: boolean;
      /** Somebody changed the file since it was downloaded. */
      readonly edited: boolean;
    }
  | { readonly kind: 'failed'; readonly message: string };
type DownloadedState = Extract<PdfState, { readonly kind: 'downloaded' }>;

/** What this computer knows about a report beside the service's answer. */
export interface LocalReport {
  /** The service no longer serves it (ST-2). */
  readonly withdrawn: boolean;
  /** Its PDF in the workspace, if there is one. */
  readonly file: LocalFile | null;
}

export interface LocalFile {
  /** As a person knows it, relative to the workspace folder. */
  readonly path: string;
  /** The bytes were read and agree with the SHA-256 that is published. */
  readonly verified: boolean;
  readonly doubt?: PdfDoubt;
  /** The SHA-256 that they had when they came; null when unknown. */
  readonly sha256: string | null;
  /** The file is no longer what was downloaded. */
  readonly edited: boolean;
}

/** Where a report's PDF stands while nothing is under way. Says why before any request is made (ST-4). */
export function pdfStateOf(report: Pick<Report, 'has_file' | 'content_sha256'>, local: LocalReport): PdfState {
  const { file, withdrawn } = local;
  if (file) {
    const { verified, doubt, edited, sha256 } = file;
    const published = report.content_sha256;
    const outdated = !withdrawn && published !== null && sha256 !== null && published !== sha256;
    const path = visibleText(file.path);
    return { kind: 'downloaded', path, verified, ...(doubt && { doubt }), outdated, served: !withdrawn, edited };
  }
  if (withdrawn) return { kind: 'none', reason: l10n.t('Withdrawn: the service no longer serves the PDF.') };
  if (report.has_file === false) return { kind: 'none', reason: l10n.t('The service has no PDF for this report.') };
  return { kind: 'available' };
}

const open = () => ({ act: 'openPdf', icon: 'file-pdf', words: l10n.t('Open PDF'), isMain: true });
const download = (words: string) => ({ act: 'download', icon: 'cloud-download', words, isMain: true });

/** The button most wanted, which does nothing where nothing can be done. */
export function pdfButton(state: PdfState): ButtonItem {
  switch (state.kind) {
    case 'available':
      return download(l10n.t('Download PDF'));
    case 'none':
      return { ...download(l10n.t('Download PDF')), isOff: true, why: 'file-state' };
    case 'downloading':
      return { act: 'cancelDownload', icon: 'close', words: l10n.t('Cancel Download') };
    case 'failed':
      return download(l10n.t('Try Again'));
    case 'downloaded':
      if (state.outdated) return download(l10n.t('Update PDF'));
      return state.served && state.doubt === 'lfs-pointer' ? download(l10n.t('Download PDF')) : open();
    default:
      return state satisfies never;
  }
}

/** How it stands, in a line. */
export function pdfLine(state: PdfState): Inline[] {
  switch (state.kind) {
    case 'available':
      return [sign('circle-outline', '', l10n.t('PDF available, not downloaded'))];
    case 'none':
      return [sign('circle-slash', '', state.reason)];
    case 'downloading':
      return [{ progress: state.received, of: state.total, name: l10n.t('Download') }, state.words];
    case 'failed':
      return [sign('error', 'failed', state.message)];
    case 'downloaded':
      return [downloadedSign(state), { text: state.path, look: 'mono path' }];
    default:
      return state satisfies never;
  }
}

/** What is announced of a download: its start, its quarters, since each step would be too much to hear, and its end. */
export function pdfNews(before: PdfState, next: PdfState): string | undefined {
  if (next.kind === 'downloading') {
    const quarter = ({ received, total }: typeof next) => (total ? Math.floor((4 * received) / total) : 0);
    return before.kind !== 'downloading' || quarter(next) > quarter(before) ? next.words : undefined;
  }
  if (before.kind !== 'downloading') return undefined;
  if (next.kind === 'downloaded') return next.verified ? l10n.t('Downloaded and verified') : l10n.t('Downloaded');
  return next.kind === 'failed' ? next.message : l10n.t('Download cancelled');
}

function downloadedSign(state: DownloadedState): Inline {
  if (state.edited) return sign('edit', 'changed', editedWords(state));
  if (state.doubt === 'lfs-pointer')
    return sign('warning', 'changed', l10n.t('A Git LFS pointer, not the PDF. Run git lfs pull, or restore the PDF'));
  if (state.doubt === 'line-ends')
    return sign(
      'warning',
      'changed',
      l10n.t('Line endings changed by Git. Restore the PDF, and mark *.pdf as binary in .gitattributes'),
    );
  if (state.outdated) return sign('arrow-circle-up', 'changed', l10n.t('Downloaded, newer PDF available'));
  if (!state.served) return sign('archive', 'changed', l10n.t('Withdrawn by the service. The file is kept'));
  if (state.verified) return sign('verified-filled', 'passed', l10n.t('Downloaded and verified'));
  if (state.doubt === 'unread') return sign('unverified', '', l10n.t('PDF being checked'));
  if (state.doubt === 'matches-lock')
    return sign('unverified', '', l10n.t('Matches the lock file; not yet checked with the service'));
  if (state.doubt === 'other-key')
    return sign('warning', 'changed', l10n.t('Its key in the lock file doesn’t match the library'));
  return sign('unverified', '', l10n.t('Not verified: the service published no hash'));
}

function editedWords({ outdated, served }: DownloadedState): string {
  if (!served) return l10n.t('Edited since it was downloaded; withdrawn by the service');
  return outdated
    ? l10n.t('Edited since it was downloaded; the service has a newer PDF')
    : l10n.t('Edited since it was downloaded');
}

function sign(icon: string, tone: string, text: string): Inline {
  return { text, icon, look: `state ${tone}` };
}
