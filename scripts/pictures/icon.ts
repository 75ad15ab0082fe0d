import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch } from '../host/page.ts';
import { installBrowser } from '../install/browser.ts';
import { root } from '../places.ts';

/** Draws `media/icon.svg` at the sizes that galleries want: `media/icon.png` (128 px) and `media/icon-256.png`. */
export async function drawIcon(): Promise<void> {
  const svg = await readFile(join(root, 'media', 'icon.svg'), 'utf8');
  const chromium = await launch(await installBrowser());
  try {
    for (const [size, name] of [
      [128, 'icon.png'],
      [256, 'icon-256.png'],
    ] as const) {
      const page = await chromium.newPage({ viewport: { width: size, height: size } });
      await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
      await page.screenshot({ path: join(root, 'media', name), omitBackground: true });
      await page.close();
    }
  } finally {
    await chromium.close();
  }
}
