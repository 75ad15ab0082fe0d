import * as z from 'zod/mini';
import { numberStyles } from '../base/cells.ts';
import { nothing } from '../base/rpc.ts';

/** How large pages are shown: as wide as the window, whole, or by a factor where 1 is the paper's own size. */
const zoomSchema = z.union([z.enum(['page-width', 'page-fit']), z.number().check(z.minimum(0.1), z.maximum(10))]);
export type Zoom = z.output<typeof zoomSchema>;

/** Where a person is in a PDF, and how its pages lie there. Pages are counted from 1. */
export const positionSchema = z.strictObject({
  page: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  zoom: zoomSchema,
  /** Degrees that the pages are turned by, clockwise; 0 when absent. */
  rotation: z.optional(z.union([z.literal(90), z.literal(180), z.literal(270)])),
  /** Two pages side by side, the first one alone. */
  spread: z.optional(z.boolean()),
});
export type Position = z.output<typeof positionSchema>;

/** Where reading starts in a PDF that was never opened before. */
export const firstPosition: Position = { page: 1, zoom: 'page-width' };

const coordinate = z.number().check(z.gte(-1_000_000), z.lte(1_000_000));
/** Rectangles on a page, each left, bottom, right, top in PDF points from the lower left. */
const rectanglesSchema = z.array(z.tuple([coordinate, coordinate, coordinate, coordinate])).check(z.maxLength(1000));
export type Rectangles = z.output<typeof rectanglesSchema>;

/** A place that a PDF is opened at: a page, rectangles marked on it, a text to look for from there on. */
export const placeSchema = z.strictObject({
  page: z.optional(positionSchema.shape.page),
  rectangles: z.optional(rectanglesSchema),
  text: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
});

/** The same for a hit of a search over many PDFs: its page stays in view, whatever is found on it once more. */
const toldPlaceSchema = z.strictObject({
  ...placeSchema.shape,
  /** Words and phrases that are marked wherever they stand; `text` is the query, as the find box shows it. */
  terms: z.optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(1000))).check(z.minLength(1), z.maxLength(100)),
  ),
  /** What is marked on the pages after it. */
  further: z.optional(
    z.array(z.strictObject({ page: positionSchema.shape.page, rectangles: rectanglesSchema })).check(z.maxLength(100)),
  ),
  /** Which hit it is, as it is read aloud. */
  spoken: z.optional(z.string().check(z.maxLength(1000))),
});
export type Place = z.output<typeof toldPlaceSchema>;

export const sidebarTabs = ['outline', 'pages', 'matches'] as const;
export type SidebarTab = (typeof sidebarTabs)[number];

/** How a person likes to read, in whichever PDF. */
export const readingSchema = z.strictObject({ darkPages: z.boolean(), sidebar: z.nullable(z.enum(sidebarTabs)) });
export type ReadingHabits = z.output<typeof readingSchema>;
export const firstReading: ReadingHabits = { darkPages: false, sidebar: null };

/** A file of pdf.js's package, in one of its folders; its name leads nowhere else. */
const pdfjsFileSchema = z.strictObject({
  folder: z.enum(['cmaps', 'standard_fonts', 'wasm']),
  name: z.string().check(z.regex(/^[\w-]+(\.[\w-]+)*$/), z.maxLength(100)),
});
export type PdfjsFile = z.output<typeof pdfjsFileSchema>;

/** Longest address of a link that is passed on, in characters. */
export const longestAddress = 4000;

/** Most bytes of a file in one answer. A file that has no more comes whole with the first. */
export const longestRange = 4 * 1024 ** 2;

/** Longest text of a page that a selection is quoted from, in characters. */
export const longestPage = 500_000;

/** What a person selected, within the text of the pages that it lies on; lines end with a line feed. */
const passageSchema = z.strictObject({
  text: z.string().check(z.maxLength(6 * longestPage)),
  start: z.int().check(z.minimum(0)),
  end: z.int().check(z.minimum(0)),
  /** A page each, in their order. */
  regions: z
    .array(
      z.strictObject({
        page: positionSchema.shape.page,
        /** What the PDF calls the page; null where it names none. */
        label: z.nullable(z.string().check(z.maxLength(100))),
        rectangles: rectanglesSchema,
      }),
    )
    .check(z.minLength(1), z.maxLength(10)),
});
export type Passage = z.output<typeof passageSchema>;

