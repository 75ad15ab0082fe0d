import type { DownloadLink } from '../api/schemas/downloadLink.ts';
import { isAbortError } from '../base/abort.ts';
import { DiskProblem } from './diskProblem.ts';
import type { DownloadOptions, DownloadPorts, Ending, Job, Turn } from './job.ts';
import { openUnfinished, type PlaceAt, type Unfinished } from './place.ts';
import { type CallOptions, problemOf } from './ports.ts';
import { refusalOf } from './refusal.ts';
import { changedReason, type KnownReport, noFileReason, publishedHash, withdrawnReason } from './result.ts';
import { type Streamed, StreamProblem, streamToFile } from './stream.ts';

/** Most links that one download asks for: each is counted on the key. */
const mostLinks = 3;

/** Longest pause before the second attempt, in ms; doubles for the third. The pause itself is drawn at random. */
const retryPause = 1000;

/**
 * Fetches a report's PDF into its place, each attempt with a fresh link (DL-2). Bytes that differ from the published
 * hash make it read the report again, once: a new hash is adopted, with the bytes at hand if they agree, else by one
 * more attempt; the same hash means that the service's file is bad.
 * @returns what was stored, or the ending when there is nothing to store
 */
export async function fetchInto(
  job: Job,
  at: PlaceAt,
  mayReplace: readonly string[],
  ports: DownloadPorts,
  options: DownloadOptions,
): Promise<Streamed | Ending> {
  const { connected = atOnce } = ports;
  const call: CallOptions = { signal: options.signal, priority: options.priority };
  for (let reread = false; ; ) {
    // Made first: a disk that refuses the file costs no link.
    const unfinished = await openUnfinished(at, ports.clock, { room: (job.report.report_filesize ?? 0) * 1e6 });
    try {
      const got = await connected(async () => {
        options.onProgress?.(0, null);
        const link = await askLink(job, ports, call);
        return 'status' in link ? link : stream(link, unfinished, job, ports, options, call);
      });
      if (got) {
        if ('status' in got) return got;
        if (job.exactly !== undefined && got.sha256 !== job.exactly) return changed;
        const before = job.wanted;
        if (!isWanted(got, job) && !reread) {
          reread = true;
          adopt(job, await ports.source.report(job.report.report_id, call));
        }
        if (isWanted(got, job)) {
          // The same bytes may lie there by now: another window fetched them too.
          await unfinished.commit([...mayReplace, got.sha256]);
          return got;
        }
        const ending = hopeless(job, before);
        if (ending) return ending;
      }
    } finally {
      await unfinished.discard();
    }
    await ports.clock.sleep(Math.random() * retryPause * 2 ** (job.links - 1), options.signal);
  }
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
    return noFile;
  } catch (error) {
    if (problemOf(error)?.kind !== 'not-found') throw error;
    return { status: 'failed', verified: false, cause: 'withdrawn', reason: withdrawnReason };
  }
}

/** The link's bytes on the disk; undefined when they broke off and a fresh link is worth asking for. */
async function stream(
  link: DownloadLink,
  { file }: Unfinished,
  job: Job,
  { source, clock, logger }: DownloadPorts,
  options: DownloadOptions,
  call: CallOptions,
): Promise<Streamed | Ending | undefined> {
  try {
    const got = await streamToFile(await source.openLink(link, call), file, { ...options, clock });
    return got.bytes > 0 ? got : badFile('The service sent an empty file; nothing was kept. Report it to the service.');
  } catch (error) {
    if (options.signal?.aborted || isAbortError(error) || error instanceof DiskProblem) throw error;
    const { reason } = refusalOf(error);
    // Whatever status the file's own host answers, it says nothing about the licence.
    if (job.links >= mostLinks || !mayRetry(error))
      return { status: 'failed', verified: false, cause: 'service', reason };
    logger.info(`Report ${job.report.report_id}: link ${job.links} brought no whole file, a fresh one is asked for.`);
    return undefined;
  }
}

function mayRetry(error: unknown): boolean {
  if (error instanceof StreamProblem) return error.code !== 'too-large';
  const kind = problemOf(error)?.kind;
  return kind !== 'invalid' && kind !== 'unexpected-shape';
}

function isWanted(got: Streamed, job: Job): boolean {
  return job.report.has_file !== false && (job.wanted === null || job.wanted === got.sha256);
}

/** Why another attempt would not help after bytes with another hash than wanted; undefined when it may. */
function hopeless(job: Job, before: string | null): Ending | undefined {
  if (job.report.has_file === false) return noFile;
  if (job.wanted === before) {
    return badFile(
      'The bytes do not have the SHA-256 that the service publishes; nothing was kept. Report it to the service.',
    );
  }
  if (job.links < mostLinks) return undefined;
  return badFile('The PDF changed while it was fetched; nothing was kept. Try again later.');
}

/** Takes over what a second reading of the report says. */
function adopt(job: Job, fresh: KnownReport): void {
  job.report = fresh;
  job.wanted = job.exactly ?? publishedHash(fresh);
}

const noFile: Ending = { status: 'no-file', verified: false, cause: 'no-file', reason: noFileReason };

const changed: Ending = { status: 'failed', verified: false, cause: 'changed-upstream', reason: changedReason };

function badFile(reason: string): Ending {
  return { status: 'failed', verified: false, cause: 'bad-file', reason };
}
