import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Makes pdf.js's worker fit: leaves out what unpacks Brotli within PDFs, 62 kB of the package for a filter that is a
 * draft and in no report; and puts in the decoder of JBIG2 and fax images, which pdf.js would fetch by an address. Fails
 * when pdf.js has changed so that this does not fit any more.
 */
export const slimPdf: Plugin = {
  name: 'slim-pdf',
  setup(build) {
    build.onLoad({ filter: /pdfjs-dist[\\/]build[\\/]pdf\.worker\.mjs$/ }, async ({ path }) => ({
      contents: withDecoder(withoutBrotli(await readFile(path, 'utf8'))),
      loader: 'js',
    }));
  },
};

function withoutBrotli(text: string): string {
  const start = text.indexOf(';// ./external/brotli/decode.js\n');
  const end = text.indexOf(';// ./src/core/brotli_stream.js\n');
  const declaration = 'let BrotliDecode = makeBrotliDecode();';
  if (start < 0 || end < start || !text.slice(start, end).includes(declaration)) throw changed('Brotli');
  const refusal = "function BrotliDecode() { throw new Error('Brotli is not read here.'); }\n";
  return text.slice(0, start) + refusal + text.slice(end);
}

function withDecoder(text: string): string {
  const asked =
    /await import\(\s*\/\*webpackIgnore: true\*\/\s*\/\*@vite-ignore\*\/\s*`\$\{WasmImage\.#wasmUrl\}\$\{this\._noWasmFilename\}`\)/;
  if (!asked.test(text) || !text.includes('_noWasmFilename = "jbig2_nowasm_fallback.js"')) throw changed('decoders');
  const decoder = `const bundledDecoder = (name) => name === 'jbig2_nowasm_fallback.js'
  ? import('pdfjs-dist/wasm/jbig2_nowasm_fallback.js') : Promise.reject(new Error('There is no such decoder here.'));\n`;
  return decoder + text.replace(asked, 'await bundledDecoder(this._noWasmFilename)');
}

function changed(what: string): Error {
  return new Error(`scripts/slimPdf.ts does not fit this version of pdf.js any more: ${what}.`);
}
