import { freeMemory } from '../base/freeMemory.ts';
import type { HostData, Reply, Request } from './channel.ts';
import { anyChange, isNoChange, type LibraryChange } from './libraryChange.ts';
import { LibraryError, libraryError } from './libraryError.ts';
import { type LibraryMethods, libraryMethods, methodsOf, type TakeReports } from './libraryMethods.ts';
import { openStore } from './openStore.ts';
import { setFileAside } from './sqlite/openDatabase.ts';
import type { LibraryStore } from './store.ts';
import type { SyncRecord } from './sync/syncRecord.ts';

type Call = Extract<Request, { kind: 'call' }>;

/** How the library's side is started. */
export interface HostOptions extends HostData {
  /** ms since the epoch. */
  readonly now: () => number;
  /** Called when pages have come in and then none for a while: what they left behind can be cleared away. */
  readonly rest: () => void;
  /** How long that while is, in ms. */
  readonly restAfter: number;
  /** Makes in another thread what a store {@link LibraryStore.owesIndex owes}; never rejects. */
  readonly endLoad: (path: string) => Promise<void>;
}

/** After fewer bytes of pages than this there is nothing to clear away that would be worth it. */
const muchTaken = 8 * 1024 * 1024;

/** A reply and the buffers that are handed over with it. */
export interface Posted {
  readonly message: Reply;
  readonly transfer: ArrayBuffer[];
}

/**
 * The library's side of the channel. Calls run one at a time, reads before writes that wait, so that a view never waits
 * for more than the one page that is being stored. The last work of a first load, seconds of it, is done in another
 * thread, and only writes wait for it.
 */
