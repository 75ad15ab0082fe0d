import { type ChildProcess, fork } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { type Clock, linkSignals, unlessAborted } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { linesOf, type PlacedLine, type PlacedText } from '../base/placedText.ts';
import { Channel, type Port } from '../base/rpc.ts';
import { Semaphore } from '../base/semaphore.ts';
import { locate } from './match.ts';
import {
  maxPages,
  maxPdfText,
  type PictureWish,
  type ReaderAnswer,
  readerSide,
  takerSide,
  watchedFailures,
} from './readerMessages.ts';
import type { PageText, ReadFailure, ReadPdf } from './textIndex.ts';

/**
 * How long a PDF is waited for, in ms: so long, and a little longer for each page that has come. What it may compute
 * is far less, and the process itself sees to that; this is for what stands still, such as a drive that has gone.
 */
const [fileTime, pageTime] = [120_000, 200];
/** After so many ms without anything to read the process ends. */
const idleTime = 15_000;

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after each page with the number of pages read, and of how many. */
  readonly onPages?: (pages: number, of: number) => void;
  /** Decides by a file's hash whether it is parsed; one that isn't fails as `changed`. */
  readonly isWanted?: (sha256: string) => boolean;
}

export interface PdfReaderOptions {
  /** Path of `reader.worker.js`, or of `reader.worker.ts` where Node runs it. */
  readonly script: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Reads PDFs, one at a time and as the least urgent work on the machine, in a process of its own that ends when it has
 * been idle for a while. A PDF is hostile: one that loops, wants all memory or kills the process is reported as
 * failed, and the next one finds a new process.
 */
export class PdfReader implements Disposable {
  readonly #options: PdfReaderOptions;
  readonly #turns = new Semaphore(1);
  readonly #end = new AbortController();
  #process: ReaderProcess | null = null;
  /** Aborted by the next PDF to read. */
  #idle = new AbortController();

  constructor(options: PdfReaderOptions) {
    this.#options = options;
  }

  /**
   * All text of a PDF, in the normal form, or why there is none; never rejects for what the PDF is. Rejects with the
   * reason of the signal when it aborts, and once this is disposed.
   */
  read(path: string, options: ReadOptions = {}): Promise<ReadPdf> {
    return this.#inTurn((process) => process.read(resolve(path), options), options.signal);
  }

  /** Where words are printed on a page, a line each. Empty where they can't be found, or the file has another hash. */
  async lines(
    pdf: HashedPdf,
    { page, exact, prefix }: { readonly page: number; readonly exact: string; readonly prefix: string },
    signal?: AbortSignal,
  ): Promise<PlacedLine[]> {
    const placed = await this.placedText(pdf, page, signal);
    const found = placed && locate(placed.text, { exact, prefix });
    return found ? linesOf(placed, ...found) : [];
  }

  /** The one text of a page, from 1, with its boxes; null where it can't be read, or has another hash than is given. */
  async placedText(
    pdf: Pick<HashedPdf, 'path'> & Partial<HashedPdf>,
    page: number,
    signal?: AbortSignal,
  ): Promise<(PlacedText & Pick<PageText, 'label'>) | null> {
    const asked = { path: resolve(pdf.path), page };
    const read = await this.#inTurn(
      (process) => process.onPage((channel) => channel.call('placedText', asked)),
      signal,
    );
    return read && read.sha256 === (pdf.sha256 ?? read.sha256) ? read.page : null;
  }

  /** A PNG of a page around its marks; null where it can't be drawn, or the file has another hash. */
  async picture(pdf: HashedPdf, part: PictureWish, signal?: AbortSignal) {
    const asked = { path: resolve(pdf.path), ...part };
    const drawn = await this.#inTurn((process) => process.onPage((channel) => channel.call('picture', asked)), signal);
    return drawn?.sha256 === pdf.sha256 ? drawn.png : null;
  }

  dispose(): void {
    this.#end.abort();
    this.#idle.abort();
    this.#process?.end('reader-died');
  }

  async #inTurn<T>(work: (process: ReaderProcess) => Promise<T>, given?: AbortSignal): Promise<T> {
    const { signal, unlink } = linkSignals(given, this.#end.signal);
    try {
      return await this.#turns.run(() => this.#run(work, signal), true, signal);
    } finally {
      unlink();
    }
  }

  async #run<T>(work: (process: ReaderProcess) => Promise<T>, signal: AbortSignal): Promise<T> {
    this.#idle.abort();
    this.#idle = new AbortController();
    if (!this.#process?.isAlive) this.#process = new ReaderProcess(this.#options);
    const process = this.#process;
    try {
      return await unlessAborted(work(process), signal);
    } finally {
      if (signal.aborted) process.end('reader-died');
      else void this.#endWhenIdle(process, this.#idle.signal);
    }
  }

