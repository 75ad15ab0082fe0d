import type { FileHandle } from 'node:fs/promises';
import type { DownloadLink } from '../api/schemas/report.ts';
import { isAbortError } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { DiskProblem, onDisk } from './diskProblem.ts';
import type { DownloadOptions, DownloadPorts, DownloadTarget, Ending, Job, Turn } from './job.ts';
import { openUnfinished } from './place.ts';
import { type CallOptions, problemOf, type Resume } from './ports.ts';
import { refusalOf } from './refusal.ts';
import { changedReason, type KnownReport, noFileReason, publishedHash, withdrawnReason } from './result.ts';
import { type Streamed, StreamProblem, streamToFile } from './stream.ts';

/** Most links that one download asks for: each is counted on the key. */
const mostLinks = 3;

/** Longest pause before the second attempt, in ms; doubles for the third. The pause itself is drawn at random. */
const retryPause = 1000;

/**
 * Fetches a report's PDF into its place, each attempt with a fresh link (DL-2). An attempt goes on where the one before
 * broke off, or where a process that died left the file, if the server honours that; bytes that then don't fit together
 * are thrown away and the file is fetched from its start, once. Bytes that differ from the published hash make it read
 * the report again, once: a new hash is adopted, with the bytes at hand if they agree, else by one more attempt; the
 * same hash means that the service's file is bad.
 * @returns what was stored, or the ending when there is nothing to store
 */
export async function fetchInto(
  job: Job,
  at: DownloadTarget,
  mayReplace: readonly string[],
  ports: DownloadPorts,
  options: DownloadOptions,
): Promise<Streamed | Ending> {
  const { connected = atOnce } = ports;
  const call: CallOptions = { signal: options.signal, priority: options.priority };
  // Made first: a disk that refuses the file costs no link.
  const room = (job.report.report_filesize ?? 0) * 1e6;
  const unfinished = await openUnfinished(at, ports.clock, { room, wanted: job.wanted, left: at.left });
  const part: Part = { bytes: unfinished.adopted, tag: undefined, mayResume: true };
  try {
    for (let reread = false; ; ) {
      const got = await connected(async () => {
        options.onProgress?.(resumeOf(part, job)?.from ?? 0, null);
        const link = await askLink(job, ports, call);
        return 'status' in link ? link : stream(link, unfinished.file, part, job, ports, options);
      });
      if (got) {
        if ('status' in got) return got;
        const before = job.wanted;
        const isSpliced = got.resumed && !isWanted(got, job);
        if (!isSpliced) {
          if (job.exactly !== undefined && got.sha256 !== job.exactly) return changed();
          if (!isWanted(got, job) && !reread) {
            reread = true;
            adopt(job, await ports.source.report(job.report.report_id, call));
          }
          if (isWanted(got, job)) {
            // The same bytes may lie there by now: another window fetched them too.
            await unfinished.commit([...mayReplace, got.sha256]);
            return got;
          }
        }
        const ending = isSpliced ? spliced(job, part) : hopeless(job, before);
        if (ending) return ending;
        part.bytes = got.bytes;
        part.mayResume = false;
      }
      await ports.clock.sleep(Math.random() * retryPause * 2 ** (job.links - 1), options.signal);
    }
  } finally {
    await unfinished.discard();
  }
}

/** What the unfinished file holds of the PDF. */
interface Part {
  bytes: number;
  /** The strong entity tag that the bytes came with. */
  tag: string | undefined;
  /** False when the bytes are no beginning of what is wanted now. */
  mayResume: boolean;
}

/** What to ask for the rest with. Without a hash to check the whole by, only a tag tells that the rest fits. */
function resumeOf({ bytes, tag, mayResume }: Part, job: Job): Resume | undefined {
  return mayResume && bytes > 0 && (job.wanted !== null || tag !== undefined) ? { from: bytes, tag } : undefined;
}

const atOnce: Turn = (work) => work();

