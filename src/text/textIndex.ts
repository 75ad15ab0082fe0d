import * as z from 'zod/mini';
import { Emitter, type Event } from '../base/disposable.ts';
import { isObject } from '../base/json.ts';
import { l10n } from '../base/l10n.ts';
import type { Logger } from '../base/logger.ts';
import { type Call, nothing, type Side, shape } from '../base/rpc.ts';
import { WorkerThread } from '../base/workerThread.ts';
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
    readonly withoutText: readonly CoveredPdf[];
    /** A file with other bytes than are claimed for it is `changed`, by the claimed hash. */
    readonly failed: readonly (CoveredPdf & { readonly reason: ReadFailure })[];
    readonly waiting: readonly CoveredPdf[];
    /** Searchable, but for these pages: damaged ones by number from 1, and how many lie beyond the cap. */
    readonly partly: readonly (CoveredPdf & { readonly damaged: readonly number[]; readonly left: number })[];
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

/** The text of one page in the normal form. */
export interface PageText {
  /** The printed label, null when the PDF names none. */
  readonly label: string | null;
  readonly text: string;
}

/** Why a PDF could not be read. */
export type ReadFailure =
  | 'encrypted'
  | 'not-a-pdf'
  | 'damaged'
  | 'empty'
  | 'too-slow'
  | 'too-much-memory'
  | 'too-large'
  | 'reader-died'
  | 'unreadable-file'
  /** It changed while it was read. */
  | 'changed';

/** What became of reading a PDF. Hashes are SHA-256 of the bytes that were read, in lower case. */
export type ReadPdf =
  | {
      readonly kind: 'read';
      readonly sha256: string;
      readonly bytes: number;
      readonly pages: readonly PageText[];
      /** Pages that could not be read, counted from 1. */
      readonly damaged: readonly number[];
      /** How many pages lie beyond the cap. */
      readonly left: number;
    }
  | { readonly kind: 'without-text'; readonly sha256: string; readonly bytes: number; readonly pages: number }
  | { readonly kind: 'failed'; readonly sha256: string | null; readonly reason: ReadFailure };

const text = z.string();
const texts = z.readonly(z.array(text));
const number = z.number();
/** Answers go over with their frame looked at alone: the other end is ours, and they may be long. */
const answer = <T extends object>() => z.custom<T>(isObject);
const list = <T>() => z.custom<readonly T[]>(Array.isArray);

const herePdf = shape<HerePdf>({ path: text, sha256: text, bytes: number, mtimeMs: number, day: number });
const limit = z.int().check(z.minimum(1), z.maximum(1000));
const findPages = shape<FindPages>({ query: text, shas: z.nullable(texts), limit, cursor: z.nullable(text) });

function call<P extends z.ZodMiniType, R extends z.ZodMiniType>(params: P, result: R) {
  return { params, result } satisfies Call;
}

/** What the thread of the text index is asked. */
export const textSide = {
  calls: {
    /** What PDFs are here for this window, complete: what is missing from it is not found any more. */
    setHere: call(z.readonly(z.array(herePdf)), nothing),
    /** Which bytes the library of the connection in use publishes, by their hashes. Only these are found. */
    setPublished: call(texts, nothing),
    /** Whether this window reads PDFs without being asked to. */
    setEnabled: call(z.boolean(), nothing),
    /** Of all that are here, or of those with these hashes. */
    coverage: call(z.nullable(texts), answer<TextCoverage>()),
    /** Newest PDFs first, pages in order. Rejects with the problem `query` for a query that can't be understood. */
    search: call(findPages, answer<FoundPages>()),
    /** Reads these now, before others and while reading is paused. Files that aren't here are left out. */
    readNow: call(texts, list<ReadOutcome>()),
    /** All pages of a PDF, from the first; null where their text is not kept whole. */
    pagesOf: call(text, z.nullable(list<PageText>())),
    /** Pauses reading in all windows, also after a restart, or resumes it. */
    setPaused: call(z.boolean(), nothing),
    /** Gives up what is being read here, and pauses. */
    cancelReading: call(nothing, nothing),
    /** What the index takes on disk. */
    bytes: call(nothing, number),
    /** Hashes of everything that is kept, whichever window brought it. */
    held: call(nothing, texts),
    forget: call(texts, nothing),
    /** Deletes everything that is kept. The files here are read again, unless reading is paused or off. */
    deleteAll: call(nothing, nothing),
    /** Ends reading and closes the file. */
    close: call(nothing, nothing),
  },
  events: {},
} satisfies Side;

/** Its own messages: that something new is found or covered, or no longer, and lines for the log. */
export const textEvents = {
  calls: {},
  events: {
    change: nothing,
    log: z.object({ level: z.enum(['debug', 'info', 'warn', 'error']), message: text }),
  },
} satisfies Side;

type TextCalls = (typeof textSide)['calls'];

/**
 * The text of the PDFs on this machine, as one window sees it; see {@link textSide}. Nothing is opened before the first
 * call. Calls reject with a `TextError`, whose message can be shown, or with the signal's reason once it aborts.
 */
export type TextIndex = {
  readonly [N in Exclude<keyof TextCalls, 'close'>]: (
    params: z.output<TextCalls[N]['params']>,
    signal?: AbortSignal,
  ) => Promise<z.output<TextCalls[N]['result']>>;
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
  /** What a thread that starts anew has to be told again. */
  const told = new Map<keyof TextCalls, never>();
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
      // Their failures are also told to the call that made the thread start.
      for (const [name, params] of told) channel.call(name, params).catch(() => {});
    },
  });
  const callOf = (name: keyof TextCalls) => (params: never, signal?: AbortSignal) => {
    if (name === 'setHere' || name === 'setPublished' || name === 'setEnabled') told.set(name, params);
    return thread.call(name, params, signal);
  };
  const names = Object.keys(textSide.calls) as (keyof TextCalls)[];
  return {
    ...(Object.fromEntries(names.map((name) => [name, callOf(name)])) as Omit<TextIndex, 'onDidChange' | 'dispose'>),
    onDidChange: changes.event,
    async dispose() {
      await thread.dispose(['close', null]);
      changes.dispose();
    },
  };
}
