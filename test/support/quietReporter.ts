import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';
import { slowMs } from '../../scripts/progress.ts';

/** What happened in one test file. */
export interface FileTally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** How long its tests took, with what they set up. */
  readonly ms: number;
}

/** Prints failures only, and writes each file's counts and time to the file that REPORT_LIBRARY_TEST_RESULTS names. */
export default class QuietReporter extends Mocha.reporters.Base {
  readonly #files = new Map<string, { passed: number; failed: number; skipped: number; ms: number }>();

  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    let last = performance.now();
    const count = (test: Mocha.Runnable, what: 'passed' | 'failed' | 'skipped') => {
      const name = relative(process.cwd(), test.file ?? test.parent?.file ?? '').replaceAll('\\', '/');
      const tally = this.#files.get(name) ?? { passed: 0, failed: 0, skipped: 0, ms: 0 };
      tally[what]++;
      const now = performance.now();
      const ms = Math.round(now - last);
      if (ms >= slowMs) process.stderr.write(`  ${ms} ms: ${test.fullTitle()}\n`);
      tally.ms += ms;
      last = now;
      this.#files.set(name, tally);
    };
    runner.on('pass', (test) => count(test, 'passed'));
    runner.on('fail', (test) => count(test, 'failed'));
    runner.on('pending', (test) => count(test, 'skipped'));
    runner.once('end', () => {
      if (this.stats.failures > 0) Mocha.reporters.Base.list(this.failures);
      const file = process.env.REPORT_LIBRARY_TEST_RESULTS;
      if (file !== undefined) writeFileSync(file, JSON.stringify(Object.fromEntries(this.#files)));
    });
  }
}
