import type { Disposable } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import type { Log } from '../common/log.ts';
import type { DemoPorts } from './demoLibrary.ts';

/** Open Demo Library: signs in to the embedded service with its throwaway key. */
export function registerDemo(services: Services, ports: () => Promise<DemoPorts>, log: Log): Disposable {
  return registerCommand('openDemoLibrary', log, async () =>
    (await import('./demoLibrary.ts')).openDemo(services, await ports()),
  );
}
