import { isAbortError } from '../base/clock.ts';
import { isNoChange } from '../library/libraryChange.ts';
import type { ReportSummary } from '../library/reportQuery.ts';
import { loadLibrarySqlite, openToRead } from '../library/sqlite/openDatabase.ts';
import { type LibraryStore, openSqliteStore } from '../library/sqlite/sqliteStore.ts';
import { fileAt, type SqliteModule } from '../machine/sqliteFile.ts';
import type { PageStore } from '../text/pages.ts';
import { openPagesToRead } from '../text/pagesFile.ts';
import { type Pointer, readPointer } from './pointer.ts';
import { type PageTexts, type PdfWithText, type ToolPorts, ToolProblem } from './tool.ts';

const notSignedIn =
  'Not signed in: Report Library has no library in use on this computer. Tell the user to open VS Code and run “Report Library: Sign In…” or “Report Library: Open Demo Library”, then call again.';
const notLoaded =
  'The library in use has not been loaded on this computer. Tell the user to open the Report Library view in VS Code and wait for the first sync, then call again.';

/** Files are let go so long (ms) after the last call: some systems let nobody delete what is open. */
const idle = 2000;

/** A file that stays open as long as it is the same one. */
class ToolFile<T extends { close(): void }> {
  #held: { readonly path: string; readonly inode: bigint; readonly store: T } | null = null;

  /** What is open at a path, or is opened now; null where there is no such file. */
  at(path: string, open: () => T | null): T | null {
    const inode = fileAt(path);
    if (this.#held?.path === path && this.#held.inode === inode) return this.#held.store;
    this.close();
    const store = inode === null ? null : open();
    if (store && inode !== null) this.#held = { path, inode, store };
    return store;
  }

  /** Where what is open lies; undefined for anything else. */
  pathOf(store: unknown): string | undefined {
    return this.#held?.store === store ? this.#held?.path : undefined;
  }

  close(): void {
    this.#held?.store.close();
    this.#held = null;
  }
}

/** Opens the files that the pointer names, for reading. Every call checks that they are still the same. */
export class ToolSources {
  readonly #pointer: string;
  readonly #library = new ToolFile<LibraryStore>();
  readonly #texts = new ToolFile<PageStore>();
  /** What may be answered, as long as neither file has changed. */
  #known: { readonly of: readonly unknown[]; readonly pdfs: ReadonlyMap<string, PdfWithText> } | null = null;
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
    this.#sqlite ??= loadLibrarySqlite();
    const sqlite = await this.#sqlite;
    // From here on nothing is waited for: of two calls at once only the first opens the files.
    const pointer = readPointer(this.#pointer);
    if (!pointer) {
      this.close();
      throw new ToolProblem(notSignedIn);
    }
    const at = { sqlite, now: Date.now };
    const library = this.#library.at(pointer.library, () => {
      const options = { ...at, path: pointer.library };
      const opened = openToRead(options);
      return opened && openSqliteStore(options, opened);
    });
    if (!library) throw new ToolProblem(notLoaded);
    if (!isNoChange(library.poll())) this.#known = null;
    const store = this.#texts.at(pointer.text, () => openPagesToRead({ ...at, path: pointer.text }));
    const text: PageTexts | null = store && { store, pdfs: () => this.#answerable(store, library) };
    return {
      library,
      text,
      findPdf(report, signal) {
        const former = library.formerKeys([report.report_id]).map(({ report_key }) => report_key);
        return findPdf(pointer, { ...report, keys: [report.report_key, ...former] }, signal);
      },
    };
  }

  /** Lets the files go; the next call opens them again. */
  close(): void {
    clearTimeout(this.#timer);
    this.#library.close();
    this.#texts.close();
    this.#known = null;
  }

  /** Whether the pointer still leads to what a call read from; else its answer is nobody's any more. */
  isInUse({ library }: ToolPorts): boolean {
    const path = this.#library.pathOf(library);
    return path !== undefined && readPointer(this.#pointer)?.library === path;
  }

  /** The PDFs whose text is kept and that the library publishes. */
  #answerable(store: PageStore, library: LibraryStore): ReadonlyMap<string, PdfWithText> {
    const of = [library, store, store.db.number('PRAGMA data_version')];
    if (this.#known?.of.every((each, at) => each === of[at])) return this.#known.pdfs;
    const held = store.pdfs();
    const reports = Map.groupBy(library.reportsOfHashes(held.map(({ sha256 }) => sha256)), hashOf);
    const pdfs = new Map(
      held.flatMap((pdf) => {
        const published = reports.get(pdf.sha256);
        return published ? [[pdf.sha256, { pdf, reports: published }] as const] : [];
      }),
    );
    this.#known = { of, pdfs };
    return pdfs;
  }
}

const hashOf = ({ sha256 }: ReportSummary) => sha256 ?? '';

/** Where a lock file names the PDF of a report by a key of it, if its bytes have this hash; or what is in its place. */
async function findPdf(
  { folders }: Pointer,
  {
    report_id,
    sha256,
    keys,
  }: { readonly report_id: number; readonly sha256: string; readonly keys: readonly string[] },
  signal: AbortSignal,
): ReturnType<ToolPorts['findPdf']> {
  if (folders.length === 0) return { path: null };
  let problem: string | undefined;
  const [{ inFolder, readLock }, { pathOf }, { lookAtFile }] = await Promise.all([
    import('../downloads/lockFile.ts'),
    import('../files/guard.ts'),
    import('../downloads/verify.ts'),
  ]);
  for (const at of folders) {
    const { reports } = await readLock(at, signal).catch((error: unknown) => {
      if (isAbortError(error)) throw error;
      // A lock file that can't be read names no PDF; the Downloads view says what is wrong with it.
      return { reports: [] };
    });
    for (const row of reports) {
      if (row.report_id !== report_id || row.sha256 !== sha256 || !keys.includes(row.report_key)) continue;
      const { state, reason } = await lookAtFile(at, row, 'read', signal);
      if (state === 'same') return { path: pathOf(inFolder(at, row.path)) };
      problem = reason;
    }
  }
  return { path: null, ...(problem !== undefined && { problem }) };
}
