import { appendFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';

/** One line of the file that tells the outside what happened, written the moment it happens. */
export type TestEvent =
  | { readonly kind: 'passed' | 'skipped'; readonly title: string; readonly ms: number }
  | { readonly kind: 'failed'; readonly title: string; readonly reason: string; readonly ms: number }
  | { readonly kind: 'end' };

const testLimitMs = 60_000;

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The runner must set ${name}.`);
  return value;
}

/**
 * Runs one label's tests inside the extension host; the editor calls it because `extensionTestsPath` names this module.
 * Rejects when a test failed or none was found, which the editor turns into a failing exit code.
 */
export async function run(): Promise<void> {
  const label = variable('REPORT_LIBRARY_TEST_LABEL');
  const resultsFile = variable('REPORT_LIBRARY_TEST_RESULTS');
  const tell = (event: TestEvent) => appendFileSync(resultsFile, `${JSON.stringify(event)}\n`);

  const mocha = new Mocha({ ui: 'bdd', timeout: testLimitMs, reporter: Mocha.reporters.Base });
  const folder = join(import.meta.dirname, '..', '..', 'editor', label);
  const names: string[] = [];
  for await (const name of glob('**/*.test.js', { cwd: folder })) names.push(name);
  if (names.length === 0) throw new Error(`No tests were found for ${label}.`);
  // Mocha would try `require` on each file first, and VS Code 1.110 then waits for ever for its own answer about
  // where `vscode` is. So each file is imported here, as mocha's own loader does it for ES modules.
  for (const name of names.sort()) {
    const file = join(folder, name);
    mocha.suite.emit('pre-require', globalThis, file, mocha);
    mocha.suite.emit('require', await import(pathToFileURL(file).href), file, mocha);
    mocha.suite.emit('post-require', globalThis, file, mocha);
  }

  let last = performance.now();
  /** How long a test took, with what was set up for it. */
  const ms = () => {
    const began = last;
    last = performance.now();
    return Math.round(last - began);
  };
  const failures = await new Promise<number>((resolve) => {
    mocha
      .run(resolve)
      .on('pass', (test) => tell({ kind: 'passed', title: test.fullTitle(), ms: ms() }))
      .on('pending', (test) => tell({ kind: 'skipped', title: test.fullTitle(), ms: ms() }))
      .on('fail', (test, error) =>
        tell({ kind: 'failed', title: test.fullTitle(), reason: error?.stack ?? String(error), ms: ms() }),
      );
  });
  tell({ kind: 'end' });
  if (failures > 0) throw new Error(`${failures} failed.`);
}
