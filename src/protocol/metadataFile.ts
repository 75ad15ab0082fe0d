import type { Report } from '../api/schemas/report.ts';
import { l10n } from '../base/l10n.ts';
import { visibleText } from './format/visibleText.ts';
import type { FileState } from './metadata.ts';

/** What this machine knows about a report beside what the service tells. */
export interface LocalReport {
  /** The service no longer serves it (ST-2). */
  readonly withdrawn: boolean;
  /** Its PDF in the workspace, if there is one. */
  readonly file: LocalFile | null;
}

export interface LocalFile {
  /** As a person knows it, relative to the workspace folder. */
  readonly path: string;
  /** The bytes agree with the SHA-256 that was published when they came. */
  readonly verified: boolean;
  /** The SHA-256 of those bytes; null when unknown. */
  readonly sha256: string | null;
  /** The file is no longer what was downloaded. */
  readonly edited: boolean;
}

/** Where a report's PDF stands while nothing is under way. Says why before any request is made (ST-4). */
export function fileStateOf(report: Pick<Report, 'has_file' | 'content_sha256'>, local: LocalReport): FileState {
  const { file, withdrawn } = local;
  if (file) {
    const outdated =
      !withdrawn && report.content_sha256 !== null && file.sha256 !== null && report.content_sha256 !== file.sha256;
    const { verified, edited } = file;
    return { kind: 'downloaded', path: visibleText(file.path), verified, outdated, served: !withdrawn, edited };
  }
  if (withdrawn) return { kind: 'none', reason: l10n.t('Withdrawn: the service no longer serves the PDF.') };
  if (report.has_file === false) return { kind: 'none', reason: l10n.t('The service holds no PDF for this report.') };
  return { kind: 'available' };
}
