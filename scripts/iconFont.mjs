import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const glyphRule = /\.codicon-([\w-]+):before\s*\{\s*content:\s*["']\\([0-9a-f]+)["'];?\s*\}\n?/g;
const fontSource = /url\("[^"]*"\) format\("truetype"\)/;

/**
 * Writes the editor's icons as a style sheet that needs no other file, `dist/webview/codicons.css`, with the icons alone
 * that the panels' scripts name: each panel's HTML holds it, and all of them weigh ten times as much. A name that also is
 * a common word may bring in an icon too many, never one too few.
 */
export async function writeIconFont(root) {
  const words = new Set();
  for await (const file of glob(join(root, 'dist', 'webview', '*.js')))
    for (const word of (await readFile(file, 'utf8')).match(/[\w-]+/g) ?? []) words.add(word);
  const from = join(root, 'node_modules', '@vscode', 'codicons', 'dist');
  let characters = '';
  const css = (await readFile(join(from, 'codicon.css'), 'utf8')).replace(glyphRule, (rule, name, code) => {
    if (!words.has(name) && !words.has(`codicon-${name}`)) return '';
    characters += String.fromCodePoint(Number.parseInt(code, 16));
    return rule;
  });
  if (characters === '' || !fontSource.test(css)) throw new Error('codicon.css is written in another way now.');
  const font = await subsetFont(await readFile(join(from, 'codicon.ttf')), characters, { targetFormat: 'woff2' });
  const url = `url("data:font/woff2;base64,${font.toString('base64')}") format("woff2")`;
  await writeFile(join(root, 'dist', 'webview', 'codicons.css'), css.replace(fontSource, url));
}
