import * as z from 'zod/mini';
import { nothing } from '../base/rpc.ts';

/** How large pages are shown: as wide as the window, whole, or by a factor where 1 is the paper's own size. */
const zoomSchema = z.union([z.enum(['page-width', 'page-fit']), z.number().check(z.minimum(0.1), z.maximum(10))]);
export type Zoom = z.output<typeof zoomSchema>;

/** Where a person is in a PDF. Pages are counted from 1. */
export const positionSchema = z.strictObject({
  page: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  zoom: zoomSchema,
});
export type Position = z.output<typeof positionSchema>;

/** Where a person starts who has not been in a PDF before. */
export const firstPosition: Position = { page: 1, zoom: 'page-width' };

/** A file of pdf.js's package, in one of its folders; its name leads nowhere else. */
const pdfjsFileSchema = z.strictObject({
  folder: z.enum(['build', 'cmaps', 'standard_fonts', 'wasm']),
  name: z.string().check(z.regex(/^[\w-]+(\.[\w-]+)*$/), z.maxLength(100)),
});
export type PdfjsFile = z.output<typeof pdfjsFileSchema>;

/** Longest address of a link that is passed on, in characters. */
export const longestAddress = 4000;

/** The PDF preview's conversation. */
export const pdfPreviewProtocol = {
  host: {
    calls: {
      /** The whole file, and where the person was in it last. */
      read: {
        params: nothing,
        result: z.strictObject({ bytes: z.instanceof(Uint8Array), position: positionSchema }),
      },
      /** A file of pdf.js: the script of its worker first, then what a PDF names without holding it. */
      pdfjs: { params: pdfjsFileSchema, result: z.strictObject({ bytes: z.instanceof(Uint8Array) }) },
      /** Somebody clicked a link in the PDF. */
      openLink: {
        params: z.strictObject({ address: z.string().check(z.maxLength(longestAddress)) }),
        result: nothing,
      },
    },
    events: {
      /** The person went somewhere. */
      position: positionSchema,
    },
  },
  page: {
    calls: {},
    events: {
      /** The file has other bytes now. */
      changed: nothing,
    },
  },
} as const;
