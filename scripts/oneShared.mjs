import { posix } from 'node:path';
import * as esbuild from 'esbuild';

/**
 * Puts the chunks that browser scripts share into one file beside them. A page then loads two scripts, where each more
 * is one more trip through the editor. `files` are the scripts by path, `outputs` what esbuild tells of them.
 */
export async function foldShared({ files, outputs, minify, sourcemap }) {
  const scripts = [...files.keys()].filter((name) => name.endsWith('.js'));
  // What is imported dynamically stays by itself: a page may never ask for it.
  const asked = new Set(
    scripts.flatMap((name) => outputs[name].imports).map(({ path, kind }) => (kind === 'dynamic-import' ? path : '')),
  );
  const chunks = scripts.filter((name) => outputs[name].entryPoint === undefined && !asked.has(name));
  if (chunks.length === 0) return files;
  const folder = posix.dirname(chunks[0]);
  // Each chunk names its exports for itself.
  const own = (chunk, name) => `${name}${chunks.indexOf(chunk)}`;
  const shared = posix.join(folder, 'shared.js');
  const fold = async (contents, isShared) => {
    const fromMemory = {
      name: 'from-memory',
      setup(build) {
        build.onResolve({ filter: /^\./ }, ({ path, kind }) => {
          const name = posix.join(folder, path);
          if (kind === 'dynamic-import' || !chunks.includes(name)) return { path, external: true };
          return { path: name, namespace: isShared ? 'here' : 'there' };
        });
        build.onLoad({ filter: /.*/, namespace: 'here' }, ({ path }) => ({ contents: files.get(path) }));
        build.onLoad({ filter: /.*/, namespace: 'there' }, ({ path }) => ({
          contents: `export {${outputs[path].exports.map((name) => `${own(path, name)} as ${name}`)}} from './shared.js'`,
        }));
      },
    };
    const { outputFiles } = await esbuild.build({
      stdin: { contents, sourcefile: isShared ? 'shared.js' : 'page.js', resolveDir: '/' },
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2024',
      legalComments: 'none',
      plugins: [fromMemory],
      minify,
      sourcemap,
    });
    return outputFiles[0].text;
  };
  const parts = chunks.map(
    (chunk) =>
      `export {${outputs[chunk].exports.map((name) => `${name} as ${own(chunk, name)}`)}} from './${posix.basename(chunk)}'`,
  );
  const folded = new Map([...files].filter(([name]) => !chunks.includes(name)));
  for (const name of scripts.filter((each) => !chunks.includes(each))) {
    if (outputs[name].imports.some(({ path }) => chunks.includes(path)))
      folded.set(name, await fold(files.get(name), false));
  }
  return folded.set(shared, await fold(parts.join('\n'), true));
}
