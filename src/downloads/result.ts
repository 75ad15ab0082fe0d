import type { Report } from '../api/schemas/report.ts';
import { l10n } from '../base/l10n.ts';

/** How a download ended; the words of the `downloadReports` command. */
export type DownloadStatus = 'downloaded' | 'unchanged' | 'no-file' | 'not-entitled' | 'failed' | 'cancelled';

/** Why a download did not end with a file, for programs; `reason` says it to a person. */
export type DownloadCause =
  | 'no-file'
  | 'forbidden'
  | 'withdrawn'
  | 'unauthorized'
  | 'changed-upstream'
  | 'bad-file'
  | 'foreign'
  | 'edited'
  | 'disk'
  | 'no-space'
  | 'service'
  | 'cancelled';

/** As much of a report as a download needs; any Report is one. */
export type KnownReport = Pick<Report, 'report_id' | 'report_key' | 'company_key' | 'has_file' | 'content_sha256'> &
  Partial<Pick<Report, 'report_filesize' | 'requested_legacy_report_id' | 'metadata'>>;

/** How one report's download ended. */
export interface DownloadResult {
  readonly report_id: number;
  readonly status: DownloadStatus;
  /** Path below the root, parts separated by `/`; set when the file is there. */
  readonly path?: string;
  /** Of the bytes on the disk, lower-case hex. */
  readonly sha256?: string;
  readonly bytes?: number;
  /** Hash of our own older file that was replaced. */
  readonly replaced?: string;
  /** True only when the bytes agree with the hash that the service published (DL-4). */
  readonly verified: boolean;
  readonly cause?: DownloadCause;
  /** What happened and what to do, in plain text; also set on a kept file that is not verified. */
  readonly reason?: string;
  /** Links the service gave for it: what it counts as downloads on the key. */
  readonly links: number;
  /** The report as last read; newer than the one asked for when it changed on the way. */
  readonly report: KnownReport;
}

const sha256Form = /^[0-9a-f]{64}$/i;

/** The published hash of a report's PDF in lower case; null when there is none, or none that can be one. */
export function publishedHash(report: Pick<Report, 'content_sha256'>): string | null {
  const hash = report.content_sha256?.trim() ?? '';
  return sha256Form.test(hash) ? hash.toLowerCase() : null;
}

export const changedReason = l10n.later('The service has another version of this PDF now. Update it to get that one.');
export const noFileReason = l10n.later('The service holds no PDF for this report, only its metadata.');
export const unverifiedReason = l10n.later('The service publishes no hash for this PDF, so it could not be verified.');
export const withdrawnReason = l10n.later(
  'The service no longer serves this report: it was withdrawn, or it is not in your licence.',
);
