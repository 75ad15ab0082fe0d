import * as z from 'zod/mini';
import { Emitter } from '../base/disposable.ts';
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
  TextIndex,
  WindowState,
} from './textIndex.ts';

export interface TextIndexOptions extends TextWorkerOptions {
  /** The worker's script: the bundle's, or `text.worker.ts` itself where Node runs it. */
  readonly worker: URL;
  readonly logger: Logger;
}

/** What a thread that starts anew has to be told again. */
type CallName = keyof (typeof textSide)['calls'];
type CallParams = Parameters<WorkerThread<typeof textEvents, typeof textSide>['call']>[1];

/**
 * The text index in its worker thread, seen from the main thread, which only passes messages on. The thread starts with
 * the first call, and again with the next one after it has died.
 */
export function openTextIndex(options: TextIndexOptions): TextIndex {
  const { path, reader, logger } = options;
  const changes = new Emitter<null>();
  /** What a thread that starts anew has to be told again. */
  const told = new Map<CallName, CallParams>();
  const workerData: TextWorkerOptions = { path, reader };
  const thread = new WorkerThread({
    script: options.worker,
    worker: { workerData, name: 'report-library-text' },
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
  const { call } = thread;
  const tell = async (name: CallName, params: CallParams) => {
    await call(name, params);
  };
  const tellAlways = (name: CallName, params: CallParams) => {
    told.set(name, params);
    return tell(name, params);
  };

  return {
    setHere: (pdfs) => tellAlways('setHere', [...pdfs]),
    setReports: (reports) => tellAlways('setReports', [...reports]),
    setWindow: (state) => tellAlways('setWindow', state),
    coverage: (sha256s) => call('coverage', sha256s ? [...sha256s] : null),
    search: (query, { shas, limit, cursor, signal }) =>
      call('search', { query, options: { shas: shas && [...shas], limit, cursor } }, signal),
    readNow: (sha256s, signal) => call('readNow', [...sha256s], signal),
    pagesOf: (sha256) => call('pagesOf', sha256),
    pause: () => tell('setPaused', true),
    resume: () => tell('setPaused', false),
    cancelReading: () => tell('cancelReading', null),
    bytes: () => call('bytes', null),
    held: () => call('held', null),
    forget: (sha256s) => tell('forget', [...sha256s]),
    deleteAll: () => tell('deleteAll', null),
    onDidChange: changes.event,
    async dispose() {
      await thread.dispose(['close', null]);
      changes.dispose();
    },
  };
}

const text = z.string();
const texts = z.array(text);
const number = z.number();
const textOrNull = z.nullable(text);
/** Answers go over with their frame looked at alone: the other end is ours, and they may be long. */
const answer = <T extends object>() => z.custom<T>(isObject);
const list = <T>() => z.custom<readonly T[]>(Array.isArray);

const herePdf = shape<HerePdf>({ path: text, sha256: text, bytes: number, mtimeMs: number, day: number });
const report = shape<ReportOfPdf>({ sha256: text, report_id: number, report_key: text });
const limit = z.int().check(z.minimum(1), z.maximum(1000));
const findPages = shape<Omit<FindPages, 'signal'>>({ shas: z.nullable(texts), limit, cursor: textOrNull });

function call<P extends z.ZodMiniType, R extends z.ZodMiniType>(params: P, result: R) {
  return { params, result } satisfies Call;
}

/** What the thread of the text index is asked; `close` ends reading and closes the file. */
export const textSide = {
  calls: {
    setHere: call(z.array(herePdf), nothing),
    setReports: call(z.array(report), nothing),
    setWindow: call(shape<WindowState>({ focused: z.boolean(), enabled: z.boolean() }), nothing),
    coverage: call(z.nullable(texts), answer<TextCoverage>()),
    search: call(z.object({ query: text, options: findPages }), answer<FoundPages>()),
    readNow: call(texts, list<ReadOutcome>()),
    pagesOf: call(text, z.nullable(list<PageText>())),
    setPaused: call(z.boolean(), nothing),
    cancelReading: call(nothing, nothing),
    bytes: call(nothing, number),
    held: call(nothing, texts),
    forget: call(texts, nothing),
    deleteAll: call(nothing, nothing),
    close: call(nothing, nothing),
  },
  events: {},
} satisfies Side;

/** What it says unasked: that something else is found or covered, and what goes into the log. */
export const textEvents = {
  calls: {},
  events: {
    change: nothing,
    log: z.object({ level: z.enum(['debug', 'info', 'warn', 'error']), message: text }),
  },
} satisfies Side;

export interface TextWorkerOptions {
  readonly path: string;
  /** Path of the script that reads PDFs in a process of its own. */
  readonly reader: string;
}
