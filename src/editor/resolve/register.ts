import type { Disposable } from '../../base/disposable.ts';
import { registerCommands } from '../common/commands.ts';
import type { Log } from '../common/log.ts';
import type { ResolveContext } from './commands.ts';

const names = ['resolveIdentifiers', 'resolveSelection', 'lookupReportKeys'] as const;

/** Commands that turn identifiers into companies and keys into reports: a program gets results, a person a panel. */
export function registerResolve(context: ResolveContext, log: Log): Disposable {
  return registerCommands(names, log, async () => (await import('./commands.ts')).resolveCommands(context));
}
