import { dirname } from 'node:path';
import { plainText } from '../base/words.ts';
import { isThere } from '../files/guard.ts';
import { UsageProblem } from './exit.ts';

/** Where a command writes: results to standard output, progress to standard error. */
export interface Output {
  readonly isJson: boolean;
  /** A line for a person; nothing where JSON is wanted. Text of others in it is to go through {@link shown}. */
  line(text: string): void;
  /** What a person should know though the command goes on; to standard error. */
  warn(text: string): void;
  /** How far it is: rewritten in place on a terminal, in quarters elsewhere, and nothing where JSON is wanted. */
  progress(doing: string, total: number): (done: number) => void;
  /** The one JSON document; nothing where lines are wanted. */
  document(value: object): void;
}

/** @throws UsageProblem where the folder that a file is to be written into is not there */
export async function requireFolderOf(file: string): Promise<void> {
  if (!(await isThere(dirname(file))))
    throw new UsageProblem(`There is no folder ${shown(dirname(file))}. Make it first.`);
}

const clear = '\r\u001b[K';
/** Shortest time between two updates on a terminal, ms. */
const pause = 100;

/** Text from the service, a lock or a file name, as a terminal may have it: one line, without control characters. */
export function shown(text: string): string {
  return plainText(text, 400);
}

export function makeOutput(isJson: boolean): Output {
  const isTerminal = process.stderr.isTTY === true;
  let hasProgress = false;
  const end = () => {
    if (hasProgress) process.stderr.write(clear);
    hasProgress = false;
  };
  return {
    isJson,
    line(text) {
      end();
      if (!isJson) process.stdout.write(`${text}\n`);
    },
    warn(text) {
      end();
      process.stderr.write(`report-library: ${shown(text)}\n`);
    },
    progress(doing, total) {
      if (isJson || total < 2) return () => {};
      let toldAt = Number.NEGATIVE_INFINITY;
      let quarter = 0;
      return (done) => {
        if (isTerminal && done < total && performance.now() - toldAt < pause) return;
        const now = Math.floor((4 * done) / total);
        if (!isTerminal && now === quarter) return;
        [toldAt, quarter] = [performance.now(), now];
        const text = `${doing}: ${done} of ${total}`;
        process.stderr.write(isTerminal ? `${clear}${text}` : `${text}\n`);
        hasProgress = isTerminal;
        if (done >= total) end();
      };
    },
    document(value) {
      end();
      if (isJson) process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
    },
  };
}