  async #endWhenIdle(process: ReaderProcess, busy: AbortSignal): Promise<void> {
    if (await isOver(this.#options.clock, idleTime, busy)) process.end('reader-died');
  }
}

/** A PDF, and the only bytes that are meant. */
export interface HashedPdf {
  readonly path: string;
  readonly sha256: string;
}

/** True after so long (ms); false once the signal aborts. */
function isOver(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return clock.sleep(ms, signal).then(
    () => true,
    () => false,
  );
}

interface PagesSoFar extends ReadOptions {
  readonly pages: PageText[];
  text: number;
  sha256: string | null;
}

type ReaderChannel = Channel<typeof takerSide, typeof readerSide>;

/** One process, from its start to its end. */
class ReaderProcess {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #child: ChildProcess;
  readonly #channel: ReaderChannel;
  /** Settles when it is over, and all that it said is here. */
  readonly #closed: Promise<void>;
  #reading: PagesSoFar | null = null;
  #lastWords = '';
  /** Why it was ended from here. */
  #endedFor: ReadFailure | null = null;
  isAlive = true;

  constructor({ script, clock, logger }: PdfReaderOptions) {
    this.#clock = clock;
    this.#logger = logger;
    this.#child = forked(script);
    this.#channel = new Channel({
      ...{ port: childPort(this.#child), mine: takerSide, theirs: readerSide, log: logger },
      handlers: {
        calls: { isWanted: ({ sha256 }) => this.#isWanted(sha256), take: ({ page, of }) => this.#take(page, of) },
        events: {},
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

  async read(path: string, options: ReadOptions): Promise<ReadPdf> {
    const reading: PagesSoFar = { ...options, pages: [], text: 0, sha256: null };
    this.#reading = reading;
    try {
      const { answer } = await this.#ask((channel) => channel.call('read', { path }), reading.pages);
      return readFrom(answer, reading);
    } catch (error) {
      // It died, or gave an answer that isn't one.
      this.end('reader-died');
      await this.#closed;
      const reason = this.#reason();
      this.#logger.warn(`A PDF could not be read: ${reason} (${error instanceof Error ? error.message : 'no error'}).`);
      return { kind: 'failed', sha256: reading.sha256, reason };
    } finally {
      this.#reading = null;
    }
  }

  /** What is found on a page; undefined when the PDF ended the process. */
  async onPage<T extends { readonly spent: boolean }>(ask: (channel: ReaderChannel) => Promise<T>) {
    try {
      return await this.#ask(ask, []);
    } catch (error) {
      this.end('reader-died');
      this.#logger.warn(`A page could not be read: ${error instanceof Error ? error.message : 'no error'}.`);
      return undefined;
    }
  }

  end(reason: ReadFailure): void {
    this.isAlive = false;
    this.#endedFor ??= reason;
    this.#child.kill('SIGKILL');
  }

  /** Asks it, and ends it when that takes too long, or when it asks for a new process itself. */
  async #ask<T extends { readonly spent: boolean }>(
    ask: (channel: ReaderChannel) => Promise<T>,
    pages: readonly PageText[],
  ): Promise<T> {
    const answered = new AbortController();
    void this.#endWhenSlow(pages, answered.signal);
    try {
      const answer = await ask(this.#channel);
      if (answer.spent) this.end('reader-died');
      return answer;
    } finally {
      answered.abort();
    }
  }

  #reason(): ReadFailure {
    return watchedFailures.find((word) => this.#lastWords.endsWith(word)) ?? this.#endedFor ?? 'reader-died';
  }

  async #endWhenSlow(pages: readonly PageText[], answered: AbortSignal): Promise<void> {
    const begun = this.#clock.monotonic();
    const left = () => begun + fileTime + pages.length * pageTime - this.#clock.monotonic();
    while (left() > 0) if (!(await isOver(this.#clock, left(), answered))) return;
    this.end('too-slow');
  }

  #isWanted(sha256: string): boolean {
    const reading = this.#current();
    reading.sha256 = sha256;
    return reading.isWanted?.(sha256) ?? true;
  }

  #take(page: PageText, of: number): null {
    const reading = this.#current();
    reading.pages.push(page);
    reading.text += page.text.length;
    if (reading.pages.length > maxPages || reading.text > maxPdfText) throw new Error('More than allowed.');
    reading.onPages?.(reading.pages.length, of);
    return null;
  }

  #current(): PagesSoFar {
    if (!this.#reading) throw new Error('Nothing is being read.');
    return this.#reading;
  }
}

function forked(script: string): ChildProcess {
  const { SystemRoot, LD_LIBRARY_PATH } = process.env;
  return fork(script, [], {
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
}

function readFrom(answer: ReaderAnswer, { pages, sha256 }: PagesSoFar): ReadPdf {
  if (answer.kind === 'failed') return answer;
  const { damaged, unreadable, attachments, bytes, left } = answer;
  if (answer.sha256 !== sha256 || [...damaged, ...unreadable].some((page) => page > pages.length))
    throw new Error('It contradicts itself.');
  if (pages.some(({ text }) => /[\p{L}\p{N}]/u.test(text))) return { ...answer, pages };
  if (damaged.length > 0) throw new Error('It contradicts itself.');
  return { kind: 'without-text', sha256, bytes, pages: pages.length + left, unreadable, attachments };
}

function childPort(child: ChildProcess): Port {
  return {
    // Sending to a child that has ended fails; its `close` event reports the end.
    post: (message) => void child.send(message as object, () => {}),
    onMessage(listener) {
      child.on('message', listener);
      return { dispose: () => void child.off('message', listener) };
    },
  };
}
