import * as z from 'zod/mini';
import { Emitter, type Event } from '../base/disposable.ts';
import { l10n } from '../base/l10n.ts';
import type { Logger } from '../base/logger.ts';
import { nothing, type Side, threadSide } from '../base/rpc.ts';
import { WorkerThread } from '../base/workerThread.ts';
import type { ReaderFailure, WatchedFailure } from './readerMessages.ts';
import type { Snippet } from './snippet.ts';
import { TextError, type TextProblem, textError } from './textError.ts';

/** A PDF that is here for this window. */
export interface HerePdf {
  readonly path: string;
  /** As a lock row or the cache's name claims; what counts is what its bytes give once they were hashed. */
  readonly sha256: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  /** Days since 1970, to sort its pages newest first: of publication, else the end of the fiscal year, else 0. */
  readonly day: number;
}

export interface CoveredPdf {
  readonly path: string;
  /** Its own where it is known, else the claimed one. */
  readonly sha256: string;
  /** Null as long as it has not been read. */
  readonly pages: number | null;
}

/** Why nothing is read at the moment: a person paused it, or the setting is off. */
export type PauseReason = 'person' | 'off';

/** How many of the PDFs here can be searched, and which not, and why. Each PDF counts once, by its hash. */
export interface TextCoverage {
  readonly searchable: number;
  readonly withoutText: number;
  readonly failed: number;
  readonly waiting: number;
  /** What this window is reading, with how many of how many pages were read once that is known. */
  readonly reading: {
    readonly path: string;
    readonly pages?: number | undefined;
    readonly of?: number | undefined;
  } | null;
  readonly paused: PauseReason | null;
  readonly lists: {
    readonly withoutText: readonly (CoveredPdf & PdfLacks)[];
    /** A file with other bytes than are claimed for it is `changed`, by the claimed hash. */
    readonly failed: readonly (CoveredPdf & { readonly reason: ReadFailure })[];
    readonly waiting: readonly CoveredPdf[];
    /** Searchable, but for what they lack. */
    readonly partly: readonly (CoveredPdf & PdfLacks)[];
  };
}

/** A page that was found. */
export interface PageHit extends Snippet {
  readonly sha256: string;
  /** From 1. */
  readonly page: number;
  /** The printed label, null when the PDF names none. */
  readonly label: string | null;
}

/** A part of the hits, newest first. */
export interface FoundPages {
  readonly hits: readonly PageHit[];
  /** Where the next part begins; null at the end. */
  readonly next: string | null;
  /** What a preview highlights, each a word, the beginning of one, or a phrase, in the normal form. */
  readonly terms: readonly string[];
}

export interface FindPages {
  readonly query: string;
  /** Narrowed to these; null for all that reports of the library in use are known for. */
  readonly shas: readonly string[] | null;
  readonly limit: number;
  /** `next` of the part before, null for the first. */
  readonly cursor: string | null;
}

export interface ReadOutcome {
  /** As it was asked for. */
  readonly sha256: string;
  readonly status: 'read' | 'known' | 'without-text' | 'failed';
  readonly pages?: number | undefined;
  readonly reason?: ReadFailure | undefined;
}

/** Why a PDF can't be read. The last two are files that Git changed. */
export type ReadFailure = ReaderFailure | WatchedFailure | 'reader-died' | 'lfs-pointer' | 'line-ends';

/** The text of one page in the normal form. */
export interface PageText {
  /** The printed label, null when the PDF names none. */
  readonly label: string | null;
  readonly text: string;
}

/** Parts of a PDF that have text which can't be searched. */
export interface Unread {
  /** Pages, from 1, whose fonts don't say which characters they show. */
  readonly unreadable: readonly number[];
  /** Names of attached files: the PDF's own words. */
  readonly attachments: readonly string[];
}

/** What a PDF lacks in the index. */
export interface PdfLacks extends Unread {
  /** Pages that could not be read, from 1. */
  readonly damaged: readonly number[];
  /** Number of pages beyond the limit. */
  readonly left: number;
  /** How many pages have no text, as pictures of pages have none. */
  readonly empty: number;
}

interface ReadBytes extends Partial<Unread> {
  readonly sha256: string;
  readonly bytes: number;
}

/** What became of reading a PDF. Hashes are SHA-256 of the bytes that were read, in lower case. */
export type ReadPdf =
  | (ReadBytes & { readonly kind: 'read'; readonly pages: readonly PageText[] } & Pick<PdfLacks, 'damaged' | 'left'>)
  | (ReadBytes & { readonly kind: 'without-text'; readonly pages: number })
  | { readonly kind: 'failed'; readonly sha256: string | null; readonly reason: ReadFailure };

