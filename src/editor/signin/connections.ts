import * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import type { Entitlements } from '../../api/schemas/meta.ts';
import type { Connection, Services, Session } from '../../app/session.ts';
import { isAbortError } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { setContextKey } from '../common/commands.ts';
import { authenticationId, commandIds } from '../common/contributions.ts';
import type { KeptLibrary, LibraryFiles } from '../common/libraryFiles.ts';
import type { Log } from '../common/log.ts';
import { notificationText, showProblem } from '../common/messages.ts';
import { activeSecret, type ConnectionStore, type StoredConnection } from './connectionStore.ts';

/** What the connections of a window are made from. */
export interface ConnectionsContext {
  readonly services: Services;
  readonly log: Log;
  readonly connections: ConnectionStore;
  createClient(connection: Connection): Promise<Client>;
  readonly libraries: LibraryFiles;
  /** Says after a sign-out what is left on this machine; resolves when that has been answered. */
  offerLeftLibrary(connections: Connections, connection: StoredConnection): Promise<void>;
}

/** This machine's connections in one window: follows other windows, keeps the session and Accounts menu true. */
export class Connections implements Disposable {
  readonly context: ConnectionsContext;
  readonly #store = new DisposableStore();
  readonly #accounts: Accounts;
  /** What the secret storage named as in use when this window's session last changed; undefined before that. */
  #stored: string | undefined;

  constructor(context: ConnectionsContext) {
    this.context = context;
    this.#accounts = this.#store.add(new Accounts((id) => this.#removeAccount(id)));
    // Secret storage doesn't report every change to every window, such as between pages of a browser.
    this.#store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#guarded(this.#followIfChanged());
      }),
    );
  }

  onSession(session: Session): void {
    if (session.kind === 'keyRefused') tellKeyRefused(session.problem.cause);
    this.#guarded(this.#showAccounts());
    this.#guarded(this.#noteStored());
  }

  /** Another window changed the secret storage. Our own changes find nothing left to follow. */
  async onSecrets(name: string): Promise<void> {
    // A connection is stored before it is named as the one in use: until then there is nothing to follow.
    return name === activeSecret ? this.#follow() : this.#showAccounts();
  }

  /** Stores a connection and makes it the one in use, in every window; tells whether the keyring kept it. */
  async add(connection: StoredConnection, entitlements: Entitlements): Promise<{ readonly kept: boolean }> {
    // Connected before it is stored: the store's own change event then finds this window up to date.
    await this.#takeFavoritesAlong(connection);
    this.#connect(connection, entitlements);
    const { kept } = await this.context.connections.save(connection);
    await this.#showAccounts();
    return { kept };
  }

  /** Makes a stored connection the one in use, here and in the other windows. */
  async use(connection: StoredConnection): Promise<void> {
    this.#connect(connection);
    await this.context.connections.use(connection);
  }

  async rename(connection: StoredConnection, name: string): Promise<void> {
    await this.context.connections.rename(connection.id, name);
    if (this.#isInUse(connection)) await this.use({ ...connection, name });
    await this.#showAccounts();
  }

  /** Forgets a connection and its key, in every window; its library on this machine too when that is wanted. */
  async remove(connection: StoredConnection, withLibrary: boolean): Promise<void> {
    const { services, connections } = this.context;
    if (this.#isInUse(connection)) services.connect(null);
    await connections.remove(connection.id);
    await this.#showAccounts();
    if (withLibrary) await this.removeLibrary(connection);
  }

  /** Deletes what is left of a connection that was signed out of; false when somebody has signed in to it again. */
  async removeLibrary(connection: StoredConnection): Promise<boolean> {
    const { services, connections, libraries, log } = this.context;
    // The file is closed before it goes, and the other windows let go of it when they hear of the removal.
    await services.settled();
    // A library belongs to an address and a key, whatever the connection to it is called.
    const isAgain = (other: StoredConnection) =>
      new URL(other.baseUrl).origin === new URL(connection.baseUrl).origin &&
      other.key.reveal() === connection.key.reveal();
    const { session } = services;
    if ('connection' in session && isAgain(session.connection)) return false;
    if ((await connections.list()).some(isAgain)) return false;
    await libraries.remove(libraries.pathOf(connection));
    log.info('The library of a connection that was removed is deleted from this machine.');
    return true;
  }

  /** What sign-outs and replaced keys left on this machine. */
  async strayLibraries(): Promise<readonly KeptLibrary[]> {
    const { services, connections, libraries } = this.context;
    const { session } = services;
    const used = 'connection' in session && !session.connection.isDemo ? [session.connection] : [];
    return libraries.stray([...(await connections.list()), ...used]);
  }

  /** Forgets the connection in use, and says what stays on this machine. */
  async signOut(): Promise<void> {
    const { services, connections } = this.context;
    const active = await connections.read();
    services.connect(null);
    await connections.signOut();
    await this.#showAccounts();
    if (active.kind === 'stored') this.#guarded(this.context.offerLeftLibrary(this, active.connection));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #connect(connection: StoredConnection, entitlements?: Entitlements): void {
    const { services, log } = this.context;
    log.hide(connection.key);
    services.connect({ ...connection, isDemo: false }, entitlements);
  }

  #isInUse({ id }: StoredConnection): boolean {
    const { session } = this.context.services;
    return 'connection' in session && session.connection.id === id;
  }

  /** A new key of a connection begins with what was starred under the former; that keeps nobody from signing in. */
  async #takeFavoritesAlong(connection: StoredConnection): Promise<void> {
    const { connections, libraries, log } = this.context;
    const before = await connections.find(connection.id);
    try {
      if (before) await libraries.replaceKey(before, connection, log);
    } catch (error) {
      log.warn(`The favorites of the former key could not be copied. ${String(error)}`);
    }
  }

  async #removeAccount(id: string): Promise<void> {
    const connection = await this.context.connections.find(id);
    if (!connection) throw new Error(vscode.l10n.t('This connection has already been removed.'));
    await this.remove(connection, false);
    this.#guarded(this.context.offerLeftLibrary(this, connection));
  }

  /** Follows what another window stored since; a session that was never stored, such as a demo's, stays. */
  async #followIfChanged(): Promise<void> {
    const stored = await this.#readStored();
    if (stored === this.#stored) return;
    this.#stored = stored;
    await this.#follow();
  }

  async #noteStored(): Promise<void> {
    this.#stored = await this.#readStored();
  }

  async #readStored(): Promise<string> {
    const active = await this.context.connections.read();
    return active.kind === 'stored' ? `${active.connection.id} ${active.connection.key.reveal()}` : active.kind;
  }

  /** Another window signed in, out or over: this window follows. */
  async #follow(): Promise<void> {
    const { services, connections } = this.context;
    await this.#showAccounts();
    const { session } = services;
    if (session.kind === 'unknown') return;
    const active = await connections.read();
    // Signed in elsewhere with a key that this window can't read, or never: the window keeps its own connection.
    if (active.kind === 'lost' || active.kind === 'fresh') return;
    const current = 'connection' in session ? session.connection : undefined;
    const isSame =
      active.kind === 'stored'
        ? current !== undefined && isSameConnection(current, active.connection)
        : active.kind === 'demo'
          ? current?.isDemo === true
          : current === undefined;
    if (!isSame && services.session === session) await services.reload();
  }

  async #showAccounts(): Promise<void> {
    const stored = await this.context.connections.list();
    await setContextKey('reportLibrary.hasConnections', stored.length > 0);
    const isOther = (connection: StoredConnection) => !this.#isInUse(connection);
    await setContextKey('reportLibrary.canSwitch', stored.some(isOther));
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