export class LibraryHost {
  readonly #data: HostOptions;
  readonly #post: (posted: Posted) => void;
  readonly #waiting: Record<'read' | 'write', Call[]> = { read: [], write: [] };
  #open: { readonly store: LibraryStore; readonly methods: LibraryMethods } | null = null;
  #running = false;
  #closing = false;
  #ending: 'no' | 'under way' | 'done' = 'no';
  #poll: ReturnType<typeof setInterval> | undefined;
  /** Bytes of pages since the last rest. */
  #taken = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(data: HostOptions, post: (posted: Posted) => void) {
    this.#data = data;
    this.#post = post;
  }

  receive(request: Request): void {
    if (request.kind === 'close') {
      this.#closing = true;
    } else if (request.kind === 'cancel') {
      for (const queue of Object.values(this.#waiting)) {
        const at = queue.findIndex(({ id }) => id === request.id);
        if (at >= 0) queue.splice(at, 1);
      }
    } else if (Object.hasOwn(libraryMethods, request.method)) {
      this.#waiting[libraryMethods[request.method]].push(request);
    } else this.#fail(request.id, libraryError('unexpected'));
    this.#wake();
  }

  #wake(): void {
    if (this.#running) return;
    this.#running = true;
    setImmediate(() => void this.#next());
  }

  /** One call, then a turn of the event loop, so that cancels and more urgent calls are heard in between. */
  async #next(): Promise<void> {
    const call = this.#closing ? undefined : this.#due();
    if (call) await this.#answer(call);
    if (this.#closing) return this.#close();
    const { read, write } = this.#waiting;
    if (read.length > 0 || (write.length > 0 && this.#ending !== 'under way')) setImmediate(() => void this.#next());
    else {
      this.#running = false;
      this.#restSoon();
    }
  }

  #due(): Call | undefined {
    const read = this.#waiting.read.shift();
    if (read || this.#ending === 'under way') return read;
    const [write] = this.#waiting.write;
    if (write && this.#ending === 'no' && endsLoad(write) && this.#owesIndex()) {
      void this.#endLoad();
      return undefined;
    }
    this.#ending = 'no';
    return this.#waiting.write.shift();
  }

  #owesIndex(): boolean {
    try {
      return this.#open?.store.owesIndex ?? false;
    } catch {
      // The call itself meets the same, and tells its caller.
      return false;
    }
  }

  /** The call that asks for it waits meanwhile, then finds most of its work done. */
  async #endLoad(): Promise<void> {
    this.#ending = 'under way';
    await this.#data.endLoad(this.#data.path);
    this.#ending = 'done';
    this.#wake();
  }

  #restSoon(): void {
    clearTimeout(this.#rest);
    if (this.#taken < muchTaken) return;
    this.#rest = setTimeout(() => {
      if (this.#running || !this.#open) return;
      this.#taken = 0;
      this.#open.store.shrink();
      this.#data.rest();
    }, this.#data.restAfter);
    this.#rest.unref();
  }

  async #answer(call: Call): Promise<void> {
    try {
      this.#open ??= await this.#openStore();
      const method = this.#open.methods[call.method] as (...values: readonly unknown[]) => unknown;
      const value = method(...call.values);
      this.#post({ message: { kind: 'result', id: call.id, value }, transfer: buffersIn(value) });
      const change = changeIn(value);
      if (change && !isNoChange(change)) this.#tell(change);
    } catch (error) {
      if (error instanceof LibraryError && error.problem === 'corrupt') this.#beginAnew();
      this.#fail(call.id, error);
    } finally {
      this.#taken += freePage(call.values[0]);
    }
  }

  async #openStore(): Promise<{ readonly store: LibraryStore; readonly methods: LibraryMethods }> {
    const store = await openStore(this.#data);
    this.#post({ message: { kind: 'opened', status: store.status }, transfer: [] });
    if (this.#data.pollInterval > 0 && !this.#poll) {
      this.#poll = setInterval(() => this.#lookAround(), this.#data.pollInterval);
      this.#poll.unref();
    }
    return { store, methods: methodsOf(store) };
  }

  /** Other windows' writes. A failure here is told by the next call, which meets it too. */
  #lookAround(): void {
    try {
      const change = this.#open?.store.poll();
      if (change && !isNoChange(change)) this.#tell(change);
    } catch (error) {
      if (!(error instanceof LibraryError)) throw error;
    }
  }

  /** A file that turned out damaged in use is set aside, as one that is damaged when opened; the next call opens anew. */
  #beginAnew(): void {
    this.#open?.store.close();
    this.#open = null;
    setFileAside(this.#data.path, this.#data.now());
    this.#tell(anyChange);
  }

  #tell(change: LibraryChange): void {
    this.#post({ message: { kind: 'change', change }, transfer: [] });
  }

  #fail(id: number, error: unknown): void {
    const known = error instanceof LibraryError ? error : libraryError('unexpected', error);
    const detail = known.problem === 'unexpected' && error instanceof Error ? ` (${error.message})` : '';
    const message = known.message + detail;
    this.#post({ message: { kind: 'failure', id, problem: known.problem, message }, transfer: [] });
  }

  #close(): void {
    clearInterval(this.#poll);
    clearTimeout(this.#rest);
    this.#open?.store.close();
    this.#open = null;
    this.#post({ message: { kind: 'closed' }, transfer: [] });
  }
}

function endsLoad({ method, values }: Call): boolean {
  return method === 'updateSync' && (values[0] as Partial<SyncRecord> | undefined)?.phase === 'following';
}

/** Frees the bytes of a page that has been read, which were handed over, and tells how many they were. */
function freePage(value: unknown): number {
  const incoming = (value as Partial<TakeReports> | null | undefined)?.incoming;
  const bytes = incoming && 'bytes' in incoming ? incoming.bytes : null;
  if (!(bytes instanceof Uint8Array)) return 0;
  const { byteLength } = bytes;
  // Left to be gathered with other garbage, a dozen such pages wait at a time.
  freeMemory(bytes);
  return byteLength;
}

/** Large arrays are handed over, not copied. */
function buffersIn(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((member) =>
    member instanceof Uint8Array && member.buffer instanceof ArrayBuffer ? [member.buffer] : [],
  );
}

/** The change that a write answers with, by itself or beside its counts. */
function changeIn(value: unknown): LibraryChange | null {
  if (typeof value !== 'object' || value === null) return null;
  if ('change' in value) return value.change as LibraryChange;
  return 'reports' in value && 'companies' in value && 'renamed' in value ? (value as LibraryChange) : null;
}
