import type { FileHandle } from 'node:fs/promises';
import type { CallOptions } from '../api/schemas/page.ts';
import type { DownloadLink } from '../api/schemas/report.ts';
import { isAbortError } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { copyFrom } from './cache.ts';
import { DiskProblem, type FileHash, onDisk } from './disk.ts';
import { type Streamed, streamToFile } from './fetch.ts';
import {
  callProblemOf,
  type DownloadOptions,
  type DownloadPorts,
  type DownloadResult,
  type DownloadTarget,
  type Ending,
  endings,
  failureOf,
  type HostSilence,
  type KnownReport,
  publishedHash,
  type Resume,
  StreamProblem,
} from './ports.ts';
import { fileThere, pathOf, Unfinished } from './publish.ts';

/** Most links that one download asks for: each is counted on the key. */
const maxLinks = 3;

/** Longest pause before the second attempt, in ms; doubles for the third. The pause itself is drawn at random. */
const retryPause = 1000;

/** How long a link may surely be kept waiting, in ms; it lasts for 15 minutes at most. */
const lastsFor = 300_000;
/** A longer silence of a file's host, in ms, is not waited for: the person is told of it. */
const maxWait = 24 * 3_600_000;

/** What is known while a download runs. */
interface Job {
  report: KnownReport;
  /** The hash that the bytes must have; null when none is published. */
  wanted: string | null;
  /** A hash that no second reading of the report may change. */
  readonly exactly: string | undefined;
  /** Links the service gave so far. */
  links: number;
}

type Ports = DownloadPorts & { readonly silence: HostSilence };

/** How long the host of files is still to be left alone, ms; negative when it is not. */
function silentFor({ silence, clock }: Ports): number {
  return silence.until - clock.monotonic();
}

/** What the unfinished file holds of the PDF. */
interface Part {
  bytes: number;
  /** The strong entity tag that the bytes came with. */
  tag: string | undefined;
  /** False when the bytes are no beginning of what is wanted now. */
  mayResume: boolean;
}

/**
 * Puts one report's PDF in its place. Asks for no link when the report has no file, when the right bytes lie there
 * already, or when a store has them. Bytes get the name only after their hash agreed with the published one (DL-4);
 * without a published hash they are kept and never called verified. Never rejects: every ending is a result.
 */
export async function downloadReport(
  report: KnownReport,
  target: DownloadTarget,
  { silence = { until: Number.NEGATIVE_INFINITY, reason: '' }, ...outside }: DownloadPorts,
  options: DownloadOptions = {},
): Promise<DownloadResult> {
  const ports: Ports = { ...outside, silence };
  const { exactly } = target;
  const job: Job = { report, wanted: exactly ?? publishedHash(report), exactly, links: 0 };
  let ending: Ending;
  try {
    options.signal?.throwIfAborted();
    ending = await run(job, target, ports, options);
  } catch (error) {
    ending = failureOf(error, options.signal);
    if (ending.cause === 'service')
      ports.logger.warn(`Download of report ${report.report_id} failed: ${ending.reason}`);
  }
  return { ...ending, report_id: report.report_id, links: job.links, report: job.report };
}

async function run(job: Job, target: DownloadTarget, ports: Ports, options: DownloadOptions): Promise<Ending> {
  if (job.report.has_file === false) return endings.noFile();
  const there = await fileThere(target, options.signal);
  const settled = there && settledBy(there, job, target);
  if (settled) return settled;
  const mayReplace = target.heldSha256 === null ? [] : [target.heldSha256];
  const isPublished = () => job.wanted !== null && publishedHash(job.report) === job.wanted;
  const done = { status: 'downloaded', path: target.path, ...(there && { replaced: there.sha256 }) } as const;
  const copied = job.wanted && (await copyFrom(job.wanted, target, mayReplace, ports, options.signal));
  if (copied) return { ...done, ...copied, ...confidence(job, copied.sha256) };
  const fetched = await fetchInto(job, target, mayReplace, ports, options);
  if ('status' in fetched) return fetched;
  const { sha256, bytes, looksLikePdf } = fetched;
  if (isPublished()) await offer(sha256, target, ports);
  return { ...done, sha256, bytes, ...confidence(job, sha256, looksLikePdf) };
}

