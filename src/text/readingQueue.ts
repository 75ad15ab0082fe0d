import { breather, type Clock, linkSignals } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { PagesRead } from './extract.ts';
import { type HashedContent, hashFile } from './hashedFile.ts';
import { type HereEntry, type HerePdfs, pauseReason } from './herePdfs.ts';
import { type PageStore, prepare, type StoredPdf } from './pages.ts';
import type { KeptPdfs } from './search.ts';
import { textError } from './textError.ts';
import type { PauseReason, ReadOutcome, ReadPdf, WindowState } from './textIndex.ts';
import { heartbeat, type Urgency, urgencies, type WindowTable } from './windows.ts';

export interface ReadingQueueOptions {
  readonly store: PageStore;
  readonly kept: KeptPdfs;
  readonly windows: WindowTable;
  readonly here: HerePdfs;
  readonly reader: { read(path: string, signal?: AbortSignal, onPages?: PagesRead): Promise<ReadPdf> };
  readonly onBattery: () => Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called whenever something else is found or covered. */
  readonly changed: () => void;
  /** Called when the store failed, before it is tried again after a while. */
  readonly failed: (error: unknown) => void;
}

/** How long another window's turn is waited for before a look, ms. */
const turnWait = 1000;
/** How long the battery or a failure of the store is waited for, ms. */
const longWait = 60_000;

/** Between two steps of putting the index in order others are answered, ms. */
const tidyPause = 20;

