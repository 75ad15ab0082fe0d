import type { CallOptions } from '../api/schemas/page.ts';
import { type CallProblem, callProblemOf } from '../api/schemas/problemDetails.ts';
import type { DownloadLink, FileResponse, HostSilence, OpenLinkOptions, Report } from '../api/schemas/report.ts';
import { type Clock, isAbortError } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import type { Logger } from '../base/logger.ts';
import { DiskProblem, type FileAt } from '../files/guard.ts';
import type { Leases } from '../machine/lease.ts';

/** The source of reports, links and bytes. It paces and retries by itself, and its errors have a `CallProblem`. */
export interface LinkSource {
  /** The id of the connection whose reports these are. */
  readonly connection?: string | undefined;
  /** The service's origin, as {@link lastingOrigin} has it, or {@link demoOrigin}; undefined while that isn't known. */
  readonly origin?: string | null | undefined;
  report(reportId: number, options?: CallOptions): Promise<Report>;
  /** A fresh signed link. Each answered call counts as a download on the key (DL-1). */
  downloadLink(reportId: number, options?: CallOptions): Promise<DownloadLink>;
  /** Plain GET of the link, without the key (DL-2). A part that doesn't fit `resume` is refused: `unexpected-shape`. */
  openLink(link: DownloadLink, options?: OpenLinkOptions): Promise<FileResponse>;
  /** Set while the file hosts want to be left alone for longer than a link lasts. */
  silence?(): Promise<HostSilence | null>;
}

/** Used as the origin of the demo, whose reports are the same everywhere and no service's. */
export const demoOrigin = 'demo';

/** The origin of a base URL; null for loopback, which is another service on each machine. */
export function lastingOrigin(baseUrl: string): string | null {
  const { protocol, origin } = new URL(baseUrl);
  return protocol === 'https:' ? origin : null;
}

/** A store that may have a PDF's bytes, found by hash. Its files are checked before they are trusted. */
export interface ContentStore {
  /** Absolute path of a file said to hold these bytes. */
  find(sha256: string): Promise<string | undefined>;
  /** Called when the file from `find` turned out to hold other bytes. */
  reject?(sha256: string): Promise<void>;
  /** Offers a file whose bytes were just checked against this hash. */
  add?(sha256: string, file: string): Promise<void>;
}

/** Everything that a download needs from outside. */
export interface DownloadPorts {
  readonly source: LinkSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Asked in this order before any link is. */
  readonly stores?: readonly ContentStore[] | undefined;
  /** Runs work while no other download fetches the same bytes, or writes to the same path. */
  readonly lease: Leases['lease'];
}

/** Where a report's PDF belongs, and what we know of a file that may be there. */
export interface DownloadTarget extends FileAt {
  /** Hash of the file as we last wrote it; null when we never did. */
  readonly heldSha256: string | null;
  /** Its size then; used to detect what Git changed. */
  readonly heldBytes?: number | undefined;
  /** Accepts only these bytes, whatever the service publishes now: for restoring. */
  readonly exactly?: string | undefined;
}

export interface DownloadOptions extends CallOptions {
  /** Bytes of the present attempt, and how many there will be if known; at most ten times a second. */
  readonly onProgress?: ((bytes: number, total: number | null) => void) | undefined;
}

/** How a download ended; the words of the `downloadReports` command. */
export type DownloadStatus = 'downloaded' | 'unchanged' | 'no-file' | 'not-entitled' | 'failed' | 'cancelled';

/** Why a download did not end with a file, for programs; `reason` says it to a person. */
export type DownloadCause =
  | 'no-file'
  | 'forbidden'
  | 'withdrawn'
  | 'unauthorized'
  | 'other-connection'
  | 'changed-upstream'
  | 'other-key'
  | 'bad-file'
  | 'foreign'
  | 'edited'
  | 'disk'
  | 'no-space'
  | 'service'
  | 'cancelled';

type OfReport =
  | 'report_filesize'
  | 'requested_legacy_report_id'
  | 'metadata'
  | 'report_title'
  | 'company_name'
  | 'report_fcyear'
  | 'report_year';

/** As much of a report as a download needs; any Report is one. */
export type KnownReport = Pick<Report, 'report_id' | 'report_key' | 'company_key' | 'has_file'> &
  Partial<Pick<Report, OfReport>> & {
    /** The published hash; null when there is none, undefined as long as neither service nor library was asked. */
    readonly content_sha256: string | null | undefined;
  };