/** What the thread of the text index is asked. Each call has one parameter, null where it needs none. */
export interface TextMethods {
  /** What PDFs are here for this window, complete: what is missing from it is not found any more. */
  setHere(pdfs: readonly HerePdf[]): void;
  /** Which bytes the library of the connection in use publishes, by their hashes. Only these are found. */
  setPublished(sha256s: readonly string[]): void;
  /** Whether this window reads PDFs without being asked to. */
  setEnabled(isEnabled: boolean): void;
  /** Of all that are here, or of those with these hashes. */
  coverage(sha256s: readonly string[] | null): TextCoverage;
  /** Newest PDFs first, pages in order. Rejects with the problem `query` for a query that can't be understood. */
  search(asked: FindPages): FoundPages;
  /** Reads these now, before others and while reading is paused. Files that aren't here are left out. */
  readNow(sha256s: readonly string[]): readonly ReadOutcome[];
  /** All pages of a PDF, from the first; null where their text is not kept whole. */
  pagesOf(sha256: string): readonly PageText[] | null;
  /** Pauses reading in all windows, also after a restart, or resumes it. */
  setPaused(isPaused: boolean): void;
  /** Gives up what is being read here, and pauses. */
  cancelReading(nothing: null): void;
  /** What the index takes on disk. */
  bytes(nothing: null): number;
  /** Hashes of everything that is kept, whichever window brought it. */
  held(nothing: null): readonly string[];
  forget(sha256s: readonly string[]): void;
  /** Deletes everything that is kept. The files here are read again, unless reading is paused or off. */
  deleteAll(nothing: null): void;
}

type TextParams<N extends keyof TextMethods> = Parameters<TextMethods[N]>[0];
type TextResult<N extends keyof TextMethods> = ReturnType<TextMethods[N]>;

/** How a window's calls are answered. */
export type TextHandlers = {
  readonly [N in keyof TextMethods]: (
    params: TextParams<N>,
    signal: AbortSignal,
  ) => TextResult<N> | Promise<TextResult<N>>;
};

export const textMethods = [
  ...['setHere', 'setPublished', 'setEnabled', 'coverage', 'search', 'readNow', 'pagesOf', 'setPaused'],
  ...['cancelReading', 'bytes', 'held', 'forget', 'deleteAll'],
] as (keyof TextMethods)[];

/** `close` ends reading and closes the file. */
export const textSide = threadSide<TextMethods & { close(): void }>([...textMethods, 'close']);

/** Its own messages: that something new is found or covered, or no longer, and lines for the log. */
export const textEvents = {
  calls: {},
  events: { change: nothing, log: z.custom<{ readonly level: keyof Logger; readonly message: string }>() },
} satisfies Side;

/**
 * The text of the PDFs on this machine, as one window sees it. Nothing is opened before the first call. Calls reject
 * with a `TextError`, whose message can be shown, or with the signal's reason once it aborts.
 */
export type TextIndex = {
  readonly [N in keyof TextMethods]: (params: TextParams<N>, signal?: AbortSignal) => Promise<TextResult<N>>;
} & {
  /** Fires whichever window did it. */
  readonly onDidChange: Event<null>;
  dispose(): Promise<void>;
};

export interface TextWorkerOptions {
  readonly path: string;
  /** Path of the script that reads PDFs in a process of its own. */
  readonly reader: string;
}

export interface TextIndexOptions extends TextWorkerOptions {
  /** The worker's script: the bundle's, or `text.worker.ts` itself where Node runs it. */
  readonly worker: URL;
  readonly logger: Logger;
}

/** The text index in its worker thread, which starts with the first call, and again with the next after it died. */
export function openTextIndex({ path, reader, worker: script, logger }: TextIndexOptions): TextIndex {
  const changes = new Emitter<null>();
  /** What a thread has to hear again when it is restarted. */
  const settings = new Map<keyof TextMethods, readonly [never]>();
  const workerData: TextWorkerOptions = { path, reader };
  const thread = new WorkerThread({
    ...{ script, worker: { workerData, name: 'report-library-text' } },
    ...{ mine: textEvents, theirs: textSide, log: logger },
    handlers: {
      calls: {},
      events: { change: () => changes.fire(null), log: ({ level, message }) => logger[level](message) },
    },
    // The thread speaks English.
    revive: ({ message, problem }) => new TextError((problem ?? 'unexpected') as TextProblem, l10n.word(message)),
    stopped: (cause) => textError('worker-stopped', cause),
    started(channel) {
      // The call that made the thread start fails for the same reason.
      for (const [name, params] of settings) channel.call(name, params as never).catch(() => {});
    },
  });
  const callOf = (name: keyof TextMethods) => (params: never, signal?: AbortSignal) => {
    if (name === 'setHere' || name === 'setPublished' || name === 'setEnabled') settings.set(name, [params]);
    return thread.call(name, [params] as never, signal);
  };
  const calls = Object.fromEntries(textMethods.map((name) => [name, callOf(name)]));
  return {
    ...(calls as unknown as Omit<TextIndex, 'onDidChange' | 'dispose'>),
    onDidChange: changes.event,
    async dispose() {
      await thread.dispose(['close', []]);
      changes.dispose();
    },
  };
}
