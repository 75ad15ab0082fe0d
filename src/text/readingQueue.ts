import { statSync } from 'node:fs';
import { breather, type Clock, unlessAborted } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { LeaseLost, type Leases } from '../machine/lease.ts';
import type { ReadOptions } from './extract.ts';
import { rewrittenByGit } from './hashedFile.ts';
import type { LocalPdfs, Standing } from './localPdfs.ts';
import { type FileContent, type PageStore, type PreparedPdf, prepare, type SeenFile } from './pages.ts';
import { textError } from './textError.ts';
import type { PauseReason, ReadOutcome, ReadPdf, TextCoverage } from './textIndex.ts';

export interface ReadingQueueOptions {
  readonly store: PageStore;
  /** Shared by all windows, of which one reads at a time. */
  readonly leases: Leases;
  readonly here: LocalPdfs;
  readonly reader: { read(path: string, options?: ReadOptions): Promise<ReadPdf> };
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called whenever something else is found or covered. */
  readonly changed: () => void;
  /** Called when the store failed, before it is tried again after a while. */
  readonly failed: (error: unknown) => void;
}

/** Held while a PDF is read. */
const readingLease = 'text index reading';
/** Held by a window in which a person requested a PDF: meanwhile, other windows start none by themselves. */
const askedLease = 'text index asked';
/** How long a window that stopped without ending its process keeps others from reading, ms. */
const leaseTime = 15_000;
/** Pauses in ms: while another window reads, after a failure of the store, and between two merges of the index. */
const [turnWait, failureWait, tidyPause] = [1000, 60_000, 20];

/** Whether a file was read, or its bytes were known already. */
type How = 'read' | 'known';

/** A caller that waits for a file. */
interface Asker {
  readonly path: string;
  resolve(how: How): void;
  reject(error: unknown): void;
}

/**
 * Reads files that are here and unknown: requested ones first, then the newest. One window at a time reads; bytes that
 * any window has read are never read again, and failures are tried again only when the file changed or on request.
 */
export class ReadingQueue {
  readonly #options: ReadingQueueOptions;
  /** Aborts what is being read. */
  #reading = new AbortController();
  #isDisposed = false;
  /** Whether PDFs are read without being requested. */
  #isEnabled = false;
  readonly #askers = new Set<Asker>();
  #progress: TextCoverage['reading'] = null;
  /** Whether the index has parts to merge. */
  #isUntidy = false;
  #wake = Promise.withResolvers<void>();

  constructor(options: ReadingQueueOptions) {
    this.#options = options;
    void this.#run();
  }

  /** Something changed that reading depends on. */
  wake(): void {
    this.#wake.resolve();
  }

  setEnabled(isEnabled: boolean): void {
    this.#isEnabled = isEnabled;
    this.wake();
  }

