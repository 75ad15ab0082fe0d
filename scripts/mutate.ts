// `npm run mutate`: makes small mistakes in the product, one at a time, and tells which of them no test notices.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/demo/random.ts';
import { find, text } from '../test/house/sources.ts';
import { type Mutant, mutantsOf } from './mutate/mutants.ts';
import { type Run, runTests } from './mutate/run.ts';
import { endOnSignals } from './process/owned.ts';
import { main, PlainFailure, say, seconds } from './progress.ts';

const folders = [
  ...['src/api', 'src/library', 'src/files', 'src/downloads', 'src/identifiers', 'src/machine'],
  ...['src/evidence', 'src/text'],
];
/**
 * A file of tests that takes more of the processor, in ms, is left to `npm test` (and named), and so is what comes after
 * so much of nearer files. A module's own unit test is always taken.
 */
const slowestFileMs = 12_000;
const perMutantMs = 45_000;
/** How long a file of tests may take by itself, however busy the machine. */
const measureLimitMs = 180_000;

const usage = `Mutates ${folders.join(', ')} without touching a file, and runs the tests nearest to each mutant.

  npm run mutate -- [folder or file …] [options]

  --sample N   mutants of each (default 80)
  --seed N     another sample (default 1)
  --only N     of the sample, the mutant with this number alone
  --tests N    the N nearest files of tests alone: quicker, and the score is no higher for it
`;

function whole(name: string, given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new PlainFailure(`--${name} takes a whole number, not "${given}".`);
  return Number(given);
}

/** Files that a file names: by imports, or as the script of a thread or a process. */
function namedIn(file: string): readonly string[] {
  const running = text(file).replaceAll(/^(import|export) type [^;]*;/gm, '');
  return [...running.matchAll(/'(\.{1,2}\/[^']+\.ts)'/g)].map(([, name = '']) => posix.join(posix.dirname(file), name));
}

/** Every file that a test file loads, by how many imports it is away. */
function distances(testFile: string, imports: (file: string) => readonly string[]): ReadonlyMap<string, number> {
  const seen = new Map([[testFile, 0]]);
  for (const [file, distance] of seen) {
    for (const next of imports(file)) if (!seen.has(next)) seen.set(next, distance + 1);
  }
  return seen;
}

/** Gives the test files that load a file, nearest first, as many as fit into the time of a mutant. */
async function nearestTests(scratch: string, most: number) {
  const sources = new Set(await find('{src,test,scripts}/**/*.ts'));
  const known = new Map<string, readonly string[]>();
  const imports = (file: string) => {
    const found = known.get(file) ?? namedIn(file).filter((name) => sources.has(name));
    known.set(file, found);
    return found;
  };
  const reach = new Map<string, ReadonlyMap<string, number>>();
  for (const name of await find('test/{unit,service}/**/*.test.ts')) {
    // One that is ended on its way must leave no disk mounted.
    if (!text(name).includes("'mount'")) reach.set(name, distances(name, imports));
  }
  const runs = new Map<string, Promise<Run>>();
  /** A test file by itself, unmutated. Which ones are of no use here is said once. */
  const runOf = (name: string) => {
    const known = runs.get(name) ?? measure(name, scratch);
    runs.set(name, known);
    return known;
  };
  return async (file: string) => {
    const own = file.replace(/^src\/(.*)\.ts$/, 'test/unit/$1.test.ts');
    const near = [...reach].flatMap(([name, seen]) => {
      const distance = name === own ? 0 : seen.get(file);
      if (distance === undefined) return [];
      // Service tests take longer, so they come later; one of the same name is about the module.
      const isNamesake = posix.basename(name) === posix.basename(own);
      return [{ name, distance: isNamesake ? 0 : name.startsWith('test/service/') ? distance + 2 : distance }];
    });
    const names: string[] = [];
    let cpuMs = 0;
    let limitMs = 20_000;
    for (const { name } of near.sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))) {
      if (cpuMs > perMutantMs || names.length >= most) break;
      const run = await runOf(name);
      if (run.outcome !== 'passed' || (run.cpuMs > slowestFileMs && name !== own)) continue;
      names.push(name);
      cpuMs += run.cpuMs;
      limitMs += run.wallMs * 4;
    }
    return { names, limitMs };
  };
}

async function measure(name: string, scratch: string): Promise<Run> {
  const run = await runTests([name], measureLimitMs, scratch);
  const taken = `${(run.cpuMs / 1000).toFixed(1)} s of the processor`;
  if (run.outcome !== 'passed') say(`Left out: ${name} ${run.outcome === 'late' ? 'never ends' : 'fails'} by itself`);
  else if (run.cpuMs > slowestFileMs) say(`Left out, but for its own module: ${name} takes ${taken}`);
  return run;
}

/** A sample of the mutants, the same for the same seed. */
function sampled(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  const random = seededRandom(seed);
  const drawn = mutants.map((mutant) => ({ mutant, at: random() })).sort((a, b) => a.at - b.at);
  return drawn.slice(0, count).map(({ mutant }) => mutant);
}

function told({ file, line, before, after }: Mutant): string {
  const short = (code: string) => (code.length > 90 ? `${code.slice(0, 90)}…` : code).replaceAll(/\s+/g, ' ');
  return `${file}:${line}  ${short(before)}  →  ${short(after)}`;
}

endOnSignals();
await main(async () => {
  const value = { type: 'string' } as const;
  const options = { sample: value, seed: value, only: value, tests: value, help: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const count = whole('sample', values.sample ?? '80');
  const seed = whole('seed', values.seed ?? '1');
  const scratch = await mkdtemp(join(tmpdir(), 'mutants-'));
  process.once('exit', () => void rm(scratch, { recursive: true, force: true }));
  try {
    const testsOf = await nearestTests(scratch, whole('tests', values.tests ?? '99'));
    for (const folder of positionals.length > 0 ? positionals : folders) {
      const start = performance.now();
      const files = folder.endsWith('.ts') ? [folder] : await find(`${folder}/**/*.ts`);
      const all = mutantsOf(files);
      const sample = sampled(all, count, seed);
      let killed = 0;
      for (const [index, mutant] of sample.entries()) {
        if (values.only !== undefined && index + 1 !== whole('only', values.only)) continue;
        const { names, limitMs } = await testsOf(mutant.file);
        const own = join(scratch, String(index));
        await mkdir(own);
        const outcome = names.length === 0 ? 'passed' : (await runTests(names, limitMs, own, mutant)).outcome;
        await rm(own, { recursive: true, force: true, maxRetries: 3 });
        if (outcome !== 'passed') killed += 1;
        else process.stdout.write(`${index + 1}. ${told(mutant)}${names.length === 0 ? '  (no test loads it)' : ''}\n`);
      }
      const score = Math.round((killed / Math.max(1, sample.length)) * 100);
      const line = `${folder}: ${killed} of ${sample.length} noticed (${score} %), of ${all.length} mutants`;
      process.stdout.write(`${line}, in ${seconds(start)}\n`);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return 0;
});
