import { posix } from 'node:path';
import * as esbuild from 'esbuild';
import { inHtml } from './inHtml.ts';

/** What the pages' own scripts call what they share: a page runs that script first. */
const sharedName = 'reportLibraryShared';

/**
 * Puts the chunks that browser scripts share into one file beside them, and makes plain scripts of all: a page has two
 * of them in its HTML, so neither can import. `files` are the scripts by path, `outputs` what esbuild tells of them.
 */
export async function foldShared({ files, outputs, minify, sourcemap }) {
  const scripts = [...files.keys()].filter((name) => name.endsWith('.js'));
  const pages = scripts.filter((name) => outputs[name].entryPoint?.endsWith('/main.ts'));
  const reached = pages.map((page) => reach(page, outputs));
  // What one page alone imports, such as a chunk that it could do without at first, becomes part of it.
  const chunks = scripts.filter((name) => !pages.includes(name) && reached.filter((each) => each.has(name)).length > 1);
  const folder = posix.dirname(chunks[0]);
  // Each chunk names its exports for itself.
  const own = (chunk, name) => `${name}${chunks.indexOf(chunk)}`;
  const shared = posix.join(folder, 'shared.js');
  const fold = async (contents, isShared) => {
    const fromMemory = {
      name: 'from-memory',
      setup(build) {
        build.onResolve({ filter: /^\./ }, ({ path }) => {
          const name = posix.join(folder, path);
          return { path: name, namespace: !isShared && chunks.includes(name) ? 'there' : 'here' };
        });
        build.onLoad({ filter: /.*/, namespace: 'here' }, ({ path }) => ({ contents: files.get(path) }));
        build.onLoad({ filter: /.*/, namespace: 'there' }, ({ path }) => ({
          contents: `export const {${outputs[path].exports.map((name) => `${own(path, name)}: ${name}`)}} = ${sharedName}`,
        }));
      },
    };
    const { outputFiles } = await esbuild.build({
      stdin: { contents, sourcefile: isShared ? 'shared.js' : 'page.js', resolveDir: '/' },
      bundle: true,
      write: false,
      format: 'iife',
      ...(isShared ? { globalName: sharedName } : {}),
      // pdf.js asks for it in Node alone.
      logOverride: { 'empty-import-meta': 'silent' },
      banner: { js: '"use strict";' },
      target: 'es2024',
      legalComments: 'none',
      plugins: [fromMemory],
      minify,
      sourcemap,
    });
    return inHtml(outputFiles[0].text);
  };
  const parts = chunks.map(
    (chunk) =>
      `export {${outputs[chunk].exports.map((name) => `${name} as ${own(chunk, name)}`)}} from './${posix.basename(chunk)}'`,
  );
  const folded = new Map([...files].filter(([name]) => !scripts.includes(name)));
  for (const name of pages) folded.set(name, await fold(files.get(name), false));
  return folded.set(shared, await fold(parts.join('\n'), true));
}

/** All that a script imports, and what that imports. */
function reach(name, outputs, found = new Set()) {
  for (const { path } of outputs[name].imports) {
    if (found.has(path) || !outputs[path]) continue;
    reach(path, outputs, found.add(path));
  }
  return found;
}
