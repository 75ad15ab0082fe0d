import * as z from 'zod/mini';
import { nothing } from '../base/rpc.ts';

/** How large pages are shown: as wide as the window, whole, or by a factor where 1 is the paper's own size. */
const zoomSchema = z.union([z.enum(['page-width', 'page-fit']), z.number().check(z.minimum(0.1), z.maximum(10))]);
export type Zoom = z.output<typeof zoomSchema>;

/** Where a person is in a PDF. Pages are counted from 1. */
export const placeSchema = z.strictObject({
  page: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  zoom: zoomSchema,
});
export type Place = z.output<typeof placeSchema>;

/** Where a person starts who has not been in a PDF before. */
export const firstPlace: Place = { page: 1, zoom: 'page-width' };

/** Longest address of a link that is passed on, in characters. */
export const longestAddress = 4000;

/** The PDF preview's conversation. */
export const pdfPreviewProtocol = {
  host: {
    calls: {
      /** The whole file, and where the person was in it last. */
      read: {
        params: nothing,
        result: z.strictObject({ bytes: z.instanceof(Uint8Array), place: placeSchema }),
      },
      /** The script of the worker that reads PDFs; it is packed in the package, which no page could unpack. */
      worker: { params: nothing, result: z.strictObject({ script: z.string() }) },
      /** The character maps that PDFs name without holding them; asked for once one does. */
      charMaps: { params: nothing, result: z.strictObject({ packed: z.instanceof(Uint8Array) }) },
      /** Opens the file in the person's own viewer. */
      openOutside: { params: nothing, result: nothing },
      /** Somebody clicked a link in the PDF. */
      openLink: {
        params: z.strictObject({ address: z.string().check(z.maxLength(longestAddress)) }),
        result: nothing,
      },
    },
    events: {
      /** The person went somewhere. */
      place: placeSchema,
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
