import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** A name for this window as the holder of a lease: machine, process, its start, and the part of it. */
export function leaseHolder(): string {
  return `${hostname()} ${process.pid} ${startOf(process.pid) ?? '-'} ${randomUUID()}`;
}

/**
 * True when the holder was a process of this machine and is no more: a window that was reloaded or killed. Anything
 * that can't be told, such as a holder on another machine, counts as alive; its lease runs out by itself.
 */
export function isHolderGone(holder: string): boolean {
  const [host, pid, start = ''] = holder.split(' ');
  if (host !== hostname() || pid === undefined || !/^[1-9]\d*$/.test(pid)) return false;
  // A container that starts again has the same name, and its processes the same numbers.
  const present = /^\d+$/.test(start) ? startOf(Number(pid)) : undefined;
  if (present !== undefined) return present !== start;
  if (Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** When a process of this machine started, in the ticks that Linux counts; undefined where that can't be told. */
function startOf(pid: number): string | undefined {
  try {
    // Its name, in brackets, may hold blanks and brackets.
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[19];
  } catch {
    return undefined;
  }
}
