import type { Client } from '../api/client.ts';
import type { Entitlements } from '../api/schemas/meta.ts';
import { ApiError, type Problem } from '../api/transport/errors.ts';
import { type Disposable, Emitter, type Event } from '../base/disposable.ts';
import { l10n } from '../base/l10n.ts';
import type { Logger } from '../base/logger.ts';
import type { Secret } from '../base/secret.ts';
import type { Library } from '../library/library.ts';
import type { LibraryChange } from '../library/libraryChange.ts';
import type { SyncEngine } from '../library/sync/syncEngine.ts';

/** A service and the key that was entered for it; the two are never mixed (AUTH-4). */
export interface Connection {
  readonly id: string;
  /** What the user sees: the licensee's name, or "Demo Library". */
  readonly name: string;
  readonly baseUrl: string;
  readonly key: Secret;
  readonly isDemo: boolean;
}

/** Where the user stands. `unknown` until the stored connection has been read. */
export type Session =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'signedIn'; readonly connection: Connection }
  | { readonly kind: 'keyRefused'; readonly connection: Connection; readonly problem: Problem };

/** The library of one connection on this computer, and what keeps it true. */
export interface LocalLibrary {
  /** Aborts on sign-out and when another connection takes its place; a refused key changes nothing. */
  readonly signal: AbortSignal;
  readonly connection: Connection;
  /** The library's file. */
  readonly path: string;
  readonly library: Library;
  readonly engine: SyncEngine;
  dispose(): Promise<void>;
}

/** What the service refused or could not do, and when (ms since the epoch). */
export interface LoggedProblem {
  readonly at: number;
  readonly problem: Problem;
}

/** Whether the last call could not reach the service, and when the service last answered (ms since the epoch). */
export interface Contact {
  readonly isOffline: boolean;
  readonly at: number | null;
}

/** What the services need from the editor, as plain functions. */
export interface ServicesOptions {
  /** Reads the connection that was active last; null when there is none. */
  loadConnection(): Promise<Connection | null>;
  /** Makes the client of a connection; called on the first request. */
  createClient(connection: Connection): Promise<Client>;
  /** Makes the library of a connection; called when somebody first reads from it. Opens nothing yet. */
  openLibrary(connection: Connection, services: Services, signal: AbortSignal): Promise<Omit<LocalLibrary, 'signal'>>;
  readonly logger: Logger;
}

/** Client and library of the connection in use, each created on first use. */
interface InUse {
  readonly ended: AbortController;
  client?: Promise<Client> | undefined;
  library?: Promise<LocalLibrary> | undefined;
}

/**
 * What all features share: who is signed in, and the client for it. Nothing is read or opened before it is asked for.
 */
export class Services implements Disposable {
  readonly #options: ServicesOptions;
  readonly #sessionEmitter = new Emitter<Session>();
  readonly #libraryEmitter = new Emitter<{ readonly local: LocalLibrary; readonly change: LibraryChange }>();
  readonly #contactEmitter = new Emitter<void>();
  #contact: Contact = { isOffline: false, at: null };
  #session: Session = { kind: 'unknown' };
  /** The latest reading of the stored connection: no other one changes anything. */
  #loading: Promise<Session> | undefined;
  #entitlements: Promise<Entitlements> | undefined;
  #inUse: InUse = { ended: new AbortController() };
  /** Resolves once the library of the connection before is closed. */
  #closed: Promise<unknown> = Promise.resolve();
  #disposed = false;

  /** The latest failures, newest last: what the service's support asks for. */
  failures: readonly LoggedProblem[] = [];

  /** Fires after the session has changed. */
  readonly onDidChangeSession: Event<Session> = this.#sessionEmitter.event;

  /** Fires when the service can no longer be reached, and when it can again. */
  readonly onDidChangeContact: Event<void> = this.#contactEmitter.event;

  /** Fires when the library in use was written to, once it is open. */
  readonly onDidChangeLibrary = this.#libraryEmitter.event;

  constructor(options: ServicesOptions) {
    this.#options = options;
  }

  /** Aborts on sign-out and when another connection comes into use; a refused key changes nothing. */
  get signal(): AbortSignal {
    return this.#inUse.ended.signal;
  }

  get session(): Session {
    return this.#session;
  }

  get contact(): Contact {
    return this.#contact;
  }

