import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();
const windows = process.platform === 'win32';
let ending = false;

/** True once a signal has begun to end this script, so that a process that ends now was meant to. */
export function isEnding(): boolean {
  return ending;
}

/**
 * Starts a process that `endAll` and `end` can end together with everything it started itself: it leads a process group
 * of its own (POSIX), which also keeps the terminal's Ctrl-C away from it until we choose to pass it on.
 */
export function spawnOwned(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: !windows, windowsHide: true });
  running.add(child);
  child.once('error', () => running.delete(child));
  return child;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (windows) {
    spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Ends a process started here and its group: asks first, and after `graceMs` insists. Resolves when it is gone. */
export async function end(child: ChildProcess, graceMs = 3000): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    signalGroup(child, 'SIGTERM');
    const insist = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
    await gone;
    clearTimeout(insist);
  }
  // The leader is gone; whatever it left in its group goes too.
  if (!windows) signalGroup(child, 'SIGKILL');
  running.delete(child);
}

/** Ends everything that `spawnOwned` started and that still runs. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((child) => end(child)));
}

/**
 * Calls `shutDown` once on the first Ctrl-C, SIGTERM or SIGHUP, or when the parent process is gone; then ends all owned
 * processes and exits with 128 + signal. Later signals change nothing: a terminal and a parent often send the same one.
 */
export function endOnSignals(shutDown: () => Promise<void> = async () => {}): void {
  const finish = (code: number) => {
    if (ending) return;
    ending = true;
    void shutDown()
      .finally(endAll)
      .finally(() => process.exit(code));
  };
  process.on('SIGINT', () => finish(130));
  process.on('SIGTERM', () => finish(143));
  process.on('SIGHUP', () => finish(129));
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || finish(143), 500).unref();
}
