// Makes every bundle: the extension with its chunks, worker scripts, the panels' browser scripts, the tests that run
// inside the editor. `--production` minifies, `--watch` rebuilds. Says one line when all went well.
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import * as esbuild from 'esbuild';
import { packCharMaps } from './scripts/charMaps.ts';
import { writeIconFont } from './scripts/iconFont.mjs';
import { writeNotices } from './scripts/notices.mjs';
import { foldEntry } from './scripts/oneEntry.mjs';
import { foldShared } from './scripts/oneShared.mjs';
import { slimPdf } from './scripts/slimPdf.ts';

const root = dirname(fileURLToPath(import.meta.url));
const production = process.argv.includes('--production');
const entry = 'dist/extension.js';
const notices = 'dist/ThirdPartyNotices.txt';
const watch = process.argv.includes('--watch');

async function find(pattern) {
  const found = [];
  for await (const name of glob(pattern, { cwd: root })) found.push(name.replaceAll('\\', '/'));
  return found.sort();
}

// A name that no minifier makes up.
const help =
  'import{createRequire as createRequireForCommonJs}from"node:module";const require=createRequireForCommonJs(import.meta.url);\n';

/** Bundled CommonJS packages ask for Node's modules with `require`, which ES modules lack: give it to those files. */
function withRequire(name, contents) {
  const asks = name.endsWith('.js') && contents.includes('typeof require');
  return asks ? help + contents : contents;
}

const writeNodeBundles = {
  name: 'write-node-bundles',
  setup(build) {
    build.onEnd(async ({ outputFiles = [], metafile }) => {
      const nameOf = (path) => relative(root, path).replaceAll('\\', '/');
      const files = new Map(outputFiles.map(({ path, text }) => [nameOf(path), text]));
      if (files.has(entry)) {
        const { outputs } = metafile;
        const sourcemap = production ? false : 'inline';
        await foldEntry({ files, outputs, entry, target: 'dist/extension.cjs', minify: production, sourcemap });
      }
      for (const [name, contents] of files) {
        await mkdir(join(root, dirname(name)), { recursive: true });
        await writeFile(join(root, name), withRequire(name, contents));
      }
    });
  },
};

/** Writes the panels' scripts, what they share as one more. */
const writePageBundles = {
  name: 'write-page-bundles',
  setup(build) {
    build.onEnd(async ({ outputFiles = [], metafile }) => {
      const nameOf = (path) => relative(root, path).replaceAll('\\', '/');
      const files = new Map(outputFiles.map(({ path, text }) => [nameOf(path), text]));
      const sourcemap = production ? false : 'inline';
      const folded = await foldShared({ files, outputs: metafile.outputs, minify: production, sourcemap });
      await mkdir(join(root, 'dist', 'webview'), { recursive: true });
      for (const [name, contents] of folded) await writeFile(join(root, name), contents);
    });
  },
};

// undici brings its parser for processors without SIMD too; every machine that VS Code runs on has SIMD.
const oneParser = {
  name: 'one-parser',
  setup(build) {
    build.onResolve({ filter: /llhttp-wasm\.js$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace('llhttp-wasm', 'llhttp_simd-wasm')),
    }));
  },
};

/**
 * Plot brings maps and colour schemes along, a tenth of its weight that no chart here draws. Their names stay, for Plot
 * lists them when it loads and calls one (for a map that nobody asks for).
 */
const chartsOnly = {
  name: 'charts-only',
  setup(build) {
    build.onResolve({ filter: /^d3-(geo|scale-chromatic)$/ }, ({ path }) => ({ path, namespace: 'charts-only' }));
    build.onLoad({ filter: /.*/, namespace: 'charts-only' }, async ({ path }) => {
      const names = Object.keys(await import(path)).map((name) => `missing as ${name}`);
      return { contents: `const missing = () => {};\nexport { ${names.join(', ')} };` };
    });
  },
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  logLevel: 'warning',
  logOverride: { 'import-is-undefined': 'error' },
  legalComments: 'none',
  metafile: true,
  minify: production,
  sourcemap: production ? false : 'inline',
};

const node = {
  ...shared,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  mainFields: ['module', 'main'],
  // jsPDF can draw HTML and SVG with these; the demo's PDFs have neither.
  external: ['vscode', 'html2canvas', 'canvg', 'dompurify', 'core-js'],
  write: false,
  plugins: [oneParser, writeNodeBundles],
};

/** The extension: an entry that loads at once, and chunks that load on first use (every dynamic import makes one). */
async function extension() {
  const entryPoints = (await find('src/extension.ts')).map((name) => ({ in: name, out: 'extension' }));
  return {
    ...node,
    entryPoints,
    outdir: 'dist',
    splitting: true,
    chunkNames: production ? 'chunks/[hash]' : 'chunks/[name]-[hash]',
  };
}