/** Most columns, and most rows, of a table that is copied. */
export const [maxTableColumns, maxTableRows] = [100, 2000];

const linesSchema = z.array(coordinate).check(z.minLength(2), z.maxLength(maxTableRows + 1));

/** A table that a person confirmed. */
const copiedTableSchema = z
  .strictObject({
    /** The text of its region, with a rectangle around all cells. */
    passage: passageSchema,
    /** Where its lines cross the page, edges included, in PDF points along that side of the rectangle. */
    columns: linesSchema,
    rows: linesSchema,
    /** Row by row, each as wide as the others; the first row names the columns. */
    cells: z.array(z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(maxTableColumns))),
    /** How its numbers are printed; null when they stay texts. */
    style: z.nullable(z.enum(numberStyles)),
    /** How many cells a person was asked to check. */
    toCheck: z.int().check(z.minimum(0)),
  })
  .check(
    z.refine(
      ({ columns, rows, cells }) =>
        rows.length === cells.length + 1 && cells.every((row) => row.length === columns.length - 1),
    ),
  );
export type CopiedTable = z.output<typeof copiedTableSchema>;

const offset = z.int().check(z.minimum(0), z.maximum(2 ** 40));
/** From `begin` on, up to but without `end`, of the file as it was when this version of it was opened. */
const rangeSchema = z
  .strictObject({ version: z.int(), begin: offset, end: offset })
  .check(z.refine(({ begin, end }) => begin < end && end - begin <= longestRange));
export type Range = z.output<typeof rangeSchema>;

const bytesSchema = z.instanceof(Uint8Array);
const passwordSchema = z.string().check(z.maxLength(1000));

/** What the editor does about the PDF. */
const actionNames = ['showReport', 'copyLink', 'openOutside', 'split'] as const;
export type PdfAction = (typeof actionNames)[number];

/** The PDF preview's conversation. */
export const pdfPreviewProtocol = {
  host: {
    calls: {
      /** Opens the file anew: its first bytes, where to start in it, and how the person reads. */
      open: {
        params: nothing,
        result: z.strictObject({
          version: z.int(),
          length: offset,
          head: bytesSchema,
          position: positionSchema,
          /** Where to go instead; null when nowhere. */
          place: z.nullable(toldPlaceSchema),
          reading: readingSchema,
          /** The one that opened this file before in this window. */
          password: z.nullable(passwordSchema),
        }),
      },
      /** More of its bytes. Fails when the file has changed since it was opened. */
      range: { params: rangeSchema, result: z.strictObject({ bytes: bytesSchema }) },
      /** The text of a page, and where it is printed. Fails, with words for a person, where it can't be read. */
      placedText: {
        params: z.strictObject({ page: positionSchema.shape.page }),
        result: z.strictObject({ text: z.string(), boxes: z.instanceof(Float32Array) }),
      },
      /** What can be done about the file here. */
      actions: { params: nothing, result: z.array(z.enum(actionNames)) },
      act: {
        params: z.strictObject({ action: z.enum(actionNames), page: positionSchema.shape.page }),
        result: nothing,
      },
      /** A file of pdf.js: what a PDF names without holding it. */
      pdfjs: { params: pdfjsFileSchema, result: z.strictObject({ bytes: bytesSchema }) },
      /** Quotes the selection, in the form used last or one that the person picks. The result in words, or null. */
      quote: {
        params: z.strictObject({ passage: passageSchema, mayPick: z.boolean() }),
        result: z.nullable(z.string()),
      },
      /** The same with a table. */
      copyTable: {
        params: z.strictObject({ table: copiedTableSchema, mayPick: z.boolean() }),
        result: z.nullable(z.string()),
      },
      /** Somebody clicked a link in the PDF. */
      openLink: {
        params: z.strictObject({ address: z.string().check(z.maxLength(longestAddress)) }),
        result: nothing,
      },
    },
    events: {
      /** The person went somewhere. */
      position: positionSchema,
      reading: readingSchema,
      /** This one opened the file. */
      password: z.strictObject({ password: passwordSchema }),
      /** The file shows the place that was told last. */
      arrived: nothing,
    },
  },
  page: {
    calls: {},
    events: {
      /** The file has other bytes now. */
      changed: nothing,
      /** Go to a place, as soon as the file is open. */
      goTo: toldPlaceSchema,
      /** Quote what is selected. */
      quoteSelection: nothing,
      /** Begin to copy a table. */
      copyTable: nothing,
    },
  },
} as const;
