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

type Box = readonly [left: number, bottom: number, right: number, top: number];

/**
 * Whether a reader of a page sees only a part of its text: some lies beside what is shown of the page, or is invisible,
 * transparent or white on nothing among text that is seen. Where all is invisible nothing is hidden: that is the text
 * which was recognised on a scan.
 * @param most how many of the page's characters are looked at
 */
export function hidesText(pdfium: PageObjects, page: number, text: number, most: number): boolean {
  const into = pdfium.malloc(room);
  // What was not looked at is not known.
  if (into === 0) return false;
  const count = Math.min(pdfium.FPDFText_CountChars(text), most);
  const look = new PageLook(pdfium, page, into >>> 0);
  let [last, isShown, shown, invisible, outside] = [0, true, 0, 0, 0];
  const hides = () => outside > fewOutside || (shown > 0 && invisible > 0);
  for (let index = 0; index < count && !hides(); index += 1) {
    const object = pdfium.FPDFText_GetTextObject(text, index);
    // What PDFium adds by itself belongs to none.
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

/** A page while its text is looked at, character by character. */
class PageLook {
  readonly #pdfium: PageObjects;
  readonly #page: number;
  readonly #into: number;
  /** Made once: nothing that is asked makes the memory grow, and one that was left gives no numbers. */
  readonly #doubles: Float64Array;
  readonly #floats: Float32Array;
  readonly #integers: Uint32Array;
  readonly #shownBox: Box;
  #grounds: readonly Box[] | null = null;

  constructor(pdfium: PageObjects, page: number, into: number) {
    this.#pdfium = pdfium;
    this.#page = page;
    this.#into = into;
    this.#doubles = new Float64Array(pdfium.memory.buffer, into, 4);
    this.#floats = new Float32Array(pdfium.memory.buffer, into + 32, 4);
    this.#integers = new Uint32Array(pdfium.memory.buffer, into + 32, 4);
    pdfium.FPDF_GetPageBoundingBox(page, into + 32);
    const [left = 0, top = 0, right = 0, bottom = 0] = this.#floats;
    this.#shownBox = [left, bottom, right, top];
  }

  /** Whether a character lies beside what is shown of the page. */
  isOutside(text: number, index: number): boolean {
    const at = this.#into;
    this.#pdfium.FPDFText_GetCharBox(text, index, at, at + 8, at + 16, at + 24);
    const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = this.#doubles;
    const [left, bottom, right, top] = this.#shownBox;
    return x1 < left || x0 > right || y1 < bottom || y0 > top;
  }

  /** Whether the text of an object can be seen, of which the character stands whose place was asked for last. */
  isShown(object: number): boolean {
    const mode = this.#pdfium.FPDFTextObj_GetTextRenderMode(object);
    if (mode !== filled) return mode !== neverShown;
    const fill = this.#fillOf(object);
    if (fill === 'white') return this.#isOnGround();
    return fill !== 'none';
  }

  #fillOf(object: number): 'white' | 'none' | 'other' {
    const at = this.#into + 32;
    if (!this.#pdfium.FPDFPageObj_GetFillColor(object, at, at + 4, at + 8, at + 12)) return 'other';
    const [red = 0, green = 0, blue = 0, alpha = 255] = this.#integers;
    if (alpha === 0) return 'none';
    return Math.min(red, green, blue) >= almostWhite ? 'white' : 'other';
  }

  /** Whether anything lies around the character's middle on which white can be seen. */
  #isOnGround(): boolean {
    const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = this.#doubles;
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    this.#grounds ??= this.#readGrounds();
    return this.#grounds.some(([left, bottom, right, top]) => x >= left && x <= right && y >= bottom && y <= top);
  }

  /** The boxes of everything on the page but text and white areas. */
  #readGrounds(): Box[] {
    const { FPDFPage_CountObjects, FPDFPage_GetObject, FPDFPageObj_GetType, FPDFPageObj_GetBounds } = this.#pdfium;
    const at = this.#into + 32;
    const grounds: Box[] = [];
    for (let index = 0; index < FPDFPage_CountObjects(this.#page); index += 1) {
      const object = FPDFPage_GetObject(this.#page, index);
      const type = FPDFPageObj_GetType(object);
      if (type === textObject || (type === pathObject && this.#fillOf(object) === 'white')) continue;
      if (!FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) continue;
      const [left = 0, bottom = 0, right = 0, top = 0] = this.#floats;
      grounds.push([left, bottom, right, top]);
    }
    return grounds;
  }
}
