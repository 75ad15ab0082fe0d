import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import gifenc from 'gifenc';
import type { Page } from 'playwright-core';

// What runs inside an empty page, where there are images and canvases.
const toWebp = `async ({ data, quality }) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + data;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', quality);
}`;

const toDifference = `async (pair) => {
  const [a, b] = await Promise.all(pair.map(async (data) => {
    const image = new Image();
    image.src = 'data:image/webp;base64,' + data;
    await image.decode();
    const width = Math.ceil(image.width / 8);
    const height = Math.ceil(image.height / 8);
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    return { width, height, pixels: context.getImageData(0, 0, width, height).data };
  }));
  if (a.width !== b.width || a.height !== b.height) return 1;
  let different = 0;
  for (let at = 0; at < a.pixels.length; at += 4) {
    if ([0, 1, 2].some((channel) => Math.abs(a.pixels[at + channel] - b.pixels[at + channel]) > 32)) different += 1;
  }
  return different / (a.width * a.height);
}`;

async function inEmptyPage(beside: Page, script: string, argument: unknown): Promise<unknown> {
  const context = await beside.context().browser()?.newContext();
  if (!context) throw new Error('The browser is gone.');
  try {
    return await (await context.newPage()).evaluate(`(${script})(${JSON.stringify(argument)})`);
  } finally {
    await context.close();
  }
}

/** What the page shows, as the bytes of a WebP image: a third of the PNG. `quality` is 0 to 1. */
export async function webp(page: Page, quality: number): Promise<Buffer> {
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const url = String(await inEmptyPage(page, toWebp, { data: png.toString('base64'), quality }));
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

/**
 * Which part of two WebP images differs to the eye, 0 to 1, by cells of 8 x 8 pixels, so that another smoothing of
 * letters does not count; 1 when their sizes differ. `page` is any page of the browser that is to do it.
 */
export async function difference(page: Page, one: Buffer, other: Buffer): Promise<number> {
  return Number(await inEmptyPage(page, toDifference, [one.toString('base64'), other.toString('base64')]));
}

/** The bytes of a file, if there is one. */
export async function fileBytes(file: string): Promise<Buffer | undefined> {
  return existsSync(file) ? readFile(file) : undefined;
}

/** Writes a file and the folders it lies in. */
export async function keep(file: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, bytes);
}

const toPixels = `async (data) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + data;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
  return { width: image.width, height: image.height, pixels: new Uint8Array(pixels.buffer).toBase64() };
}`;

/** Screenshots one after the other as an animated GIF; each shows for so many ms. `page` is any page of the browser. */
export async function gif(page: Page, frames: readonly Buffer[], delay: number): Promise<Buffer> {
  const encoder = gifenc.GIFEncoder();
  for (const frame of frames) {
    const answer = await inEmptyPage(page, toPixels, frame.toString('base64'));
    const { width, height, pixels } = answer as { width: number; height: number; pixels: string };
    const rgba = new Uint8Array(Buffer.from(pixels, 'base64'));
    const palette = gifenc.quantize(rgba, 128);
    encoder.writeFrame(gifenc.applyPalette(rgba, palette), width, height, { palette, delay });
  }
  encoder.finish();
  return Buffer.from(encoder.bytes());
}
