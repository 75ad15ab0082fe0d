import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { memoryState } from '../../../../src/base/sharedState.ts';
import { leases } from '../../../../src/machine/lease.ts';
import { PdfReader, type ReadOptions } from '../../../../src/text/extract.ts';
import { type PageStore, prepare } from '../../../../src/text/pages.ts';
import { openPages } from '../../../../src/text/pagesFile.ts';
import type { HerePdf, ReadPdf } from '../../../../src/text/textIndex.ts';
import { TextServer, type TextServerOptions } from '../../../../src/text/textServer.ts';

export const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A hash that stands for a number. */
export const sha = (n: number) => n.toString(16).padStart(64, '0');

export function openInMemory(now: () => number = () => 1_700_000_000_000): PageStore {
  return openPages({ path: ':memory:', sqlite, now });
}

/** Keeps a PDF of these pages. */
export async function keep(store: PageStore, sha256: string, day: number, texts: readonly string[]): Promise<void> {
  const pages = texts.map((text) => ({ label: null, text }));
  const prepared = await prepare({ kind: 'read', sha256, bytes: 1, pages, damaged: [], left: 0 }, () => undefined);
  store.db.transaction(() => store.keep(prepared, day));
}

/** Reads files that hold the text of their pages, one after the other; what begins with `!` fails for that reason. */
export class PlainReader {
  /** Hashes of what was read, in order. */
  readonly hashes: string[] = [];
  readonly paths: string[] = [];
  /** Awaited in the middle of each file. */
  hold: (path: string) => Promise<void> = () => Promise.resolve();
  /** Called when a file is held. */
  noticed: () => void = () => {};

  async read(path: string, { signal, isWanted }: ReadOptions = {}): Promise<ReadPdf> {
    const bytes = readFileSync(path);
    const sha256 = hashOf(bytes);
    if (isWanted && !isWanted(sha256)) return { kind: 'failed', sha256, reason: 'changed' };
    this.paths.push(path);
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    const held = this.hold(path);
    this.noticed();
    await Promise.race([held, aborted]);
    signal?.throwIfAborted();
    this.hashes.push(sha256);
    const text = bytes.toString();
    if (text.startsWith('!')) return { kind: 'failed', sha256, reason: text.slice(1).split(' ')[0] as 'damaged' };
    const pages = text.split('\f').map((page, at) => ({ label: at === 0 ? 'i' : null, text: page }));
    if (pages.every((page) => page.text === '')) return { kind: 'without-text', sha256, bytes: bytes.length, pages: 1 };
    const damaged = pages.flatMap((page, at) => (page.text.startsWith('?') ? [at + 1] : []));
    return { kind: 'read', sha256, bytes: bytes.length, pages, damaged, left: 0 };
  }
}

/** A folder with PDFs and the file of their texts, and windows that share both. */
export class TextWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'report-library-text-'));
  readonly path = join(this.folder, 'text', 'pages.sqlite');
  readonly reader = new PlainReader();
  readonly #windows: TextServer[] = [];
  /** What the windows' leases are kept in. */
  readonly #leased = new Map<string, unknown>();
  #listeners: (() => void)[] = [];

  constructor() {
    this.reader.noticed = () => this.#changed();
  }

  /** A PDF: these bytes, or a plain file of these pages. */
  put(name: string, pages: readonly string[] | string | Uint8Array, day = 0): HerePdf {
    const path = join(this.folder, name);
    const bytes = Array.isArray(pages) ? pages.join('\f') : (pages as string | Uint8Array);
    writeFileSync(path, bytes);
    const { size, mtimeMs } = statSync(path);
    return { path, sha256: hashOf(bytes), bytes: size, mtimeMs, day };
  }

  window(more: Partial<TextServerOptions> = {}): TextServer {
    const clock: Clock = more.clock ?? systemClock;
    const server = new TextServer({
      ...{ path: this.path, sqlite, leases: leases(memoryState(this.#leased), clock), reader: this.reader },
      ...{ clock, logger: silentLogger },
      changed: () => this.#changed(),
      ...more,
    });
    this.#windows.push(server);
    return server;
  }

  /** A window that looks for these, in which all of them stand for reports. */
  async lookingAt(pdfs: readonly HerePdf[], more: Partial<TextServerOptions> = {}): Promise<TextServer> {
    const window = this.window(more);
    await call(window, 'setHere', [...pdfs]);
    await call(window, 'setPublished', hashesOf(pdfs));
    await call(window, 'setEnabled', true);
    return window;
  }

  #changed(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }

  /** Resolves once `holds` does; looked at whenever something changed in any window. */
  async until(holds: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await holds())) {
      await new Promise<void>((resolve) => {
        this.#listeners.push(resolve);
        setImmediate(() => {
          for (const window of this.#windows) window.poll();
        });
      });
    }
  }

  /** Resolves once nothing waits in this window. */
  settled(window: TextServer): Promise<void> {
    return this.until(async () => {
      const { waiting, reading } = await call(window, 'coverage', null);
      return waiting === 0 && reading === null;
    });
  }

  remove(): void {
    for (const window of this.#windows) window.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const hashesOf = (pdfs: readonly HerePdf[]) => pdfs.map(({ sha256 }) => sha256);

type Calls = TextServer['calls'];

/** Asks a window something, as its thread would. */
export async function call<N extends keyof Calls>(
  window: TextServer,
  name: N,
  params: Parameters<Calls[N]>[0],
  signal = new AbortController().signal,
): Promise<Awaited<ReturnType<Calls[N]>>> {
  const answer = window.calls[name] as (params: unknown, signal: AbortSignal) => ReturnType<Calls[N]>;
  return await answer(params, signal);
}

/** Pages that are found, as `name of the PDF:page`. */
export async function find(
  window: TextServer,
  query: string,
  shas: readonly string[] | null = null,
): Promise<readonly { readonly sha256: string; readonly page: number; readonly snippet: string }[]> {
  return (await call(window, 'search', { query, shas, limit: 100, cursor: null })).hits;
}

/** Within a suite: the process that reads PDFs, and a folder for them. */
export function pdfReader(): {
  readonly reader: PdfReader;
  put(bytes: Uint8Array | string, name?: string): Promise<string>;
} {
  const script = join(import.meta.dirname, '..', '..', '..', '..', 'src', 'text', 'reader.worker.ts');
  let folder: string;
  let reader: PdfReader;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'report-library-'));
    reader = new PdfReader({ script, clock: systemClock, logger: silentLogger });
  });
  after(async () => {
    reader.dispose();
    await rm(folder, { recursive: true });
  });
  return {
    get reader() {
      return reader;
    },
    async put(bytes, name = 'a.pdf') {
      const path = join(folder, name);
      await writeFile(path, bytes);
      return path;
    },
  };
}
