import { crc32, deflateSync } from 'node:zlib';
import gifenc from 'gifenc';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** An opaque picture as a PNG with at most so many colors: a third of the bytes of one with all. */
export function palettePng(
  { width, height, data }: { readonly width: number; readonly height: number; readonly data: Buffer },
  colors: number,
): Buffer {
  const rgba = new Uint8Array(data);
  const palette = gifenc.quantize(rgba, colors);
  const indexes = gifenc.applyPalette(rgba, palette);
  const lines = Buffer.alloc((width + 1) * height);
  for (let line = 0; line < height; line++)
    lines.set(indexes.subarray(line * width, (line + 1) * width), line * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a pixel, each the place of a color in the palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((color) => color.slice(0, 3)))),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