/** What is known on this machine about a report at the service. */
export interface Upstream {
  /** The report itself, or the one that a merge led to from the id that was asked for (RID-1). */
  readonly report_id?: number | undefined;
  /** Published hash, lower-case hex; null when the service publishes none. */
  readonly sha256: string | null;
  readonly withdrawn: boolean;
  /** The keys that it has and had; undefined where they are not known. */
  readonly keys?: ReadonlySet<string> | undefined;
}

/** What is known locally about reports at the service; those of which nothing is known are left out. */
export type UpstreamPort = (
  reportIds: readonly number[],
  signal?: AbortSignal,
) => Promise<ReadonlyMap<number, Upstream>>;

/** The result of one report's download. */
export interface DownloadResult extends Ending {
  /** The id that was asked for; a merge may have led from it to another report (RID-1). */
  readonly report_id: number;
  /** Links the service gave for it: what it counts as downloads on the key. */
  readonly links: number;
  /** The report as last read; newer than the one asked for when it changed on the way. */
  readonly report: KnownReport;
}

/** How one download ended, without its report. */
export interface Ending {
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
}

/** An ending without a file. */
export interface FailedEnding extends Ending {
  readonly cause: DownloadCause;
  readonly reason: string;
}

const sha256Form = /^[0-9a-f]{64}$/i;

/** The published hash of a report's PDF in lower case; null when there is none, or none that can be one. */
export function publishedHash(report: Pick<KnownReport, 'content_sha256'>): string | null {
  const hash = report.content_sha256?.trim() ?? '';
  return sha256Form.test(hash) ? hash.toLowerCase() : null;
}

const failed = (cause: DownloadCause, reason: string): FailedEnding => ({
  status: 'failed',
  verified: false,
  cause,
  reason,
});

/** Endings that are used more than once. */
export const endings = {
  cancelled: (): FailedEnding => ({ ...failed('cancelled', l10n.t('Cancelled.')), status: 'cancelled' }),
  noFile: (): FailedEnding => ({
    ...failed('no-file', l10n.t('The service has no PDF for this report, only its metadata.')),
    status: 'no-file',
  }),
  changedUpstream: () =>
    failed(
      'changed-upstream',
      l10n.t('The service now has another version of this PDF. Run Update Changed PDFs to get it.'),
    ),
  otherKey: () =>
    failed(
      'other-key',
      l10n.t('Its key in the lock file doesn’t match the library. Download the report again to correct the lock file.'),
    ),
  withdrawn: () =>
    failed(
      'withdrawn',
      l10n.t('The service no longer offers this report: it was withdrawn, or it isn’t in your license.'),
    ),
  otherConnection: () =>
    failed(
      'other-connection',
      l10n.t('This download belongs to another connection. Switch to it, then download again.'),
    ),
  failed,
};

/** Thrown when the received bytes can't be the file. Its message is shown to a person. */
export class StreamProblem extends Error {
  readonly code: 'too-large' | 'cut-short' | 'too-long';

  constructor(code: StreamProblem['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Thrown when another ending of the same batch made the work pointless. */
export class BatchEnded extends Error {
  readonly failure: FailedEnding;

  constructor(failure: FailedEnding) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** The ending for an error. Repeats nothing that could hold a link or a key. */
export function failureOf(error: unknown, signal?: AbortSignal): FailedEnding {
  if (signal?.aborted || isAbortError(error)) return endings.cancelled();
  if (error instanceof BatchEnded) return error.failure;
  const problem = callProblemOf(error);
  if (problem) return callFailure(problem);
  if (error instanceof DiskProblem)
    return failed(error.code === 'foreign' || error.code === 'no-space' ? error.code : 'disk', error.message);
  if (error instanceof StreamProblem) return failed('service', `${error.message} ${l10n.t('Try again later.')}`);
  // Any other error's text may hold the link it was made with, so it is not repeated.
  return failed('service', l10n.t('The connection dropped during the download. Try again later.'));
}

/** The ending for an error of reading a report: one that is not found was withdrawn, or is not in the license. */
export function readFailureOf(error: unknown, signal?: AbortSignal): FailedEnding {
  return callProblemOf(error)?.kind === 'not-found' ? endings.withdrawn() : failureOf(error, signal);
}

function callFailure(problem: CallProblem): FailedEnding {
  const reason = `${problem.cause} ${problem.nextStep}`.trim();
  if (problem.kind === 'forbidden') return { ...failed('forbidden', reason), status: 'not-entitled' };
  return failed(problem.kind === 'unauthorized' ? 'unauthorized' : 'service', reason);
}
