import * as z from 'zod/mini';
import type { Disposable } from './disposable.ts';
import { l10n } from './l10n.ts';
import type { Logger } from './logger.ts';

/** Where messages go out and come in: a webview or a worker thread on one side, the editor on the other. */
export interface Port {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}

/** A worker thread as its starter sees it, or the way out of one. */
interface Thread {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

export function threadPort(thread: Thread): Port {
  return {
    post: (message) => thread.postMessage(message),
    onMessage(listener) {
      thread.on('message', listener);
      return { dispose: () => void thread.off('message', listener) };
    },
  };
}

interface Call {
  readonly params: z.ZodMiniType;
  readonly result: z.ZodMiniType;
}

/** What one side understands: questions that it answers, and events that it is told. */
export interface Side {
  readonly calls: Readonly<Record<string, Call>>;
  readonly events: Readonly<Record<string, z.ZodMiniType>>;
}

/** The methods of one of our own threads. One build makes both ends, so types are enough and nothing is checked. */
export interface ThreadSide<M> extends Side {
  readonly calls: {
    readonly [N in keyof M]: M[N] extends (...values: infer A) => infer R
      ? { readonly params: z.ZodMiniType<A>; readonly result: z.ZodMiniType<undefined extends R ? null : R> }
      : never;
  };
  readonly events: Record<never, never>;
}

export function threadSide<M>(methods: readonly (keyof M & string)[]): ThreadSide<M> {
  const unchecked = { params: z.any(), result: z.any() };
  return {
    calls: Object.fromEntries(methods.map((name) => [name, unchecked])),
    events: {},
  } as unknown as ThreadSide<M>;
}

/** A side that says nothing unasked, as most starters of threads. */
export const silent = { calls: {}, events: {} } satisfies Side;

export interface Protocol {
  readonly host: Side;
  readonly page: Side;
}

type Params<S extends Side, N extends keyof S['calls']> = z.output<S['calls'][N]['params']>;
type Result<S extends Side, N extends keyof S['calls']> = z.output<S['calls'][N]['result']>;
/** What a handler gives; whatever it is where the caller only waits for the end. */
type CallAnswer<S extends Side, N extends keyof S['calls']> = null extends Result<S, N> ? unknown : Result<S, N>;
type EventData<S extends Side, N extends keyof S['events']> = z.output<S['events'][N]>;

/** What a side does with what it understands. A call's signal aborts when its caller no longer wants the answer. */
export interface Handlers<S extends Side> {
  readonly calls: {
    readonly [N in keyof S['calls']]: (
      params: Params<S, N>,
      signal: AbortSignal,
    ) => Promise<CallAnswer<S, N>> | CallAnswer<S, N>;
  };
  readonly events: { readonly [N in keyof S['events']]: (data: EventData<S, N>) => void };
}

/** What crosses of an error: words for a person, and the kind of fault where the other side tells kinds apart. */
export interface Failure {
  readonly message: string;
  readonly problem?: string | undefined;
}

export interface ChannelOptions<Mine extends Side, Theirs extends Side> {
  readonly port: Port;
  readonly mine: Mine;
  readonly theirs: Theirs;
  readonly handlers: Handlers<Mine>;
  /** What the other side is told when a handler failed. Must not give away more than a person may see. */
  readonly explain: (error: unknown) => string | Failure;
  /** Makes an error of what the other side told; an `Error` with its words by default. */
  readonly revive?: ((failure: Failure) => Error) | undefined;
  readonly log: Logger;
}

const envelope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('call'), id: z.int(), name: z.string(), params: z.unknown() }),
  z.strictObject({ kind: z.literal('cancel'), id: z.int() }),
  z.strictObject({ kind: z.literal('result'), id: z.int(), result: z.unknown() }),
  z.strictObject({
    kind: z.literal('failure'),
    id: z.int(),
    message: z.string(),
    problem: z.optional(z.string()),
  }),
  z.strictObject({ kind: z.literal('event'), name: z.string(), data: z.unknown() }),
]);
type Envelope = z.output<typeof envelope>;
type Message<K extends Envelope['kind']> = Extract<Envelope, { kind: K }>;

interface Pending {
  readonly call: Call;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * A typed conversation between two sides without shared memory. Messages that aren't understood are logged and ignored.
 * A call rejects when its handler fails, its signal aborts or the channel ends.
 */
export class Channel<Mine extends Side, Theirs extends Side> implements Disposable {
  readonly #options: ChannelOptions<Mine, Theirs>;
  readonly #subscription: Disposable;
  readonly #pending = new Map<number, Pending>();
  /** Calls of the other side that are being answered. */
  readonly #answering = new Map<number, AbortController>();
  #nextId = 1;
  #end: Error | null = null;

  constructor(options: ChannelOptions<Mine, Theirs>) {
    this.#options = options;
    this.#subscription = options.port.onMessage((message) => this.#receive(message));
  }

