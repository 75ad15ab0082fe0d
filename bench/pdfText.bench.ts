import { type ChildProcess, execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../scripts/places.ts';
import { say } from '../scripts/progress.ts';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { PdfReader } from '../src/text/extract.ts';
import { normalForm } from '../src/text/normalForm.ts';
import type { ReadPdf } from '../src/text/textIndex.ts';
import { catalogOf } from '../test/support/demo/generated.ts';
import { type BenchmarkResult, round, sizeOf } from './libraryBenchmark.ts';

const goal = { share: 0.45, memory: 200, recall: 0.999 };
const files = sizeOf('PDF_TEXT_FILES', 200);

/** What a process has used so far, or at its end. */
interface Used {
  /** Seconds of CPU. */
  readonly cpu: number;
  /** Most resident memory, in MB. */
  readonly memory: number;
}

/** PDFs of one origin. */
interface Corpus {
  readonly name: string;
  readonly paths: readonly string[];
}

interface Measured extends Used {
  readonly pages: number;
  readonly read: readonly ReadPdf[];
}

/**
 * Reads the demo's PDFs, and those in the folder that `REPORT_LIBRARY_PDFS` names, with our reader, with `pdftotext`
 * and with pdf.js, each in a process of its own: pages a second of CPU, memory, and which of the words that
 * `pdftotext` finds on a page ours finds there.
 */
export async function run(): Promise<readonly BenchmarkResult[]> {
  if (spawnSync('pdftotext', ['-v']).error) {
    say('pdftotext (Debian: poppler-utils) is not installed: nothing to compare with.');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'report-library-pdf-text-'));
  try {
    await makeReader(folder);
    const idle = await idleMemory(folder);
    const results: BenchmarkResult[] = [];
    for (const corpus of await corpora(folder)) results.push(...(await compare(corpus, folder, idle)));
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare({ name, paths }: Corpus, folder: string, idle: number): Promise<BenchmarkResult[]> {
  const ours = await byUs(paths, folder);
  const theirs = byPdftotext(paths);
  const pdfjs = byPdfjs(paths, folder);
  const speed = (pages: number, { cpu }: Pick<Used, 'cpu'>) => round(pages / cpu);
  const share = speed(ours.pages, ours) / speed(ours.pages, theirs);
  const memory = ours.memory - idle;
  const { found, wanted } = recall(ours.read, theirs.texts);
  const what = `${ours.pages} pages of ${paths.length} PDFs (${name})`;
  const row = (peer: string, value: number) => ({ peer, p50: round(value), p95: round(value) });
  return [
    {
      name: `reading ${what}`,
      goal: `>= ${goal.share}x pdftotext`,
      unit: 'pages a second of CPU',
      rows: [
        row('our reader', speed(ours.pages, ours)),
        row('pdftotext', speed(ours.pages, theirs)),
        row(`pdf.js (${round(pdfjs.memory - idle)} MB over an idle process)`, speed(ours.pages, pdfjs)),
      ],
      ratio: round(share),
      met: share >= goal.share,
    },
    {
      name: `memory of the reader of ${what}`,
      goal: `<= ${goal.memory} MB over an idle process`,
      unit: 'MB resident, at most',
      rows: [row('our reader', ours.memory), row('an idle process', idle)],
      ratio: round(memory),
      met: memory <= goal.memory,
    },
    {
      name: `words of ${what}`,
      goal: `>= ${goal.recall} of pdftotext's, page by page`,
      unit: 'words',
      rows: [
        row('pdftotext', wanted),
        row(`of these found by our reader (${((100 * found) / wanted).toFixed(3)} %)`, found),
      ],
      ratio: Number((found / wanted).toFixed(5)),
      met: found / wanted >= goal.recall,
    },
  ];
}

export async function corpora(folder: string): Promise<Corpus[]> {
  const { reports, pdf } = catalogOf(200);
  const withFiles = reports.filter(({ has_file }) => has_file);
  const demo = join(folder, 'demo');
  mkdirSync(demo);
  const paths: string[] = [];
  for (let index = 0; index < files; index += 1) {
    const report = withFiles[Math.floor((index * withFiles.length) / files)];
    if (!report) break;
    const path = join(demo, `${report.report_key}.pdf`);
    writeFileSync(path, (await pdf(report)).bytes);
    paths.push(path);
  }
  const own = process.env.REPORT_LIBRARY_PDFS;
  const theirs = own ? globSync('**/*.pdf', { cwd: own }).map((name) => join(own, name)) : [];
  if (theirs.length === 0) return [{ name: 'demo', paths }];
  return [
    { name: 'demo', paths },
    { name: 'own folder', paths: theirs.toSorted() },
  ];
}

/** The reader as it is shipped, and a script that runs it and notes what it uses. */
async function makeReader(folder: string): Promise<void> {
  const options = { bundle: true, minify: true, platform: 'node', format: 'esm', logLevel: 'silent' } as const;
  for (const name of ['reader.worker', 'readerWatch.worker']) {
    const outfile = join(folder, `${name}.js`);
    await build({ ...options, entryPoints: [join(root, 'src', 'text', `${name}.ts`)], outfile });
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  cpSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'), join(folder, 'pdfium.wasm'));
  const note = `import { renameSync, writeFileSync } from 'node:fs';
const note = () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  writeFileSync('used.new', JSON.stringify({ cpu: (user + system) / 1e6, memory: maxRSS / 1024 }));
  renameSync('used.new', 'used.json');
};
setInterval(note, 100);
`;
  writeFileSync(join(folder, 'noted.js'), `${note}await import('./reader.worker.js');\n`);
  writeFileSync(join(folder, 'idle.js'), `${note}process.on('message', () => {});\nprocess.send('ready');\n`);
}

const used = (folder: string) => JSON.parse(readFileSync(join(folder, 'used.json'), 'utf8')) as Used;
/** Until a note has been taken of all that happened before. */
const untilNoted = () => systemClock.sleep(400);

async function idleMemory(folder: string): Promise<number> {
  const child: ChildProcess = fork(join(folder, 'idle.js'), [], { cwd: folder, env: {}, serialization: 'advanced' });
  await once(child, 'message');
  await untilNoted();
  child.kill();
  await once(child, 'close');
  return used(folder).memory;
}

async function byUs(paths: readonly string[], folder: string): Promise<Measured> {
  const reader = new PdfReader({ script: join(folder, 'noted.js'), clock: systemClock, logger: silentLogger });
  try {
    const read: ReadPdf[] = [];
    for (const path of paths) {
      const answer = await reader.read(path);
      if (answer.kind === 'failed') say(`${path}: ${answer.reason}`);
      read.push(answer);
    }
    await untilNoted();
    const pages = read.reduce((sum, answer) => sum + pagesOf(answer), 0);
    return { ...used(folder), pages, read };
  } finally {
    reader.dispose();
  }
}

function pagesOf(answer: ReadPdf): number {
  if (answer.kind === 'failed') return 0;
  return answer.kind === 'read' ? answer.pages.length : answer.pages;
}

/** Its texts, and the CPU of all its processes, as the shell that started them counts it. */
function byPdftotext(paths: readonly string[]): Pick<Used, 'cpu'> & { readonly texts: readonly string[] } {
  const script = 'for f in "$@"; do pdftotext "$f" /dev/null; done 2>/dev/null; times';
  const times = execFileSync('sh', ['-c', script, 'sh', ...paths], { encoding: 'utf8' });
  const [, ofChildren = ''] = times.trim().split('\n');
  const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  const texts = paths.map(
    (path) => spawnSync('pdftotext', [path, '-'], { encoding: 'utf8', maxBuffer: 2 ** 30 }).stdout,
  );
  return { cpu: seconds.reduce((sum, part) => sum + part, 0), texts };
}

function byPdfjs(paths: readonly string[], folder: string): Used {
  const list = join(folder, 'list.json');
  writeFileSync(list, JSON.stringify(paths));
  const script = join(root, 'bench', 'pdfTextByPdfjs.ts');
  const output = execFileSync(process.execPath, ['--no-warnings', script, list], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Used;
}

/**
 * Words that `pdftotext` has on a page, and how many of them ours has there, as often. A hyphen within a word counts for
 * nothing, since which of those at a line's end belong to the word is a guess; nor do line breaks in Chinese and Japanese.
 */
function recall(
  read: readonly ReadPdf[],
  texts: readonly string[],
): { readonly found: number; readonly wanted: number } {
  let [found, wanted] = [0, 0];
  read.forEach((answer, index) => {
    if (answer.kind !== 'read') return;
    const theirs = texts[index]?.split('\f') ?? [];
    answer.pages.forEach(({ text }, page) => {
      const left = new Map<string, number>();
      for (const word of wordsOf(text)) left.set(word, (left.get(word) ?? 0) + 1);
      for (const word of wordsOf(normalForm(theirs[page] ?? ''))) {
        wanted += 1;
        const times = left.get(word) ?? 0;
        if (times > 0) found += 1;
        left.set(word, times - 1);
      }
    });
  });
  return { found, wanted };
}

function wordsOf(text: string): readonly string[] {
  const whole = text.toLowerCase().replace(/(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}])/gu, '');
  return (
    whole.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{M}\p{N}])+/gu) ??
    []
  );
}
