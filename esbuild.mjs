// Makes every bundle: the extension with its chunks, worker scripts, the panels' browser scripts, the command line, the
// tests that run inside the editor. `--production` minifies, `--watch` rebuilds, `--cli FOLDER` makes the command line alone,
// as a package in that folder. Says one line when all went well.
import { cp, glob, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { writeCliPackage } from './scripts/cliPackage.mjs';
import { writeNotices } from './scripts/notices.mjs';

const root = dirname(fileURLToPath(import.meta.url));
const production = process.argv.includes('--production');
const cliAlone = process.argv.includes('--cli');
const cliFolder = cliAlone ? process.argv[process.argv.indexOf('--cli') + 1] : 'dist-cli';

/** Entry points by a pattern, each with the name of its output. */
async function entries(pattern, nameOf) {
  const found = [];
  for await (const file of glob(pattern, { cwd: root })) found.push(file.replaceAll('\\', '/'));
  return found.sort().map((file) => ({ in: file, out: nameOf(file) }));
}

/** `src/demo/worker.ts` is `demo/worker` below `src`. */
const below = (folder) => (file) => relative(folder, file).replace(/\.ts$/, '');

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  legalComments: 'none',
  logLevel: 'warning',
  logOverride: { 'import-is-undefined': 'error' },
  metafile: true,
  minify: production,
  sourcemap: production ? false : 'inline',
};

const node = {
  ...common,
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
  splitting: true,
  alias: { 'node:diagnostics_channel': join(root, 'scripts', 'inertDiagnostics.mjs') },
};

const shipped = {
  ...node,
  outdir: 'dist',
  external: ['vscode'],
  // Packages in CommonJS ask for Node's modules with `require`, which ES modules lack. No minifier makes up this name.
  banner: {
    js: "import{createRequire as $require}from'node:module';const require=$require(import.meta.url);",
  },
};

/** The command line, and the scripts of its threads, laid out as the extension has them. */
const cli = {
  ...node,
  outdir: `${cliFolder}/dist`,
  banner: { ...shipped.banner },
  entryPoints: [
    { in: 'src/cli/main.ts', out: 'cli/main' },
    ...(await entries('src/{{demo,library,text}/{worker,*.worker},tools/mcp}.ts', below('src'))),
  ],
  chunkNames: 'chunks/[hash]',
};

const bundles = {
  /** An entry that loads at once, and chunks that load on first use: every dynamic import makes one. */
  extension: {
    ...shipped,
    entryPoints: await entries('src/extension.ts', below('src')),
    chunkNames: production ? 'chunks/[hash]' : 'chunks/[name]-[hash]',
  },
  /** Scripts for worker threads and processes, and what they share: `src/demo/worker.ts` becomes `dist/demo/worker.js`. */
  worker: {
    ...shipped,
    entryPoints: await entries('src/{**/{worker,*.worker},tools/mcp}.ts', below('src')),
    chunkNames: 'chunks/worker-[hash]',
  },
  /** A browser script a panel, and a style sheet if it imports one; that of the PDF's worker; and the icons. */
  panel: {
    ...common,
    entryPoints: [
      ...(await entries('src/webview/*/main.ts', (file) => basename(dirname(file)))),
      { in: 'node_modules/@vscode/codicons/dist/codicon.css', out: 'codicons' },
    ],
    // A page may ask for no file, so the icons' font is in their style sheet.
    loader: { '.ttf': 'dataurl' },
    outdir: 'dist/webview',
    platform: 'browser',
    format: 'iife',
    target: 'es2024',
    // Pictures of pdf.js's own tools, which are not shown; the page's policy allows none.
    external: ['*.svg', '*.gif'],
    // pdf.js asks for its address in Node alone.
    logOverride: { ...common.logOverride, 'empty-import-meta': 'silent' },
  },
};

/** Tests for the editor, and the function that runs them there. Packages stay outside: the tests never ship. */
const editorTests = {
  ...node,
  entryPoints: [
    ...(await entries('test/editor/**/*.test.ts', below('test'))),
    ...(await entries('test/support/editor/run.ts', below('test'))),
  ],
  outdir: 'out/test',
  packages: 'external',
};

/** What pdf.js reads while it shows a PDF, but for what can't be asked for by message. */
async function copyPdfjs() {
  const from = join(root, 'node_modules', 'pdfjs-dist');
  const to = join(root, 'dist', 'pdfjs');
  const isLeftOut = (path) => /quickjs|qcms|_nowasm_/i.test(basename(path));
  for (const folder of ['cmaps', 'standard_fonts', 'wasm'])
    await cp(join(from, folder), join(to, folder), { recursive: true, filter: (path) => !isLeftOut(path) });
}

/** PDFium, which reads the text of PDFs, beside the script that starts it. */
function copyPdfium() {
  const from = join(root, 'node_modules', '@embedpdf', 'pdfium', 'dist', 'pdfium.wasm');
  return Promise.all(
    [...(cliAlone ? [] : ['dist']), `${cliFolder}/dist`].map((to) => cp(from, join(root, to, 'text', 'pdfium.wasm'))),
  );
}

const start = performance.now();
await Promise.all(
  (cliAlone ? [cliFolder] : ['dist', cliFolder, ...(production ? [] : ['out'])]).map((name) =>
    rm(join(root, name), { recursive: true, force: true }),
  ),
);
const wanted = [cli, ...Object.values(bundles), ...(production ? [] : [editorTests])];
if (cliAlone) {
  const [{ metafile }] = await Promise.all([esbuild.build(cli), copyPdfium()]);
  await writeCliPackage(root, metafile, cliFolder);
} else if (process.argv.includes('--watch')) {
  await Promise.all([copyPdfjs(), copyPdfium()]);
  for (const options of wanted) await (await esbuild.context({ ...options, logLevel: 'info' })).watch();
} else {
  try {
    const results = await Promise.all([...wanted.map((options) => esbuild.build(options)), copyPdfjs(), copyPdfium()]);
    const [ofCli, ...metafiles] = results.slice(0, 1 + Object.keys(bundles).length).map(({ metafile }) => metafile);
    await writeNotices(root, metafiles);
    await writeCliPackage(root, ofCli, cliFolder);
    const counts = Object.entries(bundles).map(([what, { entryPoints }]) => `${what}: ${entryPoints.length}`);
    const bytes = metafiles.flatMap(({ outputs }) => Object.values(outputs)).reduce((sum, one) => sum + one.bytes, 0);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`Built ${counts.join(', ')}; ${(bytes / 1000).toFixed(0)} kB in ${seconds} s`);
  } catch (error) {
    // esbuild has printed each message with its place.
    if (error.errors === undefined) throw error;
    process.exitCode = 1;
  }
}
