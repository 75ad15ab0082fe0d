import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliEnd, type CliRun, runCli } from '../../support/cli.ts';
import { services } from '../../support/demo/ask.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { plainCatalogue } from '../../support/demo/tinyCatalogue.ts';

interface LockText {
  origin?: string;
  reports: { report_id: number; report_key: string; path: string }[];
}

/** What each test has for itself: a service of `count` reports, a home and a folder to work in. */
export interface CliStage {
  readonly home: string;
  readonly cwd: string;
  readonly demo: TestDemo;
  /** Of the reports of the service. */
  readonly keys: readonly string[];
  readonly cli: (args: string, run?: Partial<CliRun>) => Promise<CliEnd>;
  readonly lockPath: () => string;
  readonly lock: () => Promise<LockText>;
  /** Removes the PDFs of the lock, and those that the cache keeps. */
  readonly forgetPdfs: () => Promise<void>;
}

/** A run that is told nothing of a service. */
export const cold: Partial<CliRun> = { service: undefined };

/** Gives each test of a suite a stage of its own; to be called in its `describe`. */
export function cliStage(count: number): CliStage {
  const { start, end } = services();
  let home: string;
  let cwd: string;
  let demo: TestDemo;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'report-library-home-'));
    cwd = await mkdtemp(join(tmpdir(), 'report-library-'));
    demo = await start({ catalogue: plainCatalogue(count), requestsPerMinute: 100_000 });
  });
  afterEach(async () => {
    await end();
    await chmod(join(cwd, 'reports'), 0o755).catch(() => undefined);
    await rm(home, { recursive: true, force: true });
    await rm(cwd, { recursive: true, force: true });
  });
  const lockPath = () => join(cwd, 'reports', 'reports.lock.json');
  const lock = async () => JSON.parse(await readFile(lockPath(), 'utf8')) as LockText;
  return {
    get home() {
      return home;
    },
    get cwd() {
      return cwd;
    },
    get demo() {
      return demo;
    },
    get keys() {
      return demo.control.entitled().map(({ report_key }) => report_key);
    },
    cli: (args, run) =>
      runCli(args.split(' '), { cwd, home, service: { baseUrl: demo.baseUrl, key: demo.key }, ...run }),
    lockPath,
    lock,
    forgetPdfs: async () => {
      for (const { path } of (await lock()).reports) await rm(join(cwd, 'reports', path), { force: true });
      await rm(join(home, '.cache', 'report-library', 'pdf'), { recursive: true, force: true });
    },
  };
}
