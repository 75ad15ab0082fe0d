import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const inPackage = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const licenseFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
/** A part of undici that is no module of it. */
const llhttp =
  'llhttp (in undici): MIT, Copyright Fedor Indutny, 2018. Its license has the same text as that of undici.';

/** The folders of the packages that these builds put into their outputs, from the root, sorted. */
export function packagesIn(metafiles) {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
  const folders = new Set(inputs.map(([file, { bytesInOutput }]) => bytesInOutput && folderOf(file)));
  return [...folders].filter(Boolean).sort();
}

/** Writes who made what these builds put into their outputs, each with its license; throws for one without. */
export async function writeNotices(root, metafiles, to = 'dist') {
  const notices = await Promise.all(packagesIn(metafiles).map((folder) => noticeOf(join(root, folder))));
  const head = 'Report Library contains parts of these packages, each with its license below.';
  const file = join(root, to, 'ThirdPartyNotices.txt');
  await writeFile(file, `${[head, llhttp, ...notices].join(`\n\n${'-'.repeat(80)}\n`)}\n`);
}

function folderOf(file) {
  return inPackage.exec(file)?.[1];
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => licenseFile.test(file)).sort();
  if (files.length === 0 || typeof license !== 'string') throw new Error(`${folder} says nothing of its license.`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return [`${name} ${version}: ${license}`, ...texts.map((text) => text.trim())].join('\n\n');
}
