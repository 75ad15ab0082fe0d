import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const inPackage = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const textFile = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;
// With a year or a (c): a licence's own text has lines that begin like these.
const copyright = /^\s*(?:(?:copyright|\(c\)|©).*\b\d{4}\b|copyright \(c\) \S)/i;
const title = /^\s*(?:copyright|(?:the )?(?:mit|isc)(?: licen[cs]e)?(?:\s*\((?:mit|isc)\))?)\s*$/i;

/** What is in the package without being a module of its own. */
const within = [
  { name: 'llhttp (in undici)', licence: 'MIT', copyrights: ['Copyright Fedor Indutny, 2018.'], sameTextAs: 'undici' },
];
/** Parts of packages that have a licence of their own, by the files that hold it. */
const parts = [
  { name: 'pdfjs-dist', part: 'the character maps of Adobe in pdfjs-dist', file: 'cmaps/LICENSE' },
  { name: 'pdfjs-dist', part: 'the decoder of PDFium in pdfjs-dist', file: 'wasm/LICENSE_JBIG2' },
];
const pictures = `The icons in dist/codicons are a part of the Visual Studio Code Codicons, Copyright (c) Microsoft Corporation, under the
Creative Commons Attribution 4.0 International licence: https://creativecommons.org/licenses/by/4.0/. The font was cut
down to the icons in use.`;

/** Folders of the packages of which esbuild put something into its outputs, sorted. */
export function bundledPackages(metafiles) {
  const folders = new Set();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = inPackage.exec(file)?.[1];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
    }
  }
  return [...folders].sort();
}

async function readPackage(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => textFile.test(file)).sort();
  if (files.length === 0 || typeof license !== 'string') throw new Error(`${folder} says nothing of its licence.`);
  const lines = [];
  for (const file of files) lines.push(...(await readFile(join(folder, file), 'utf8')).trim().split(/\r?\n/));
  const copyrights = lines.filter((line) => copyright.test(line));
  const text = lines.filter((line) => !copyrights.includes(line)).join('\n');
  return { name, version, licence: license, copyrights: copyrights.map((line) => line.trim()), text: text.trim() };
}

/** Texts that differ in nothing but their title, line breaks and spaces have the same key. */
function keyOf(text) {
  const lines = text.split('\n').filter((line) => !title.test(line));
  return lines
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/["“”*]/g, '')
    .trim()
    .toLowerCase();
}

/**
 * The notices of the packages in these folders: who wrote each, and every licence's text once.
 * @throws Error for a package without a licence or its text
 */
export async function noticesOf(folders) {
  const packages = await Promise.all(folders.map(readPackage));
  const texts = new Map();
  for (const { name, text } of packages) {
    const found = texts.get(keyOf(text)) ?? { text, names: [] };
    texts.set(keyOf(text), { ...found, names: [...found.names, name] });
  }
  for (const { name, sameTextAs } of within) {
    for (const { names } of texts.values()) if (names.includes(sameTextAs)) names.push(name);
  }
  const present = within.filter(({ sameTextAs }) => packages.some(({ name }) => name === sameTextAs));
  const list = [...packages, ...present].map(({ name, version, licence, copyrights }) =>
    [`${[name, version].filter(Boolean).join(' ')}: ${licence}`, ...copyrights.map((line) => `  ${line}`)].join('\n'),
  );
  const section = (what, text) => `${'-'.repeat(80)}\n${what}\n\n${text}`;
  const licences = [...texts.values()].map(({ text, names }) => section(names.join(', '), text));
  for (const { name, part, file } of parts) {
    const folder = folders[packages.findIndex((found) => found.name === name)];
    if (folder !== undefined) licences.push(section(part, (await readFile(join(folder, file), 'utf8')).trim()));
  }
  const head = 'Report Library contains parts of these packages. The texts of their licences follow the list.';
  return `${[head, list.join('\n'), pictures, ...licences].join('\n\n')}\n`;
}

/** Writes the notices of everything that these builds put into their outputs. */
export async function writeNotices(root, metafiles, target) {
  await writeFile(target, await noticesOf(bundledPackages(metafiles).map((folder) => join(root, folder))));
}
