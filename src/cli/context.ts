import { extname } from 'node:path';
import type { DisposableStore } from '../base/disposable.ts';
import type { Account } from './account.ts';
import type { CommandValues } from './commands.ts';
import type { ExitCode, KeyProblem, UsageProblem } from './exit.ts';
import type { Output } from './output.ts';

/** What a command works with. */
export interface CommandContext {
  readonly values: CommandValues;
  /** The names after the command. */
  readonly names: readonly string[];
  readonly account: Account;
  readonly out: Output;
  /** Aborts with Ctrl-C. */
  readonly signal: AbortSignal;
  readonly version: string;
  /** Ends with the command. */
  readonly store: DisposableStore;
  /** Ends the command because of what is wrong with its settings, wherever in a batch that was found out. */
  fail(error: UsageProblem | KeyProblem): void;
}

/** What a command came to: its exit code, and the members of its JSON document. */
export interface CommandOutcome {
  readonly code: ExitCode;
  readonly document: object;
}

/** A script of a thread or a process, by its place below `src`; bundled too, this module is in a folder beside that. */
export function scriptOf(name: string): URL {
  return new URL(`../${name}${extname(import.meta.url)}`, import.meta.url);
}
