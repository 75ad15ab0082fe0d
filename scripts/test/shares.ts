import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileTally } from '../../test/support/quietReporter.ts';
import { cache, root } from '../places.ts';

/** How long each file of a kind took when it last ran on this machine, in ms. */
const timesFile = (kind: string) => join(cache, 'times', `${kind}.json`);

async function readTimes(kind: string): Promise<Readonly<Record<string, number>>> {
  try {
    return JSON.parse(await readFile(timesFile(kind), 'utf8')) as Record<string, number>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

let kept: Promise<void> = Promise.resolve();

/** Keeps how long these files took, for the next run. */
export function keepTimes(kind: string, files: readonly (readonly [name: string, tally: FileTally])[]): Promise<void> {
  kept = kept.then(async () => {
    const times = { ...(await readTimes(kind)), ...Object.fromEntries(files.map(([name, { ms }]) => [name, ms])) };
    await mkdir(join(cache, 'times'), { recursive: true });
    // By a rename, so that a run that is ended meanwhile leaves no half of a file.
    const half = `${timesFile(kind)}.${process.pid}`;
    await writeFile(half, JSON.stringify(times, null, 1));
    await rename(half, timesFile(kind));
  });
  return kept;
}

/** Loads a window of the editor, which takes as long as much of what is done in it. */
const loadsWindow = /\b(?:openEditor|openSignedIn|openSecond|reload|reloadInOrder)\(/g;
/** Characters of a test that take about as long. */
const windowWeight = 4_000;
/** A loop of tests, each of which begins anew. */
const loopsTests = /\bfor \(.*\{\s+it\(/g;
const loopWeight = 8_000;

/**
 * About how long each file will take: as last time; before that, and for new files, in proportion to its size and the
 * windows and loops in it, which is no more than a guess.
 */
export async function weigh(kind: string, files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const times = await readTimes(kind);
  const weights = files.map(async (name) => [name, times[name] ?? (await guess(name))] as const);
  return new Map(await Promise.all(weights));
}

async function guess(name: string): Promise<number> {
  const text = await readFile(join(root, name), 'utf8');
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  return text.length + windowWeight * count(loadsWindow) + loopWeight * count(loopsTests);
}

/**
 * Deals things out, the heaviest first, each to the share that is lightest then: the shares are about as heavy, and the
 * heaviest thing is the first of the first one. No share is empty.
 */
export function shareOut(weights: ReadonlyMap<string, number>, count: number): readonly (readonly string[])[] {
  const shares = Array.from({ length: count }, () => ({ names: [] as string[], weight: 0 }));
  for (const [name, weight] of [...weights].sort(([, a], [, b]) => b - a)) {
    const lightest = shares.reduce((a, b) => (b.weight < a.weight ? b : a));
    lightest.names.push(name);
    lightest.weight += weight + 1;
  }
  return shares.flatMap(({ names }) => (names.length > 0 ? [names] : []));
}

const opensEditor = /\bopen(?:Editor|SignedIn)\(/;

/** Those of the files that open an editor. */
export async function editorFiles(files: readonly string[]): Promise<ReadonlySet<string>> {
  const found = files.map(async (name) => opensEditor.test(await readFile(join(root, name), 'utf8')));
  const opens = await Promise.all(found);
  return new Set(files.filter((_, index) => opens[index]));
}

/**
 * Deals things out among lanes: those `alone` a share each, so that all lanes are busy to the end; the others together in
 * a share for each lane, since a process takes longer to begin than many of them to run. The heaviest share comes first.
 */
export function laneShares(
  weights: ReadonlyMap<string, number>,
  alone: ReadonlySet<string>,
  lanes: number,
): readonly (readonly string[])[] {
  const some = (isAlone: boolean) => new Map([...weights].filter(([name]) => alone.has(name) === isAlone));
  const shares = [...shareOut(some(true), alone.size), ...shareOut(some(false), lanes)];
  const weightOf = (names: readonly string[]) => names.reduce((sum, name) => sum + (weights.get(name) ?? 0), 0);
  return shares.sort((a, b) => weightOf(b) - weightOf(a));
}