/** A fresh link; or the ending where the service gives none because there is no file, or no report any more. */
async function askLink(job: Job, { source }: DownloadPorts, call: CallOptions): Promise<DownloadLink | Ending> {
  try {
    const link = await source.downloadLink(job.report.report_id, call);
    job.links++;
    return link;
  } catch (error) {
    if (problemOf(error)?.kind !== 'not-found') throw error;
  }
  // 404 says both "not served" and "no PDF" (DL-3): reading the report tells them apart.
  try {
    adopt(job, await source.report(job.report.report_id, call));
    return noFile();
  } catch (error) {
    if (problemOf(error)?.kind !== 'not-found') throw error;
    return { status: 'failed', verified: false, cause: 'withdrawn', reason: l10n.word(withdrawnReason) };
  }
}

/** The link's bytes on the disk; undefined when they broke off and a fresh link is worth asking for. */
async function stream(
  link: DownloadLink,
  file: FileHandle,
  part: Part,
  job: Job,
  { source, clock, logger }: DownloadPorts,
  options: DownloadOptions,
): Promise<(Streamed & { readonly resumed: boolean }) | Ending | undefined> {
  const { signal, priority } = options;
  const resume = resumeOf(part, job);
  try {
    const response = await source.openLink(link, { signal, priority, resume });
    part.tag = response.tag;
    const got = await streamToFile(response, file, { ...options, clock, held: part.bytes });
    if (got.bytes === 0)
      return badFile(l10n.t('The service sent an empty file; nothing was kept. Report it to the service.'));
    return { ...got, resumed: (response.start ?? 0) > 0 };
  } catch (error) {
    if (signal?.aborted || isAbortError(error) || error instanceof DiskProblem) throw error;
    const { reason } = refusalOf(error);
    // Whatever status the file's own host answers, it says nothing about the licence.
    if (job.links >= mostLinks || !mayRetry(error, resume))
      return { status: 'failed', verified: false, cause: 'service', reason };
    part.bytes = (await onDisk(() => file.stat())).size;
    part.mayResume &&= !isNoBeginning(error, resume);
    logger.info(`Report ${job.report.report_id}: link ${job.links} brought no whole file, a fresh one is asked for.`);
    return undefined;
  }
}

function mayRetry(error: unknown, resume: Resume | undefined): boolean {
  if (error instanceof StreamProblem) return error.code !== 'too-large';
  const kind = problemOf(error)?.kind;
  // A server that answers a request for the rest in some odd way may still send the whole.
  return kind !== 'invalid' && (kind !== 'unexpected-shape' || resume !== undefined);
}

/** True when what is here can't be the beginning of the file, or the server has no rest to it. */
function isNoBeginning(error: unknown, resume: Resume | undefined): boolean {
  if (error instanceof StreamProblem) return error.code === 'too-long';
  const { kind, status } = problemOf(error) ?? {};
  return resume !== undefined && (kind === 'unexpected-shape' || status === 416);
}

/** After a rest that did not fit what was here: undefined when the whole may still be fetched. */
function spliced(job: Job, part: Part): Ending | undefined {
  if (part.mayResume && job.links < mostLinks) return undefined;
  const reason = l10n.t('The file came in parts that do not fit together; nothing was kept. Try again later.');
  return { status: 'failed', verified: false, cause: 'service', reason };
}

function isWanted(got: Streamed, job: Job): boolean {
  return job.report.has_file !== false && (job.wanted === null || job.wanted === got.sha256);
}

/** Why another attempt would not help after bytes with another hash than wanted; undefined when it may. */
function hopeless(job: Job, before: string | null): Ending | undefined {
  if (job.report.has_file === false) return noFile();
  if (job.wanted === before) {
    return badFile(
      l10n.t(
        'The bytes do not have the SHA-256 that the service publishes; nothing was kept. Report it to the service.',
      ),
    );
  }
  if (job.links < mostLinks) return undefined;
  return badFile(l10n.t('The PDF changed while it was fetched; nothing was kept. Try again later.'));
}

/** Takes over what a second reading of the report says. */
function adopt(job: Job, fresh: KnownReport): void {
  job.report = fresh;
  job.wanted = job.exactly ?? publishedHash(fresh);
}

const noFile = (): Ending => ({
  status: 'no-file',
  verified: false,
  cause: 'no-file',
  reason: l10n.word(noFileReason),
});

const changed = (): Ending => ({
  status: 'failed',
  verified: false,
  cause: 'changed-upstream',
  reason: l10n.word(changedReason),
});

function badFile(reason: string): Ending {
  return { status: 'failed', verified: false, cause: 'bad-file', reason };
}
