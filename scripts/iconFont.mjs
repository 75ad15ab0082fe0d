import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const glyphRule = /\.codicon-([\w-]+):before\s*\{\s*content:\s*["']\\([0-9a-f]+)["'];?\s*\}\n?/g;

/**
 * Writes the editor's icon font to `folder`, as a style sheet that needs no other file, with the icons alone that
 * `scripts` (the text of all panels) name: a tenth of the whole. A name that also is a common word may bring in an icon
 * too many, never one too few.
 */
export async function writeIconFont(packageFolder, folder, scripts) {
  const css = await readFile(join(packageFolder, 'codicon.css'), 'utf8');
  const font = await readFile(join(packageFolder, 'codicon.ttf'));
  const words = new Set(scripts.match(/[\w-]+/g));
  let characters = '';
  const used = css.replace(glyphRule, (rule, name, code) => {
    if (!words.has(name) && !words.has(`codicon-${name}`)) return '';
    characters += String.fromCodePoint(Number.parseInt(code, 16));
    return rule;
  });
  await mkdir(folder, { recursive: true });
  const small = await subsetFont(font, characters, { targetFormat: 'woff2' });
  await writeFile(join(folder, 'codicon.css'), withFont(used, small, 'woff2'));
}

/** The style sheet with the font in it. */
function withFont(css, font, format) {
  const fontSource = /url\("[^"]*"\) format\("truetype"\)/;
  if (!fontSource.test(css)) throw new Error('scripts/iconFont.mjs does not fit this version of codicons any more.');
  return css.replace(fontSource, `url("data:font/${format};base64,${font.toString('base64')}") format("${format}")`);
}