/** Says once that the key is no longer accepted, with the one helpful action (AUTH-3). The library stays readable. */
function tellKeyRefused(cause: string): void {
  const replace = vscode.l10n.t('Replace Key…');
  const text = vscode.l10n.t('{0} Loaded reports stay readable.', notificationText(cause));
  void vscode.window.showWarningMessage(text, replace).then((choice) => {
    if (choice === replace) void vscode.commands.executeCommand(commandIds.signIn);
  });
}

/** Stands where the editor expects a token, so that no other extension can get the key from the editor. */
const noToken = 'none';

/**
 * The connections in the editor's Accounts menu, each with Sign Out. The menu asks for sessions without scopes;
 * extensions ask with some, or with none in a list, and get no session. The editor itself tells any extension that asks
 * the names of accounts; there is nothing else in them.
 */
class Accounts implements vscode.AuthenticationProvider, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(
    new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>(),
  );
  readonly #remove: (id: string) => Promise<void>;
  #shown: readonly vscode.AuthenticationSession[] = [];

  readonly onDidChangeSessions = this.#changed.event;

  constructor(remove: (id: string) => Promise<void>) {
    this.#remove = remove;
    const options = { supportsMultipleAccounts: true };
    this.#store.add(
      vscode.authentication.registerAuthenticationProvider(authenticationId, 'Report Library', this, options),
    );
  }

  show(stored: readonly StoredConnection[]): void {
    const before = this.#shown;
    this.#shown = stored.map(sessionOf);
    const without = (list: typeof before, others: typeof before) =>
      list.filter(({ id, account }) => !others.some((one) => one.id === id && one.account.label === account.label));
    const [added, removed] = [without(this.#shown, before), without(before, this.#shown)];
    if (removed.length + added.length > 0) this.#changed.fire({ added, removed, changed: [] });
  }

  async getSessions(
    scopes: readonly string[] | undefined,
    options?: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession[]> {
    if (scopes) return [];
    const wanted = options?.account?.label;
    return this.#shown.filter(({ account }) => wanted === undefined || account.label === wanted);
  }

  async createSession(): Promise<vscode.AuthenticationSession> {
    throw new Error(vscode.l10n.t('Report Library doesn’t share its keys. Use its command Sign In… instead.'));
  }

  removeSession(id: string): Promise<void> {
    return this.#remove(id);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function sessionOf({ id, name }: StoredConnection): vscode.AuthenticationSession {
  return { id, accessToken: noToken, account: { id, label: name }, scopes: [] };
}

/** The walkthrough misses steps done before it opened, so it is notified once it is open: such a page has no input. */
export async function notifyWalkthrough({ opened }: vscode.TabChangeEvent): Promise<void> {
  if (opened.every(({ input }) => input !== undefined)) return;
  await setContextKey('reportLibrary.pageOpened', true);
  await setContextKey('reportLibrary.pageOpened', false);
}
