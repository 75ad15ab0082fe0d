import type { Clock } from '../base/clock.ts';
import { type FolderAt, recordResults } from './lockFile.ts';
import type { DownloadResult } from './result.ts';

/** Shortest time between two writes of the lock while a batch runs, in ms. */
const interval = 1000;

/** Writes a batch's results into the lock: now and then while it runs, and the rest at its end. */
export class LockRecorder {
  readonly #at: FolderAt;
  readonly #clock: Clock;
  #unrecorded: DownloadResult[] = [];
  #recordedAt: number;
  #recording: Promise<void> = Promise.resolve();

  constructor(at: FolderAt, clock: Clock) {
    this.#at = at;
    this.#clock = clock;
    this.#recordedAt = clock.monotonic();
  }

  add(result: DownloadResult): void {
    this.#unrecorded.push(result);
    if (this.#clock.monotonic() - this.#recordedAt >= interval) this.#record();
  }

  /** @throws LockProblem or DiskProblem of any of its writes */
  async end(): Promise<void> {
    this.#record();
    await this.#recording;
  }

  #record(): void {
    const batch = this.#unrecorded;
    this.#unrecorded = [];
    this.#recordedAt = this.#clock.monotonic();
    this.#recording = this.#recording.then(() => recordResults(this.#at, batch, this.#clock));
    // Awaited at the end; until then a failure must not count as unhandled.
    this.#recording.catch(() => {});
  }
}
