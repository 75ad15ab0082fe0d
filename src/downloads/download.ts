import { type FileHandle, open } from 'node:fs/promises';
import type { CallOptions } from '../api/schemas/page.ts';
import { callProblemOf } from '../api/schemas/problemDetails.ts';
import { type DownloadLink, type HostSilence, linkLife, type Resume } from '../api/schemas/report.ts';
import { isAbortError, maxWait } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { Unfinished } from '../files/atomic.ts';
import { DiskProblem, foldedName, onDisk, pathOf, readFlags } from '../files/guard.ts';
import { type FileHash, fileThere, hashFile, hashPieces } from '../files/hash.ts';
import { withLf } from '../machine/gitRewrites.ts';
import { copyFrom, findIn } from './cache.ts';
import { type Streamed, streamToFile } from './fetch.ts';
import {
  type DownloadOptions,
  type DownloadPorts,
  type DownloadResult,
  type DownloadTarget,
  type Ending,
  endings,
  failureOf,
  type KnownReport,
  publishedHash,
  readFailureOf,
  StreamProblem,
} from './ports.ts';

/** Most links that one download asks for: each is counted on the key. */
const maxLinks = 3;

/** Longest pause before the second attempt, in ms; doubles for the third. The pause itself is drawn at random. */
const retryPause = 1000;

/**
 * Downloads one report's PDF, with a link only where no local copy is right. Bytes get the name only after their hash
 * was right (DL-4); without a published hash they are never called verified. Never rejects: every ending is a result.
 */
export async function downloadReport(
  report: KnownReport,
  target: DownloadTarget,
  ports: DownloadPorts,
  options: DownloadOptions = {},
): Promise<DownloadResult> {
  const download = new Download(report, target, ports, options);
  let ending: Ending;
  try {
    options.signal?.throwIfAborted();
    ending = await download.run();
  } catch (error) {
    ending = failureOf(error, options.signal);
    if (ending.cause === 'service')
      ports.logger.warn(`Download of report ${report.report_id} failed: ${ending.reason}`);
  }
  return { ...ending, report_id: report.report_id, links: download.links, report: download.report };
}

type Fetched = Streamed & { readonly resumed: boolean };

/** Hashes of files that a download may replace, and of the one that it will. */
interface Replaceable {
  readonly mayReplace: readonly string[];
  readonly replaced: string | undefined;
}

/** The state of one report's download. */
class Download {
  report: KnownReport;
  /** Links the service gave so far. */
  links = 0;
  readonly #target: DownloadTarget;
  readonly #ports: DownloadPorts;
  readonly #options: DownloadOptions;
  readonly #call: CallOptions;
  /** The pause that a file host asked this download for. */
  #silenced: HostSilence = { until: Number.NEGATIVE_INFINITY, reason: '' };
  /** The hash that the bytes must have; null when none is published. */
  #wanted: string | null = null;
  #isReread = false;
  /** Bytes of the PDF that the unfinished file holds. */
  #held = 0;
  /** The strong entity tag that they came with. */
  #tag: string | undefined;
  /** False when they can't be the beginning of the file that is wanted now. */
  #mayResume = true;

  constructor(report: KnownReport, target: DownloadTarget, ports: DownloadPorts, options: DownloadOptions) {
    this.#target = target;
    this.#ports = ports;
    this.#options = options;
    this.#call = { signal: options.signal, priority: options.priority };
    this.report = report;
    this.#adopt(report);
  }

  async run(): Promise<Ending> {
    if (this.report.has_file === false) return endings.noFile();
    const local = await this.#findLocally(false);
    if ('status' in local) return local;
    const name = `download ${this.#wanted ?? foldedName(pathOf(this.#target))}`;
    const work = async () => {
      // Another process may have brought the file before the lease came.
      const again = await this.#findLocally(true);
      return 'status' in again ? again : this.#fetch(again);
    };
    return this.#ports.lease(name, work, { signal: this.#options.signal });
  }

