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

/**
 * True for a chunk that holds the bundler's own helpers alone, and that `names` import without taking anything from it:
 * the bundler keeps such an import for the order of things, and it has no effect.
 */
function isIdle(files, outputs, names, name) {
  if (Object.keys(outputs[name].inputs).length > 0) return false;
  const taken = new RegExp(`from\\s*["'][^"']*${posix.basename(name).replaceAll('.', '\\.')}["']`);
  return !names.some((other) => taken.test(files.get(other)));
}

/**
 * Reads bundles from memory; what is imported dynamically stays a file of its own beside `target`, and of idle chunks
 * nothing is read.
 */
function fromMemory(files, target, idle) {
  return {
    name: 'from-memory',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        const name = path.startsWith('.') ? posix.join(posix.dirname(importer), path) : path;
        if (!files.has(name)) return { path, external: true };
        if (kind === 'dynamic-import') return { path: relativeTo(target, name), external: true };
        if (idle.includes(name)) return { path: name, namespace: 'idle', sideEffects: false };
        return { path: name, namespace: 'memory' };
      });
      build.onLoad({ filter: /.*/, namespace: 'idle' }, () => ({ contents: '' }));
      build.onLoad({ filter: /.*/, namespace: 'memory' }, ({ path }) => ({ contents: files.get(path), loader: 'js' }));
    },
  };
}

/**
 * Asks for a module once. esbuild asks anew for each file that imports it, and wraps it each time in case of a default
 * export, which the editor's API lacks.
 */
function requireOnce(text, module) {
  const asked = new RegExp(`([\\w$]+) ?= ?[\\w$]+\\(require\\("${module}"\\)\\)`, 'g');
  let first;
  return text.replaceAll(asked, (_, name) => {
    if (first !== undefined) return `${name} = ${first}`;
    first = name;
    return `${name} = require("${module}")`;
  });
}

/** A second pass drops what is not used any more. */
async function withoutUnused(text, shape) {
  return withShortImports((await esbuild.transform(text, { ...shape, treeShaking: true })).code);
}

/** Chunks are imported by a function that knows the folder: half of the entry's imports is said once. */
function withShortImports(code) {
  const chunk = /\bimport\("(\.\/[\w-]+\/)([\w-]+)\.js"\)/g;
  const folder = chunk.exec(code)?.[1];
  const name = ['_c', '_chunk'].find((each) => !code.includes(each));
  if (folder === undefined || name === undefined) return code;
  const short = code.replaceAll(chunk, (whole, place, file) => (place === folder ? `${name}("${file}")` : whole));
  return `var ${name}=e=>import("${folder}"+e+".js");${short}`;
}

/**
 * Makes one CommonJS file, `target`, of an ES module `entry` and the chunks that load with it, in place of `entry`.
 * Splitting puts whatever an entry shares with later chunks into files of their own, and an editor waits for each at
 * start, longest for ES modules, which it reads asynchronously; one CommonJS file is read at once. Each chunk that is
 * folded in becomes a line that hands on what `target` exports for it, so that later chunks find the same instances.
 * `files` has the text of esbuild's outputs by the names of the metafile's `outputs`; it is changed in place.
 */
export async function foldEntry({ files, outputs, entry, target, minify, sourcemap }) {
  const loaded = loadedWith(outputs, entry);
  const idle = loaded.filter((name) => isIdle(files, outputs, [entry, ...loaded], name));
  const folded = loaded.filter((name) => !idle.includes(name));
  const handedOn = folded.flatMap((name, index) =>
    outputs[name].exports.map((exported) => ({ name, exported, alias: `$${index}${exported}` })),
  );
  // Assigned at the end, when all is there: esbuild's own way of exporting takes a getter each and its helpers.
  const exports = [...handedOn, ...outputs[entry].exports.map((alias) => ({ name: entry, exported: alias, alias }))];
  const names = `{${exports.map(({ alias }) => alias).join(',')}}`;
  const lines = exports.map(({ name, exported, alias }) => `import {${exported} as ${alias}} from '${name}';`);
  const shape = { platform: 'node', target: 'node22', minify, legalComments: 'none' };
  const { outputFiles } = await esbuild.build({
    stdin: { contents: `${lines.join('\n')}\nmodule.exports = ${names};`, sourcefile: target, resolveDir: '.' },
    bundle: true,
    write: false,
    format: 'cjs',
    ...shape,
    logOverride: { 'commonjs-variable-in-esm': 'silent' },
    sourcemap,
    plugins: [fromMemory(files, target, idle)],
  });
  const plain = requireOnce(outputFiles[0].text, 'vscode');
  const text = minify ? await withoutUnused(plain, shape) : plain;
  files.delete(entry);
  // Never run: from this line Node learns the names before it runs the file.
  files.set(target, `${text}\n0 && (module.exports = ${names});\n`);
  for (const name of folded) {
    const list = handedOn.filter((each) => each.name === name).map(({ exported, alias }) => `${alias} as ${exported}`);
    files.set(name, `export{${list.join(',')}}from"${relativeTo(name, target)}";\n`);
  }
}
