import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** Prints failures only, and writes the counts to the file that REPORT_LIBRARY_TEST_RESULTS names. */
export default class QuietReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      if (failures > 0) Mocha.reporters.Base.list(this.failures);
      const file = process.env.REPORT_LIBRARY_TEST_RESULTS;
      if (file !== undefined)
        writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
}
