import { systemClock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { Allowance } from '../../machine/allowance.ts';
import { sharedMachineState } from '../../machine/machineState.ts';
import { applicationSetting } from './settings.ts';

let made: Allowance | undefined;

/** What assistants may download in this window and on this day: one shared count. */
export function assistantDownloads(logger: Logger): Allowance {
  made ??= new Allowance({
    state: sharedMachineState(logger),
    name: 'assistantDownloads',
    caps: () => ({
      perWindow: applicationSetting('reportLibrary.assistants.downloadsPerWindow'),
      perDay: applicationSetting('reportLibrary.assistants.downloadsPerDay'),
    }),
    now: () => systemClock.now(),
  });
  return made;
}
