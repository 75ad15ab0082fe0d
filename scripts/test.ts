import { build, buildCliForTests } from './build.ts';
import { sharedExtensions } from './host/profile.ts';
import { installBrowser } from './install/browser.ts';
import { installHost } from './install/hosts.ts';
import { endOnSignals } from './process/owned.ts';
import { main, PlainFailure, say, seconds } from './progress.ts';
import { lint, types } from './test/checks.ts';
import { desktopTests } from './test/desktop.ts';
import { editorTests } from './test/editor.ts';
import { editorLanes } from './test/lanes.ts';
import { mochaTests } from './test/mochaRun.ts';
import { add, line, none, type Tally } from './test/tally.ts';
import { packageVsix, type Vsix } from './vsix.ts';

const [kind = 'all', ...only] = process.argv.slice(2);

let packaging: Promise<Vsix> | undefined;
/** Packages once for all kinds that run side by side: two that do it at once take the files from under each other. */
function packaged(): Promise<Vsix> {
  packaging ??= packageVsix();
  return packaging;
}

/** What each kind of test does. */
const kinds: Readonly<Record<string, () => Promise<Tally>>> = {
  types,
  lint,
  unit: () => mochaTests('unit', { timeoutMs: 20_000, processes: 3, only }),
  service: async () => {
    // Some files need the package; they make it themselves when they run without the others.
    if (only.length === 0) await packaged();
    await buildCliForTests();
    return mochaTests('service', { timeoutMs: 60_000, processes: 12, atOnce: 4, only });
  },
  house: async () => {
    if (only.length === 0) await packaged();
    return mochaTests('house', { timeoutMs: 120_000, only });
  },
  editor: async () => {
    await build('development');
    return editorTests('newest', only);
  },
  browser: async () => {
    // Made and installed before two files ask for them at once.
    const [host, vsix] = await Promise.all([installHost('newest'), packaged(), installBrowser()]);
    await sharedExtensions(host, vsix);
    return mochaTests('browser', { timeoutMs: 180_000, lanes: editorLanes, only });
  },
  oldest: async () => {
    await build('development');
    return editorTests('oldest', only);
  },
  desktop: () => desktopTests(only),
  long: async () => {
    await buildCliForTests();
    const minutes = only.find((word) => /^\d+$/.test(word));
    if (minutes !== undefined) process.env.LONG_MINUTES = minutes;
    return mochaTests('long', { timeoutMs: 3_600_000, only: only.filter((word) => word !== minutes) });
  },
};
/** Kinds that run one after the other. */
type Chain = readonly string[];
/**
 * What `npm test` promises. The chains of a stage run side by side: they share no file and no editor. The service tests
 * wait for much of their time, so the others compute beside them.
 */
const all: readonly (readonly Chain[])[] = [
  [['service'], ['unit', 'types', 'lint', 'house']],
  [['editor'], ['browser']],
];
/** What one runs while writing. Packaging for the house tests takes one core while the unit tests take the other. */
const quick: typeof all = [[['types'], ['lint'], ['unit'], ['house']]];

async function runChain(names: Chain): Promise<Tally> {
  let tally = none;
  for (const name of names) tally = add(tally, await runKind(name));
  return tally;
}

async function runKind(name: string): Promise<Tally> {
  const start = performance.now();
  const work = kinds[name];
  if (work === undefined) throw new PlainFailure(`There are no ${name} tests: ${Object.keys(kinds).join(', ')}.`);
  let tally: Tally;
  try {
    tally = await work();
  } catch (error) {
    // One kind that cannot run must not hide what the others found.
    say(error instanceof PlainFailure ? error.message : String(error instanceof Error ? error.stack : error));
    tally = { passed: 0, failed: 1, skipped: 0 };
  }
  const failed = tally.failed > 0 ? `, ${tally.failed} FAILED` : '';
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : '';
  say(`${name}: ${tally.passed} ok${failed}${skipped} (${seconds(start)})`);
  return tally;
}

endOnSignals();
await main(async () => {
  const stages = kind === 'all' ? all : kind === 'quick' ? quick : [[[kind]]];
  if (kind === 'all') {
    // The downloads are waited for where they are used, which also reports their failure.
    void Promise.allSettled([installHost('newest'), installBrowser()]);
  }
  let total = none;
  for (const chains of stages) total = (await Promise.all(chains.map(runChain))).reduce(add, total);
  if (total.retried) say(`Run once more: ${total.retried}. A test that needs that has a fault of its own.`);
  process.stdout.write(`${line(total)}\n`);
  return total.failed === 0 && total.passed + total.skipped > 0 ? 0 : 1;
});
