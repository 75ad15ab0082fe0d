import fonts from '../data/fonts.json' with { type: 'json' };
import { Paper, pageHeight, pageWidth, type Style, widthOf } from './paper.ts';

/** Dots of a scan for each point of its page. */
const scale = 1.25;
const bytesPerRow = Math.ceil((pageWidth * scale) / 8);
const width = bytesPerRow * 8;
const height = Math.ceil(pageHeight * scale);

/** Glyphs of the printable ASCII characters, five columns of dots each. */
const glyphs = fonts.dots.map((dots) => Buffer.from(dots, 'hex'));

/** Pages as an old scanner saved them: images of black dots, without any text. Only ASCII is shown. */
export class ScannedPaper extends Paper {
  override addPage(): void {
    super.addPage();
    this.image({ width, height, bits: new Uint8Array(bytesPerRow * height).fill(0xff) });
  }

  override text(text: string, x: number, y: number, style: Style): void {
    const step = (widthOf(text, style) * scale) / text.length;
    const top = Math.round(y * scale) - 8;
    for (let at = 0; at < text.length; at++) {
      const left = Math.round(x * scale + at * step);
      glyphs[text.charCodeAt(at) - 32]?.forEach((dots, across) => {
        for (let down = 0; down < 8; down++) if (dots & (1 << down)) this.#dot(left + across, top + down);
      });
    }
  }

  /** Thin areas are lines; an old scanner shows no others. */
  override fill(x: number, y: number, long: number, thick: number): void {
    if (thick > 2) return;
    for (let dot = 0; dot < long * scale; dot++) this.#dot(Math.round(x * scale) + dot, Math.round(y * scale));
  }

  #dot(x: number, y: number): void {
    const { bits } = this.page.image ?? {};
    const at = y * bytesPerRow + (x >> 3);
    if (bits && x < width) bits[at] = (bits[at] ?? 0xff) & ~(0x80 >> (x & 7));
  }
}
