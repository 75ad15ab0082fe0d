import * as z from 'zod/mini';
import { boxesSchema } from '../base/placedText.ts';
import { nothing, type Side } from '../base/rpc.ts';
import { maxAttachments } from './annotations.ts';
import { maxPictureBytes } from './pagePicture.ts';

/** Pages of a PDF that are read; how many lie beyond is told. */
export const maxPages = 20_000;
/** Largest PDF that is read, in bytes: it is held in memory, beside what PDFium makes of it. */
export const maxPdfBytes = 300 * 1024 ** 2;
/** Most text of a page that is taken, in UTF-16 units; a page with more counts as damaged. */
export const maxPageText = 1_000_000;
/** Most text of a PDF that is taken, in UTF-16 units; one with more is too large. */
export const maxPdfText = 100_000_000;

/** What the reader is ended for by its own second thread; written to its error output as its last word. */
export const watchedFailures = ['too-much-memory', 'too-slow'] as const;
export type WatchedFailure = (typeof watchedFailures)[number];

export interface ReaderWatch {
  /** Two numbers of 32 bits: the PDF being read, counted from 1, 0 for none; and how many of its pages were read. */
  readonly shared: SharedArrayBuffer;
  /** How large the process may get, in bytes. */
  readonly memory: number;
  /** Seconds of CPU that a PDF may take, and more for each page read. Not by a clock: others may keep the CPU busy. */
  readonly fileTime: number;
  readonly pageTime: number;
}

const pageNumber = z.int().check(z.minimum(1), z.maximum(maxPages));
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
// NFKC makes at most 18 characters of one.
const pageSchema = z.strictObject({
  label: z.nullable(z.string().check(z.minLength(1), z.maxLength(2000))),
  text: z.string().check(z.maxLength(18 * maxPageText)),
});
const failureSchema = z.strictObject({
  kind: z.literal('failed'),
  sha256: z.nullable(sha256),
  reason: z.enum([
    ...['encrypted', 'not-a-pdf', 'damaged', 'empty', 'too-much-memory', 'too-large', 'unreadable-file', 'changed'],
  ] as const),
});
export type ReaderFailure = z.output<typeof failureSchema>['reason'];

const readSchema = z.strictObject({
  kind: z.literal('read'),
  sha256,
  bytes: z.int().check(z.minimum(1), z.maximum(maxPdfBytes)),
  damaged: z.array(pageNumber).check(z.maxLength(maxPages)),
  unreadable: z.array(pageNumber).check(z.maxLength(maxPages)),
  attachments: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(maxAttachments)),
  left: z.int().check(z.minimum(0)),
});
/** `spent` asks for a new process for the next PDF. */
const resultSchema = z.strictObject({
  answer: z.discriminatedUnion('kind', [readSchema, failureSchema]),
  spent: z.boolean(),
});
export type ReaderResult = z.output<typeof resultSchema>;
export type ReaderAnswer = ReaderResult['answer'];

/** The one text of a page by the bytes of this hash; null where there is none. */
const placedSchema = z.strictObject({
  sha256: z.nullable(sha256),
  page: z.nullable(
    z.strictObject({
      ...pageSchema.shape,
      /** Four for each UTF-16 unit of the text. */
      boxes: z.array(z.number()).check(z.maxLength(4 * 18 * maxPageText)),
    }),
  ),
  spent: z.boolean(),
});
export type PlacedPage = z.output<typeof placedSchema>;

/** A page of which a picture is wanted, and what is marked on it. */
const pagePartSchema = z.strictObject({ path: z.string(), page: pageNumber, rectangles: boxesSchema });
export type PictureWish = Omit<z.output<typeof pagePartSchema>, 'path'>;
/** A PNG of it, by the bytes of this hash; null where there is none. */
const pictureSchema = z.strictObject({
  sha256: z.nullable(sha256),
  png: z.nullable(z.instanceof(Uint8Array).check(z.refine(({ length }) => length <= maxPictureBytes))),
  spent: z.boolean(),
});
export type PagePicture = z.output<typeof pictureSchema>;

/** The reader answers with what it found, when its pages were all taken. */
export const readerSide = {
  calls: {
    read: { params: z.strictObject({ path: z.string() }), result: resultSchema },
    placedText: { params: z.strictObject({ path: z.string(), page: pageNumber }), result: placedSchema },
    picture: { params: pagePartSchema, result: pictureSchema },
  },
  events: {},
} as const satisfies Side;

/** The reader's parent decides by a file's hash whether it is parsed, and takes its pages one by one. */
export const takerSide = {
  calls: {
    isWanted: { params: z.strictObject({ sha256 }), result: z.boolean() },
    /** Of so many pages. */
    take: { params: z.strictObject({ page: pageSchema, of: pageNumber }), result: nothing },
  },
  events: {},
} as const satisfies Side;
