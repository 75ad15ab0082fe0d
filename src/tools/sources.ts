import { join } from 'node:path';
import { isAbortError } from '../base/clock.ts';
import { isNoChange } from '../library/libraryChange.ts';
import type { ReportSummary } from '../library/reportQuery.ts';
import { loadSqlite, openToRead } from '../library/sqlite/openDatabase.ts';
import { type LibraryStore, openSqliteStore } from '../library/sqlite/sqliteStore.ts';
import { fileAt, type SqliteModule } from '../machine/sqliteFile.ts';
import type { PageStore } from '../text/pages.ts';
import { openPagesToRead } from '../text/pagesFile.ts';
import { type Pointer, readPointer } from './pointer.ts';
import { type PageTexts, type PdfInWorkspace, type PdfWithText, type ToolPorts, ToolProblem } from './tool.ts';

const notSignedIn =
  'Not signed in: Report Library has no library in use on this machine. Tell the user to open VS Code and run “Report Library: Sign In…” or “Report Library: Open Demo Library”, then call again.';
const notLoaded =
  'The library in use has not been loaded on this machine. Tell the user to open the Report Library view in VS Code and wait for the first sync, then call again.';

/** Files are let go so long (ms) after the last call: some systems let nobody delete what is open. */
const idle = 2000;

/** The text index as it is open, with what it may answer. */
interface OpenTexts {
  readonly path: string;
  readonly store: PageStore;
  /** By the state of the file; null when the library has changed since. */
  known: { readonly version: number; readonly pdfs: ReadonlyMap<string, PdfWithText> } | null;
}

/**
 * Opens what the pointer names, to read it, and keeps it open while calls follow one another. Every call looks anew where
 * the pointer leads, and whether the files there are still the same.
 */
export class ToolSources {
  readonly #pointer: string;
  #library: { readonly path: string; readonly store: LibraryStore } | null = null;
  #texts: OpenTexts | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Calls that are being answered: what they read stays open. */
  #calls = 0;
  #sqlite: Promise<SqliteModule> | undefined;

  /** @param pointer path of the pointer's file */
  constructor(pointer: string) {
    this.#pointer = pointer;
  }

  /** Answers a call; the files that it reads stay open until it ends, and a little longer for the next one. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#calls += 1;
    try {
      return await call();
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0) this.#timer = setTimeout(() => this.close(), idle).unref();
    }
  }

  /** What a call may look at. Throws a `ToolProblem` that says what the user has to do first. */
  async ports(): Promise<ToolPorts> {
    this.#sqlite ??= loadSqlite();
    const sqlite = await this.#sqlite;
    // From here on nothing is waited for: of two calls at once only the first opens the files.
    const pointer = readPointer(this.#pointer);
    if (!pointer) {
      this.close();
      throw new ToolProblem(notSignedIn);
    }
    const library = this.#openLibrary(pointer.library, sqlite);
    const opened = this.#openTexts(pointer.text, sqlite);
    const text: PageTexts | null = opened && { store: opened.store, pdfs: () => answerable(opened, library) };
    return { library, text, localPdfs: (signal) => localPdfs(pointer, signal) };
  }

  /** Lets the files go; the next call opens them again. */
  close(): void {
    clearTimeout(this.#timer);
    this.#closeLibrary();
    this.#closeTexts();
  }

  /** Whether the pointer still leads to what a call read from; else its answer is nobody's any more. */
  isInUse({ library }: ToolPorts): boolean {
    const held = this.#library;
    return held?.store === library && readPointer(this.#pointer)?.library === held.path;
  }

  #openLibrary(path: string, sqlite: SqliteModule): LibraryStore {
    const held = this.#library;
    if (held?.path === path && held.store.file === fileAt(path)) {
      if (!isNoChange(held.store.poll()) && this.#texts) this.#texts.known = null;
      return held.store;
    }
    this.#closeLibrary();
    const options = { path, sqlite, now: Date.now };
    const opened = openToRead(options);
    if (!opened) throw new ToolProblem(notLoaded);
    this.#library = { path, store: openSqliteStore(options, opened) };
    return this.#library.store;
  }

  #openTexts(path: string, sqlite: SqliteModule): OpenTexts | null {
    const held = this.#texts;
    if (held?.path === path && held.store.inode === fileAt(path)) return held;
    this.#closeTexts();
    if (fileAt(path) === null) return null;
    const store = openPagesToRead({ path, sqlite, now: Date.now });
    this.#texts = store && { path, store, known: null };
    return this.#texts;
  }

  #closeLibrary(): void {
    this.#library?.store.close();
    this.#library = null;
    if (this.#texts) this.#texts.known = null;
  }

  #closeTexts(): void {
    this.#texts?.store.close();
    this.#texts = null;
  }
}

/** The PDFs whose text is kept and that the library publishes, asked anew when either changed. */
function answerable(texts: OpenTexts, library: LibraryStore): ReadonlyMap<string, PdfWithText> {
  const version = texts.store.db.number('PRAGMA data_version');
  if (texts.known?.version === version) return texts.known.pdfs;
  const held = texts.store.pdfs();
  const reports = Map.groupBy(library.reportsOfHashes(held.map(({ sha256 }) => sha256)), hashOf);
  const pdfs = held.flatMap((pdf) => {
    const published = reports.get(pdf.sha256);
    return published ? [[pdf.sha256, { pdf, reports: published }] as const] : [];
  });
  const known = { version, pdfs: new Map(pdfs) };
  texts.known = known;
  return known.pdfs;
}

const hashOf = ({ sha256 }: ReportSummary) => sha256 ?? '';

async function localPdfs({ folders }: Pointer, signal: AbortSignal): Promise<readonly PdfInWorkspace[]> {
  if (folders.length === 0) return [];
  const { readLock } = await import('../downloads/lockFile.ts');
  const found: PdfInWorkspace[] = [];
  for (const at of folders) {
    const { reports } = await readLock(at, signal).catch((error: unknown) => {
      if (isAbortError(error)) throw error;
      // A lock file that can't be read names no PDF; the Downloads view says what is wrong with it.
      return { reports: [] };
    });
    for (const { report_id, path, sha256 } of reports) {
      found.push({ report_id, sha256, path: join(at.root, at.folder, path) });
    }
  }
  return found;
}
