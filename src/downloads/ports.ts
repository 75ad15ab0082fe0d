import type { DownloadLink, Report } from '../api/schemas/report.ts';

/** What a call may be told. Interactive calls go before background ones. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: 'interactive' | 'background' | undefined;
}

/** What is here already of a file whose rest is asked for. */
export interface Resume {
  /** Bytes that are here; above 0. */
  readonly from: number;
  /** The strong entity tag that they came with, if any. */
  readonly tag?: string | undefined;
}

/** What opening a link may be told. */
export interface OpenOptions extends CallOptions {
  /** Asks for the rest of the file alone; the whole may come all the same. */
  readonly resume?: Resume | undefined;
}

/**
 * Takes a chunk, which may change once it was taken. The promise it may give is awaited before the next one; what it
 * throws or rejects with ends the pouring.
 */
export type Take = (chunk: Uint8Array) => Promise<void> | undefined;

/** A PDF's bytes on their way. They must be poured or cancelled. */
export interface FileBody {
  /** Bytes of this body that the server announced, if any. */
  readonly contentLength: number | null;
  /** Where in the file the body begins: 0 unless it was resumed and the server honours that. */
  readonly start?: number | undefined;
  /** Bytes of the whole file, if announced. */
  readonly total?: number | null | undefined;
  /** The file's strong entity tag, if it has one. */
  readonly tag?: string | undefined;
  /**
   * Gives all bytes in order, without a promise for each chunk. Rejects when they break off; nothing is being taken any
   * more then. To be called once.
   */
  pour(take: Take): Promise<void>;
  cancel(): void;
}

/**
 * Where reports, links and bytes come from; the service's client fits. Waiting, pacing, retries of a call and
 * redirects are its affair. Every call may throw an error that carries a {@link CallProblem}.
 */
export interface LinkSource {
  report(reportId: number, options?: CallOptions): Promise<Report>;
  /** A fresh signed link. Each answered call counts as a download on the key (DL-1). */
  downloadLink(reportId: number, options?: CallOptions): Promise<DownloadLink>;
  /** Plain GET of the link, without the key (DL-2). A part that does not fit `resume` is refused as `unexpected-shape`. */
  openLink(link: DownloadLink, options?: OpenOptions): Promise<FileBody>;
}

/** A place that may hold a PDF's bytes already, found by hash. What it gives is checked before it is trusted. */
export interface ContentStore {
  /** Absolute path of a file said to hold these bytes. */
  find(sha256: string): Promise<string | undefined>;
  /** Told when the file under `find` turned out to hold other bytes. */
  reject?(sha256: string): Promise<void>;
  /** Offers a file whose bytes were just checked against this hash. */
  add?(sha256: string, file: string): Promise<void>;
}

/** What a failed call tells: the part of the client's error that downloads act on. */
export interface CallProblem {
  /** `forbidden`, `not-found`, `unauthorized`, `network`, … */
  readonly kind: string;
  readonly cause: string;
  readonly nextStep: string;
  readonly status?: number | undefined;
}

/** The problem that a call's error carries, if it is one of the client's. */
export function problemOf(error: unknown): CallProblem | undefined {
  if (!(error instanceof Error) || !('problem' in error)) return undefined;
  const { problem } = error;
  if (typeof problem !== 'object' || problem === null) return undefined;
  const isProblem = 'kind' in problem && typeof problem.kind === 'string' && 'cause' in problem;
  return isProblem ? (problem as CallProblem) : undefined;
}
