/**
 * What is asked of the characters and objects of a page: PDFium's code itself, since the package's wrappers take longer
 * than the answers. Numbers are addresses and indexes.
 */
export interface PageObjects {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(bytes: number): number;
  free(address: number): void;
  FPDF_GetPageBoundingBox(page: number, into: number): number;
  FPDFPage_CountObjects(page: number): number;
  FPDFPage_GetObject(page: number, index: number): number;
  FPDFPageObj_GetType(object: number): number;
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  FPDFPageObj_GetFillColor(object: number, red: number, green: number, blue: number, alpha: number): number;
  FPDFText_CountChars(text: number): number;
  FPDFText_GetTextObject(text: number, index: number): number;
  FPDFText_GetUnicode(text: number, index: number): number;
  FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number;
  FPDFTextObj_GetTextRenderMode(object: number): number;
}

/** Kinds of objects, and ways of showing text. */
const [textObject, pathObject, filled, neverShown] = [1, 2, 0, 3];
/** A line that is too long for its page has a few characters beside it, which say nothing. */
const fewOutside = 3;
/** Four numbers of 64 bits, and four of 32. */
const room = 48;
const almostWhite = 250;

/** In points. */
export type PageBox = readonly [left: number, bottom: number, right: number, top: number];

/**
 * Whether a reader of a page sees only a part of its text: some lies beside what is shown of the page, or is invisible,
 * transparent or white on nothing among text that is seen. Where all is invisible nothing is hidden: that is the text
 * which was recognised on a scan.
 * @param max how many of the page's characters are looked at
 */
export function hidesText(pdfium: PageObjects, page: number, text: number, max: number): boolean {
  const into = pdfium.malloc(room) >>> 0;
  // Nothing is known without looking.
  if (into === 0) return false;
  const count = Math.min(pdfium.FPDFText_CountChars(text), max);
  const look = lookAt(pdfium, page, into);
  let [last, isShown, shown, invisible, outside] = [0, true, 0, 0, 0];
  const hides = () => outside > fewOutside || (shown > 0 && invisible > 0);
  for (let index = 0; index < count && !hides(); index += 1) {
    const object = pdfium.FPDFText_GetTextObject(text, index);
    // Characters that PDFium adds belong to no object.
    if (object === 0) continue;
    const isOutside = look.isOutside(text, index);
    if (object !== last) isShown = look.isShown(object);
    last = object;
    if (isShown && !isOutside) shown += 1;
    else if (pdfium.FPDFText_GetUnicode(text, index) <= 0x20) continue;
    else if (isOutside) outside += 1;
    else invisible += 1;
  }
  pdfium.free(into);
  return hides();
}

/** Looks at a page's text, character by character. Answers of PDFium are written from `into` on. */
function lookAt(pdfium: PageObjects, page: number, into: number) {
  // Made once: nothing that is asked makes the memory grow, and one that was left gives no numbers.
  const doubles = new Float64Array(pdfium.memory.buffer, into, 4);
  const at = into + 32;
  const floats = new Float32Array(pdfium.memory.buffer, at, 4);
  const integers = new Uint32Array(pdfium.memory.buffer, at, 4);
  pdfium.FPDF_GetPageBoundingBox(page, at);
  const [left = 0, top = 0, right = 0, bottom = 0] = floats;
  let grounds: readonly PageBox[] | null = null;

  const fillOf = (object: number) => {
    if (!pdfium.FPDFPageObj_GetFillColor(object, at, at + 4, at + 8, at + 12)) return 'other';
    const [red = 0, green = 0, blue = 0, alpha = 255] = integers;
    if (alpha === 0) return 'none';
    return Math.min(red, green, blue) >= almostWhite ? 'white' : 'other';
  };
  /** The boxes of everything on the page but text and white areas. */
  const readGrounds = () => {
    const found: PageBox[] = [];
    for (let index = 0; index < pdfium.FPDFPage_CountObjects(page); index += 1) {
      const object = pdfium.FPDFPage_GetObject(page, index);
      const type = pdfium.FPDFPageObj_GetType(object);
      if (type === textObject || (type === pathObject && fillOf(object) === 'white')) continue;
      if (!pdfium.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) continue;
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = floats;
      found.push([x0, y0, x1, y1]);
    }
    return found;
  };
  /** Whether anything lies around the character's middle on which white can be seen. */
  const isOnGround = () => {
    const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = doubles;
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    grounds ??= readGrounds();
    return grounds.some((box) => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]);
  };
  return {
    /** Whether a character lies beside what is shown of the page. */
    isOutside(text: number, index: number): boolean {
      pdfium.FPDFText_GetCharBox(text, index, into, into + 8, into + 16, into + 24);
      const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = doubles;
      return x1 < left || x0 > right || y1 < bottom || y0 > top;
    },
    /** Whether the text of an object can be seen, of which the character stands whose place was asked for last. */
    isShown(object: number): boolean {
      const mode = pdfium.FPDFTextObj_GetTextRenderMode(object);
      if (mode !== filled) return mode !== neverShown;
      const fill = fillOf(object);
      return fill === 'white' ? isOnGround() : fill !== 'none';
    },
  };
}
