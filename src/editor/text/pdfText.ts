import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import type { Connection } from '../../app/session.ts';
import { type Disposable, DisposableStore, Emitter } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import { statsOf } from '../../files/guard.ts';
import type { Library } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import type { HerePdf, ReadOutcome, TextCoverage, TextIndex } from '../../text/textIndex.ts';
import { problemText } from '../common/messages.ts';
import { applicationSetting, onDidChangeSetting } from '../common/settings.ts';
import type { FoundPage, FoundPart, HitScope, PdfQuestion } from './hitList.ts';
import type { IndexFile } from './indexFile.ts';
import { forgetUnpublished, publicationDay, publishedIn } from './published.ts';

/** A file that is here, and whose hash the library in use does not publish. */
interface OtherFile {
  readonly path: string;
  /** Of the report that a lock file says it is of. */
  readonly reportId: number | null;
}

export interface PdfCoverage extends TextCoverage {
  /** Not searched: the library in use publishes other bytes, or none. */
  readonly others: readonly OtherFile[];
}

/** Why there is nothing to search, or `ready`. */
export type PdfTextState = 'signedOut' | 'off' | 'none' | 'ready';

/** A file that is here, before the library was asked whose it is. */
interface FileHere extends OtherFile {
  readonly sha256: string;
}

/** After so long (ms) without a further change what is here is looked at again. */
const quiet = 500;

/** What can be read as an answer of one report. */
export interface ReportReading {
  readonly report_id: number;
  readonly outcome: ReadOutcome | 'no-pdf' | 'other-file';
}

/** The text of the PDFs of this window, once the files that are here are known. */
export async function startPdfText(app: App, file: IndexFile): Promise<PdfText> {
  const made = new PdfText(app, file);
  try {
    await made.start();
  } catch (error) {
    made.dispose();
    throw error;
  }
  return made;
}

/**
 * The text of the PDFs of this window: tells the index which files are here and whose they are by the library in use,
 * and asks it. The index is opened once a PDF is here, or where an index of before is: what it holds may have to go.
 */
export class PdfText implements Disposable {
  readonly #app: App;
  readonly #file: IndexFile;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #index: { get(): Promise<TextIndex>; readonly made: boolean };
  #following: Disposable | undefined;
  /** By hash: the reports that the library in use publishes it for. */
  #reports: ReadonlyMap<string, readonly ReportSummary[]> = new Map();
  #connection: Connection | undefined;
  #others: readonly OtherFile[] = [];
  /** What the index was told last. */
  #told = '';
  #state: PdfTextState = 'none';
  #isStale = true;
  /** Whether what is here was looked at since the connection changed. */
  #isLooked = false;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether a library was removed, and its text perhaps not yet. */
  #isRemoved = false;
  /** Downloads and a sync that are under way: reading waits for them. */
  readonly #busy = new Set<unknown>();

  /** Fires when something is found or covered that was not before, or the other way round. */
  readonly onDidChange = this.#changed.event;

