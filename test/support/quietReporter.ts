import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';

/** What happened in one test file. */
export interface FileTally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Prints failures only, and writes each file's counts to the file that REPORT_LIBRARY_TEST_RESULTS names. */
export default class QuietReporter extends Mocha.reporters.Base {
  readonly #files = new Map<string, { passed: number; failed: number; skipped: number }>();

  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const count = (test: Mocha.Runnable, what: keyof FileTally) => {
      const name = relative(process.cwd(), test.file ?? test.parent?.file ?? '').replaceAll('\\', '/');
      const tally = this.#files.get(name) ?? { passed: 0, failed: 0, skipped: 0 };
      tally[what]++;
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
