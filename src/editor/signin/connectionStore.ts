import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Connection } from '../../app/session.ts';
import { Secret } from '../../base/secret.ts';
import { secretPrefix } from '../common/contributions.ts';

const activeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stored'), id: z.string(), name: z.optional(z.string()) }),
  z.object({ kind: z.literal('demo') }),
  z.object({ kind: z.literal('none') }),
]);
const activeRecord = z.object({ version: z.literal(1), active: activeSchema });
const connectionRecord = z.object({ version: z.literal(1), name: z.string(), baseUrl: z.string(), key: z.string() });

/** Which connection is in use: a stored one, the demo, or none after a sign-out. */
type Active = z.infer<typeof activeSchema>;

/** A connection in the keyring: its key is bound to the base URL beside it (AUTH-4). */
export type StoredConnection = Omit<Connection, 'isDemo'>;

/** The connection in use, as far as it can be read. */
type ActiveConnection =
  | { readonly kind: 'stored'; readonly connection: StoredConnection }
  | { readonly kind: 'demo' }
  | { readonly kind: 'none' }
  /** The one in use is named, but its key is gone from the keyring. */
  | { readonly kind: 'lost'; readonly name: string }
  | { readonly kind: 'fresh' };

/** The secret that says which connection is in use; it changes with every sign-in, in any window. */
export const activeSecret = `${secretPrefix}s`;

const entryPrefix = `${secretPrefix}.`;
const secretName = (id: string) => entryPrefix + id;

/**
 * Connections in SecretStorage, the only place a key is ever written to (AUTH-2): each has an entry of its own, so that
 * windows never overwrite each other's. A record that cannot be read is as good as none. What the keyring loses is kept
 * in memory for this session.
 */
export class ConnectionStore {
  readonly #secrets: vscode.SecretStorage;
  readonly #sessionOnly = new Map<string, string>();

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  async read(): Promise<ActiveConnection> {
    const active = readRecord(activeRecord, await this.#get(activeSecret))?.active;
    if (!active) return { kind: 'fresh' };
    if (active.kind !== 'stored') return active;
    const connection = await this.find(active.id);
    if (connection) return { kind: 'stored', connection };
    return active.name === undefined ? { kind: 'none' } : { kind: 'lost', name: active.name };
  }

  /** One stored connection; undefined when there is none that can be read. */
  async find(id: string): Promise<StoredConnection | undefined> {
    const record = readRecord(connectionRecord, await this.#get(secretName(id)));
    return record && { id, name: record.name, baseUrl: record.baseUrl, key: new Secret(record.key) };
  }

  async list(): Promise<StoredConnection[]> {
    const names = new Set([...this.#sessionOnly.keys(), ...(await this.#secrets.keys())]);
    const ids = [...names].filter((name) => name.startsWith(entryPrefix)).map((name) => name.slice(entryPrefix.length));
    const found = await Promise.all(ids.map((id) => this.find(id)));
    return found.filter((connection) => connection !== undefined).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Stores a connection and makes it the one in use; tells whether the keyring kept it beyond this session. */
  async save(connection: StoredConnection): Promise<{ kept: boolean }> {
    const keyKept = await this.#write(connection);
    const activeKept = await this.#setActive({ kind: 'stored', id: connection.id, name: connection.name });
    return { kept: keyKept && activeKept };
  }

  async use({ id, name }: StoredConnection): Promise<void> {
    await this.#setActive({ kind: 'stored', id, name });
  }

  async useDemo(): Promise<void> {
    await this.#setActive({ kind: 'demo' });
  }

  async rename(id: string, name: string): Promise<void> {
    const connection = await this.find(id);
    if (connection) await this.#write({ ...connection, name });
  }

  /** Forgets a connection and its key; nobody is signed in when it was the one in use. */
  async remove(id: string): Promise<void> {
    const active = await this.read();
    this.#sessionOnly.delete(secretName(id));
    await this.#secrets.delete(secretName(id));
    const isInUse = active.kind === 'stored' && active.connection.id === id;
    if (isInUse || active.kind === 'lost') await this.#setActive({ kind: 'none' });
  }

  async signOut(): Promise<void> {
    const active = await this.read();
    if (active.kind === 'stored') await this.remove(active.connection.id);
    else await this.#setActive({ kind: 'none' });
  }

  #write({ id, name, baseUrl, key }: StoredConnection): Promise<boolean> {
    return this.#set(secretName(id), JSON.stringify({ version: 1, name, baseUrl, key: key.reveal() }));
  }

  #setActive(active: Active): Promise<boolean> {
    return this.#set(activeSecret, JSON.stringify({ version: 1, active }));
  }

  async #get(name: string): Promise<string | undefined> {
    return this.#sessionOnly.get(name) ?? (await this.#secrets.get(name));
  }

  async #set(name: string, value: string): Promise<boolean> {
    this.#sessionOnly.delete(name);
    await this.#secrets.store(name, value);
    if ((await this.#secrets.get(name)) === value) return true;
    this.#sessionOnly.set(name, value);
    return false;
  }
}

/** A record as it was written; one that is not ours to read is treated like a missing one: the user signs in again. */
function readRecord<T>(schema: z.ZodMiniType<T>, text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
