import * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import { isAbortError } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Connection, Services, Session } from '../../services.ts';
import { setContextKey } from '../common/commands.ts';
import type { Log } from '../common/log.ts';
import { showProblem } from '../common/messages.ts';
import { Accounts } from './accounts.ts';
import type { ConnectionNews, News } from './connectionNews.ts';
import type { ConnectionStore, StoredConnection } from './connectionStore.ts';
import { indexName } from './indexName.ts';
import { tellKeyRefused } from './tellKeyRefused.ts';

/** What the connections of a window are made from. */
export interface ConnectionsContext {
  readonly services: Services;
  readonly log: Log;
  readonly connections: ConnectionStore;
  readonly news: ConnectionNews;
  createClient(connection: Connection): Promise<Client>;
  /** Bytes of the connection's library on this machine; null when there is none. */
  libraryBytes(connection: StoredConnection): Promise<number | null>;
  deleteLibrary(connection: StoredConnection): Promise<void>;
  /** The libraries on this machine that belong to none of these connections. */
  strayLibraries(kept: readonly StoredConnection[]): Promise<readonly StrayLibrary[]>;
  deleteStray(libraries: readonly StrayLibrary[]): Promise<void>;
}

/** A library that no connection leads to any more. */
export interface StrayLibrary {
  readonly path: string;
  readonly bytes: number;
  /** When something was written to it last, ms since the epoch. */
  readonly changedAt: number;
}

/** The connections of this machine as one window uses them: keeps its session, other windows and the Accounts menu true. */
export class Connections implements Disposable {
  readonly context: ConnectionsContext;
  readonly #store = new DisposableStore();
  readonly #accounts: Accounts;

  constructor(context: ConnectionsContext) {
    this.context = context;
    this.#accounts = this.#store.add(new Accounts((id) => this.#removeAccount(id)));
    this.#store.add(context.news);
    this.#store.add(context.news.onDidHear((news) => this.#guarded(this.#onNews(news))));
    this.#guarded(context.news.listen());
  }

  /** Follows this window's own session. */
  onSession(session: Session): void {
    if (session.kind === 'keyRefused') tellKeyRefused(session.problem);
    this.#guarded(this.#showAccounts());
  }

  /** Another window changed the secret storage. Our own changes find nothing left to follow. */
  async onSecrets(name: string): Promise<void> {
    // A connection is stored before it is named as the one in use: until then there is nothing to follow.
    if (name !== indexName) return this.#showAccounts();
    this.context.connections.forgetTold();
    return this.#follow();
  }

  /** Makes a stored connection the one in use, here and in the other windows. */
  async use(connection: StoredConnection): Promise<void> {
    const { services, connections, news, log } = this.context;
    log.hide(connection.key);
    services.connect({ ...connection, isDemo: false });
    await connections.use(connection);
    await news.tell({ kind: 'stored', id: connection.id, name: connection.name });
  }

  async rename(connection: StoredConnection, name: string): Promise<void> {
    const { services, connections, news } = this.context;
    await connections.rename(connection.id, name);
    const { session } = services;
    if ('connection' in session && session.connection.id === connection.id) await this.use({ ...connection, name });
    else await this.#tell(news);
    await this.#showAccounts();
  }

  /** Forgets a connection and its key, in every window; its library on this machine too when that is wanted. */
  async remove(connection: StoredConnection, withLibrary: boolean): Promise<void> {
    const { services, connections, news } = this.context;
    const { session } = services;
    if ('connection' in session && session.connection.id === connection.id) services.connect(null);
    await connections.remove(connection.id);
    await this.#tell(news, connection.id);
    await this.#showAccounts();
    if (withLibrary) await this.removeLibrary(connection);
  }

