import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** A name for this window as the holder of a lease: which machine, which process, which of its parts. */
export function leaseHolder(): string {
  return `${hostname()} ${process.pid} ${randomUUID()}`;
}

/**
 * True when the holder was a process of this machine and is no more: a window that was reloaded or killed. Anything
 * that can't be told, such as a holder on another machine, counts as alive; its lease runs out by itself.
 */
export function isHolderGone(holder: string): boolean {
  const [host, pid] = holder.split(' ');
  if (host !== hostname() || pid === undefined || !/^[1-9]\d*$/.test(pid) || Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
