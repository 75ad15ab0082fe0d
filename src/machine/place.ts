import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the place depends on; those of this process when left out. */
interface PlaceInputs {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
}

/**
 * The folder of this user on this machine that all editors and the command line share: the request budget in `machine`,
 * verified PDFs by their hash in `pdf`. All of it can be made again, so it lies where caches do. Absolute; not made
 * here.
 */
export function machineFolder({ env = process.env, platform = process.platform, home }: PlaceInputs = {}): string {
  const below = home ?? homedir();
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(below, 'AppData', 'Local'), 'report-library');
  if (platform === 'darwin') return join(below, 'Library', 'Caches', 'report-library');
  // A relative path is to be ignored, as the specification of these variables says.
  const caches = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : join(below, '.cache');
  return join(caches, 'report-library');
}
