import type { CommandRun } from '../common/commands.ts';
import type { Connections } from './connections.ts';

/** What the commands around connections do; each loads what it needs. */
export function signInCommands(
  connections: Connections,
): Readonly<Record<'signIn' | 'signOut' | 'switchConnection', CommandRun>> {
  return {
    signIn: async () => (await import('./session.ts')).signInWith(connections),
    signOut: () => connections.signOut(),
    switchConnection: async () => (await import('./switchConnection.ts')).switchConnection(connections),
  };
}
