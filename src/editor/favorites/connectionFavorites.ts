import * as vscode from 'vscode';
import { ApiError } from '../../api/transport/errors.ts';
import type { LocalLibrary, Services } from '../../app/session.ts';
import { isAbortError } from '../../base/clock.ts';
import { type Disposable, DisposableStore, type Event } from '../../base/disposable.ts';
import type { FavoriteEdit, FavoriteStore } from '../../favorites/favoriteStore.ts';
import { type Favorite, type Favorites, movedFavorites, movesOf, noFavorites } from '../../favorites/favorites.ts';
import type { LibraryChange } from '../../library/libraryChange.ts';
import type { FavoriteMarks } from '../common/favoriteMarks.ts';
import type { LibraryFiles } from '../common/libraryFiles.ts';
import type { Log } from '../common/log.ts';
import { problemText, showProblem } from '../common/messages.ts';

/** Withdrawn favorites that a window asks the service for. */
const maxAsked = 50;

/** The favorites of one connection, whichever is in use later. */
export interface FavoritesHere {
  /** None where they can't be read, which is shown once. */
  read(): Promise<Favorites>;
  /** @throws Error or DiskProblem when nothing could be changed */
  change(edit: FavoriteEdit): Promise<void>;
}

/** The favorites of the connection in use, kept by the present names of companies and reports. */
export class ConnectionFavorites implements FavoriteMarks, Disposable {
  readonly #services: Services;
  readonly #log: Log;
  readonly #files: LibraryFiles;
  readonly #store = new DisposableStore();
  readonly #kept: FavoriteStore;
  #library: LocalLibrary | undefined;
  #shownProblem = '';
  /** Withdrawn reports that the service was asked for. */
  readonly #asked = new Set<number>();

  readonly onDidChange: Event<void>;

  /** @param kept the favorites of all connections; ends with this */
  constructor(services: Services, log: Log, files: LibraryFiles, kept: FavoriteStore) {
    this.#services = services;
    this.#log = log;
    this.#files = files;
    this.#kept = this.#store.add(kept);
    this.onDidChange = this.#kept.onDidChange;
    this.#store.add(
      services.onDidChangeLibrary(({ local, change }) => {
        if (local === this.#library) this.#updateInBackground(local, change);
      }),
    );
  }

  /** None where they can't be read, which is shown once: the rest of a tree stays. */
  async read(): Promise<Favorites> {
    const file = await this.#file();
    return file === undefined ? noFavorites : this.#read(file);
  }

  /**
   * Those of the connection in use now, for a command that goes on with them if another connection comes into use.
   * @throws Error when nobody is signed in
   */
  async here(): Promise<FavoritesHere> {
    const file = await this.#file();
    if (file === undefined) throw new Error(vscode.l10n.t('Sign in or open the demo library first.'));
    return { read: () => this.#read(file), change: (edit) => this.#kept.change(file, edit) };
  }

  async #read(file: string): Promise<Favorites> {
    try {
      const favorites = await this.#kept.read(file);
      if (favorites.items.length > 0) await this.#follow();
      return favorites;
    } catch (error) {
      if (this.#shownProblem !== problemText(error)) showProblem(error, this.#log);
      this.#shownProblem = problemText(error);
      return noFavorites;
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #file(): Promise<string | undefined> {
    const session = await this.#services.ready();
    return 'connection' in session ? this.#files.favoritesOf(session.connection) : undefined;
  }

  /** Keeps names true from now on: reports are merged, companies and keys renamed. */
  async #follow(): Promise<void> {
    const local = await this.#services.library();
    if (local === this.#library) return;
    this.#library = local;
    this.#asked.clear();
    this.#updateInBackground(local);
  }

  #updateInBackground(local: LocalLibrary, change?: LibraryChange): void {
    this.#updateNames(local, change).catch((error: unknown) => {
      if (!isAbortError(error))
        this.#log.warn(`Favorites could not be compared with the library: ${problemText(error)}`);
    });
  }

  async #updateNames({ library, connection, signal }: LocalLibrary, change?: LibraryChange): Promise<void> {
    const file = this.#files.favoritesOf(connection);
    const { items } = await this.#kept.read(file);
    if (change && !concerns(change, items)) return;
    // Until a first load is through most are not known yet.
    if ((await library.syncRecord()).phase !== 'following') return;
    await this.#move(file, items, library);
    // The library tells of no change where it only learned where a merge leads.
    if (await this.#askForSurvivors({ library, signal }, items)) await this.#move(file, items, library);
  }

  async #move(file: string, items: readonly Favorite[], library: LocalLibrary['library']): Promise<void> {
    const moves = await movesOf(items, library);
    if (moves.size > 0) await this.#kept.change(file, (now) => movedFavorites(now, moves));
  }

  /** The feed may say no more of a merge than that a report is gone: the service is asked once, by its id (RID-1). */
  async #askForSurvivors(
    { library, signal }: Pick<LocalLibrary, 'library' | 'signal'>,
    items: readonly Favorite[],
  ): Promise<boolean> {
    let isAnswered = false;
    const reports = await library.summaries(items.flatMap(({ report_id }) => report_id ?? []));
    for (const { report_id: id, state } of reports) {
      if (state !== 'withdrawn' || this.#asked.has(id) || this.#asked.size >= maxAsked) continue;
      if (signal.aborted) break;
      this.#asked.add(id);
      try {
        await library.applyReport(await this.#services.call((client) => client.report(id)), id);
        isAnswered = true;
      } catch (error) {
        // Withdrawn and not merged: it stays as what it is.
        if (!(error instanceof ApiError && error.problem.kind === 'not-found')) throw error;
      }
    }
    return isAnswered;
  }
}

/** The end of a first load may say no more than that the state of the sync changed. */
function concerns({ reports, renamed, sync }: LibraryChange, items: readonly Favorite[]): boolean {
  if (reports === 'many' || renamed.length > 0 || sync) return true;
  const changed = new Set(reports);
  return items.some(({ report_id }) => report_id !== null && changed.has(report_id));
}
