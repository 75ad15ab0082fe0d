import * as z from 'zod/mini';
import { Emitter, type Event } from '../base/disposable.ts';
import { isObject } from '../base/json.ts';
import { l10n } from '../base/l10n.ts';
import type { Logger } from '../base/logger.ts';
import { type Call, nothing, type Side, shape } from '../base/rpc.ts';
import { WorkerThread } from '../base/workerThread.ts';
import { TextError, type TextProblem, textError } from './textError.ts';
import type {
  FindPages,
  FoundPages,
  HerePdf,
  PageText,
  ReadOutcome,
  ReportOfPdf,
  TextCoverage,
  WindowState,
} from './textIndex.ts';

const text = z.string();
const texts = z.readonly(z.array(text));
const number = z.number();
/** Answers go over with their frame looked at alone: the other end is ours, and they may be long. */
const answer = <T extends object>() => z.custom<T>(isObject);
const list = <T>() => z.custom<readonly T[]>(Array.isArray);

const herePdf = shape<HerePdf>({ path: text, sha256: text, bytes: number, mtimeMs: number, day: number });
const report = shape<ReportOfPdf>({ sha256: text, report_id: number, report_key: text });
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
    /** Which reports the library of the connection in use publishes for which bytes. Only these are found. */
    setReports: call(z.readonly(z.array(report)), nothing),
    setWindow: call(shape<WindowState>({ focused: z.boolean(), enabled: z.boolean() }), nothing),
    /** Of all that are here, or of those with these hashes. */
    coverage: call(z.nullable(texts), answer<TextCoverage>()),
    /** Newest PDFs first, the pages of each in their order. Rejects with the problem `query` where the query can't be understood, and says what to do. */
    search: call(findPages, answer<FoundPages>()),
    /** Reads these now, before others and also while reading is paused. Those that are not here are left out of the answer. */
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
    /** Deletes everything that is kept. What is here is read again, unless reading is paused or off. */
    deleteAll: call(nothing, nothing),
    /** Ends reading and closes the file. */
    close: call(nothing, nothing),
  },
  events: {},
} satisfies Side;

/** What it says unasked: that something is found or covered that was not before, or the other way round, and what goes into the log. */
export const textEvents = {
  calls: {},
  events: {
    change: nothing,
    log: z.object({ level: z.enum(['debug', 'info', 'warn', 'error']), message: text }),
  },
} satisfies Side;

type Calls = (typeof textSide)['calls'];

/**
 * The text of the PDFs on this machine, as one window sees it; see {@link textSide}. Nothing is opened before the first call. Calls
 * reject with a `TextError`, whose message is fit to be shown, or with the signal's reason once it aborts.
 */
export type TextIndex = {
  readonly [N in Exclude<keyof Calls, 'close'>]: (
    params: z.output<Calls[N]['params']>,
    signal?: AbortSignal,
  ) => Promise<z.output<Calls[N]['result']>>;
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

/** The text index in its worker thread, which starts with the first call, and again with the next one after it has died. */
export function openTextIndex({ path, reader, worker: script, logger }: TextIndexOptions): TextIndex {
  const changes = new Emitter<null>();
  /** What a thread that starts anew has to be told again. */
  const told = new Map<keyof Calls, never>();
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
      // What goes wrong with these the call that made the thread start is told too.
      for (const [name, params] of told) channel.call(name, params).catch(() => {});
    },
  });
  const callOf = (name: keyof Calls) => (params: never, signal?: AbortSignal) => {
    if (name === 'setHere' || name === 'setReports' || name === 'setWindow') told.set(name, params);
    return thread.call(name, params, signal);
  };
  const names = Object.keys(textSide.calls) as (keyof Calls)[];
  return {
    ...(Object.fromEntries(names.map((name) => [name, callOf(name)])) as Omit<TextIndex, 'onDidChange' | 'dispose'>),
    onDidChange: changes.event,
    async dispose() {
      await thread.dispose(['close', null]);
      changes.dispose();
    },
  };
}
