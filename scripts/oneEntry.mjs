import { posix } from 'node:path';
import * as esbuild from 'esbuild';

/** All chunks that load together with `entry`, because it or one of them imports them statically, nearest first. */
function loadedWith(outputs, entry) {
  const seen = new Set([entry]);
  for (const name of seen) {
    for (const { path, kind, external } of outputs[name].imports) {
      if (!external && kind === 'import-statement') seen.add(path);
    }
  }
  seen.delete(entry);
  return [...seen];
}

function relativeTo(from, name) {
  const path = posix.relative(posix.dirname(from), name);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Reads bundles from memory; what is imported dynamically stays a file of its own beside `target`. */
function fromMemory(files, target) {
  return {
    name: 'from-memory',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        const name = path.startsWith('.') ? posix.join(posix.dirname(importer), path) : path;
        if (!files.has(name)) return { path, external: true };
        if (kind === 'dynamic-import') return { path: relativeTo(target, name), external: true };
        return { path: name, namespace: 'memory' };
      });
      build.onLoad({ filter: /.*/, namespace: 'memory' }, ({ path }) => ({ contents: files.get(path), loader: 'js' }));
    },
  };
}

/**
 * Makes one CommonJS file, `target`, of an ES module `entry` and the chunks that load with it, in place of `entry`.
 * Splitting puts whatever an entry shares with later chunks into files of their own, and an editor waits for each at
 * start, longest for ES modules, which it reads asynchronously; one CommonJS file is read at once. Each chunk that is
 * folded in becomes a line that hands on what `target` exports for it, so that later chunks find the same instances.
 * `files` has the text of esbuild's outputs by the names of the metafile's `outputs`; it is changed in place.
 */
export async function foldEntry({ files, outputs, entry, target, minify, sourcemap }) {
  const folded = loadedWith(outputs, entry);
  const handedOn = folded.flatMap((name, index) =>
    outputs[name].exports.map((exported) => ({ name, exported, alias: `$${index}${exported}` })),
  );
  const lines = handedOn.map(({ name, exported, alias }) => `export {${exported} as ${alias}} from '${name}';`);
  const { outputFiles } = await esbuild.build({
    stdin: { contents: [`export * from '${entry}';`, ...lines].join('\n'), sourcefile: target, resolveDir: '.' },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    minify,
    sourcemap,
    legalComments: 'none',
    plugins: [fromMemory(files, target)],
  });
  // esbuild wraps the editor's whole API anew for each file that imports it, in case of a default export, which it lacks.
  const text = outputFiles[0].text.replaceAll(/[\w$]+(\(require\("vscode"\)\))/g, '$1');
  files.delete(entry);
  files.set(target, text);
  for (const name of folded) {
    const list = handedOn.filter((each) => each.name === name).map(({ exported, alias }) => `${alias} as ${exported}`);
    files.set(name, `export{${list.join(',')}}from"${relativeTo(name, target)}";\n`);
  }
}