interface Asked {
  /** As it was asked for. */
  readonly sha256: string;
  readonly resolve: (outcome: ReadOutcome | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Turn {
  readonly generation: number;
  readonly end: AbortController;
}

/**
 * Reads what is here and not known yet: what was asked for first, then the newest. One window at a time reads; bytes that any window has
 * read are never read again, and failures are tried again only when the file changed or somebody asks.
 */
export class ReadingQueue {
  readonly #options: ReadingQueueOptions;
  readonly #end = new AbortController();
  readonly #asked = new Map<HereEntry, Asked[]>();
  #window: WindowState = { focused: false, enabled: false };
  #onBattery = false;
  #turn: Turn | null = null;
  #current: AbortController | null = null;
  #progress: { readonly path: string; readonly pages: number; readonly of: number } | null = null;
  #saidAt = Number.NEGATIVE_INFINITY;
  #said: Urgency = urgencies.none;
  #wake = Promise.withResolvers<void>();

  constructor(options: ReadingQueueOptions) {
    this.#options = options;
    void this.#run();
  }

  /** Something changed that reading depends on. */
  wake(): void {
    this.#wake.resolve();
  }

  setWindow(state: WindowState): void {
    this.#window = state;
    this.wake();
  }

  get paused(): PauseReason | null {
    return pauseReason(this.#options.windows.isPaused, this.#window.enabled, this.#onBattery);
  }

  /** How far the PDF is that is read in this window. */
  get progress(): { readonly path: string; readonly pages: number; readonly of: number } | null {
    return this.#progress;
  }

  /** Resolves once this is read or turns out to be known; with undefined where it is not here, or not any more. */
  readNow(sha256: string, signal: AbortSignal): Promise<ReadOutcome | undefined> {
    const { here } = this.#options;
    const entries = [...here.entries].filter((entry) => (entry.sha256 ?? entry.pdf.sha256) === sha256);
    const entry = entries.find((one) => here.state(one).kind === 'kept') ?? entries[0];
    if (!entry) return Promise.resolve(undefined);
    const state = here.state(entry);
    if (state.kind === 'kept' && state.isHashed) return Promise.resolve(this.#outcome(entry, sha256, 'known'));
    return new Promise((resolve, reject) => {
      const asked: Asked = { sha256, resolve, reject };
      this.#asked.set(entry, [...(this.#asked.get(entry) ?? []), asked]);
      signal.addEventListener('abort', () => this.#unask(entry, asked, signal), { once: true });
      this.wake();
    });
  }

  #unask(entry: HereEntry, asked: Asked, { reason }: AbortSignal): void {
    const others = this.#asked.get(entry)?.filter((one) => one !== asked) ?? [];
    if (others.length > 0) this.#asked.set(entry, others);
    else this.#asked.delete(entry);
    asked.reject(reason);
  }

  /** Gives up what is being read, and all that was asked for. */
  cancel(): void {
    this.#rejectAsked(new DOMException('Reading was cancelled.', 'AbortError'));
    this.#current?.abort();
  }

  dispose(): void {
    this.#end.abort();
    this.#rejectAsked(textError('worker-stopped'));
    this.wake();
    try {
      this.#leave();
    } catch {
      // Others take the turn once it has run out.
    }
  }

  #rejectAsked(error: unknown): void {
    for (const { reject } of [...this.#asked.values()].flat()) reject(error);
    this.#asked.clear();
  }

  async #run(): Promise<void> {
    const { clock, failed } = this.#options;
    while (!this.#end.signal.aborted) {
      this.#wake = Promise.withResolvers();
      let wait: number | null;
      try {
        wait = await this.#step();
      } catch (error) {
        if (this.#end.signal.aborted) return;
        this.#rejectAsked(error);
        // Not said to be over, since the store fails: it runs out, and others may have better luck.
        if (this.#turn) this.#drop(this.#turn);
        failed(error);
        wait = longWait;
      }
      if (wait === 0) continue;
      const over = new AbortController();
      const slept = wait === null ? [] : [clock.sleep(wait, over.signal).catch(() => undefined)];
      await Promise.race([this.#wake.promise, ...slept]);
      over.abort();
    }
  }

  /** Does the next thing; gives how long to wait before the one after, ms, null for as long as nothing changes. */
  async #step(): Promise<number | null> {
    const { kept, windows } = this.#options;
    kept.refresh();
    this.#dropGone();
    const asked = this.#asked.keys().next().value;
    if (!asked) await this.#lookAtBattery();
    const { paused } = this;
    const entry = asked ?? (paused === null ? this.#next() : undefined);
    if (this.#end.signal.aborted) return null;
    if (!entry) {
      if (this.#tidy()) return tidyPause;
      this.#leave();
      return paused === 'battery' ? longWait : null;
    }
    const urgency = asked ? urgencies.asked : this.#window.focused ? urgencies.focused : urgencies.waiting;
    this.#say(urgency);
    if (this.#turn && windows.isOutranked(urgency)) {
      this.#release();
      return turnWait;
    }
    const turn = this.#turn ?? this.#take(urgency);
    if (!turn) return turnWait;
    await this.#work(entry, turn);
    return 0;
  }

  #dropGone(): void {
    for (const [entry, list] of this.#asked) {
      if (this.#options.here.has(entry)) continue;
      this.#asked.delete(entry);
      for (const { resolve } of list) resolve(undefined);
    }
  }

  async #lookAtBattery(): Promise<void> {
    const before = this.#onBattery;
    this.#onBattery = await this.#options.onBattery();
    if (before !== this.#onBattery) this.#options.changed();
  }

  /** The newest of those that nobody has read; then those that are believed to be known but have not been hashed. */
  #next(): HereEntry | undefined {
    const { here } = this.#options;
    let best: HereEntry | undefined;
    let bestRank = Number.NEGATIVE_INFINITY;
    for (const entry of here.entries) {
      const state = here.state(entry);
      const isSettled =
        state.kind === 'failed' || (state.kind === 'kept' && state.isHashed && !isDatedAnew(entry, state.pdf));
      if (isSettled) continue;
      const rank = entry.pdf.day - (state.kind === 'kept' ? 1_000_000 : 0);
      if (rank > bestRank) [best, bestRank] = [entry, rank];
    }
    return best;
  }

  #say(urgency: Urgency): void {
    const now = this.#options.clock.monotonic();
    if (urgency === this.#said && (urgency === urgencies.none || now - this.#saidAt < heartbeat)) return;
    this.#options.windows.beat(urgency);
    [this.#said, this.#saidAt] = [urgency, now];
  }

  #take(urgency: Urgency): Turn | null {
    const generation = this.#options.windows.acquire(urgency);
    if (generation === null) return null;
    const turn = { generation, end: new AbortController() };
    this.#turn = turn;
    void this.#keep(turn);
    return turn;
  }

  /** Says now and then that this window is still reading. */
  async #keep(turn: Turn): Promise<void> {
    const { clock, windows, logger } = this.#options;
    for (;;) {
      const isOver = await clock.sleep(heartbeat, turn.end.signal).then(
        () => false,
        () => true,
      );
      if (isOver) return;
      try {
        if (windows.renew(turn.generation)) continue;
        logger.info('Another window reads PDFs now.');
        return this.#drop(turn);
      } catch (error) {
        logger.debug(`The turn to read could not be kept: ${String(error)}`);
      }
    }
  }

  #release(): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#drop(turn);
    this.#options.windows.release(turn.generation);
  }

  #drop(turn: Turn): void {
    if (this.#turn === turn) this.#turn = null;
    turn.end.abort();
  }

  /** After something was read. True when there is more to put in order. */
  #tidy(): boolean {
    if (!this.#turn) return false;
    try {
      return this.#options.store.tidy();
    } catch (error) {
      // The next time will do.
      this.#options.logger.debug(`The text index was not put in order: ${String(error)}`);
      return false;
    }
  }

  #leave(): void {
    this.#release();
    this.#say(urgencies.none);
  }

  async #work(entry: HereEntry, turn: Turn): Promise<void> {
    const { windows, changed } = this.#options;
    this.#current = new AbortController();
    const { signal, unlink } = linkSignals(this.#current.signal, turn.end.signal, this.#end.signal);
    try {
      windows.reads(turn.generation, entry.pdf.path);
      changed();
      const how = await this.#read(entry, turn, signal);
      if (how) this.#answer(entry, how);
      else this.#drop(turn);
    } catch (error) {
      // Given up; whoever asked has been told, or the other window reads it.
      if (!signal.aborted) throw error;
    } finally {
      unlink();
      this.#current = null;
      this.#progress = null;
      if (this.#turn === turn && !this.#end.signal.aborted) windows.reads(turn.generation, null);
      changed();
    }
  }

  #answer(entry: HereEntry, how: 'read' | 'known'): void {
    const list = this.#asked.get(entry) ?? [];
    this.#asked.delete(entry);
    for (const { sha256, resolve } of list) resolve(this.#outcome(entry, sha256, how));
  }

  #outcome(entry: HereEntry, sha256: string, how: 'read' | 'known'): ReadOutcome {
    const state = this.#options.here.state(entry);
    if (state.kind === 'failed') return { sha256, status: 'failed', reason: state.reason };
    if (state.kind === 'waiting' || state.pdf.sha256 !== sha256) return { sha256, status: 'failed', reason: 'changed' };
    const { pages } = state.pdf;
    return { sha256, status: state.pdf.state === 'text' ? how : 'without-text', pages };
  }

  /** Undefined when another window has taken the turn, and the file was read for nothing. */
  async #read(entry: HereEntry, turn: Turn, signal: AbortSignal): Promise<'read' | 'known' | undefined> {
    const { here, store, kept, reader } = this.#options;
    const { path } = entry.pdf;
    here.lookAgain(entry);
    const before = here.state(entry);
    if (before.kind === 'kept' && before.isHashed) {
      store.moveToDay(before.pdf, entry.pdf.day);
      return 'known';
    }
    const hashed = await hashFile(path, signal);
    if ('failure' in hashed.content) return this.#note(entry, hashed, turn, 'read');
    const { sha256 } = hashed.content;
    const held = store.pdf(sha256);
    const isToTryAgain = held !== null && isFailed(held) && this.#asked.has(entry);
    if (held !== null && !isToTryAgain) return this.#note(entry, hashed, turn, 'known');
    // Edited, or said to be what it is not: these bytes are nobody's, and are neither looked into nor kept.
    if (held === null && sha256 !== entry.pdf.sha256) return this.#note(entry, hashed, turn, 'read');
    const read = await reader.read(path, signal, (pages, of) => {
      this.#progress = { path, pages, of };
      this.#options.changed();
    });
    const failure = failureOf(read, sha256);
    if (failure) return this.#note(entry, { ...hashed, content: { failure } }, turn, 'read');
    const prepared = await prepare({ ...read, sha256, bytes: hashed.file.bytes }, breather());
    signal.throwIfAborted();
    const isKept = store.db.transaction(() => {
      if (!this.#options.windows.holds(turn.generation)) return false;
      store.keep(prepared, entry.pdf.day);
      store.noteFile(hashed.file, hashed.content);
      return true;
    });
    if (!isKept) return undefined;
    kept.refresh();
    here.know(entry, sha256, null);
    return 'read';
  }

  #note(entry: HereEntry, { file, content }: HashedContent, turn: Turn, how: 'read' | 'known'): typeof how | undefined {
    const { store, windows, here } = this.#options;
    const isNoted = store.db.transaction(() => {
      if (!windows.holds(turn.generation)) return false;
      store.noteFile(file, content);
      return true;
    });
    if (!isNoted) return undefined;
    if ('sha256' in content) here.know(entry, content.sha256, null);
    else here.know(entry, null, content.failure);
    return how;
  }
}

/** Whether a PDF that had no date when it was read has one now. */
function isDatedAnew(entry: HereEntry, { day }: { readonly day: number }): boolean {
  return day === 0 && entry.pdf.day > 0;
}

function isFailed({ state }: StoredPdf): boolean {
  return state !== 'text' && state !== 'without-text';
}

/** A failure that is the file's and not that of its bytes: the next file with these bytes may be read. */
function failureOf(read: ReadPdf, sha256: string): 'changed' | 'unreadable-file' | null {
  if (read.kind === 'failed' && (read.reason === 'changed' || read.reason === 'unreadable-file')) return read.reason;
  return read.sha256 !== null && read.sha256 !== sha256 ? 'changed' : null;
}
