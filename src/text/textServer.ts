import { statSync } from 'node:fs';
import { fileAt, type SqliteModule, setFileAside } from '../machine/sqliteFile.ts';
import { LocalPdfs } from './localPdfs.ts';
import type { PageStore, StoredPdf } from './pages.ts';
import { openPages } from './pagesFile.ts';
import { parseQuery } from './query.ts';
import { ReadingQueue, type ReadingQueueOptions } from './readingQueue.ts';
import { findPages } from './search.ts';
import { TextError, textError } from './textError.ts';
import type { FindPages, FoundPages, HerePdf, PageText, ReadOutcome, TextCoverage, TextHandlers } from './textIndex.ts';

export interface TextServerOptions
  extends Pick<ReadingQueueOptions, 'leases' | 'reader' | 'clock' | 'logger' | 'changed'> {
  readonly path: string;
  /** Why there is none, where the host lacks it: every call throws that. */
  readonly sqlite: SqliteModule | TextError;
}

interface Opened {
  readonly store: PageStore;
  readonly here: LocalPdfs;
  readonly reading: ReadingQueue;
}

/** Answers one window's calls of the text index. The first call opens the file, and the next after it was damaged. */
export class TextServer {
  readonly #options: TextServerOptions;
  #opened: Opened | null = null;
  /** What this window set, for a file that is opened again. */
  #pdfs: readonly HerePdf[] = [];
  #published: readonly string[] = [];
  #isEnabled = false;
  #dataVersion = -1;
  /** What may be found, as long as nothing has changed. */
  #findable: readonly StoredPdf[] | null = null;
  #closed = false;

  constructor(options: TextServerOptions) {
    this.#options = options;
  }

