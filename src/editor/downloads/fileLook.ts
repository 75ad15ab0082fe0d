import * as vscode from 'vscode';
import type { HeldFile } from '../../downloads/heldFiles.ts';
import type { PdfMark } from '../common/pdfMarks.ts';

/** What is known on this machine about a report at the service. */
export interface Upstream {
  /** Published hash, lower-case hex; null when none is known. */
  readonly sha256: string | null;
  readonly withdrawn: boolean;
}

/** Every mark by its state. */
export const pdfMarks: { readonly [State in PdfMark['state']]: PdfMark } = {
  unreadable: {
    state: 'unreadable',
    badge: '!',
    color: 'list.warningForeground',
    tooltip: vscode.l10n.t('Could not be read'),
    words: vscode.l10n.t('PDF unreadable'),
  },
  edited: {
    state: 'edited',
    badge: 'E',
    color: 'list.warningForeground',
    tooltip: vscode.l10n.t('Edited since it was downloaded'),
    words: vscode.l10n.t('PDF edited'),
  },
  withdrawn: {
    state: 'withdrawn',
    badge: 'W',
    color: 'charts.red',
    tooltip: vscode.l10n.t('Withdrawn by the service; the file is kept'),
    words: vscode.l10n.t('PDF kept'),
  },
  newer: {
    state: 'newer',
    badge: '↑',
    color: 'charts.blue',
    tooltip: vscode.l10n.t('The service has a newer version. Update Changed PDFs gets it'),
    words: vscode.l10n.t('newer PDF upstream'),
  },
  unverified: {
    state: 'unverified',
    badge: '?',
    color: 'charts.yellow',
    tooltip: vscode.l10n.t('Not verified: the service published no hash'),
    words: vscode.l10n.t('PDF not verified'),
  },
  verified: {
    state: 'verified',
    badge: '✓',
    color: 'charts.green',
    tooltip: vscode.l10n.t('Verified: the bytes that the service published'),
    words: vscode.l10n.t('PDF here, verified'),
  },
};

/**
 * The mark of a file. What happened to it here counts first, then what the service did; without knowledge of the
 * service nothing is claimed about it. Undefined for a file that is gone.
 */
export function fileLook({ row, state }: HeldFile, upstream: Upstream | undefined): PdfMark | undefined {
  if (state === 'missing') return undefined;
  if (state === 'unreadable' || state === 'edited') return pdfMarks[state];
  if (upstream?.withdrawn) return pdfMarks.withdrawn;
  if (upstream && upstream.sha256 !== null && upstream.sha256 !== row.sha256) return pdfMarks.newer;
  return pdfMarks[state];
}
