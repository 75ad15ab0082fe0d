import * as z from 'zod/mini';
import { isObject } from '../base/json.ts';
import { type Call, nothing, type Side, shape } from '../base/rpc.ts';
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