  /** Copies the bytes from this computer, or returns what a downloaded file may replace. */
  async #findLocally(isAgain: boolean): Promise<Ending | Replaceable> {
    const { path, heldSha256, heldBytes } = this.#target;
    const { signal } = this.#options;
    const there = await fileThere(this.#target, { signal, bytes: heldBytes });
    const settled = there && this.#settledBy(there);
    const mayReplace = heldSha256 === null ? [] : [heldSha256];
    const isRewritten = settled?.status === 'failed' && this.#isRewritten(there);
    // After a colleague's lock file was merged, the file may be that of the earlier lock.
    if (there && (isRewritten || (settled?.cause === 'edited' && (await this.#isKept(there.sha256)))))
      mayReplace.push(there.sha256);
    // The earlier process may have saved a file that is in the way now; its hash decides.
    else if (settled && !(isAgain && settled.status === 'failed')) return settled;
    const replaced = there && !isRewritten && mayReplace.includes(there.sha256) ? there.sha256 : undefined;
    const copied =
      (isRewritten && (await this.#restoreLineEnds(there))) ||
      (this.#wanted && (await copyFrom(this.#wanted, this.#target, mayReplace, this.#ports, signal)));
    if (!copied) return { mayReplace, replaced };
    const { sha256, bytes } = copied;
    return { status: 'downloaded', path, sha256, bytes, ...(replaced && { replaced }), ...this.#confidence(sha256) };
  }

  /** Uses a newly read report. The very bytes of a lock stay wanted. */
  #adopt(report: KnownReport): void {
    this.report = report;
    this.#wanted = this.#target.exactly ?? publishedHash(report);
  }

  /** Whether bytes of this hash are the published ones, and why not. */
  #confidence(sha256: string): Pick<DownloadResult, 'verified' | 'reason'> {
    const published = publishedHash(this.report);
    if (published === sha256) return { verified: true };
    const reason =
      this.report.content_sha256 === undefined
        ? `${l10n.t('Matches the lock file; not yet checked with the service')}.`
        : published === null
          ? l10n.t('The service publishes no hash for this PDF, so it could not be verified.')
          : l10n.t('Matches the lock file, but the service has a newer version.');
    return { verified: false, reason };
  }

  /** The ending for a file that is already there; undefined when it is ours and out of date. */
  #settledBy(there: FileHash): Ending | undefined {
    const { path, heldSha256 } = this.#target;
    const isHeld = there.sha256 === heldSha256;
    if (there.sha256 === this.#wanted || (this.#wanted === null && isHeld))
      return { status: 'unchanged', path, sha256: there.sha256, bytes: there.bytes, ...this.#confidence(there.sha256) };
    if (isHeld) return undefined;
    if (there.rewrite?.kind === 'lfs-pointer') {
      const pointer = l10n.t(
        '{0} is a Git LFS pointer to another file, so it was kept. Run git lfs pull, or move it away, then try again.',
        path,
      );
      return endings.failed(heldSha256 === null ? 'foreign' : 'edited', pointer);
    }
    if (heldSha256 !== null) {
      const edited = l10n.t(
        '{0} isn’t the version in the lock file, so it was kept. Move or rename it, then try again.',
        path,
      );
      return endings.failed('edited', edited);
    }
    const foreign = l10n.t(
      '{0} wasn’t downloaded by Report Library, so it was kept. Move or rename it, then download again.',
      path,
    );
    return endings.failed('foreign', foreign);
  }

  /** Whether Git made this file of the earlier or the wanted bytes, so that replacing it loses nothing. */
  #isRewritten(there: FileHash | undefined): boolean {
    const before = there?.rewrite?.sha256;
    return before !== undefined && (before === this.#target.heldSha256 || before === this.#wanted);
  }

  /** Restores the wanted bytes from a file whose line endings Git changed; undefined if the result differs. */
  async #restoreLineEnds(there: FileHash | undefined): Promise<FileHash | undefined> {
    const { kind, sha256 } = there?.rewrite ?? {};
    const wanted = this.#wanted ?? this.#target.heldSha256;
    if (!there || kind !== 'line-ends' || sha256 !== wanted) return undefined;
    await using unfinished = await Unfinished.begin(this.#target, this.#ports.clock);
    const content = await onDisk(async () => {
      await using file = await open(pathOf(this.#target), readFlags);
      return await hashPieces(withLf(file, this.#options.signal), unfinished.file);
    });
    // It changed meanwhile.
    if (content.sha256 !== wanted) return undefined;
    await unfinished.publish([there.sha256], content);
    return content;
  }

  /** Whether another file of this machine has these bytes, so that replacing one loses nothing. */
  async #isKept(sha256: string): Promise<boolean> {
    const copy = await findIn(this.#ports.stores ?? [], sha256);
    return copy !== undefined && (await onDisk(() => hashFile(copy, this.#options.signal))).sha256 === sha256;
  }

  /** Offers the verified bytes to the stores. A store that fails is no reason to fail. */
  async #offer(sha256: string): Promise<void> {
    const { stores = [], logger } = this.#ports;
    for (const store of stores) {
      try {
        await store.add?.(sha256, pathOf(this.#target));
      } catch (error) {
        logger.warn(`A copy could not be kept for later: ${error instanceof Error ? error.message : 'unknown error'}`);
      }
    }
  }

  /**
   * Downloads the PDF, each attempt with a fresh link (DL-2) and from where the last one broke off, if that is
   * possible.
   */
  async #fetch({ mayReplace, replaced }: Replaceable): Promise<Ending> {
    const { clock } = this.#ports;
    // Made first: a disk that refuses the file costs no link.
    const room = (this.report.report_filesize ?? 0) * 1e6;
    await using unfinished = await Unfinished.begin(this.#target, clock, room);
    for (;;) {
      const got = await this.#attempt(unfinished.file);
      if (got && 'status' in got) return got;
      if (got) {
        const verdict = await this.#judge(got);
        if (verdict === 'right') {
          const { sha256, bytes } = got;
          // Another window may have fetched the same bytes.
          await unfinished.publish([...mayReplace, sha256], got);
          const confidence = this.#confidence(sha256);
          if (confidence.verified) await this.#offer(sha256);
          const { path } = this.#target;
          return { status: 'downloaded', path, sha256, bytes, ...(replaced && { replaced }), ...confidence };
        }
        if (verdict) return verdict;
        this.#held = got.bytes;
        this.#mayResume = false;
      }
      const pause = Math.random() * retryPause * 2 ** (this.links - 1);
      const { wait } = await this.#silence();
      await clock.sleep(wait > linkLife ? wait : pause, this.#options.signal);
    }
  }

  /**
   * Whether the whole file is right; else the ending, or undefined where a fresh link may help. After bytes of another
   * hash the report is read again, once.
   */
  async #judge(got: Fetched): Promise<'right' | Ending | undefined> {
    const isRight = () => this.report.has_file !== false && (this.#wanted === null || this.#wanted === got.sha256);
    const mayTryAgain = this.links < maxLinks;
    if (got.resumed && !isRight()) {
      // Parts that don't fit say nothing about the service's file.
      if (this.#mayResume && mayTryAgain) return undefined;
      const reason = l10n.t('The parts of the file don’t fit together, so it was discarded. Try again later.');
      return endings.failed('service', reason);
    }
    const { exactly } = this.#target;
    if (exactly !== undefined && got.sha256 !== exactly) return endings.changedUpstream();
    const before = this.#wanted;
    if (!isRight() && !this.#isReread) {
      this.#isReread = true;
      const reread = await this.#ports.source.report(this.report.report_id, this.#call);
      if (isAnother(reread, this.report))
        return badFile(
          l10n.t('The service now has another report under this number, so the file was discarded. Download it again.'),
        );
      this.#adopt(reread);
    }
    // Without a hash, an HTML page of a proxy or guest network would pass for the PDF.
    if (isRight() && this.#wanted === null && !got.looksLikePdf)
      return badFile(l10n.t('The server sent something other than a PDF, which was discarded. Try again later.'));
    if (isRight()) return 'right';
    if (this.report.has_file === false) return endings.noFile();
    if (this.#wanted === before)
      return badFile(
        l10n.t('The file doesn’t match the published SHA-256 and was discarded. Report it to the service.'),
      );
    if (mayTryAgain) return undefined;
    return badFile(l10n.t('The PDF changed during the download and was discarded. Try again later.'));
  }

  /** Writes a fresh link's bytes to the disk; undefined when they broke off and another link may help. */
  async #attempt(file: FileHandle): Promise<Fetched | Ending | undefined> {
    const { source, clock, logger } = this.#ports;
    const { signal, onProgress } = this.#options;
    // A link would not outlast a long wait, but would be counted.
    const { wait, reason } = await this.#silence();
    if (wait > maxWait) return endings.failed('service', reason);
    if (wait > linkLife) return undefined;
    const resume = this.#resume();
    onProgress?.(resume?.from ?? 0, null);
    const link = await this.#askLink();
    if ('status' in link) return link;
    try {
      const response = await source.openLink(link, { ...this.#call, resume });
      this.#tag = response.tag;
      const got = await streamToFile(response, file, { ...this.#options, clock, held: this.#held });
      if (got.bytes === 0)
        return badFile(l10n.t('The service sent an empty file, which was discarded. Report it to the service.'));
      return { ...got, resumed: response.start > 0 };
    } catch (error) {
      if (signal?.aborted || isAbortError(error) || error instanceof DiskProblem) throw error;
      // The status of a file host says nothing about the license.
      const { reason } = failureOf(error);
      const { retryAfter = 0 } = callProblemOf(error) ?? {};
      this.#silenced = { until: clock.monotonic() + retryAfter, reason };
      if (this.links >= maxLinks || !mayRetry(error, resume)) return endings.failed('service', reason);
      this.#held = (await onDisk(() => file.stat())).size;
      this.#mayResume &&= !isNoBeginning(error, resume);
      logger.info(
        `Report ${this.report.report_id}: link ${this.links} brought no whole file, a fresh one is asked for.`,
      );
      return undefined;
    }
  }

  /** How long the file hosts want to be left alone, in ms (negative: not at all), and why. */
  async #silence(): Promise<{ readonly wait: number; readonly reason: string }> {
    // The source reports no silence while some host answers, but this report's link may lead to a silent one.
    const known = (await this.#ports.source.silence?.()) ?? this.#silenced;
    const { until, reason } = known.until > this.#silenced.until ? known : this.#silenced;
    return { wait: until - this.#ports.clock.monotonic(), reason };
  }

  /** Which rest to ask for. Without a hash to check the whole by, only a tag proves that the rest fits. */
  #resume(): Resume | undefined {
    const isChecked = this.#wanted !== null || this.#tag !== undefined;
    return this.#mayResume && this.#held > 0 && isChecked ? { from: this.#held, tag: this.#tag } : undefined;
  }

  /** A fresh link; or the ending where there is no file, or no report any more. */
  async #askLink(): Promise<DownloadLink | Ending> {
    const { source } = this.#ports;
    const { report_id: id } = this.report;
    try {
      const link = await source.downloadLink(id, this.#call);
      this.links++;
      return link;
    } catch (error) {
      if (callProblemOf(error)?.kind !== 'not-found') throw error;
    }
    // 404 says both "not served" and "no PDF" (DL-3): reading the report tells them apart.
    try {
      this.#adopt(await source.report(id, this.#call));
      return endings.noFile();
    } catch (error) {
      return readFailureOf(error, this.#options.signal);
    }
  }
}

function mayRetry(error: unknown, resume: Resume | undefined): boolean {
  if (error instanceof StreamProblem) return error.code !== 'too-large';
  const { kind, retryAfter = 0 } = callProblemOf(error) ?? {};
  if (retryAfter > maxWait) return false;
  // A server that answers a request for the rest in some odd way may still send the whole.
  return kind !== 'invalid' && (kind !== 'unexpected-shape' || resume !== undefined);
}

/** True when what is here can't be the beginning of the file, or the server has no rest to it. */
function isNoBeginning(error: unknown, resume: Resume | undefined): boolean {
  if (error instanceof StreamProblem) return error.code === 'too-long';
  const { kind, status } = callProblemOf(error) ?? {};
  return resume !== undefined && (kind === 'unexpected-shape' || status === 416);
}

/** True when an id that no merge retired leads to a report of another key than the one that was asked for. */
function isAnother(reread: KnownReport, asked: KnownReport): boolean {
  return reread.report_id === asked.report_id && asked.report_key !== '' && reread.report_key !== asked.report_key;
}

function badFile(reason: string): Ending {
  return endings.failed('bad-file', reason);
}
