import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskProblem, systemCode } from './diskProblem.ts';
import { type FolderAt, inFolder, readLock } from './lockFile.ts';
import { LockProblem, type LockRow } from './manifest.ts';
import { fileThere } from './place.ts';
import { Slots } from './slots.ts';
import type { FileState } from './verify.ts';

/** What a look at one file of a downloads folder found. */
export interface HeldFile {
  readonly row: LockRow;
  readonly state: FileState;
}

/** What a look without reading found. */
export interface GlancedFile extends HeldFile {
  /** True when the file was written to after it was recorded and has not been read since: its state is what was known. */
  readonly isTouched: boolean;
}

/** A file's time may be this much later than what the lock says of it, in ms: other clocks, coarse times. */
const timeSlack = 2_000;

interface Rows {
  readonly byPath: ReadonlyMap<string, LockRow>;
  readonly byReport: ReadonlyMap<number, LockRow>;
}

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
  readonly #hashed = new Map<string, Hashed>();
  readonly #turns = new Slots(1);
  #rows: Promise<Rows> | undefined;

  constructor(at: FolderAt) {
    this.#at = at;
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
    const row = (await this.#lock()).byPath.get(path);
    return row && { row, state: await this.#stateOf(row, signal) };
  }

  /**
   * The files of those of these reports that the lock names, in one look that reads none of them: a file whose size is
   * right counts as what it was when it was read last, or as what the lock says.
   */
  async glance(reportIds: readonly number[]): Promise<GlancedFile[]> {
    const { byReport } = await this.#lock();
    const rows = reportIds.map((id) => byReport.get(id)).filter((row) => row !== undefined);
    return Promise.all(rows.map((row) => this.#glanceAt(row)));
  }

  #lock(): Promise<Rows> {
    this.#rows ??= this.#readRows();
    return this.#rows;
  }

  async #readRows(): Promise<Rows> {
    try {
      const { reports } = await readLock(this.#at);
      return {
        byPath: new Map(reports.map((row) => [row.path, row])),
        byReport: new Map(reports.map((row) => [row.report_id, row])),
      };
    } catch (error) {
      // Every command that needs the lock says what is wrong with it; until it is mended nothing is claimed.
      if (error instanceof LockProblem || error instanceof DiskProblem)
        return { byPath: new Map(), byReport: new Map() };
      throw error;
    }
  }

  async #glanceAt(row: LockRow): Promise<GlancedFile> {
    try {
      const { size, mtimeMs } = await lstat(join(this.#at.root, this.#at.folder, row.path));
      if (size !== row.bytes) return { row, state: 'edited', isTouched: false };
      const known = this.#hashed.get(row.path);
      const isRead = known?.bytes === size && known.mtimeMs === mtimeMs;
      if (isRead && known.sha256 !== row.sha256) return { row, state: 'edited', isTouched: false };
      const isTouched = !isRead && !(mtimeMs <= Date.parse(row.downloaded_at) + timeSlack);
      return { row, state: row.verified === false ? 'unverified' : 'verified', isTouched };
    } catch (error) {
      return { row, state: systemCode(error) === 'ENOENT' ? 'missing' : 'unreadable', isTouched: false };
    }
  }

  async #stateOf(row: LockRow, signal: AbortSignal | undefined): Promise<FileState> {
    try {
      const { size, mtimeMs } = await lstat(join(this.#at.root, this.#at.folder, row.path));
      if (size !== row.bytes) return 'edited';
      const known = this.#hashed.get(row.path);
      const isKnown = known?.bytes === size && known.mtimeMs === mtimeMs;
      const sha256 = isKnown ? known.sha256 : await this.#hash(row.path, mtimeMs, signal);
      if (sha256 === undefined) return 'missing';
      if (sha256 !== row.sha256) return 'edited';
      return row.verified === false ? 'unverified' : 'verified';
    } catch (error) {
      signal?.throwIfAborted();
      return systemCode(error) === 'ENOENT' ? 'missing' : 'unreadable';
    }
  }

  #hash(path: string, mtimeMs: number, signal: AbortSignal | undefined): Promise<string | undefined> {
    return this.#turns.run(
      async () => {
        const there = await fileThere(inFolder(this.#at, path), signal);
        // Under the time from before the reading: a write in between makes the next look read again.
        if (there) this.#hashed.set(path, { ...there, mtimeMs });
        return there?.sha256;
      },
      true,
      signal,
    );
  }
}
