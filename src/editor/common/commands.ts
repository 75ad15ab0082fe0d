import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { CommandName, ContextKeyTypes } from './contributions.ts';
import { plainError, showProblem } from './messages.ts';

/** Carries a command out; what it resolves with goes to the program that ran it. */
export type CommandRun = (...args: unknown[]) => Promise<unknown>;

/**
 * Registers a command. From the palette or a menu a failure is shown; run with arguments by a program, it rejects with
 * an error whose message a person understands.
 */
export function registerCommand(name: CommandName, log: Logger, run: CommandRun): Disposable {
  return vscode.commands.registerCommand(`reportLibrary.${name}`, async (...args: unknown[]) => {
    try {
      return await run(...args);
    } catch (error) {
      const { isFromProgram } = await import('./arguments.ts');
      if (isFromProgram[name]?.(args)) throw plainError(error);
      showProblem(error, log);
      return undefined;
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

/** Runs a command of ours: what features ask of one another. */
export async function runCommand(name: CommandName, ...args: unknown[]): Promise<void> {
  await vscode.commands.executeCommand(`reportLibrary.${name}`, ...args);
}

/** Shows where a file or folder is: in the Explorer, or outside of the workspace in the system's own file list. */
export async function reveal(file: vscode.Uri): Promise<void> {
  const isInside = vscode.workspace.getWorkspaceFolder(file) !== undefined;
  await vscode.commands.executeCommand(isInside ? 'revealInExplorer' : 'revealFileInOS', file);
}

const contextKeys = new Map<string, unknown>();

/**
 * Sets a context key that menus and welcome texts look at. Nobody else sets ours, so that what it has already asks the
 * editor nothing: trees set theirs whenever they are read.
 */
export async function setContextKey<K extends keyof ContextKeyTypes>(key: K, value: ContextKeyTypes[K]): Promise<void> {
  if (contextKeys.has(key) && contextKeys.get(key) === value) return;
  contextKeys.set(key, value);
  await vscode.commands.executeCommand('setContext', key, value);
}