  /** The session, after the stored connection has been read once. */
  ready(): Promise<Session> {
    if (this.#session.kind !== 'unknown') return Promise.resolve(this.#session);
    return this.#loading ?? this.reload();
  }

  /**
   * Makes a connection the active one; null signs out.
   * @param entitlements its license, where the sign-in has read it
   */
  connect(connection: Connection | null, entitlements?: Entitlements): void {
    this.#entitlements = entitlements && Promise.resolve(entitlements);
    this.#loading = undefined;
    this.#end();
    this.#inUse = { ended: new AbortController() };
    this.#contact = { isOffline: false, at: null };
    this.#setSession(connection ? { kind: 'signedIn', connection } : { kind: 'signedOut' });
  }

  /** Resolves once the library of the last connection is closed. */
  async settled(): Promise<void> {
    await this.#closed;
  }

  /** Forgets what was read, so that the next use reads the stored connection again. */
  reload(): Promise<Session> {
    const loading: Promise<Session> = this.#options.loadConnection().then((connection) => {
      // A keyring may be slow: who signed in or out meanwhile meant it.
      const isLatest = this.#loading === loading;
      if (!this.#disposed && isLatest) this.connect(connection);
      return !isLatest && this.#session.kind === 'unknown' ? this.ready() : this.#session;
    });
    this.#loading = loading;
    loading.catch(() => {
      // The callers that wait are told; the next one tries again.
      if (this.#loading === loading) this.#loading = undefined;
    });
    return loading;
  }

  /** Ends the client, so that the next call makes one with the settings of then. */
  resetClient(): void {
    void close(this.#inUse.client);
    this.#inUse.client = undefined;
  }

  /**
   * The library of the connection in use; also while its key is refused, since what is here stays readable.
   * @throws ApiError of kind `unauthorized` when nobody is signed in
   */
  async library(): Promise<LocalLibrary> {
    await this.ready();
    const session = this.#session;
    if (!('connection' in session)) throw new ApiError(notSignedIn());
    const inUse = this.#inUse;
    inUse.library ??= this.#openLibrary(session.connection, inUse);
    const asked = inUse.library;
    try {
      const local = await asked;
      if (!inUse.ended.signal.aborted) return local;
    } catch (error) {
      if (inUse.library === asked) inUse.library = undefined;
      if (!inUse.ended.signal.aborted) throw error;
    }
    return this.library();
  }

  async #openLibrary(connection: Connection, { ended: { signal } }: InUse): Promise<LocalLibrary> {
    const local = { ...(await this.#options.openLibrary(connection, this, signal)), signal };
    local.library.onDidChange((change) => {
      if (!signal.aborted) this.#libraryEmitter.fire({ local, change });
    });
    return local;
  }

  /**
   * Runs calls against the active connection. A refused key (401) moves the session to `keyRefused` in passing.
   * @throws ApiError of the call, or of kind `unauthorized` when nobody is signed in.
   */
  async call<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { connection, client } = await this.#active();
    try {
      const result = await work(client);
      this.#noteContact(connection, false);
      return result;
    } catch (error) {
      this.#note(connection, error);
      throw error;
    }
  }

  /**
   * The license of the connection in use, which is asked for once.
   * @throws ApiError as {@link call} does
   */
  async entitlements(): Promise<Entitlements> {
    await this.ready();
    this.#entitlements ??= this.call((client) => client.entitlements({ priority: 'background' }));
    const asked = this.#entitlements;
    try {
      return await asked;
    } catch (error) {
      if (this.#entitlements === asked) this.#entitlements = undefined;
      throw error;
    }
  }

  /** Like {@link call}, for calls that answer page by page. */
  async *pages<T>(list: (client: Client) => AsyncIterable<T>): AsyncGenerator<T, void, void> {
    const { connection, client } = await this.#active();
    try {
      yield* list(client);
      this.#noteContact(connection, false);
    } catch (error) {
      this.#note(connection, error);
      throw error;
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#end();
    this.#sessionEmitter.dispose();
    this.#libraryEmitter.dispose();
    this.#contactEmitter.dispose();
  }

  async #active(): Promise<{ readonly connection: Connection; readonly client: Client }> {
    await this.ready();
    const session = this.#session;
    if (session.kind !== 'signedIn')
      throw new ApiError(session.kind === 'keyRefused' ? session.problem : notSignedIn());
    const { connection } = session;
    const inUse = this.#inUse;
    inUse.client ??= this.#options.createClient(connection);
    const asked = inUse.client;
    try {
      const client = await asked;
      if (inUse === this.#inUse && inUse.client === asked) return { connection, client };
    } catch (error) {
      if (inUse.client === asked) inUse.client = undefined;
      if (!inUse.ended.signal.aborted) throw error;
    }
    return this.#active();
  }

  /** Closes client and library of the connection in use. */
  #end(): void {
    this.#inUse.ended.abort();
    this.resetClient();
    if (this.#inUse.library) this.#closed = close(this.#inUse.library);
  }

  #note(connection: Connection, error: unknown): void {
    if (!(error instanceof ApiError)) return;
    this.failures = [...this.failures.slice(-4), { at: Date.now(), problem: error.problem }];
    this.#noteContact(connection, error.problem.kind === 'network');
    if (error.problem.kind !== 'unauthorized') return;
    if (this.#session.kind !== 'signedIn' || this.#session.connection !== connection) return;
    this.#options.logger.warn('The service refused the key; no further request is sent with it.');
    this.resetClient();
    this.#setSession({ kind: 'keyRefused', connection, problem: error.problem });
  }

  #noteContact(connection: Connection, isOffline: boolean): void {
    if (!('connection' in this.#session) || this.#session.connection !== connection) return;
    const wasOffline = this.#contact.isOffline;
    this.#contact = { isOffline, at: isOffline ? this.#contact.at : Date.now() };
    if (isOffline !== wasOffline) this.#contactEmitter.fire();
  }

  #setSession(session: Session): void {
    if (this.#disposed) return;
    this.#session = session;
    this.#sessionEmitter.fire(session);
  }
}

/** Disposes of a client or library. A failed creation was already reported to its caller. */
async function close(made: Promise<{ dispose(): unknown }> | undefined): Promise<void> {
  const value = await made?.catch(() => undefined);
  await value?.dispose();
}

const notSignedIn = (): Problem => ({
  kind: 'unauthorized',
  cause: l10n.t('You are not signed in.'),
  nextStep: l10n.t('Sign in with your key, or open the demo library.'),
});
