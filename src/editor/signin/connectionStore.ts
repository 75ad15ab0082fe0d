import type * as vscode from 'vscode';
import { Secret } from '../../base/secret.ts';
import { indexName } from './indexName.ts';

/** The index of stored connections; it holds no key. */
interface Index {
  readonly version: 1;
  /** Which connection is in use: a stored one, the demo, or none after a sign-out. Absent on a fresh install. */
  readonly active?:
    | { readonly kind: 'stored'; readonly id: string }
    | { readonly kind: 'demo' }
    | { readonly kind: 'none' };
}

/** A stored connection: its key is bound to the base URL beside it (AUTH-4). */
export interface StoredConnection {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly key: Secret;
}

export type Choice =
  | { readonly kind: 'stored'; readonly connection: StoredConnection }
  | { readonly kind: 'demo' }
  | { readonly kind: 'none' }
  | { readonly kind: 'fresh' };

const secretName = (id: string) => `reportLibrary.connection.${id}`;

/**
 * Connections in SecretStorage, the only place a key is ever written to (AUTH-2). A record that cannot be read is
 * as good as none. What the keyring loses is kept in memory for this session.
 */
export class ConnectionStore {
  readonly #secrets: vscode.SecretStorage;
  readonly #sessionOnly = new Map<string, string>();

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** What is in use now. */
  async read(): Promise<Choice> {
    const index = parseIndex(await this.#get(indexName));
    const active = index?.active;
    if (!active) return { kind: 'fresh' };
    if (active.kind !== 'stored') return active;
    const connection = parseConnection(active.id, await this.#get(secretName(active.id)));
    return connection ? { kind: 'stored', connection } : { kind: 'none' };
  }

  /** Stores a connection and makes it the one in use; tells whether the keyring kept it beyond this session. */
  async save(connection: StoredConnection): Promise<{ kept: boolean }> {
    const { id, name, baseUrl, key } = connection;
    const keyKept = await this.#set(secretName(id), JSON.stringify({ version: 1, name, baseUrl, key: key.reveal() }));
    const indexKept = await this.#writeIndex({ version: 1, active: { kind: 'stored', id } });
    return { kept: keyKept && indexKept };
  }

  /** Makes the demo library the one in use. */
  async useDemo(): Promise<void> {
    await this.#writeIndex({ version: 1, active: { kind: 'demo' } });
  }

  /** Forgets the connection in use and its key. */
  async signOut(): Promise<void> {
    const index = parseIndex(await this.#get(indexName));
    if (index?.active?.kind === 'stored') await this.#delete(secretName(index.active.id));
    await this.#writeIndex({ version: 1, active: { kind: 'none' } });
  }

  #writeIndex(index: Index): Promise<boolean> {
    return this.#set(indexName, JSON.stringify(index));
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

  async #delete(name: string): Promise<void> {
    this.#sessionOnly.delete(name);
    await this.#secrets.delete(name);
  }
}

function parseIndex(text: string | undefined): Index | undefined {
  const value = parseObject(text);
  if (value?.version !== 1) return undefined;
  const active = value.active;
  if (typeof active !== 'object' || active === null || !('kind' in active)) return { version: 1 };
  if (active.kind === 'demo' || active.kind === 'none') return { version: 1, active: { kind: active.kind } };
  if (active.kind === 'stored' && 'id' in active && typeof active.id === 'string')
    return { version: 1, active: { kind: 'stored', id: active.id } };
  return { version: 1 };
}

function parseConnection(id: string, text: string | undefined): StoredConnection | undefined {
  const value = parseObject(text);
  if (value?.version !== 1) return undefined;
  const { name, baseUrl, key } = value;
  if (typeof name !== 'string' || typeof baseUrl !== 'string' || typeof key !== 'string') return undefined;
  return { id, name, baseUrl, key: new Secret(key) };
}

function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // A record that is not ours to read is treated like a missing one: the user signs in again.
    return undefined;
  }
}
