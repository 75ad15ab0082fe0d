import { statSync } from 'node:fs';
import type { Handlers } from '../base/rpc.ts';
import { fileAt, type SqliteModule, setFileAside } from '../machine/sqliteFile.ts';
import { HerePdfs } from './herePdfs.ts';
import type { PageStore } from './pages.ts';
import { openPages } from './pagesFile.ts';
import { parseQuery } from './query.ts';
import { ReadingQueue, type ReadingQueueOptions } from './readingQueue.ts';
import { findPages, KeptPdfs, WantedPdfs } from './search.ts';
import type { textSide } from './textClient.ts';
import { TextError, textError } from './textError.ts';
import type {
  FindPages,
  FoundPages,
  HerePdf,
  PageText,
  ReadOutcome,
  ReportOfPdf,
  TextCoverage,
  WindowState,
} from './textIndex.ts';
import { WindowTable } from './windows.ts';

export interface TextServerOptions
  extends Pick<ReadingQueueOptions, 'reader' | 'onBattery' | 'clock' | 'logger' | 'changed'> {
  readonly path: string;
  /** Why there is none, where the host lacks it: every call throws that. */
  readonly sqlite: SqliteModule | TextError;
  /** A name for this window among all. */
  readonly holder: string;
}

/** PDFs that no window has had for so many days are forgotten. */
const keptUnseen = 90;

interface Opened {
  readonly store: PageStore;
  readonly kept: KeptPdfs;
  readonly windows: WindowTable;
  readonly here: HerePdfs;
  readonly reading: ReadingQueue;
}

type Calls = Handlers<typeof textSide>['calls'];

/** Answers for one window what is asked of the text index. The file is opened with the first call, and anew when it was damaged. */
export class TextServer {
  readonly #options: TextServerOptions;
  #opened: Opened | null = null;
  #pdfs: readonly HerePdf[] = [];
  #reports = new Set<string>();
  #window: WindowState = { focused: false, enabled: false };
  #dataVersion = -1;
  /** What a search of everything is narrowed to, and of what it was made. */
  #wanted: { readonly of: string; readonly pdfs: WantedPdfs } | null = null;
  #reportsVersion = 0;
  #closed = false;

  constructor(options: TextServerOptions) {
    this.#options = options;
  }

