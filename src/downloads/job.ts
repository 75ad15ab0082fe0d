import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { PlaceAt } from './place.ts';
import type { ContentStore, LinkSource } from './ports.ts';
import type { DownloadResult, KnownReport } from './result.ts';

/** What a download needs from outside. */
export interface DownloadPorts {
  readonly source: LinkSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Places that may have the bytes already, asked in this order before any link is. */
  readonly stores?: readonly ContentStore[] | undefined;
  /** Runs work that holds a connection once one is free: a link and its stream. At once unless given. */
  readonly connected?: Turn | undefined;
}

/** Runs work when its turn comes. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

/** Where a report's PDF belongs, and what we know of the file that may lie there. */
export interface DownloadTarget extends PlaceAt {
  /** Hash of the file as we last wrote it; null when we never did. */
  readonly heldSha256: string | null;
  /** Takes these bytes and no others, whatever the service publishes now: for restoring. */
  readonly exactly?: string | undefined;
  /** Absolute path of what a process left of the file before it died. */
  readonly left?: string | undefined;
}

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: 'interactive' | 'background' | undefined;
  /** Refuses a larger file; bytes. */
  readonly maxBytes?: number | undefined;
  /** Bytes of the present attempt, and how many there will be if known; at most ten times a second. */
  readonly onProgress?: ((bytes: number, total: number | null) => void) | undefined;
}

/** What is known while a download runs. */
export interface Job {
  report: KnownReport;
  /** The hash that the bytes must have; null when none is published. */
  wanted: string | null;
  /** A hash that no second reading of the report may change. */
  readonly exactly: string | undefined;
  /** Links the service gave so far. */
  links: number;
}

/** A result without what every result of the job shares. */
export type Ending = Omit<DownloadResult, 'report_id' | 'links' | 'report'>;