/** Scripts for worker threads, and what they share: `src/demo/worker.ts` becomes `dist/demo/worker.js`. */
async function workers() {
  const entryPoints = (await find('src/**/{worker,*.worker}.ts')).map((name) => ({
    in: name,
    out: relative('src', name).replace(/\.ts$/, ''),
  }));
  // jsPDF can place PNG images and compress what it writes; the demo's PDFs have neither.
  const alias = { 'fast-png': './scripts/nothing.mjs', fflate: './scripts/nothing.mjs' };
  return { ...node, alias, entryPoints, outdir: 'dist', splitting: true, chunkNames: 'chunks/worker-[hash]' };
}

/** One browser script (and style sheet, if it imports one) a panel. */
async function webviews() {
  const entryPoints = (await find('src/webview/*/main.ts')).map((name) => ({
    in: name,
    out: basename(dirname(name)),
  }));
  const loader = { '.ttf': 'file', '.svg': 'dataurl' };
  return {
    ...shared,
    entryPoints,
    outdir: 'dist/webview',
    platform: 'browser',
    format: 'esm',
    // What panels share is in the package once.
    splitting: true,
    chunkNames: 'shared-[hash]',
    target: 'es2024',
    loader,
    write: false,
    plugins: [chartsOnly, writePageBundles],
  };
}

/** Scripts for workers that panels start, one self-contained file each: they run in the browser. */
async function webviewWorkers() {
  const entryPoints = (await find('src/webview/*/*Worker.ts')).map((name) => ({
    in: name,
    out: basename(name, '.ts'),
  }));
  // pdf.js would load decoders that are not here; it says so itself when a PDF needs one.
  const logOverride = { ...shared.logOverride, 'unsupported-dynamic-import': 'silent' };
  const options = { ...shared, logOverride, sourcemap: false, plugins: [slimPdf] };
  return { ...options, entryPoints, outdir: 'dist/webview', platform: 'browser', format: 'esm', target: 'es2024' };
}

/** Tests for the editor, and the function that runs them there. Packages stay outside: the tests never ship. */
async function editorTests() {
  const names = await find('test/editor/**/*.test.ts');
  const entryPoints = [...names, 'test/support/editor/run.ts'].map((name) => ({
    in: name,
    out: relative('test', name).replace(/\.ts$/, ''),
  }));
  const minify = false;
  return { ...node, entryPoints, outdir: 'out/test', splitting: true, packages: 'external', minify };
}

async function writeIcons() {
  const scripts = [];
  for (const name of await find('dist/webview/*.{js,css}')) scripts.push(await readFile(join(root, name), 'utf8'));
  const from = join(root, 'node_modules', '@vscode', 'codicons', 'dist');
  await writeIconFont(from, join(root, 'dist', 'codicons'), scripts.join('\n'));
}

/** Packs the panels' workers more tightly than a VSIX does; the extension unpacks them. */
async function packWorkers() {
  for (const name of await find('dist/webview/*Worker.js')) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: production ? 11 : 4 };
    await writeFile(
      join(root, `${name}.br`),
      await promisify(brotliCompress)(await readFile(join(root, name)), { params }),
    );
    await rm(join(root, name));
  }
  const maps = await packCharMaps(join(root, 'node_modules', 'pdfjs-dist', 'cmaps'));
  await writeFile(join(root, 'dist', 'webview', 'charMaps.br'), await promisify(brotliCompress)(maps));
}

const start = performance.now();
const bundles = {
  extension: await extension(),
  worker: await workers(),
  panel: await webviews(),
  'panel worker': await webviewWorkers(),
};
if (!production) bundles['editor test'] = await editorTests();
await Promise.all(
  ['dist', ...(production ? [] : ['out'])].map((name) => rm(join(root, name), { recursive: true, force: true })),
);

const wanted = Object.entries(bundles).filter(([, options]) => options.entryPoints.length > 0);
if (watch) {
  const contexts = await Promise.all(wanted.map(([, options]) => esbuild.context({ ...options, logLevel: 'info' })));
  await Promise.all(contexts.map((context) => context.rebuild()));
  await Promise.all([writeIcons(), packWorkers()]);
  for (const context of contexts) await context.watch();
} else {
  try {
    const results = await Promise.all(wanted.map(([, options]) => esbuild.build(options)));
    const shipped = results.slice(0, production ? undefined : -1).map(({ metafile }) => metafile);
    await Promise.all([writeIcons(), packWorkers(), writeNotices(root, shipped, join(root, notices))]);
    const counts = wanted.map(([what, options]) => `${what}: ${options.entryPoints.length}`);
    const bytes = shipped.flatMap(({ outputs }) => Object.entries(outputs));
    const kilobytes =
      bytes.filter(([name]) => name.endsWith('.js')).reduce((sum, [, output]) => sum + output.bytes, 0) / 1000;
    const spent = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`Built ${counts.join(', ')}; ${kilobytes.toFixed(0)} kB of scripts in ${spent} s`);
  } catch (error) {
    // esbuild has printed each message with its place.
    if (error.errors === undefined) throw error;
    process.exitCode = 1;
  }
}
