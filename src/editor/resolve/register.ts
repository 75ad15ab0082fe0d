import type { Disposable } from '../../base/disposable.ts';
import type { ResolveEntry } from '../../protocol/resolveView.ts';

import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import type { Log } from '../common/log.ts';

/** What the command needs from others: a place to show results. */
export interface ResolveContext {
  readonly services: Services;
  readonly log: Log;
  showResults(entries: readonly ResolveEntry[]): Promise<void>;
}

/** Resolve Identifiers…: asks, or takes a list from a program and gives the results back. */
export function registerResolve({ services, log, showResults }: ResolveContext): Disposable {
  return registerCommand('resolveIdentifiers', log, async (argument) => {
    const { resolveCommand } = await import('./resolveIdentifiers.ts');
    return resolveCommand(services, argument, showResults);
  });
}
