import { randomUUID } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type Disposable, Emitter, type Event } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type Active, parseActive } from './connectionStore.ts';

/** What one window tells the others: which connection is in use, and which were removed. Neither key nor address. */
export interface ConnectionMessage {
  readonly active: Active;
  /** Ids, the latest last. */
  readonly removed: readonly string[];
}

const maxRemoved = 50;

/**
 * A file by which the windows of a machine tell each other that connections changed. The editor's secret storage does
 * that too, but not between two pages of an editor in a browser.
 */
export class ConnectionBroadcast implements Disposable {
  readonly #file: string;
  readonly #logger: Logger;
  readonly #received = new Emitter<ConnectionMessage>();
  readonly #me = randomUUID();
  #watcher: FSWatcher | undefined;
  #seen = '';
  #disposed = false;

  /** Fires with what another window sent. */
  readonly onDidReceive: Event<ConnectionMessage> = this.#received.event;

  constructor(file: string, logger: Logger) {
    this.#file = file;
    this.#logger = logger;
  }

  /** Listens from now on. Where the folder cannot be watched, only the secret storage's own event is left. */
  async listen(): Promise<void> {
    try {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      this.#seen = (await this.#read())?.stamp ?? '';
      if (this.#disposed) return;
      this.#watcher = watch(dirname(this.#file), { persistent: false }, (_event, name) => {
        if (name === null || name === basename(this.#file)) void this.#look();
      });
      this.#watcher.on('error', (error) => this.#warnDeaf(error));
    } catch (error) {
      this.#warnDeaf(error);
    }
  }

  /** Tells the other windows. What cannot be told is logged: they find out when they are next loaded. */
  async send(active: Active, removed?: string): Promise<void> {
    try {
      const before = (await this.#read())?.message.removed ?? [];
      const all = removed === undefined ? before : [...before.filter((id) => id !== removed), removed];
      const [stamp, named] = [randomUUID(), parseActive(active)];
      const sent = { version: 1, by: this.#me, stamp, active: named, removed: all.slice(-maxRemoved) };
      const draft = `${this.#file}.${this.#me}`;
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      await writeFile(draft, JSON.stringify(sent), { mode: 0o600 });
      await rename(draft, this.#file).catch(async (error: unknown) => {
        await rm(draft, { force: true });
        throw error;
      });
    } catch (error) {
      this.#logger.warn(`The other windows could not be told of the connection. ${String(error)}`);
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#watcher?.close();
    this.#received.dispose();
  }

  async #look(): Promise<void> {
    const read = await this.#read();
    if (!read || read.stamp === this.#seen || this.#disposed) return;
    this.#seen = read.stamp;
    if (read.by !== this.#me) this.#received.fire(read.message);
  }

  async #read(): Promise<
    { readonly stamp: string; readonly by: string; readonly message: ConnectionMessage } | undefined
  > {
    try {
      const value = JSON.parse(await readFile(this.#file, 'utf8')) as Record<string, unknown>;
      const { stamp, by, removed } = value;
      const active = parseActive(value.active);
      if (value.version !== 1 || !active || typeof stamp !== 'string' || typeof by !== 'string') return undefined;
      const ids = Array.isArray(removed) ? removed.filter((id) => typeof id === 'string') : [];
      return { stamp, by, message: { active, removed: ids } };
    } catch {
      // Not there yet, or nothing that this product wrote: nobody has sent anything.
      return undefined;
    }
  }

  #warnDeaf(error: unknown): void {
    this.#logger.warn(`Changes of connections in other windows may be noticed late. ${String(error)}`);
  }
}
