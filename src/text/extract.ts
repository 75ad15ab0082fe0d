import { type ChildProcess, fork } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { type Clock, linkSignals } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { Channel, type Port } from '../base/rpc.ts';
import { Semaphore } from '../base/semaphore.ts';
import {
  maxPages,
  maxText,
  type PictureWish,
  type ReaderAnswer,
  readerSide,
  takerSide,
  type WantedWords,
  watchedFailures,
} from './readerMessages.ts';
import type { PageText, ReadFailure, ReadPdf } from './textIndex.ts';

export interface ReaderLimits {
  /**
   * How long a PDF is waited for, in ms: so long, and a little longer for each page that has come. What it may compute
   * is far less, and the process itself sees to that; this is for what stands still, such as a drive that has gone.
   */
  readonly fileTime: number;
  readonly pageTime: number;
  /** After so many ms without anything to read the process ends. */
  readonly idleTime: number;
}

const usualLimits: ReaderLimits = { fileTime: 120_000, pageTime: 200, idleTime: 15_000 };

/** Told now and then while a PDF is read: how many of how many pages were. */
export type PagesRead = (pages: number, of: number) => void;

export interface PdfReaderOptions {
  /** Path of `reader.worker.js`, or of `reader.worker.ts` where Node runs it. */
  readonly script: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: Partial<ReaderLimits> | undefined;
}

/**
 * Reads PDFs, one at a time and as the least urgent work on the machine, in a process of its own that ends when it has
 * been idle for a while. A PDF is hostile: one that loops, wants all memory or kills the process is told as failed,
 * and the next one finds a new process.
 */
export class PdfReader implements Disposable {
  readonly #options: PdfReaderOptions;
  readonly #limits: ReaderLimits;
  readonly #turns = new Semaphore(1);
  readonly #end = new AbortController();
  #process: ReaderProcess | null = null;
  /** Aborted by the next PDF to read. */
  #idle = new AbortController();

  constructor(options: PdfReaderOptions) {
    this.#options = options;
    this.#limits = { ...usualLimits, ...options.limits };
  }

  /**
   * All text of a PDF, in the normal form, or why there is none; never rejects for what the PDF is. Rejects with the
   * reason of the signal when it aborts, and once this is disposed.
   */
  async read(path: string, signal?: AbortSignal, onPages: PagesRead = () => {}): Promise<ReadPdf> {
    return this.#inTurn((process, linked) => process.read(path, linked, onPages), signal);
  }

  /**
   * Where words lie on a page of a PDF, a line each, in points from the lower left. None where they can't be found, or
   * in bytes other than those of the hash.
   */
  async locate(pdf: { readonly path: string; readonly sha256: string }, words: WantedWords, signal?: AbortSignal) {
    return (await this.lines(pdf, words, signal)).map(({ box }) => box);
  }

  /** The same, with how many characters of the words, blanks aside, stand before each line. */
  async lines(pdf: { readonly path: string; readonly sha256: string }, words: WantedWords, signal?: AbortSignal) {
    const found = await this.#inTurn((process, linked) => process.locate(pdf.path, words, linked), signal);
    if (found?.sha256 !== pdf.sha256) return [];
    return found.rectangles.map((box, index) => ({ box, start: found.starts[index] ?? 0 }));
  }

  /** A PNG of a page around what is marked on it; null where it can't be drawn, or in bytes other than those of the hash. */
  async picture(pdf: { readonly path: string; readonly sha256: string }, part: PictureWish, signal?: AbortSignal) {
    const drawn = await this.#inTurn((process, linked) => process.picture(pdf.path, part, linked), signal);
    return drawn?.sha256 === pdf.sha256 ? drawn.png : null;
  }

  dispose(): void {
    this.#end.abort();
    this.#idle.abort();
    this.#process?.dispose();
  }

  async #inTurn<T>(
    work: (process: ReaderProcess, signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const linked = linkSignals(signal, this.#end.signal);
    try {
      return await this.#turns.run(() => this.#run(work, linked.signal), true, linked.signal);
    } finally {
      linked.unlink();
    }
  }

  async #run<T>(work: (process: ReaderProcess, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    this.#idle.abort();
    if (!this.#process?.isAlive) this.#process = new ReaderProcess(this.#options, this.#limits);
    try {
      return await work(this.#process, signal);
    } finally {
      if (!this.#end.signal.aborted) void this.#endWhenIdle(this.#process);
    }
  }

  async #endWhenIdle(process: ReaderProcess): Promise<void> {
    this.#idle = new AbortController();
    const { signal } = this.#idle;
    const isOver = await this.#options.clock.sleep(this.#limits.idleTime, signal).then(
      () => true,
      () => false,
    );
    if (isOver) process.dispose();
  }
}

interface PagesSoFar {
  readonly onPages: PagesRead;
  readonly pages: PageText[];
  text: number;
  sha256: string | null;
}

/** One process, from its start to its end. */
class ReaderProcess implements Disposable {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #limits: ReaderLimits;
  readonly #child: ChildProcess;
  readonly #channel: Channel<typeof takerSide, typeof readerSide>;
  /** Settles when it is over, and all that it said is here. */
  readonly #closed: Promise<void>;
  #reading: PagesSoFar | null = null;
  #lastWords = '';
  /** Why it was ended from here. */
  #endedFor: ReadFailure | null = null;
  isAlive = true;

