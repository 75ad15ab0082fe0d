import { breather, type Clock, linkSignals, unlessAborted } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { Semaphore } from '../base/semaphore.ts';
import { LeaseLost, type Leases } from '../machine/lease.ts';
import type { PagesRead } from './extract.ts';
import { type HashedContent, hashPdf } from './hashedFile.ts';
import type { HerePdfs, Standing } from './herePdfs.ts';
import { type PageStore, prepare } from './pages.ts';
import { textError } from './textError.ts';
import type { PauseReason, ReadOutcome, ReadPdf, TextCoverage } from './textIndex.ts';

export interface ReadingQueueOptions {
  readonly store: PageStore;
  /** Let one window at a time read, of all that share them. */
  readonly leases: Leases;
  readonly here: HerePdfs;
  readonly reader: { read(path: string, signal?: AbortSignal, onPages?: PagesRead): Promise<ReadPdf> };
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called whenever something else is found or covered. */
  readonly changed: () => void;
  /** Called when the store failed, before it is tried again after a while. */
  readonly failed: (error: unknown) => void;
}

/** Held while a PDF is read. */
const readingLease = 'text index reading';
/** Held by a window in which a person asked for a PDF: meanwhile, the others start no further one by themselves. */
const askedLease = 'text index asked';
/** How long a window that stopped without ending its process keeps others from reading, ms. */
const leaseTime = 15_000;
/** How long to wait while another window reads before trying again, ms. */
const turnWait = 1000;
/** How long to wait after a failure of the store before trying again, ms. */
const failureWait = 60_000;
/** Between two steps of putting the index in order others are answered, ms. */
const tidyPause = 20;

/**
 * Reads files that are here and unknown: requested ones first, then the newest. One window at a time reads; bytes that
 * any window has read are never read again, and failures are tried again only when the file changed or somebody asks.
 */
export class ReadingQueue {
  readonly #options: ReadingQueueOptions;
  readonly #turns = new Semaphore(1);
  /** Ends what is being read and asked for. */
  #reading = new AbortController();
  #isDisposed = false;
  /** Whether PDFs are read without being asked for. */
  #isEnabled = false;
  /** Who waits for the file that they asked for, and whether it is to be read though its bytes are known to fail. */
  readonly #askers = new Set<{ readonly path: string | undefined; isAnew: boolean }>();
  #progress: TextCoverage['reading'] = null;
  /** Whether something was kept since the index was last in order. */
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

  /** What keeps PDFs from being read unasked; what a person did comes first. */
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
    if (standing?.isHashed && isKept(standing)) return outcomeOf(standing, sha256, 'known');
    const linked = linkSignals(signal, this.#reading.signal);
    const asker = { path: standing?.path, isAnew: true };
    this.#askers.add(asker);
    try {
      for (let { path } = asker; path !== undefined; ) {
        const asked = path;
        const read = async () => {
          // What comes of a file that is read meanwhile is answered, and it is not read once more.
          const { isAnew } = asker;
          const how = await this.#readAsked(asked, isAnew, linked.signal);
          return how === 'known' && !isAnew ? 'read' : how;
        };
        const how = await this.#turns.run(read, true, linked.signal);
        if (how !== 'later') return outcomeOf(here.at(path), sha256, how);
        await this.#options.clock.sleep(turnWait, linked.signal);
        path = here.at(path)?.path;
      }
      return undefined;
    } finally {
      this.#askers.delete(asker);
      linked.unlink();
      this.wake();
    }
  }

  /** Gives up what is being read, and all that was asked for. */
  cancel(): void {
    this.#reading.abort(new DOMException('Reading was cancelled.', 'AbortError'));
    this.#reading = new AbortController();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#reading.abort(textError('worker-stopped'));
    this.wake();
  }

  async #run(): Promise<void> {
    while (!this.#isDisposed) {
      this.#wake = Promise.withResolvers();
      const { signal } = this.#reading;
      try {
        const wait = await this.#step(signal);
        if (wait !== 0) await this.#sleep(wait, signal);
      } catch (error) {
        // Given up: everything is looked at anew.
        if (signal.aborted) continue;
        this.#options.failed(error);
        if (!this.#isDisposed) await this.#sleep(failureWait, signal).catch(() => undefined);
      }
    }
  }

