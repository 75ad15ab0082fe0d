import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { CommandId } from './contributions.ts';

/**
 * Registers a command. From the palette or a menu a failure is shown; run with arguments by a program, it rejects with
 * an error whose message a person understands. `isProgrammatic` tells the two apart by the arguments.
 */
export function registerCommand(
  id: CommandId,
  log: Logger,
  run: (...args: unknown[]) => Promise<unknown>,
  isProgrammatic: (args: readonly unknown[]) => boolean = () => false,
): Disposable {
  return vscode.commands.registerCommand(id, async (...args: unknown[]) => {
    try {
      return await run(...args);
    } catch (error) {
      const { plainError, showProblem } = await import('./showProblem.ts');
      if (isProgrammatic(args)) throw plainError(error);
      showProblem(error, log);
      return undefined;
    }
  });
}