  constructor(app: App, file: IndexFile) {
    this.#app = app;
    this.#file = file;
    const { services, downloads, marks, sync } = app;
    this.#index = once(async () => {
      const index = await file.open();
      this.#store.add({ dispose: () => void index.dispose() });
      this.#store.add(index.onDidChange(() => this.#changed.fire()));
      return index;
    });
    const again = () => this.#lookSoon();
    this.#store.add({
      dispose: () => {
        clearTimeout(this.#timer);
        this.#following?.dispose();
      },
    });
    this.#store.add(downloads.onDidChange(again));
    this.#store.add(marks.onDidChange(again));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(again));
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(again));
    this.#store.add(onDidChangeSetting('reportLibrary.pdfText.enabled')(again));
    this.#store.add(sync.onDidChangeState(({ running }) => this.#setBusy('sync', running)));
    this.#store.add(
      services.onDidChangeSession((session) => {
        // Whose key was refused is still the same, and reads what is here.
        const isSame = 'connection' in session && session.connection === this.#connection;
        if (!isSame) {
          // Results for one connection are never shown for another.
          this.#connection = undefined;
          this.#reports = new Map();
          this.#others = [];
          this.#isLooked = false;
        }
        this.#lookSoon(0);
        if (!isSame) this.#changed.fire();
      }),
    );
  }

  async start(): Promise<void> {
    const downloads = await this.#app.downloads.open();
    this.#store.add(
      downloads.onDidChange(({ state, job }) => {
        this.#setBusy(job, state !== 'done');
        if (state === 'done') this.#lookSoon();
      }),
    );
    await this.#app.marks.here();
    this.#lookSoon(0);
  }

  /** Whether there is something to search, once what is here has been looked at. */
  async state(): Promise<PdfTextState> {
    await this.settled();
    return this.#state;
  }

  /** How the PDFs stand that are here, or those of some reports. */
  async coverage(scope?: HitScope): Promise<PdfCoverage> {
    await this.#looked();
    if (!this.#index.made) return { ...nothingHere, others: this.#others };
    const wanted = scope && (await this.#wanted(scope));
    const covered = await (await this.#index.get()).coverage([...(wanted ?? this.#reports).keys()]);
    return { ...covered, others: wanted ? [] : this.#others };
  }

  /** Whether a page still counts: the library in use publishes its PDF for its report, and a file of it is here. */
  answers({ sha256, report }: FoundPage): boolean {
    return this.#reports.get(sha256)?.some(({ report_id }) => report_id === report.report_id) ?? false;
  }

  /** The report whose PDF has these bytes; undefined where the library in use publishes them for none. */
  reportOf(sha256: string): ReportSummary | undefined {
    return this.#reports.get(sha256)?.[0];
  }

  /**
   * The pages that answer a question, newest first, each with every report that its PDF is published for.
   * @throws ApiError when nobody is signed in, TextError for a query that can't be understood
   */
  async find(
    { query, scope }: PdfQuestion,
    options: { readonly limit: number; readonly cursor: string | null; readonly signal?: AbortSignal },
  ): Promise<FoundPart> {
    const { limit, cursor, signal } = options;
    const { library, signal: connected } = await this.#app.services.library();
    await this.#looked();
    const wanted = await this.#wanted(scope);
    if (!this.#index.made || wanted?.size === 0) return { pages: [], next: null, terms: [] };
    const shas = wanted ? [...wanted.keys()] : null;
    const { hits, ...rest } = await (await this.#index.get()).search({ query, shas, limit, cursor }, signal);
    // Asked anew: what was withdrawn since the last look, or in the middle of a sync, answers for nothing.
    const of = await publishedIn(library, [...new Set(hits.map(({ sha256 }) => sha256))]);
    if (connected.aborted) return this.find({ query, scope }, { ...options, cursor: null });
    const isAsked = ({ sha256, report_id }: ReportSummary) =>
      wanted?.get(sha256 ?? '')?.some((report) => report.report_id === report_id) ?? wanted === undefined;
    // Several reports may have the same PDF: it answers for each.
    const reportsOf = (sha256: string) => (of.get(sha256) ?? []).filter(isAsked);
    const pages = hits.flatMap((hit) => reportsOf(hit.sha256).map((report): FoundPage => ({ ...hit, report })));
    return { ...rest, pages };
  }

  /** Reads the PDFs of these reports now, or of all that are here. @throws the signal's reason when aborted */
  async read(reportIds: readonly number[] | undefined, signal?: AbortSignal): Promise<readonly ReportReading[]> {
    await this.#app.services.library();
    this.#isStale = true;
    await this.settled();
    const shaOf = new Map<number, string>();
    for (const [sha256, reports] of this.#reports) for (const { report_id } of reports) shaOf.set(report_id, sha256);
    const ids = reportIds ?? [...shaOf.keys()];
    const shas = [...new Set(ids.flatMap((id) => shaOf.get(id) ?? []))];
    const outcomes = shas.length > 0 ? await (await this.#index.get()).readNow(shas, signal) : [];
    const outcomeOf = new Map(outcomes.map((outcome) => [outcome.sha256, outcome]));
    const others = new Set(this.#others.map(({ reportId }) => reportId));
    return ids.map((report_id) => {
      const sha256 = shaOf.get(report_id);
      // A file that turned out to have other bytes than its row says is none of the report's.
      const isOther = sha256 !== undefined || others.has(report_id);
      return { report_id, outcome: outcomeOf.get(sha256 ?? '') ?? (isOther ? 'other-file' : 'no-pdf') };
    });
  }

  /** Deletes the text that only a removed library published; where that fails now, with a later look. */
  async forgetUnpublished(): Promise<void> {
    this.#isRemoved = true;
    this.#isStale = true;
    await this.settled();
  }

  /** The pages that the index holds of these bytes; null where it can't say, or has not read them. */
  async pagesOf(sha256: string) {
    const isKept = (await this.state()) === 'ready' && this.reportOf(sha256) !== undefined;
    return isKept ? (await this.index()).pagesOf(sha256) : null;
  }

  /** The index itself, for what concerns all windows: pausing, its size, deleting it. */
  index(): Promise<TextIndex> {
    return this.#index.get();
  }

  /** The local files are looked at again before the question. */
  refresh(): void {
    this.#isStale = true;
  }

  /** Resolves once what is here has been looked at, after the last change that was told. */
  async settled(): Promise<void> {
    while (this.#isStale || this.#looking) {
      if (!this.#looking) {
        clearTimeout(this.#timer);
        this.#isStale = false;
        this.#looking = this.#look()
          .catch((error: unknown) => {
            // Earlier knowledge may not hold any more: the next call looks again.
            [this.#isStale, this.#isLooked] = [true, false];
            throw error;
          })
          .finally(() => {
            this.#looking = undefined;
          });
      }
      await this.#looking;
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** What is typed waits for no look at all files, only for the first one. */
  async #looked(): Promise<void> {
    if (!this.#isLooked) await this.settled();
  }

  #lookSoon(after = quiet): void {
    this.#isStale = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.settled().catch((error: unknown) =>
        this.#app.log.warn(`What PDFs are here is not known: ${problemText(error)}`),
      );
    }, after);
  }

  async #look(): Promise<void> {
    const { services } = this.#app;
    const session = await services.ready();
    const connected = services.signal;
    const isOn = applicationSetting('reportLibrary.pdfText.enabled');
    const isSignedIn = 'connection' in session;
    const files = isSignedIn && isOn ? await this.#files() : [];
    const isKept = this.#index.made || (await this.#file.exists());
    const library = isSignedIn && (files.length > 0 || isKept) ? await this.#follow() : undefined;
    const reports = library ? await publishedIn(library, [...new Set(files.map(({ sha256 }) => sha256))]) : new Map();
    if (connected.aborted) {
      this.#isStale = true;
      return;
    }
    const isLess = [...this.#reports.keys()].some((sha256) => !reports.has(sha256));
    this.#reports = reports;
    this.#isLooked = true;
    // Files that the store keeps for other connections don't count for this one.
    const named = files.filter(({ reportId }) => reportId !== null);
    const isWhole = library !== undefined && (await library.syncRecord()).phase === 'following';
    this.#others = isWhole ? named.filter(({ sha256 }) => !reports.has(sha256)) : [];
    this.#state = !isSignedIn ? 'signedOut' : !isOn ? 'off' : reports.size + named.length > 0 ? 'ready' : 'none';
    // Results that the library no longer has go at once.
    if (isLess) this.#changed.fire();
    if (reports.size > 0 || this.#index.made) await this.#tell(files);
    // A library that is still loading does not say yet what it publishes.
    if (isKept && (isWhole || !isSignedIn || this.#isRemoved)) {
      // The search does not wait for it: text that may not be found is not, whether it was deleted or not.
      try {
        const own = library && isSignedIn ? { library, connection: session.connection } : undefined;
        if (await forgetUnpublished(this.#app, await this.#index.get(), own)) this.#isRemoved = false;
      } catch (error) {
        this.#app.log.warn(`The text of PDFs that are gone could not be deleted: ${problemText(error)}`);
      }
    }
    this.#changed.fire();
  }

  /** The files of the folders that are trusted, and of this machine's store. */
  async #files(): Promise<readonly FileHere[]> {
    const downloads = await this.#app.downloads.open();
    const named = await downloads.readablePdfs();
    const kept = await downloads.keptFiles();
    return [
      ...named.map(({ uri, row }) => ({ path: uri.fsPath, sha256: row.sha256, reportId: row.report_id })),
      ...kept.map(({ path, sha256 }) => ({ path, sha256, reportId: null })),
    ];
  }

  async #follow(): Promise<Library> {
    const { library, connection } = await this.#app.services.library();
    if (this.#connection !== connection) {
      this.#connection = connection;
      this.#following?.dispose();
      this.#following = library.onDidChange(({ reports }) => {
        if (reports.length > 0) this.#lookSoon();
      });
    }
    return library;
  }

  async #tell(files: readonly FileHere[]): Promise<void> {
    const reports = this.#reports;
    const ours = files.filter(({ sha256 }) => reports.has(sha256));
    const stats = await statsOf(ours.map(({ path }) => path));
    const pdfs = ours.flatMap(({ path, sha256 }, at): HerePdf[] => {
      const found = stats[at];
      // A link leads who knows where.
      if (!found?.isFile()) return [];
      return [
        { path, sha256, bytes: found.size, mtimeMs: found.mtimeMs, day: publicationDay(reports.get(sha256)?.[0]) },
      ];
    });
    const published = [...reports.keys()];
    const told = JSON.stringify([pdfs, published]);
    if (told === this.#told) return;
    const index = await this.#index.get();
    await index.setEnabled(this.#isReading());
    await index.setPublished(published);
    await index.setHere(pdfs);
    this.#told = told;
  }

  /** Whether PDFs are read without being asked for. */
  #isReading(): boolean {
    return applicationSetting('reportLibrary.pdfText.enabled') && this.#busy.size === 0;
  }

  #setBusy(work: unknown, isUnderWay: boolean): void {
    const before = this.#busy.size === 0;
    if (isUnderWay) this.#busy.add(work);
    else this.#busy.delete(work);
    if (before === (this.#busy.size === 0) || !this.#index.made) return;
    this.#index
      .get()
      .then((index) => index.setEnabled(this.#isReading()))
      .catch((error: unknown) => this.#app.log.warn(`Reading PDFs could not be switched: ${problemText(error)}`));
  }

  /** The reports of a scope whose PDF is here, by hash; undefined for all. */
  async #wanted({ reportIds, query }: HitScope): Promise<ReadonlyMap<string, readonly ReportSummary[]> | undefined> {
    if (!reportIds && !query) return undefined;
    const all = [...this.#reports.values()].flat().map(({ report_id }) => report_id);
    const asked = reportIds && new Set(reportIds);
    let ids = new Set(asked ? all.filter((id) => asked.has(id)) : all);
    if (ids.size > 0 && query) {
      const { library } = await this.#app.services.library();
      const among = [...(query.among ?? []), { ids: [...ids], is: true }];
      ids = new Set(await library.reportIds({ ...query, among }));
    }
    const wanted = [...this.#reports].map(
      ([sha256, reports]) => [sha256, reports.filter(({ report_id }) => ids.has(report_id))] as const,
    );
    return new Map(wanted.filter(([, reports]) => reports.length > 0));
  }
}

const nothingHere: TextCoverage = {
  ...{ searchable: 0, withoutText: 0, failed: 0, waiting: 0, reading: null, paused: null },
  lists: { withoutText: [], failed: [], waiting: [], partly: [] },
};