  /** Waits for so long, null for ever, or until something changes. */
  async #sleep(ms: number | null, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const waited = ms === null ? [] : [this.#options.clock.sleep(ms, over.signal).catch(() => undefined)];
    await unlessAborted(Promise.race([this.#wake.promise, ...waited]), signal).finally(() => over.abort());
  }

  /** Does the next thing; gives how long to wait before the one after, ms, null for as long as nothing changes. */
  async #step(signal: AbortSignal): Promise<number | null> {
    const { here } = this.#options;
    const next = this.paused === null && this.#askers.size === 0 ? here.next() : undefined;
    if (!next) {
      if (this.#askers.size === 0 && this.#tidy()) return tidyPause;
      return null;
    }
    const how = await this.#turns.run(() => this.#readUnasked(next.path, signal), false, signal);
    return how === 'later' ? turnWait : 0;
  }

  /** After something was kept. True when there is more to put in order. */
  #tidy(): boolean {
    try {
      this.#isUntidy &&= this.#options.store.tidy();
    } catch (error) {
      // The next time will do.
      this.#options.logger.debug(`The text index was not put in order: ${String(error)}`);
      return false;
    }
    return this.#isUntidy;
  }

  /** Reads a file that a person asked for as soon as no window reads another. Unreadable bytes are read again. */
  #readAsked(path: string, isAnew: boolean, signal: AbortSignal): Promise<'read' | 'known' | 'later'> {
    const { leases } = this.#options;
    const ttl = leaseTime;
    const read = (held: AbortSignal) => this.#read(path, isAnew, held);
    return laterIfLost(
      leases.lease(askedLease, (held) => leases.lease(readingLease, read, { ttl, signal: held }), { ttl, signal }),
    );
  }

  /** Reads a file, but leaves it for later while another window reads or a person asked for a file there. */
  async #readUnasked(path: string, signal: AbortSignal): Promise<'read' | 'known' | 'later'> {
    const { leases } = this.#options;
    if (await leases.isLeased(askedLease)) return 'later';
    const read = (held: AbortSignal) => this.#read(path, false, held);
    const turn = leases.leaseIfFree(readingLease, read, { ttl: leaseTime, signal });
    return laterIfLost(turn.then((taken) => taken?.result ?? 'later'));
  }

  /** Reads a file while this window holds the lease. */
  async #read(path: string, isAnew: boolean, signal: AbortSignal): Promise<'read' | 'known'> {
    const { changed } = this.#options;
    signal.throwIfAborted();
    this.#progress = { path };
    changed();
    try {
      const how = await this.#take(path, isAnew, signal);
      if (how === 'read') for (const asker of this.#askers) if (asker.path === path) asker.isAnew = false;
      return how;
    } finally {
      this.#progress = null;
      changed();
    }
  }

  async #take(path: string, isAnew: boolean, signal: AbortSignal): Promise<'read' | 'known'> {
    const { here, store, reader, changed } = this.#options;
    const standing = here.at(path);
    if (!standing) return 'known';
    if (standing.isHashed && isKept(standing)) {
      if (standing.isDatedAnew) store.moveToDay(standing.sha256, standing.day);
      return 'known';
    }
    const hashed = await hashPdf(path, signal, standing.claimed);
    const sha256 = 'sha256' in hashed.content ? hashed.content.sha256 : null;
    if (sha256 === null) return this.#keep(hashed, 'read');
    const held = store.pdf(sha256);
    if (held !== null && (isKept(held) || !isAnew)) return this.#keep(hashed, 'known');
    // Edited, or said to be what it is not: these bytes are nobody's, and are neither looked into nor kept.
    if (held === null && sha256 !== standing.claimed) return this.#keep(hashed, 'read');
    const read = await reader.read(path, signal, (pages, of) => {
      this.#progress = { path, pages, of };
      changed();
    });
    const failure = failureOf(read, sha256);
    if (failure) return this.#keep({ ...hashed, content: { failure } }, 'read');
    const prepared = await prepare({ ...read, sha256, bytes: hashed.file.bytes }, breather());
    signal.throwIfAborted();
    this.#isUntidy = true;
    return this.#keep(hashed, 'read', () => store.keep(prepared, standing.day));
  }

  /** Notes what a file is, and keeps what was read of it. */
  #keep<How>({ file, content }: HashedContent, how: How, keep = () => {}): How {
    const { store, here } = this.#options;
    store.db.transaction(() => {
      keep();
      store.noteFile(file, content);
      here.measured(file);
    });
    return how;
  }
}

/** Another window took over from one that stood still, as after a suspension: it reads now, and this one afterward. */
async function laterIfLost<How>(reading: Promise<How>): Promise<How | 'later'> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof LeaseLost) return 'later';
    throw error;
  }
}

const isKept = ({ state }: Pick<Standing, 'state'>) => state === 'text' || state === 'without-text';

function outcomeOf(standing: Standing | undefined, sha256: string, how: 'read' | 'known'): ReadOutcome | undefined {
  if (!standing) return undefined;
  const { state } = standing;
  if (state === 'waiting' || (isKept(standing) && standing.sha256 !== sha256))
    return { sha256, status: 'failed', reason: 'changed' };
  if (state === 'text') return { sha256, status: how, pages: standing.pages ?? 0 };
  return state === 'without-text'
    ? { sha256, status: state, pages: standing.pages ?? 0 }
    : { sha256, status: 'failed', reason: state };
}

/** A failure that is the file's and not that of its bytes: the next file with these bytes may be read. */
function failureOf(read: ReadPdf, sha256: string): 'changed' | 'unreadable-file' | null {
  if (read.kind === 'failed' && (read.reason === 'changed' || read.reason === 'unreadable-file')) return read.reason;
  return read.sha256 !== null && read.sha256 !== sha256 ? 'changed' : null;
}