  /** Deletes what is left of a connection that was signed out of; false when somebody has signed in to it again. */
  async removeLibrary(connection: StoredConnection): Promise<boolean> {
    const { services, connections, log } = this.context;
    // The file is closed before it goes, and the other windows let go of it when they hear of the removal.
    await services.settled();
    // A library belongs to an address and a key, whatever the connection to it is called.
    const isAgain = (other: StoredConnection) =>
      new URL(other.baseUrl).origin === new URL(connection.baseUrl).origin &&
      other.key.reveal() === connection.key.reveal();
    const { session } = services;
    if ('connection' in session && isAgain(session.connection)) return false;
    if ((await connections.list()).some(isAgain)) return false;
    await this.context.deleteLibrary(connection);
    log.info('The library of a connection that was removed is deleted from this machine.');
    return true;
  }

  /** What sign-outs and replaced keys left on this machine. */
  async strayLibraries(): Promise<readonly StrayLibrary[]> {
    const { services, connections } = this.context;
    const { session } = services;
    const used = 'connection' in session && !session.connection.isDemo ? [session.connection] : [];
    return this.context.strayLibraries([...(await connections.list()), ...used]);
  }

  /** Forgets the connection in use, and says what stays on this machine. */
  async signOut(): Promise<void> {
    const { services, connections, news } = this.context;
    const choice = await connections.read();
    services.connect(null);
    await this.#tell(news, await connections.signOut());
    await this.#showAccounts();
    if (choice.kind === 'stored') this.#guarded(this.#offerLeftLibrary(choice.connection));
  }

  /** What was stored changed: the Accounts menu and the other windows hear of it. */
  async noteSaved(connection: StoredConnection): Promise<void> {
    await this.context.news.tell({ kind: 'stored', id: connection.id, name: connection.name });
    await this.#showAccounts();
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #removeAccount(id: string): Promise<void> {
    const connection = await this.context.connections.find(id);
    if (!connection) throw new Error(vscode.l10n.t('This connection is gone already.'));
    await this.remove(connection, false);
    this.#guarded(this.#offerLeftLibrary(connection));
  }

  async #offerLeftLibrary(connection: StoredConnection): Promise<void> {
    const { offerLeftLibrary } = await import('./leftLibrary.ts');
    await offerLeftLibrary(this, connection);
  }

  async #tell(news: ConnectionNews, removed?: string): Promise<void> {
    const choice = await this.context.connections.read();
    if (choice.kind === 'stored') {
      await news.tell({ kind: 'stored', id: choice.connection.id, name: choice.connection.name }, removed);
    } else await news.tell(choice.kind === 'demo' ? choice : { kind: 'none' }, removed);
  }

  async #onNews({ active, removed }: News): Promise<void> {
    this.context.connections.adopt(active, removed);
    await this.#follow();
  }

  /** Another window signed in, out or over: this window follows. */
  async #follow(): Promise<void> {
    const { services, connections } = this.context;
    await this.#showAccounts();
    const { session } = services;
    if (session.kind === 'unknown') return;
    const choice = await connections.read();
    // Signed in elsewhere with a key that this window cannot read, as pages of a browser cannot: it stays as it is.
    if (choice.kind === 'lost') return;
    const current = 'connection' in session ? session.connection : undefined;
    const isSame =
      choice.kind === 'stored'
        ? current !== undefined && isSameConnection(current, choice.connection)
        : choice.kind === 'demo'
          ? current?.isDemo === true
          : current === undefined;
    if (!isSame && services.session === session) await services.reload();
  }

  async #showAccounts(): Promise<void> {
    const stored = await this.context.connections.list();
    await setContextKey('reportLibrary.hasConnections', stored.length > 0);
    this.#accounts.show(stored);
  }

  #guarded(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!isAbortError(error)) showProblem(error, this.context.log);
    });
  }
}

function isSameConnection(a: Connection, b: StoredConnection): boolean {
  return a.id === b.id && a.name === b.name && a.baseUrl === b.baseUrl && a.key.reveal() === b.key.reveal();
}