  readonly calls: Omit<Calls, 'close'> = {
    setHere: (pdfs) => this.#use((opened) => this.#setHere(opened, pdfs)),
    setReports: (reports) => this.#setReports(reports),
    setWindow: (state) => {
      this.#window = state;
      this.#use(({ reading }) => reading.setWindow(state));
      this.#options.changed();
    },
    coverage: (sha256s) => this.#use((opened) => this.#coverage(opened, sha256s)),
    search: ({ query, options }, signal) => this.#search(query, { ...options, signal }),
    readNow: (sha256s, signal) => this.#readNow(sha256s, signal),
    pagesOf: (sha256) => this.#use((opened) => this.#pagesOf(opened, sha256)),
    setPaused: (paused) =>
      this.#use(({ windows, reading }) => {
        windows.setPaused(paused);
        reading.wake();
        this.#options.changed();
      }),
    cancelReading: () =>
      this.#use(({ windows, reading }) => {
        windows.setPaused(true);
        reading.cancel();
        this.#options.changed();
      }),
    bytes: () => this.#use(() => sizeOf(this.#options.path)),
    held: () => this.#use(({ store }) => store.pdfs().map(({ sha256 }) => sha256)),
    forget: (sha256s) =>
      this.#use((opened) => {
        opened.store.forget(sha256s);
        this.#forgotten(opened);
      }),
    deleteAll: () =>
      this.#use((opened) => {
        opened.store.deleteAll();
        this.#forgotten(opened);
      }),
  };

  /** Looks whether other windows have written, or set the file aside. */
  poll(): void {
    if (!this.#opened) return;
    const { store, reading } = this.#opened;
    try {
      if (store.inode !== null && store.inode !== fileAt(this.#options.path)) {
        this.#letGo();
        return;
      }
      const version = store.db.number('PRAGMA data_version');
      if (version === this.#dataVersion) return;
      this.#dataVersion = version;
      reading.wake();
      this.#options.changed();
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
    const { path, sqlite, clock, holder, reader, onBattery, logger, changed } = this.#options;
    if (sqlite instanceof TextError) throw sqlite;
    const now = () => clock.now();
    const store = openPages({ path, sqlite, now });
    const kept = new KeptPdfs(store);
    const windows = new WindowTable(store.db, holder, now);
    const here = new HerePdfs(store, kept);
    const failed = (error: unknown) => {
      logger.warn(`Reading PDFs stopped for a while: ${error instanceof Error ? error.message : String(error)}`);
      this.#broken(error);
    };
    store.forgetUnseen(store.today - keptUnseen);
    const reading = new ReadingQueue({
      ...{ store, kept, windows, here, reader, onBattery, clock, logger, changed, failed },
    });
    here.set(this.#pdfs);
    reading.setWindow(this.#window);
    return { store, kept, windows, here, reading };
  }

  #letGo(): void {
    const opened = this.#opened;
    this.#opened = null;
    this.#wanted = null;
    if (!opened) return;
    opened.reading.dispose();
    try {
      opened.store.close();
    } catch (error) {
      // A damaged file may fail even at this; it is given up either way.
      if (!(error instanceof Error)) throw error;
    }
    this.#options.changed();
  }

  #setHere({ here, reading, kept }: Opened, pdfs: readonly HerePdf[]): void {
    this.#pdfs = pdfs;
    kept.refresh();
    here.set(pdfs);
    reading.wake();
    this.#options.changed();
  }

  #setReports(reports: readonly ReportOfPdf[]): void {
    this.#reports = new Set(reports.map(({ sha256 }) => sha256.toLowerCase()));
    this.#reportsVersion++;
    this.#options.changed();
  }

  #coverage({ kept, here, windows, reading }: Opened, sha256s: readonly string[] | null): TextCoverage {
    kept.refresh();
    const path = windows.reading;
    return {
      ...here.coverage(sha256s && new Set(sha256s.map((sha256) => sha256.toLowerCase()))),
      reading: path === null ? null : reading.progress?.path === path ? reading.progress : { path },
      paused: reading.paused,
    };
  }

  async #search(query: string, options: FindPages): Promise<FoundPages> {
    const parsed = parseQuery(query);
    const { store, wanted } = this.#use((opened) => ({
      store: opened.store,
      wanted: this.#narrowed(opened, options.shas),
    }));
    try {
      return await findPages(store, parsed, wanted, options);
    } catch (error) {
      throw this.#broken(error);
    }
  }

  /** What reports are known for and what is here, and of that what is asked for. */
  #narrowed({ kept, here }: Opened, sha256s: readonly string[] | null): WantedPdfs {
    kept.refresh();
    const pdfsOf = (hashes: Iterable<string>) => [...hashes].flatMap((hash) => kept.get(hash) ?? []);
    const of = `${kept.version} ${here.version} ${this.#reportsVersion}`;
    if (sha256s === null && this.#wanted?.of === of) return this.#wanted.pdfs;
    const found = here.hashes();
    if (sha256s !== null) {
      const asked = sha256s.map((sha256) => sha256.toLowerCase());
      return new WantedPdfs(pdfsOf(asked.filter((sha256) => found.has(sha256) && this.#reports.has(sha256))));
    }
    const pdfs = new WantedPdfs(pdfsOf([...found].filter((sha256) => this.#reports.has(sha256))));
    this.#wanted = { of, pdfs };
    return pdfs;
  }

  async #readNow(sha256s: readonly string[], signal: AbortSignal): Promise<ReadOutcome[]> {
    const { reading, kept } = this.#use((opened) => opened);
    kept.refresh();
    const outcomes = await Promise.all(sha256s.map((sha256) => reading.readNow(sha256.toLowerCase(), signal)));
    return outcomes.flatMap((outcome, at) => (outcome ? [{ ...outcome, sha256: sha256s[at] ?? '' }] : []));
  }

  /**
   * Of what may be found alone: text that no report here stands for is nobody's. What was cut off at the cap is in no
   * answer that is taken for the whole.
   */
  #pagesOf({ store }: Opened, sha256: string): readonly PageText[] | null {
    const hash = sha256.toLowerCase();
    const pdf = this.#reports.has(hash) ? store.pdf(hash) : null;
    if (pdf?.state !== 'text' || pdf.left > 0) return null;
    const pages = Array.from({ length: pdf.pages }, (_, at) => store.page(pdf, at + 1));
    return pages.every((page) => page !== null) ? pages : null;
  }

  #forgotten({ kept, here, reading }: Opened): void {
    kept.refresh();
    here.set(this.#pdfs);
    reading.wake();
    this.#options.changed();
  }
}

function sizeOf(path: string): number {
  const sizes = ['', '-wal', '-shm'].map((suffix) => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}