  /** Calls the other side. Rejects with its words, the signal's reason, or the end of the channel. */
  call<N extends keyof Theirs['calls'] & string>(
    name: N,
    params: Params<Theirs, N>,
    signal?: AbortSignal,
  ): Promise<Result<Theirs, N>> {
    const call = ownEntry(this.#options.theirs.calls, name);
    if (this.#end || !call) return Promise.reject(this.#end ?? new Error(notUnderstood()));
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<Result<Theirs, N>>();
    const onAbort = () => {
      // Its answer, which still comes, is for nobody.
      this.#pending.set(id, { call, resolve: () => {}, reject: () => {} });
      this.#post({ kind: 'cancel', id });
      reject(signal?.reason);
    };
    this.#pending.set(id, { call, resolve: (result) => resolve(result as Result<Theirs, N>), reject });
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      this.#post({ kind: 'call', id, name, params });
    } catch (error) {
      // For content that can't be copied, or a port that is gone: no answer will come.
      this.#pending.delete(id);
      reject(error);
    }
    return promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  /** Tells the other side; nothing comes back. */
  send<N extends keyof Theirs['events'] & string>(name: N, data: EventData<Theirs, N>): void {
    if (!this.#end) this.#post({ kind: 'event', name, data });
  }

  /** Ends the conversation: calls under way reject, with `reason` where one is given. */
  dispose(reason?: Error): void {
    if (this.#end) return;
    this.#end = reason ?? closed();
    this.#subscription.dispose();
    for (const answering of this.#answering.values()) answering.abort(this.#end);
    for (const { reject } of this.#pending.values()) reject(this.#end);
    this.#pending.clear();
  }

  #post(message: Envelope): void {
    this.#options.port.post(message);
  }

  #receive(raw: unknown): void {
    if (this.#end) return;
    const { success, data: message } = envelope.safeParse(raw);
    if (!success) this.#ignore('one of an unknown shape');
    else if (message.kind === 'call') void this.#answer(message);
    else if (message.kind === 'event') this.#tell(message);
    else if (message.kind === 'cancel') this.#answering.get(message.id)?.abort();
    else this.#settle(message);
  }

  async #answer({ id, name, params }: Message<'call'>): Promise<void> {
    const { mine, handlers, explain, log } = this.#options;
    const call = ownEntry(mine.calls, name);
    const handler = ownEntry(handlers.calls, name);
    const parsed = call?.params.safeParse(params);
    if (!call || !handler || !parsed?.success) {
      this.#ignore('a call that is not part of the conversation');
      this.#post({ kind: 'failure', id, message: notUnderstood() });
      return;
    }
    const cancel = new AbortController();
    this.#answering.set(id, cancel);
    try {
      const answer = await handler(parsed.data as never, cancel.signal);
      const result = call.result === nothing ? null : call.result.parse(answer);
      if (!this.#end) this.#post({ kind: 'result', id, result });
    } catch (error) {
      if (this.#end) return;
      if (!cancel.signal.aborted) log.warn(`Call ${name} failed.`);
      const failure = explain(error);
      this.#post({ kind: 'failure', id, ...(typeof failure === 'string' ? { message: failure } : failure) });
    } finally {
      this.#answering.delete(id);
    }
  }

  #tell({ name, data }: Message<'event'>): void {
    const { mine, handlers, explain, log } = this.#options;
    const handler = ownEntry(handlers.events, name);
    const parsed = ownEntry(mine.events, name)?.safeParse(data);
    if (!handler || !parsed?.success) {
      this.#ignore('an event that is not part of the conversation');
      return;
    }
    try {
      handler(parsed.data as never);
    } catch (error) {
      const failure = explain(error);
      log.error(`Event ${name} failed: ${typeof failure === 'string' ? failure : failure.message}`);
    }
  }

  #settle(message: Message<'result'> | Message<'failure'>): void {
    const pending = this.#pending.get(message.id);
    if (!pending) {
      this.#ignore('a reply nobody waits for');
      return;
    }
    this.#pending.delete(message.id);
    if (message.kind === 'failure') {
      pending.reject(this.#revived(message));
      return;
    }
    const parsed = pending.call.result.safeParse(message.result);
    if (parsed.success) pending.resolve(parsed.data);
    else pending.reject(this.#revived({ message: notUnderstood() }));
  }

  #revived(failure: Failure): Error {
    return this.#options.revive?.(failure) ?? new Error(failure.message);
  }

  #ignore(what: string): void {
    this.#options.log.warn(`Ignored a message: ${what}.`);
  }
}

/** What a panel's page hears; a thread's starter gives its own reason. */
const closed = () => new Error(l10n.t('The page is closed.'));

const notUnderstood = () => l10n.t('Something went wrong inside Report Library. Try again, or reload the window.');

/** Looks a name up that came from outside: inherited names such as `constructor` are not entries. */
function ownEntry<T extends object, N extends keyof T>(entries: T, name: N | string): T[N] | undefined {
  return Object.hasOwn(entries, name) ? entries[name as N] : undefined;
}

/** For calls without parameters or without a result. */
export const nothing = z.null();
