import { lstat } from 'node:fs/promises';
import { type Clock, systemClock } from '../base/clock.ts';
import { Semaphore } from '../base/semaphore.ts';
import { DiskProblem, systemCode } from './disk.ts';
import { type FolderAt, inFolder, readLock } from './lockFile.ts';
import { LockProblem, type LockRow } from './manifest.ts';
import { fileThere, pathOf } from './publish.ts';

/** What a look at a downloaded file found. `unverified`: unedited, but never agreed with a published hash. */
export type FileState = 'verified' | 'unverified' | 'edited' | 'missing' | 'unreadable';

/** What a look at one file of a downloads folder found. */
export interface HeldFile {
  readonly row: LockRow;
  readonly state: FileState;
}

export interface FileCheck extends HeldFile {
  /** Why it could not be read, fit to be shown. */
  readonly reason?: string;
}

/** What a look without reading found. */
export interface GlancedFile extends HeldFile {
  /** True when the file was written to after it was recorded and has not been read since: its state is what was known. */
  readonly isTouched: boolean;
}

/** The state of a file with this hash. */
function stateOf(row: LockRow, sha256: string): FileState {
  if (sha256 !== row.sha256) return 'edited';
  return row.verified === false ? 'unverified' : 'verified';
}

/**
 * Reads every file of a lock and compares its hash; no network. One file after the other, so that the disk stays usable.
 * @throws the signal's reason when aborted
 */
export async function verifyFiles(
  at: FolderAt,
  rows: readonly LockRow[],
  options: { readonly signal?: AbortSignal; readonly onProgress?: (checked: number) => void } = {},
): Promise<readonly FileCheck[]> {
  const checks: FileCheck[] = [];
  for (const row of rows) {
    options.signal?.throwIfAborted();
    checks.push(await check(at, row, options.signal));
    options.onProgress?.(checks.length);
  }
  return checks;
}

async function check(at: FolderAt, row: LockRow, signal: AbortSignal | undefined): Promise<FileCheck> {
  try {
    const there = await fileThere(inFolder(at, row.path), signal);
    return { row, state: there ? stateOf(row, there.sha256) : 'missing' };
  } catch (error) {
    signal?.throwIfAborted();
    return { row, state: 'unreadable', reason: error instanceof Error ? error.message : 'It could not be read.' };
  }
}

/** A file's time may be this much later than what the lock says of it, in ms: other clocks, coarse times. */
const timeSlack = 2_000;

interface Hashed {
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly sha256: string;
}

/**
 * Tells how the files of a downloads folder stand to its lock, cheaply enough for a file list: the lock is read once
 * until somebody says it changed, and a file is read again only when its size or time did; one file at a time.
 */
export class HeldFiles {
  readonly #at: FolderAt;
  readonly #clock: Clock;
  readonly #hashed = new Map<string, Hashed>();
  readonly #turns = new Semaphore(1);
  /** By path and by report id. */
  #rows: Promise<ReadonlyMap<string | number, LockRow>> | undefined;

  constructor(at: FolderAt, clock: Clock = systemClock) {
    this.#at = at;
    this.#clock = clock;
  }

  /** To be told when the lock changed. */
  forgetLock(): void {
    this.#rows = undefined;
  }

  /**
   * The file's state; undefined for a file that the lock does not name, and while the lock can't be read.
   * @param path below the downloads folder, parts separated by `/`
   */
  async look(path: string, signal?: AbortSignal): Promise<HeldFile | undefined> {
    const row = (await this.#lock()).get(path);
    if (!row) return undefined;
    const { state } = await this.#lookAt(row, true, signal);
    return { row, state };
  }

  /**
   * The files of those of these reports that the lock names, in one look that reads none of them: a file whose size is
   * right counts as what it was when it was read last, or as what the lock says.
   */
  async glance(reportIds: readonly number[]): Promise<GlancedFile[]> {
    const rows = await this.#lock();
    const held = reportIds.map((id) => rows.get(id)).filter((row) => row !== undefined);
    return Promise.all(held.map((row) => this.#lookAt(row, false)));
  }

  #lock(): Promise<ReadonlyMap<string | number, LockRow>> {
    this.#rows ??= this.#readRows();
    return this.#rows;
  }

  async #readRows(): Promise<ReadonlyMap<string | number, LockRow>> {
    try {
      const { reports } = await readLock(this.#at);
      return new Map<string | number, LockRow>(
        reports.flatMap((row) => [
          [row.path, row],
          [row.report_id, row],
        ]),
      );
    } catch (error) {
      // Every command that needs the lock says what is wrong with it; until it is mended nothing is claimed.
      if (error instanceof LockProblem || error instanceof DiskProblem) return new Map();
      throw error;
    }
  }

  async #lookAt(row: LockRow, mayRead: boolean, signal?: AbortSignal): Promise<GlancedFile> {
    try {
      const { size, mtimeMs } = await lstat(pathOf(inFolder(this.#at, row.path)));
      if (size !== row.bytes) return { row, state: 'edited', isTouched: false };
      const known = this.#hashed.get(row.path);
      if (known?.bytes === size && known.mtimeMs === mtimeMs)
        return { row, state: stateOf(row, known.sha256), isTouched: false };
      if (!mayRead) {
        // A time that is still to come was never looked at: anyone may have written it.
        const recordedAt = Date.parse(row.downloaded_at);
        const isTouched = !(mtimeMs <= recordedAt + timeSlack && recordedAt <= this.#clock.now() + timeSlack);
        return { row, state: stateOf(row, row.sha256), isTouched };
      }
      const there = await this.#turns.run(() => fileThere(inFolder(this.#at, row.path), signal), true, signal);
      // Under the time from before the reading: a write in between makes the next look read again.
      if (there) this.#hashed.set(row.path, { ...there, mtimeMs });
      return { row, state: there ? stateOf(row, there.sha256) : 'missing', isTouched: false };
    } catch (error) {
      signal?.throwIfAborted();
      return { row, state: systemCode(error) === 'ENOENT' ? 'missing' : 'unreadable', isTouched: false };
    }
  }
}
