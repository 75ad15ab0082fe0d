import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliEnd, type CliRun, runCli } from '../../support/cli.ts';
import { services } from '../../support/demo/ask.ts';
import type { TestDemo, TestDemoOptions } from '../../support/demo/testDemo.ts';
import { plainCatalog } from '../../support/demo/tinyCatalog.ts';

interface LockText {
  origin?: string;
  reports: { report_id: number; report_key: string; path: string }[];
}

/** What a test works with: a service, a home and a folder to work in. */
export interface CliStage {
  readonly home: string;
  readonly cwd: string;
  readonly demo: TestDemo;
  /** Of the reports of the service. */
  readonly keys: readonly string[];
  /** Runs a command; a text is split at its blanks. */
  readonly cli: (args: string | readonly string[], run?: Partial<CliRun>) => Promise<CliEnd>;
  readonly lockPath: () => string;
  readonly lock: () => Promise<LockText>;
  /** Removes the PDFs of the lock, and those that the cache keeps. */
  readonly forgetPdfs: () => Promise<void>;
}

/** A run that is told nothing of a service. */
export const cold: Partial<CliRun> = { service: undefined };

/** Gives each test of a suite its own service of `count` reports, home and folder. Call it in the `describe`. */
export function cliStage(count: number): CliStage {
  return stage(() => ({ catalog: plainCatalog(count) }), beforeEach, afterEach);
}

/** Gives all tests of a suite one service of two companies, one home and one folder. Call it in the `describe`. */
export function sharedCliStage(): CliStage {
  return stage(() => ({ companies: 2 }), before, after);
}

function stage(
  options: () => TestDemoOptions,
  begin: (set: () => Promise<void>) => void,
  finish: typeof begin,
): CliStage {
  const { start, end } = services();
  let home: string;
  let cwd: string;
  let demo: TestDemo;
  begin(async () => {
    home = await mkdtemp(join(tmpdir(), 'report-library-home-'));
    cwd = await mkdtemp(join(tmpdir(), 'report-library-'));
    demo = await start({ ...options(), requestsPerMinute: 100_000 });
  });
  finish(async () => {
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
      runCli(typeof args === 'string' ? args.split(' ') : args, {
        ...{ cwd, home, service: { baseUrl: demo.baseUrl, key: demo.key } },
        ...run,
      }),
    lockPath,
    lock,
    forgetPdfs: async () => {
      for (const { path } of (await lock()).reports) await rm(join(cwd, 'reports', path), { force: true });
      await rm(join(home, '.cache', 'report-library', 'pdf'), { recursive: true, force: true });
    },
  };
}

/** The text of an evidence file with one quote of a PDF. */
export function evidenceOf(report_id: unknown, report_key: unknown, sha256: unknown): string {
  const quote = {
    ...{ id: 'aaaaaaaaaaaa', kind: 'quote', note: '', created_at: '2026-01-01T00:00:00Z' },
    ...{ report_id, report_key, sha256 },
    selector: { type: 'TextQuoteSelector', exact: 'emissions', prefix: '', suffix: '' },
    regions: [{ page: 1, label: null, rectangles: [] }],
  };
  return JSON.stringify({ version: 1, evidence: [quote] });
}