  /** What keeps PDFs from being read by themselves. */
  get paused(): PauseReason | null {
    if (!this.#isEnabled) return 'off';
    return this.#options.store.isPaused ? 'person' : null;
  }

  /** The PDF that this window reads, and how many of its pages have been read. */
  get progress(): TextCoverage['reading'] {
    return this.#progress;
  }

  /** Resolves once this is read or turns out to be known; with undefined where it is not here, or not any more. */
  async readNow(sha256: string, signal: AbortSignal): Promise<ReadOutcome | undefined> {
    const { here } = this.#options;
    const standing = here.of(sha256);
    if (!standing || (standing.isHashed && isKept(standing))) return outcomeOf(standing, sha256, 'known');
    const { path } = standing;
    const { promise, resolve, reject } = Promise.withResolvers<How>();
    const asker = { path, resolve, reject };
    this.#askers.add(asker);
    this.wake();
    try {
      const how = await unlessAborted(promise, signal);
      return outcomeOf(here.at(path), sha256, how);
    } finally {
      this.#askers.delete(asker);
    }
  }

  /** Stops what is being read, and rejects all requests. */
  cancel(): void {
    this.#stop(new DOMException('Reading was canceled.', 'AbortError'));
    this.#reading = new AbortController();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stop(textError('worker-stopped'));
  }

  #stop(reason: Error): void {
    this.#reading.abort(reason);
    for (const { reject } of this.#askers) reject(reason);
    this.wake();
  }

  async #run(): Promise<void> {
    while (!this.#isDisposed) {
      this.#wake = Promise.withResolvers();
      const { signal } = this.#reading;
      const [asker] = this.#askers;
      try {
        const wait = await this.#step(asker?.path, signal);
        if (wait !== 0) await this.#sleep(wait, signal);
      } catch (error) {
        if (signal.aborted) continue;
        asker?.reject(error);
        this.#options.failed(error);
        if (!this.#isDisposed) await this.#sleep(failureWait, signal).catch(() => undefined);
      }
    }
  }

  /** Waits for so many ms, null for ever, or until something changes. */
  async #sleep(ms: number | null, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const waited = ms === null ? [] : [this.#options.clock.sleep(ms, over.signal).catch(() => undefined)];
    await unlessAborted(Promise.race([this.#wake.promise, ...waited]), signal).finally(() => over.abort());
  }

  /** Does the next thing; returns the pause before the one after in ms, null for as long as nothing changes. */
  async #step(asked: string | undefined, signal: AbortSignal): Promise<number | null> {
    const { here, store } = this.#options;
    const path = asked ?? (this.paused === null ? here.next()?.path : undefined);
    if (path === undefined) {
      this.#isUntidy &&= store.tidy();
      return this.#isUntidy ? tidyPause : null;
    }
    return (await this.#inTurn(path, asked !== undefined, signal)) ? 0 : turnWait;
  }

  /** Reads a file while no other window reads; false where this window has to try again later. */
  async #inTurn(path: string, isAsked: boolean, signal: AbortSignal): Promise<boolean> {
    const { leases } = this.#options;
    const options = { ttl: leaseTime, signal };
    const read = (held: AbortSignal) => this.#read(path, isAsked, held);
    try {
      if (!isAsked) {
        if (await leases.isLeased(askedLease)) return false;
        return (await leases.leaseIfFree(readingLease, read, options)) !== undefined;
      }
      const readNext = (held: AbortSignal) => leases.lease(readingLease, read, { ...options, signal: held });
      await leases.lease(askedLease, readNext, options);
      return true;
    } catch (error) {
      // Another window took over from one that stood still, as after a suspension.
      if (error instanceof LeaseLost) return false;
      throw error;
    }
  }

  async #read(path: string, isAsked: boolean, signal: AbortSignal): Promise<void> {
    const { here, changed } = this.#options;
    signal.throwIfAborted();
    const standing = here.at(path);
    this.#progress = { path };
    changed();
    try {
      const isKnown = !standing || (standing.isHashed && isKept(standing));
      const how = isKnown ? 'known' : await this.#index(standing, isAsked, signal);
      // Those who ask after this moment get the file read again.
      for (const asker of this.#askers)
        if (asker.path === path) {
          this.#askers.delete(asker);
          asker.resolve(how);
        }
    } finally {
      this.#progress = null;
      changed();
    }
  }

  /** Reads a file and keeps what it is. Bytes that differ from the claimed ones are neither parsed nor kept. */
  async #index({ path, claimed, day }: Standing, isAsked: boolean, signal: AbortSignal): Promise<How> {
    const { store, reader, changed } = this.#options;
    const held = store.pdf(claimed);
    const isWanted = (sha256: string) => sha256 === claimed && (held === null || (isAsked && !isKept(held)));
    const before = fileSeen(path);
    const onPages = (pages: number, of: number) => {
      this.#progress = { path, pages, of };
      changed();
    };
    const read = await reader.read(path, { signal, onPages, isWanted });
    const file = fileSeen(path);
    const { sha256 } = read;
    if (file.bytes !== before.bytes || file.mtimeMs !== before.mtimeMs) return this.#keep(file, { failure: 'changed' });
    if (sha256 !== null && !isWanted(sha256)) {
      const failure = sha256 === claimed ? undefined : await rewrittenByGit(path, claimed, signal);
      this.#keep(file, failure ? { failure } : { sha256 });
      return store.pdf(sha256) ? 'known' : 'read';
    }
    // A failure of the file and not of its bytes: another file with these bytes may be readable.
    if (read.kind === 'failed' && (sha256 === null || read.reason === 'changed' || read.reason === 'unreadable-file'))
      return this.#keep(file, { failure: read.reason });
    const prepared = await prepare({ ...read, sha256: claimed, bytes: file.bytes }, breather());
    signal.throwIfAborted();
    this.#isUntidy = true;
    return this.#keep(file, { sha256: claimed }, prepared, day);
  }

  #keep(file: SeenFile, content: FileContent, prepared?: PreparedPdf, day = 0): How {
    const { store, here } = this.#options;
    store.db.transaction(() => {
      if (prepared) store.keep(prepared, day);
      store.noteFile(file, content);
      here.measured(file);
    });
    return 'read';
  }
}

/** Size and time of a file; of one that can't be read, zeros. */
function fileSeen(path: string): SeenFile {
  try {
    const { size, mtimeMs } = statSync(path);
    return { path, bytes: size, mtimeMs };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return { path, bytes: 0, mtimeMs: 0 };
  }
}

const isKept = ({ state }: Pick<Standing, 'state'>) => state === 'text' || state === 'without-text';

function outcomeOf(standing: Standing | undefined, sha256: string, how: How): ReadOutcome | undefined {
  if (!standing) return undefined;
  const { state } = standing;
  if (state === 'waiting' || (isKept(standing) && standing.sha256 !== sha256))
    return { sha256, status: 'failed', reason: 'changed' };
  if (state === 'text') return { sha256, status: how, pages: standing.pages ?? 0 };
  return state === 'without-text'
    ? { sha256, status: state, pages: standing.pages ?? 0 }
    : { sha256, status: 'failed', reason: state };
}