/** How sure it is that bytes of this hash are the published ones. */
function confidence({ report }: Job, sha256: string, looksLikePdf = true): Pick<DownloadResult, 'verified' | 'reason'> {
  if (publishedHash(report) === sha256) return { verified: true };
  const reason =
    report.content_sha256 === undefined
      ? l10n.t('Matches the lock file, not compared with the service.')
      : publishedHash(report) === null
        ? l10n.t('The service publishes no hash for this PDF, so it could not be verified.')
        : l10n.t('Matches the lock file, but the service has a newer version.');
  return { verified: false, reason: looksLikePdf ? reason : `${reason} ${l10n.t('It doesn’t look like a PDF.')}` };
}

/** The ending that a file already in its place brings; undefined when it is ours and out of date. */
function settledBy(there: FileHash, job: Job, { path, heldSha256 }: DownloadTarget): Ending | undefined {
  const isHeld = there.sha256 === heldSha256;
  if (there.sha256 === job.wanted || (job.wanted === null && isHeld)) {
    return { status: 'unchanged', path, ...there, ...confidence(job, there.sha256) };
  }
  if (isHeld) return undefined;
  if (heldSha256 !== null) {
    const edited = l10n.t(
      '{0} was edited since it was downloaded, so it was kept. Move or rename it, then download again.',
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

/** Lets the stores keep the verified bytes. A store that can't is no reason to fail. */
async function offer(sha256: string, target: DownloadTarget, { stores = [], logger }: DownloadPorts): Promise<void> {
  for (const store of stores) {
    try {
      await store.add?.(sha256, pathOf(target));
    } catch (error) {
      logger.warn(`A copy could not be kept for later: ${error instanceof Error ? error.message : 'unknown error'}`);
    }
  }
}

/**
 * Fetches a report's PDF into its place, each attempt with a fresh link (DL-2). An attempt goes on where the one before
 * broke off, or where a process that died left the file, if the server honours that; bytes that then don't fit together
 * are thrown away and the file is fetched from its start, once. Bytes that differ from the published hash make it read
 * the report again, once: a new hash is adopted, with the bytes at hand if they agree, else by one more attempt; the
 * same hash means that the service's file is bad.
 * @returns what was stored, or the ending when there is nothing to store
 */
async function fetchInto(
  job: Job,
  at: DownloadTarget,
  mayReplace: readonly string[],
  ports: Ports,
  options: DownloadOptions,
): Promise<Streamed | Ending> {
  const { connected = (work) => work() } = ports;
  const call: CallOptions = { signal: options.signal, priority: options.priority };
  // Made first: a disk that refuses the file costs no link.
  const room = (job.report.report_filesize ?? 0) * 1e6;
  const unfinished = await Unfinished.begin(at, ports.clock, { room, wanted: job.wanted, left: at.left });
  const part: Part = { bytes: unfinished.adopted, tag: undefined, mayResume: true };
  try {
    for (let reread = false; ; ) {
      const got = await connected(async () => {
        // A link would not outlast a long wait, and would be counted all the same.
        if (silentFor(ports) > maxWait) return endings.failed('service', ports.silence.reason);
        if (silentFor(ports) > lastsFor) return undefined;
        options.onProgress?.(resumeOf(part, job)?.from ?? 0, null);
        const link = await askLink(job, ports, call);
        return 'status' in link ? link : attempt(link, unfinished.file, part, job, ports, options);
      });
      if (got && 'status' in got) return got;
      if (got) {
        const before = job.wanted;
        // A whole that was put together wrongly says nothing about the service's file.
        const isSpliced = got.resumed && !isWanted(got, job);
        if (!isSpliced && job.exactly !== undefined && got.sha256 !== job.exactly) return endings.changedUpstream();
        if (!isSpliced && !isWanted(got, job) && !reread) {
          reread = true;
          adopt(job, await ports.source.report(job.report.report_id, call));
        }
        if (!isSpliced && isWanted(got, job)) {
          // The same bytes may lie there by now: another window fetched them too.
          await unfinished.publish([...mayReplace, got.sha256]);
          return got;
        }
        const ending = isSpliced ? spliced(job, part) : hopeless(job, before);
        if (ending) return ending;
        part.bytes = got.bytes;
        part.mayResume = false;
      }
      const pause = Math.random() * retryPause * 2 ** (job.links - 1);
      const wait = silentFor(ports);
      await ports.clock.sleep(wait > lastsFor ? wait : pause, options.signal);
    }
  } finally {
    await unfinished.discard();
  }
}

/** What to ask for the rest with. Without a hash to check the whole by, only a tag tells that the rest fits. */
function resumeOf({ bytes, tag, mayResume }: Part, job: Job): Resume | undefined {
  return mayResume && bytes > 0 && (job.wanted !== null || tag !== undefined) ? { from: bytes, tag } : undefined;
}

/** A fresh link; or the ending where the service gives none because there is no file, or no report any more. */
async function askLink(job: Job, { source }: DownloadPorts, call: CallOptions): Promise<DownloadLink | Ending> {
  try {
    const link = await source.downloadLink(job.report.report_id, call);
    job.links++;
    return link;
  } catch (error) {
    if (callProblemOf(error)?.kind !== 'not-found') throw error;
  }
  // 404 says both "not served" and "no PDF" (DL-3): reading the report tells them apart.
  try {
    adopt(job, await source.report(job.report.report_id, call));
    return endings.noFile();
  } catch (error) {
    if (callProblemOf(error)?.kind !== 'not-found') throw error;
    return endings.withdrawn();
  }
}

/** The link's bytes on the disk; undefined when they broke off and a fresh link is worth asking for. */
async function attempt(
  link: DownloadLink,
  file: FileHandle,
  part: Part,
  job: Job,
  { source, clock, logger, silence }: Ports,
  options: DownloadOptions,
): Promise<(Streamed & { readonly resumed: boolean }) | Ending | undefined> {
  const { signal, priority } = options;
  const resume = resumeOf(part, job);
  try {
    const response = await source.openLink(link, { signal, priority, resume });
    part.tag = response.tag;
    const got = await streamToFile(response, file, { ...options, clock, held: part.bytes });
    if (got.bytes === 0)
      return badFile(l10n.t('The service sent an empty file, which was discarded. Report it to the service.'));
    return { ...got, resumed: (response.start ?? 0) > 0 };
  } catch (error) {
    if (signal?.aborted || isAbortError(error) || error instanceof DiskProblem) throw error;
    // Whatever status the file's own host answers, it says nothing about the licence.
    const { retryAfter = 0 } = callProblemOf(error) ?? {};
    if (retryAfter > lastsFor) {
      silence.until = clock.monotonic() + retryAfter;
      silence.reason = failureOf(error).reason;
    }
    if (job.links >= maxLinks || !mayRetry(error, resume)) return endings.failed('service', failureOf(error).reason);
    part.bytes = (await onDisk(() => file.stat())).size;
    part.mayResume &&= !isNoBeginning(error, resume);
    logger.info(`Report ${job.report.report_id}: link ${job.links} brought no whole file, a fresh one is asked for.`);
    return undefined;
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

/** After a rest that did not fit what was here: undefined when the whole may still be fetched. */
function spliced(job: Job, part: Part): Ending | undefined {
  if (part.mayResume && job.links < maxLinks) return undefined;
  const reason = l10n.t('The parts of the file don’t fit together, so it was discarded. Try again later.');
  return endings.failed('service', reason);
}

function isWanted(got: Streamed, job: Job): boolean {
  return job.report.has_file !== false && (job.wanted === null || job.wanted === got.sha256);
}

/** Why another attempt would not help after bytes with another hash than wanted; undefined when it may. */
function hopeless(job: Job, before: string | null): Ending | undefined {
  if (job.report.has_file === false) return endings.noFile();
  if (job.wanted === before) {
    return badFile(l10n.t('The file doesn’t match the published SHA-256 and was discarded. Report it to the service.'));
  }
  if (job.links < maxLinks) return undefined;
  return badFile(l10n.t('The PDF changed during the download and was discarded. Try again later.'));
}

/** Takes over what a second reading of the report says. */
function adopt(job: Job, fresh: KnownReport): void {
  job.report = fresh;
  job.wanted = job.exactly ?? publishedHash(fresh);
}

function badFile(reason: string): Ending {
  return endings.failed('bad-file', reason);
}