  constructor({ script, clock, logger }: PdfReaderOptions, limits: ReaderLimits) {
    this.#clock = clock;
    this.#logger = logger;
    this.#limits = limits;
    const { SystemRoot, LD_LIBRARY_PATH } = process.env;
    this.#child = fork(script, [], {
      // What a process needs to start, and nothing that others may read out of it.
      env: {
        ELECTRON_RUN_AS_NODE: '1',
        ...(SystemRoot && { SystemRoot }),
        ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }),
      },
      cwd: dirname(script),
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#channel = new Channel({
      ...{ port: childPort(this.#child), mine: takerSide, theirs: readerSide, log: logger },
      handlers: {
        calls: { take: ({ pages, of }) => this.#take(pages, of) },
        events: { hashed: ({ sha256 }) => this.#hashed(sha256) },
      },
      explain: () => 'Not now.',
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-200);
    });
    this.#closed = new Promise((resolve) => {
      const closed = (why: string) => {
        this.isAlive = false;
        logger.debug(`The reader of PDFs ended: ${why}.`);
        this.#channel.dispose(new Error('The reader of PDFs ended.'));
        resolve();
      };
      this.#child.on('error', ({ message }) => closed(message));
      this.#child.on('close', (code, signal) => closed(String(code ?? signal)));
    });
  }

  read(path: string, signal: AbortSignal, onPages: PagesRead): Promise<ReadPdf> {
    return this.#within((reading) => this.#ask(path, reading), signal, onPages);
  }

  locate(path: string, words: WantedWords, signal: AbortSignal) {
    return this.#answerOf(() => this.#channel.call('locate', { path: resolve(path), ...words }), signal);
  }

  picture(path: string, part: PictureWish, signal: AbortSignal) {
    return this.#answerOf(() => this.#channel.call('picture', { path: resolve(path), ...part }), signal);
  }

  /** Undefined when the PDF ended the process. */
  #answerOf<T extends { readonly spent: boolean }>(ask: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    const answer = async () => {
      try {
        const found = await ask();
        if (found.spent) this.dispose();
        return found;
      } catch (error) {
        this.#endFor('reader-died');
        this.#logger.warn(`A page could not be looked at: ${error instanceof Error ? error.message : 'no error'}.`);
        return undefined;
      }
    };
    return this.#within(answer, signal);
  }

  async #within<T>(
    work: (reading: PagesSoFar) => Promise<T>,
    signal: AbortSignal,
    onPages: PagesRead = () => {},
  ): Promise<T> {
    const reading: PagesSoFar = { onPages, pages: [], text: 0, sha256: null };
    this.#reading = reading;
    const stop = new AbortController();
    const cancelled = Promise.withResolvers<never>();
    const onAbort = () => {
      this.dispose();
      cancelled.reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      void this.#endWhenSlow(reading, stop.signal);
      return await Promise.race([work(reading), cancelled.promise]);
    } finally {
      stop.abort();
      signal.removeEventListener('abort', onAbort);
      this.#reading = null;
    }
  }

  dispose(): void {
    this.#endFor('reader-died');
  }

  async #ask(path: string, reading: PagesSoFar): Promise<ReadPdf> {
    try {
      const { answer, spent } = await this.#channel.call('read', { path: resolve(path) });
      if (spent) this.dispose();
      return readFrom(answer, reading);
    } catch (error) {
      // It died, or gave an answer that isn't one.
      this.#endFor('reader-died');
      await this.#closed;
      const reason = this.#reason();
      this.#logger.warn(`A PDF could not be read: ${reason} (${error instanceof Error ? error.message : 'no error'}).`);
      return { kind: 'failed', sha256: reading.sha256, reason };
    }
  }

  #reason(): ReadFailure {
    return watchedFailures.find((word) => this.#lastWords.endsWith(word)) ?? this.#endedFor ?? 'reader-died';
  }

  #endFor(reason: ReadFailure): void {
    this.isAlive = false;
    this.#endedFor ??= reason;
    this.#child.kill('SIGKILL');
  }

  async #endWhenSlow({ pages }: PagesSoFar, stop: AbortSignal): Promise<void> {
    const begun = this.#clock.monotonic();
    const left = () => begun + this.#limits.fileTime + pages.length * this.#limits.pageTime - this.#clock.monotonic();
    while (left() > 0) {
      const isStopped = await this.#clock.sleep(left(), stop).then(
        () => false,
        () => true,
      );
      if (isStopped) return;
    }
    this.#endFor('too-slow');
  }

  #hashed(sha256: string): void {
    if (this.#reading) this.#reading.sha256 = sha256;
  }

  #take(pages: readonly PageText[], of: number): null {
    const reading = this.#reading;
    if (!reading) throw new Error('Nothing is read.');
    reading.pages.push(...pages);
    reading.text += pages.reduce((sum, { text }) => sum + text.length, 0);
    if (reading.pages.length > maxPages || reading.text > maxText) throw new Error('More than there may be.');
    reading.onPages(reading.pages.length, of);
    return null;
  }
}

function readFrom(answer: ReaderAnswer, { pages, sha256 }: PagesSoFar): ReadPdf {
  if (answer.kind === 'failed') return answer;
  const { damaged, hiding, bytes, left } = answer;
  if (answer.sha256 !== sha256 || [...damaged, ...hiding].some((page) => page > pages.length))
    throw new Error('It contradicts itself.');
  if (pages.some(({ text }) => /[\p{L}\p{N}]/u.test(text))) return { ...answer, pages };
  if (damaged.length > 0) throw new Error('It contradicts itself.');
  return { kind: 'without-text', sha256, bytes, pages: pages.length + left };
}

function childPort(child: ChildProcess): Port {
  return {
    // A child that has ended can't be told anything; that it ended is told by itself.
    post: (message) => void child.send(message as object, () => {}),
    onMessage(listener) {
      child.on('message', listener);
      return { dispose: () => void child.off('message', listener) };
    },
  };
}
