import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { CommandName } from './commandIds.ts';

/** Carries a command out; what it resolves with goes to the program that ran it. */
export type CommandRun = (...args: unknown[]) => Promise<unknown>;

/**
 * Registers a command. From the palette or a menu a failure is shown; run with arguments by a program, it rejects with
 * an error whose message a person understands (`commandFailed.ts` tells the two apart).
 */
export function registerCommand(name: CommandName, log: Logger, run: CommandRun): Disposable {
  return vscode.commands.registerCommand(`reportLibrary.${name}`, async (...args: unknown[]) => {
    try {
      return await run(...args);
    } catch (error) {
      return (await import('./commandFailed.ts')).commandFailed(name, args, error, log);
    }
  });
}

/** Registers commands whose code is loaded when the first of them is run. */
export function registerCommands<Name extends CommandName>(
  names: readonly Name[],
  log: Logger,
  load: () => Promise<{ readonly [Key in Name]: CommandRun }>,
): Disposable {
  const store = new DisposableStore();
  for (const name of names) store.add(registerCommand(name, log, async (...args) => (await load())[name](...args)));
  return store;
}
