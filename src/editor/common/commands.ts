import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import {
  type CommandFeature,
  type CommandName,
  type CommandRow,
  type CommandsOf,
  type ContextKeyTypes,
  commandIds,
  commandTable,
} from './contributions.ts';
import { plainError, showProblem } from './messages.ts';

/** Carries a command out; what it resolves with goes to the program that ran it. */
export type CommandRun = (...args: unknown[]) => Promise<unknown>;

/** Loads the code of a feature's commands, when the first of them is run. */
export type CommandLoaders = {
  readonly [Feature in CommandFeature]: () => Promise<{ readonly [Name in CommandsOf<Feature>]: CommandRun }>;
};

/** Registers every command of the table. */
export function registerCommands(loaders: CommandLoaders, log: Logger): Disposable {
  const load: Readonly<Record<string, () => Promise<Readonly<Record<string, CommandRun>>>>> = loaders;
  const store = new DisposableStore();
  for (const [name, { feature }] of Object.entries<CommandRow>(commandTable))
    store.add(
      registerCommand(name as CommandName, log, async (...args) => (await load[feature]?.())?.[name]?.(...args)),
    );
  return store;
}

/**
 * Registers a command. From the palette or a menu a failure is shown; run with arguments by a program, it rejects with
 * an error whose message a person understands.
 */
export function registerCommand(name: CommandName, log: Logger, run: CommandRun): Disposable {
  const { ofRow, takes = [] }: CommandRow = commandTable[name];
  return vscode.commands.registerCommand(commandIds[name], async (...args: unknown[]) => {
    try {
      if (ofRow && isRowLost(args)) throw new Error(vscode.l10n.t('The list was refreshed. Choose again.'));
      return await run(...args);
    } catch (error) {
      const { isFromProgram } = await import('./arguments.ts');
      if (isFromProgram(takes, args)) throw plainError(error);
      showProblem(error, log);
      return undefined;
    }
  });
}

/** VS Code passes no row while it refreshes the row's tree. The command would then run as if from the palette. */
function isRowLost(args: readonly unknown[]): boolean {
  return args.length === 2 && args.every((arg) => arg === undefined);
}

/** Runs a command of ours: what features ask of one another. */
export async function runCommand(name: CommandName, ...args: unknown[]): Promise<void> {
  await vscode.commands.executeCommand(commandIds[name], ...args);
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

/** Does something with reports as the menu of a tree would: the person is asked and told. */
export function runOnReports(command: CommandName, ids: readonly number[]): Promise<void> {
  const rows = ids.map((report_id) => ({ kind: 'report', report: { report_id } }));
  return runCommand(command, rows[0], rows);
}
