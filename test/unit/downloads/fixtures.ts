import { createHash } from 'node:crypto';
import fs, { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type ColumnName, columns } from '../../../src/api/schemas/fields.ts';
import type { CallOptions } from '../../../src/api/schemas/page.ts';
import type { DownloadLink, FileResponse, HostSilence, Report } from '../../../src/api/schemas/report.ts';
import { ApiError, type ProblemKind } from '../../../src/api/transport/errors.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Secret } from '../../../src/base/secret.ts';
import { memoryState } from '../../../src/base/sharedState.ts';
import type { DownloadPorts, DownloadResult, LinkSource } from '../../../src/downloads/ports.ts';
import type { BatchOptions, DownloadQueue, QueueJob } from '../../../src/downloads/queue.ts';
import { leases } from '../../../src/machine/lease.ts';

/** A folder of its own for each test, gone afterward. */
export function temporaryFolder(): { readonly path: string } {
  let path = '';
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'report-library-'));
  });
  afterEach(() => rm(path, { recursive: true, force: true }));
  return {
    get path() {
      return path;
    },
  };
}

/** Writes a file and the folders on its way. */
export async function put(path: string, bytes: Uint8Array | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** Gives an object, such as a module of Node, other members until the test ends. */
export function replacements() {
  const undo: (() => void)[] = [];
  const assign = (object: object, members: object) => {
    Object.assign(object, members);
    syncBuiltinESMExports();
  };
  afterEach(() => {
    for (const back of undo.splice(0).reverse()) back();
  });
  return (object: object, members: object) => {
    const before = Object.fromEntries(Object.keys(members).map((name) => [name, Reflect.get(object, name)]));
    undo.push(() => assign(object, before));
    assign(object, members);
  };
}

/** Sets the computer's clock to a later time until the test ends; `ms` from the present one. */
export function laterClock() {
  const replace = replacements();
  const { now } = Date;
  return (ms: number) => replace(Date, { now: () => now() + ms });
}

/** An error of the system, as a call of it throws. */
export function systemError(code: string, syscall = 'open'): Error {
  return Object.assign(new Error(code), { code, syscall });
}

/** In each test of a suite, the PDFs whose bytes are read under their own names, each as often as it is opened for that. */
export function pdfsRead(): string[] {
  const { open } = fs;
  const replace = replacements();
  const read: string[] = [];
  beforeEach(() => {
    read.length = 0;
    const noting = async (...given: Parameters<typeof open>) => {
      const file = await open(...given);
      const path = String(given[0]);
      const first = file.read.bind(file);
      const noted = (...piece: Parameters<typeof first>) => {
        read.push(path);
        Object.assign(file, { read: first });
        return first(...piece);
      };
      return path.endsWith('.pdf') ? Object.assign(file, { read: noted }) : file;
    };
    replace(fs, { open: noting });
  });
  return read;
}

/** Every file below a folder, by relative path. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort();
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Bytes that begin like a PDF and are the same for the same seed. */
export function pdf(seed: number, length = 100_000): Buffer {
  const bytes = Buffer.alloc(length, createHash('sha512').update(String(seed)).digest());
  bytes.write('%PDF-1.7\n');
  return bytes;
}

const typedFields: readonly string[] = columns.map((column) => column.apiField);

/** A report with every field unknown but the given ones. */
export function report(fields: Partial<Report> = {}): Report {
  const metadata = Object.fromEntries(columns.map(({ name }) => [name, ''])) as Record<ColumnName, string>;
  const id = fields.report_id ?? 7;
  return {
    ...Object.fromEntries(typedFields.map((name) => [name, null])),
    report_id: id,
    report_key: `XDEM_ACME_2023_SR${id === 7 ? '' : `_${id}`}`,
    company_key: 'XDEM_ACME',
    has_file: true,
    report_fcyear: 2022,
    report_year: 2023,
    metadata,
    other: {},
    ...fields,
  } as Report;
}

/** A report whose published hash is that of the bytes. */
export function reportOf(bytes: Uint8Array, fields: Partial<Report> = {}): Report {
  return report({ content_sha256: sha256(bytes), ...fields });
}

/** Of each item the member of this name, or a list of several. */
export function pick<T>(items: readonly T[], ...names: (keyof T)[]): unknown[] {
  return items.map((item) => {
    const values = names.map((name) => item[name]);
    return values.length === 1 ? values[0] : values;
  });
}

/** Time that passes only when somebody sleeps, and then at once. */
export class FakeClock implements Clock {
  time = Date.parse('2026-01-02T03:04:05Z');
  readonly sleeps: number[] = [];

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.time;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.sleeps.push(ms);
    this.time += ms;
  }
}

export function apiError(kind: ProblemKind, status?: number): ApiError {
  return new ApiError({ kind, status, cause: `Cause: ${kind}.`, nextStep: 'Next step.' });
}

/** What a link leads to: bytes, a body of one's own, or an error on opening. */
export type Served = Uint8Array | FileResponse | Error;