  readonly calls: TextHandlers = {
    setHere: (pdfs) => {
      this.#pdfs = pdfs;
      this.#change(({ here }) => here.set(pdfs));
    },
    setPublished: (sha256s) => {
      this.#published = sha256s;
      this.#change(({ here }) => here.setPublished(sha256s));
    },
    setEnabled: (isEnabled) => {
      this.#isEnabled = isEnabled;
      this.#change(({ reading }) => reading.setEnabled(isEnabled));
    },
    coverage: (sha256s) => this.#use((opened) => coverageOf(opened, sha256s)),
    search: (asked, signal) => this.#search(asked, signal),
    readNow: (sha256s, signal) => this.#readNow(sha256s, signal),
    pagesOf: (sha256) => this.#use((opened) => pagesOf(opened, sha256.toLowerCase())),
    setPaused: (paused) => this.#change(({ store }) => store.setPaused(paused)),
    cancelReading: () =>
      this.#change(({ store, reading }) => {
        store.setPaused(true);
        reading.cancel();
      }),
    bytes: () => this.#use(() => sizeOf(this.#options.path)),
    held: () => this.#use(({ store }) => store.pdfs().map(({ sha256 }) => sha256)),
    forget: (sha256s) => this.#change(({ store }) => store.forget(sha256s)),
    deleteAll: () => this.#change(({ store }) => store.deleteAll()),
  };

  /** Checks whether other windows have written, or set the file aside. */
  poll(): void {
    if (!this.#opened) return;
    const { store } = this.#opened;
    try {
      if (store.inode !== null && store.inode !== fileAt(this.#options.path)) this.#letGo();
      else this.#noticeChanges(this.#opened);
    } catch (error) {
      // The next call meets it too, and tells it.
      if (!(error instanceof TextError)) throw error;
    }
  }

  close(): void {
    this.#closed = true;
    this.#letGo();
  }

  #use<T>(work: (opened: Opened) => T): T {
    if (this.#closed) throw textError('worker-stopped');
    try {
      this.#opened ??= this.#open();
      return work(this.#opened);
    } catch (error) {
      throw this.#broken(error);
    }
  }

  /** Notices what other windows wrote. */
  #noticeChanges({ store, reading }: Opened): void {
    const before = this.#dataVersion;
    this.#dataVersion = store.db.number('PRAGMA data_version');
    if (before === this.#dataVersion) return;
    reading.wake();
    this.#changed();
  }

  /** Does what reading depends on, and tells of it. */
  #change(work: (opened: Opened) => void): void {
    this.#use((opened) => {
      work(opened);
      opened.reading.wake();
    });
    this.#changed();
  }

  #changed(): void {
    this.#findable = null;
    this.#options.changed();
  }

  /** A file that turned out damaged is set aside, and the next call begins anew. Gives the error to tell. */
  #broken(error: unknown): unknown {
    if (!(error instanceof TextError) || error.problem !== 'corrupt') return error;
    const inode = this.#opened?.store.inode ?? null;
    const wasOpen = this.#opened !== null;
    this.#letGo();
    try {
      if (wasOpen) setFileAside(this.#options.path, inode, this.#options.clock.now(), textError);
      return error;
    } catch (failure) {
      return failure;
    }
  }

  #open(): Opened {
    const { path, sqlite, leases, clock, reader, logger } = this.#options;
    if (sqlite instanceof TextError) throw sqlite;
    const store = openPages({ path, sqlite, now: () => clock.now() });
    const here = new LocalPdfs(store);
    const failed = (error: unknown) => {
      logger.warn(`Reading PDFs stopped for a while: ${error instanceof Error ? error.message : String(error)}`);
      this.#broken(error);
    };
    here.set(this.#pdfs);
    here.setPublished(this.#published);
    const changed = () => this.#changed();
    const reading = new ReadingQueue({ store, leases, here, reader, clock, logger, changed, failed });
    reading.setEnabled(this.#isEnabled);
    return { store, here, reading };
  }

  #letGo(): void {
    const opened = this.#opened;
    this.#opened = null;
    if (!opened) return;
    opened.reading.dispose();
    try {
      opened.store.close();
    } catch (error) {
      // A damaged file may fail even at this; it is given up either way.
      if (!(error instanceof Error)) throw error;
    }
    this.#changed();
  }

  async #search({ query, shas, limit, cursor }: FindPages, signal: AbortSignal): Promise<FoundPages> {
    const parsed = parseQuery(query);
    const asked = shas && new Set(shas.map((sha256) => sha256.toLowerCase()));
    const { store, wanted } = this.#use((opened) => {
      const { store, here } = opened;
      this.#noticeChanges(opened);
      this.#findable ??= here.findable();
      return { store, wanted: this.#findable.filter(({ sha256 }) => asked?.has(sha256) ?? true) };
    });
    try {
      return await findPages(store, parsed, wanted, { limit, cursor, signal });
    } catch (error) {
      throw this.#broken(error);
    }
  }

  async #readNow(sha256s: readonly string[], signal: AbortSignal): Promise<ReadOutcome[]> {
    const { reading } = this.#use((opened) => opened);
    const read = (sha256: string) => reading.readNow(sha256.toLowerCase(), signal);
    try {
      const outcomes = await Promise.all(sha256s.map(read));
      return outcomes.flatMap((outcome, at) => (outcome ? [{ ...outcome, sha256: sha256s[at] ?? '' }] : []));
    } catch (error) {
      throw this.#broken(error);
    }
  }
}

function coverageOf({ here, reading }: Opened, sha256s: readonly string[] | null): TextCoverage {
  return { ...here.coverage(sha256s), reading: reading.progress, paused: reading.paused };
}

/**
 * Of what may be found alone: text that no report here stands for is nobody's. Pages cut off at the cap are in no
 * answer that is taken for the whole.
 */
function pagesOf({ store, here }: Opened, sha256: string): readonly PageText[] | null {
  const pdf = here.isPublished(sha256) ? store.pdf(sha256) : null;
  if (pdf?.state !== 'text' || pdf.left > 0) return null;
  const pages = Array.from({ length: pdf.pages }, (_, at) => store.page(pdf, at + 1));
  return pages.every((page) => page !== null) ? pages : null;
}

function sizeOf(path: string): number {
  const sizes = ['', '-wal', '-shm'].map((suffix) => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}
