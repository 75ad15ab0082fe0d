import * as vscode from 'vscode';
import { ApiError } from '../../api/transport/errors.ts';
import { isAbortError } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { joinChanges, type LibraryChange, noChange } from '../../library/libraryChange.ts';
import type { LocalLibrary, Services } from '../../services.ts';
import { setContextKey } from './commands.ts';
import type { Log } from './log.ts';
import { problemText, withViewProgress } from './messages.ts';
import type { PdfMarks } from './pdfMarks.ts';

/** What every view over the library is made from. */
export interface LibraryViewContext {
  readonly services: Services;
  readonly log: Log;
  readonly viewId: string;
  /** The PDFs that are here, for the marks of rows. */
  readonly marks: PdfMarks;
  /** Begins to keep the library true; called when the view is first looked at. */
  startSync(): void;
}

/** What the view's tree does when told. */
interface LibraryViewEvents {
  /** What is shown may be out of date: in these companies, or anywhere. */
  refresh(companies: readonly string[] | 'many'): void;
  /** Another library is shown from now on. */
  forget?(): void;
}

/** After this long (ms) without a further change the tree is read again, so that a load does not redraw it all the time. */
const quiet = 250;
/** At the latest it is read again after this long (ms). */
const patience = 1_500;

const keyRefused = vscode.l10n.t(
  'The service no longer accepts your key. Replace it to go on; what is here stays readable.',
);

/** Ties a tree to the library of the connection in use: its session, its changes, its message. */
export class LibraryView implements Disposable {
  readonly #context: LibraryViewContext;
  readonly #view: vscode.TreeView<unknown>;
  readonly #events: LibraryViewEvents;
  readonly #store = new DisposableStore();
  #following = this.#store.add(new DisposableStore());
  #local: LocalLibrary | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waitingSince = 0;
  #stale = noChange;

  constructor(context: LibraryViewContext, view: vscode.TreeView<unknown>, events: LibraryViewEvents) {
    this.#context = context;
    this.#view = view;
    this.#events = events;
    this.#store.add({ dispose: () => clearTimeout(this.#timer) });
    this.#store.add(
      context.services.onDidChangeSession(() => {
        this.#following.dispose();
        this.#local = undefined;
        events.forget?.();
        events.refresh('many');
      }),
    );
  }

  /** The library to show; undefined, with the view's welcome, when nobody is signed in. */
  async library(): Promise<LocalLibrary | undefined> {
    const { services, startSync } = this.#context;
    const session = await services.ready();
    if (session.kind !== 'unknown') await setContextKey('reportLibrary.session', session.kind);
    if (session.kind === 'keyRefused') this.describe(session.connection.name, keyRefused);
    else if (session.kind !== 'signedIn') this.describe('', '');
    if (!('connection' in session)) return undefined;
    const local = await services.library();
    if (this.#local !== local) {
      this.#local = local;
      this.#following.dispose();
      this.#following = this.#store.add(new DisposableStore());
      this.#following.add(local.library.onDidChange((change) => this.#onChange(change)));
    }
    startSync();
    return local;
  }

  /** Sets what stands beside and under the view's title; empty texts stand for none. */
  describe(description: string, message: string): void {
    this.#view.description = description;
    this.#view.message = message;
  }

  withProgress<T>(work: () => Promise<T>): Thenable<T> {
    return withViewProgress(this.#context.viewId, work);
  }

  /** The view has nothing to show and says why, and its welcome offers to try again. A refused key has its own. */
  async tellProblem(error: unknown): Promise<void> {
    if (isAbortError(error) || (error instanceof ApiError && error.problem.kind === 'unauthorized')) return;
    this.#context.log.error(problemText(error));
    this.#view.message = problemText(error);
    await setContextKey('reportLibrary.session', 'unreachable');
  }

  dispose(): void {
    this.#store.dispose();
  }

  #onChange(change: LibraryChange): void {
    if (change.reports.length === 0 && change.companies.length === 0 && !change.news) return;
    this.#stale = joinChanges([this.#stale, change]);
    const now = performance.now();
    if (this.#timer === undefined) this.#waitingSince = now;
    clearTimeout(this.#timer);
    const wait = Math.min(quiet, Math.max(0, this.#waitingSince + patience - now));
    this.#timer = setTimeout(() => {
      const { companies, renamed } = this.#stale;
      this.#timer = undefined;
      this.#stale = noChange;
      // A company that goes by another key leaves one row and comes with another.
      this.#events.refresh(renamed.length > 0 ? 'many' : companies);
    }, wait);
  }
}