/**
 * A body that gives the pieces in turn; an error among them ends it, `stall` never comes to an end.
 * The reader of the stream owns its pieces, so that they stay whole.
 * @param onPiece told as each piece is given
 */
export function body(
  pieces: readonly (Uint8Array | Error | 'stall')[],
  contentLength: number | null = null,
  onPiece = () => {},
) {
  const left = [...pieces];
  const stream = new Readable({
    // A piece at a time.
    highWaterMark: 1,
    read() {
      const piece = left.shift();
      if (piece === 'stall') return;
      if (piece instanceof Error) return void this.destroy(piece);
      state.given += piece?.byteLength ?? 0;
      if (piece) onPiece();
      this.push(piece ? Buffer.from(piece) : null);
    },
  });
  const state = { start: 0, total: null, contentLength, given: 0, body: stream };
  return state;
}

export function* pieces(bytes: Uint8Array, size = 16_384): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

/** A service that serves what it is told and counts what it is asked. */
export class FakeSource implements LinkSource {
  readonly links: number[] = [];
  readonly opened: string[] = [];
  readonly reads: number[] = [];
  readonly #served = new Map<number, Served[]>();
  readonly #reports = new Map<number, Report | Error>();
  readonly #refusals = new Map<number, Error[]>();
  /** Set where what the hosts of files asked for is remembered, as the client does. */
  hosts?: FileHosts;
  active = 0;
  maxActive = 0;

  /** What the links of a report lead to, in turn; the last one stays. */
  serve(reportId: number, ...served: Served[]): this {
    this.#served.set(reportId, served);
    return this;
  }

  /** Publishes a report with these bytes. */
  publish(report_id: number, fields: Partial<Report> = {}, bytes = pdf(report_id)): Report {
    const made = reportOf(bytes, { report_id, ...fields });
    this.serve(report_id, bytes).tell(report_id, made);
    return made;
  }

  /** What reading the report gives. */
  tell(reportId: number, answer: Report | Error): this {
    this.#reports.set(reportId, answer);
    return this;
  }

  /** Errors that asking for a link gives first. */
  refuse(reportId: number, ...errors: Error[]): this {
    this.#refusals.set(reportId, errors);
    return this;
  }

  async report(reportId: number): Promise<Report> {
    this.reads.push(reportId);
    const answer = this.#reports.get(reportId) ?? apiError('not-found', 404);
    if (answer instanceof Error) throw answer;
    return answer;
  }

  async downloadLink(reportId: number, options?: CallOptions): Promise<DownloadLink> {
    options?.signal?.throwIfAborted();
    const refusal = this.#refusals.get(reportId)?.shift();
    if (refusal) throw refusal;
    this.links.push(reportId);
    const url = new Secret(`https://files.example/${reportId}?signature=${this.links.length}`);
    return { report_id: reportId, url };
  }

  async openLink(link: DownloadLink): Promise<FileResponse> {
    this.opened.push(link.url.reveal());
    const queue = this.#served.get(link.report_id) ?? [];
    const served = queue.length > 1 ? queue.shift() : queue[0];
    if (served === undefined) throw apiError('not-found', 404);
    if (served instanceof ApiError)
      this.hosts?.refused('https://files.example', served.problem.retryAfter ?? 0, served.message);
    if (served instanceof Error) throw served;
    if (!(served instanceof Uint8Array)) return served;
    return { start: 0, total: null, contentLength: served.byteLength, body: Readable.from(this.#flow(served)) };
  }

  async silence(): Promise<HostSilence | null> {
    return this.hosts?.silence ?? null;
  }

  async *#flow(bytes: Uint8Array) {
    this.active++;
    this.maxActive = Math.max(this.maxActive, this.active);
    try {
      for (const piece of pieces(bytes)) {
        await setImmediate();
        yield Buffer.from(piece);
      }
    } finally {
      this.active--;
    }
  }
}

export function portsOf(source: LinkSource, more: Partial<DownloadPorts> = {}): DownloadPorts {
  const { lease } = leases(memoryState(), systemClock);
  return { source, clock: new FakeClock(), logger: silentLogger, lease, ...more };
}

/** Downloads jobs as one batch; the results in their order. */
export function runBatch(
  queue: DownloadQueue,
  jobs: readonly QueueJob[],
  options?: BatchOptions,
): Promise<readonly DownloadResult[]> {
  const batch = queue.begin(options);
  return Promise.all(jobs.map((job) => batch.download(job)));
}

/** What the hosts of files asked for, as the client remembers it. */
export class FileHosts {
  readonly #clock: Clock;
  readonly #silences = new Map<string, HostSilence>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Set while every known host asked for a wait. */
  get silence(): HostSilence | null {
    const [first] = [...this.#silences.values()].sort((a, b) => a.until - b.until);
    return first && first.until > this.#clock.monotonic() ? first : null;
  }

  answered(origin: string): void {
    this.#silences.set(origin, { until: 0, reason: '' });
  }

  refused(origin: string, ms: number, reason: string): void {
    this.#silences.set(origin, { until: this.#clock.monotonic() + ms, reason });
  }
}
