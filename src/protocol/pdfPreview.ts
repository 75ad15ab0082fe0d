import * as z from 'zod/mini';
import { numberStyles } from '../base/cells.ts';
import { type Box, boxesSchema, coordinateSchema, type PlacedText } from '../base/placedText.ts';
import { nothing } from '../base/rpc.ts';
import { fromEditor } from './page.ts';

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

/** Where a PDF is opened: a page, rectangles marked on it, a text to find from there on. */
export const placeSchema = z.strictObject({
  page: z.optional(positionSchema.shape.page),
  rectangles: z.optional(boxesSchema),
  text: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
});

/** The same for a hit of a search over many PDFs, whose page stays in view. */
export interface Place extends z.output<typeof placeSchema> {
  /** Words and phrases that are marked wherever they are; `text` is the query, as the find box shows it. */
  readonly terms?: string[] | undefined;
  /** Marked on the pages after it. */
  readonly further?: { page: number; rectangles: Box[] }[] | undefined;
  /** Which hit it is, for a screen reader. */
  readonly spoken?: string | undefined;
}

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

/** Maximum length of a link, in characters. */
export const longestAddress = 4000;

/** Maximum number of bytes in one answer. A file that has no more comes whole with the first. */
export const longestRange = 4 * 1024 ** 2;

/** Maximum length of a page's text that a selection is quoted from, in characters. */
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
        rectangles: boxesSchema,
      }),
    )
    .check(z.minLength(1), z.maxLength(10)),
});
export type Passage = z.output<typeof passageSchema>;

/** Most columns, and most rows, of a table that is copied. */
export const [maxTableColumns, maxTableRows] = [100, 2000];

const linesSchema = z.array(coordinateSchema).check(z.minLength(2), z.maxLength(maxTableRows + 1));

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

/** A file as it was opened, with where to start in it, and how the person reads. */
export interface OpenedPdf {
  readonly version: number;
  readonly length: number;
  /** Its first bytes. */
  readonly head: Uint8Array<ArrayBuffer>;
  readonly position: Position;
  /** Where to go instead; null when nowhere. */
  readonly place: Place | null;
  readonly reading: ReadingHabits;
  /** The one that opened this file before in this window. */
  readonly password: string | null;
}

const bytes = fromEditor<{ readonly bytes: Uint8Array<ArrayBuffer> }>();

/** What the editor does about the PDF. */
const actionNames = ['showReport', 'copyLink', 'openOutside', 'split'] as const;
export type PdfAction = (typeof actionNames)[number];

/** The PDF preview's conversation. */
export const pdfPreviewProtocol = {
  host: {
    calls: {
      open: { params: nothing, result: fromEditor<OpenedPdf>() },
      /** More of its bytes. Fails when the file has changed since it was opened. */
      range: { params: rangeSchema, result: bytes },
      /** The text of a page, and where it is printed. Fails, with words for a person, where it can't be read. */
      placedText: {
        params: z.strictObject({ page: positionSchema.shape.page }),
        result: fromEditor<PlacedText>(),
      },
      /** What can be done about the file here. */
      actions: { params: nothing, result: z.array(z.enum(actionNames)) },
      act: {
        params: z.strictObject({ action: z.enum(actionNames), page: positionSchema.shape.page }),
        result: nothing,
      },
      /** A file of pdf.js: what a PDF names without holding it. */
      pdfjs: { params: pdfjsFileSchema, result: bytes },
      /** Quotes the selection, in the form used last or one that the person picks. The result in words, or null. */
      quote: {
        params: z.strictObject({ passage: passageSchema, mayPick: z.boolean() }),
        result: z.nullable(z.string()),
      },
      /** The target of the next quote, to be shown; null if the person is asked. */
      quoteTarget: { params: nothing, result: z.nullable(z.string()) },
      /** Copies a table, in the form used last or one that the person picks. The result in words, or null. */
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
      password: z.strictObject({ password: z.string().check(z.maxLength(1000)) }),
      /** The file shows the place that was sent last. */
      arrived: nothing,
    },
  },
  page: {
    calls: {},
    events: {
      /** The file has other bytes now. */
      changed: nothing,
      /** Go to a place, as soon as the file is open. */
      goTo: fromEditor<Place>(),
      /** Quote what is selected. */
      quoteSelection: nothing,
      /** Begin to copy a table. */
      copyTable: nothing,
    },
  },
} as const;
