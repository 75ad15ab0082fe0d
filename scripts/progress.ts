/** Seconds since `start` (a value of `performance.now()`), with one decimal, for progress lines. */
export function seconds(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** A test that takes so long (ms), with what is set up for it, is named; none where SLOW_TESTS says nothing. */
export const slowMs: number = Number(process.env.SLOW_TESTS ?? Number.POSITIVE_INFINITY);

/** One line of progress on standard error, so that standard output stays for results. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Says what begins and, when it worked, how long it took. */
export async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  say(`${what} …`);
  const result = await work();
  say(`${what}: done in ${seconds(start)}`);
  return result;
}

/** A failure that a person can act on: scripts print the message alone, without a stack trace. */
export class PlainFailure extends Error {
  override name = 'PlainFailure';
}

/** Runs a script's main function and turns what it throws into one sentence and exit code 1. */
export async function main(work: () => Promise<number | undefined>): Promise<void> {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    say(error instanceof PlainFailure ? error.message : String(error instanceof Error ? error.stack : error));
    process.exitCode = 1;
  }
}
