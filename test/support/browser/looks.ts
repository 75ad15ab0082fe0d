import { createHash } from 'node:crypto';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import { results, root } from '../../../scripts/places.ts';
import { palettePng } from './palettePng.ts';
import { fileBytes, keep } from './picture.ts';

const folder = join(root, 'test', 'browser', 'looks');
const madeWith = join(folder, 'made-with.json');
/** Colors of a reference: text, its smoothing, and the few hues of a theme. */
const colors = 96;
/** How far a pixel may be from the reference's nearest color, 0 to 1. */
const threshold = 0.1;
/** Pixels of a picture that may differ: less than the smallest icon. */
const maxPixels = 10;

/** Text in the fonts and scripts of the panels: what a machine draws differently, it draws differently here. */
const specimen = `<style>body { margin: 8px; font-size: 13px } p { margin: 0 }</style>
  <p style='font-family: system-ui, "Ubuntu", "Droid Sans", sans-serif'>Report Größe 0123 شركة תעשיות – ✓ ●</p>
  <p style='font-family: "Droid Sans Mono", "DejaVu Sans Mono", monospace'>XFRA_NWK_2024_SR 0O1lI</p>
  <p style='font-family: system-ui; font-weight: 600'>Coverage</p><select><option>Any or none</option></select>`;

/**
 * How panels look, beside pictures of how they looked when a person last approved of it. `UPDATE_LOOKS=1` takes the
 * pictures anew. Machines draw text differently: on one that is unlike the pictures' own, nothing is compared.
 */
export class Looks {
  readonly #machine: string;
  readonly #updates: boolean;
  /** Why pictures are not compared here; undefined where they are. */
  readonly reason: string | undefined;
  /** What could not be compared, because nobody took its picture yet. */
  readonly missing: string[] = [];

  private constructor(machine: string, madeOn: string | undefined) {
    this.#machine = machine;
    this.#updates = process.env.UPDATE_LOOKS !== undefined;
    if (!this.#updates && machine !== madeOn)
      this.reason = `its pictures were taken with ${madeOn ?? 'nothing'}, this machine draws with ${machine}`;
  }

  static async open(browser: Browser): Promise<Looks> {
    const context = await browser.newContext({ viewport: { width: 420, height: 120 } });
    try {
      const page = await context.newPage();
      await page.setContent(specimen);
      const { data } = PNG.sync.read(await page.screenshot({ caret: 'hide' }));
      const fonts = createHash('sha256').update(data).digest('hex').slice(0, 12);
      const known = await fileBytes(madeWith);
      const madeOn = known && (JSON.parse(known.toString('utf8')) as { machine?: string }).machine;
      return new Looks(`Chromium ${browser.version()}, fonts ${fonts}`, madeOn);
    } finally {
      await context.close();
    }
  }

  /** Throws when a page as it was `taken` does not look as its picture; what differs is then in `test-results/looks/`. */
  async compare(taken: Buffer, name: string): Promise<void> {
    if (this.reason !== undefined) return;
    const file = join(folder, `${name}.png`);
    const now = PNG.sync.read(taken);
    if (this.#updates) {
      await keep(file, palettePng(now, colors));
      await keep(madeWith, Buffer.from(`${JSON.stringify({ machine: this.#machine }, undefined, 2)}\n`));
      return;
    }
    const kept = await fileBytes(file);
    if (!kept) {
      this.missing.push(name);
      return;
    }
    const then = PNG.sync.read(kept);
    const { width, height } = now;
    if (then.width !== width || then.height !== height) throw new Error(`The picture of ${name} has another size.`);
    const data = Buffer.alloc(now.data.length);
    const different = pixelmatch(then.data, now.data, data, width, height, { threshold });
    if (different <= maxPixels) return;
    await keep(join(results, 'looks', `${name}.png`), taken);
    await keep(join(results, 'looks', `${name}-difference.png`), PNG.sync.write({ width, height, data }));
    throw new Error(
      `${different} pixels of ${name} differ: see test-results/looks/. UPDATE_LOOKS=1 takes its picture anew.`,
    );
  }
}
