import * as z from 'zod/mini';
import type { Disposable } from '../base/disposable.ts';
import { l10n } from '../base/l10n.ts';
import type { Logger } from '../base/logger.ts';

/** Where messages go out and come in: a webview on the editor's side, the editor on the page's side. */
export interface Port {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): Disposable;
}

/** A question with its answer. */
export interface Call {
  readonly params: z.ZodMiniType;
  readonly result: z.ZodMiniType;
}

/** What one side understands: questions that it answers, and events that it is told. */
export interface Side {
  readonly calls: Readonly<Record<string, Call>>;
  readonly events: Readonly<Record<string, z.ZodMiniType>>;
}

/** Both ends of a panel's conversation. */
export interface Protocol {
  readonly host: Side;
  readonly page: Side;
}

type Params<S extends Side, N extends keyof S['calls']> = z.output<S['calls'][N]['params']>;
type Result<S extends Side, N extends keyof S['calls']> = z.output<S['calls'][N]['result']>;
type EventData<S extends Side, N extends keyof S['events']> = z.output<S['events'][N]>;

/** What a side does with what it understands. */
export interface Handlers<S extends Side> {
  readonly calls: {
    readonly [N in keyof S['calls']]: (params: Params<S, N>) => Promise<Result<S, N>> | Result<S, N>;
  };
  readonly events: { readonly [N in keyof S['events']]: (data: EventData<S, N>) => void };
}

export interface ChannelOptions<Mine extends Side, Theirs extends Side> {
  readonly port: Port;
  /** What this side understands. */
  readonly mine: Mine;
  /** What the other side understands. */
  readonly theirs: Theirs;
  readonly handlers: Handlers<Mine>;
  /** Words for the other side when a handler failed. Must not give away more than a person may see. */
  readonly explain: (error: unknown) => string;
  readonly log: Logger;
}

const envelope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('call'), id: z.int(), name: z.string(), params: z.unknown() }),
  z.strictObject({ kind: z.literal('result'), id: z.int(), result: z.unknown() }),
  z.strictObject({ kind: z.literal('failure'), id: z.int(), message: z.string() }),
  z.strictObject({ kind: z.literal('event'), name: z.string(), data: z.unknown() }),
]);
type Envelope = z.output<typeof envelope>;
type Message<K extends Envelope['kind']> = Extract<Envelope, { kind: K }>;

interface Pending {
  readonly call: Call;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * A typed conversation between the editor and a page; both ends use this class with the sides swapped. Every message
 * is checked on arrival: one that is not understood is logged and ignored, never acted upon. A call whose handler
 * fails rejects on the caller's side, so nobody waits in vain; so does every call still open at the end.
 */
export class Channel<Mine extends Side, Theirs extends Side> implements Disposable {
  readonly #options: ChannelOptions<Mine, Theirs>;
  readonly #subscription: Disposable;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #disposed = false;

  constructor(options: ChannelOptions<Mine, Theirs>) {
    this.#options = options;
    this.#subscription = options.port.onMessage((message) => this.#receive(message));
  }

  /** Asks the other side. Rejects with the other side's words, or when the channel ends first. */
  call<N extends keyof Theirs['calls'] & string>(name: N, params: Params<Theirs, N>): Promise<Result<Theirs, N>> {
    const call = ownEntry(this.#options.theirs.calls, name);
    if (this.#disposed || !call) return Promise.reject(new Error(l10n.t('The panel is closed.')));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { call, resolve: (result) => resolve(result as Result<Theirs, N>), reject });
      this.#post({ kind: 'call', id, name, params });
    });
  }

  /** Tells the other side; nothing comes back. */
  send<N extends keyof Theirs['events'] & string>(name: N, data: EventData<Theirs, N>): void {
    if (!this.#disposed) this.#post({ kind: 'event', name, data });
  }

  dispose(): void {
    this.#disposed = true;
    this.#subscription.dispose();
    for (const { reject } of this.#pending.values()) reject(new Error(l10n.t('The panel was closed.')));
    this.#pending.clear();
  }

  #post(message: Envelope): void {
    this.#options.port.post(message);
  }

  #receive(raw: unknown): void {
    if (this.#disposed) return;
    const { success, data: message } = envelope.safeParse(raw);
    if (!success) this.#ignore('one of an unknown shape');
    else if (message.kind === 'call') void this.#answer(message);
    else if (message.kind === 'event') this.#tell(message);
    else this.#settle(message);
  }

  async #answer({ id, name, params }: Message<'call'>): Promise<void> {
    const { mine, handlers, explain, log } = this.#options;
    const call = ownEntry(mine.calls, name);
    const handler = ownEntry(handlers.calls, name);
    const parsed = call?.params.safeParse(params);
    if (!call || !handler || !parsed?.success) {
      this.#ignore('a call that is not part of the conversation');
      this.#post({ kind: 'failure', id, message: l10n.t('The panel asked for something unknown. Reopen it.') });
      return;
    }
    try {
      const result = call.result.parse(await handler(parsed.data as never));
      if (!this.#disposed) this.#post({ kind: 'result', id, result });
    } catch (error) {
      log.warn(`Panel call ${name} failed.`);
      if (!this.#disposed) this.#post({ kind: 'failure', id, message: explain(error) });
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
      log.error(`Panel event ${name} failed: ${explain(error)}`);
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
      pending.reject(new Error(message.message));
      return;
    }
    const parsed = pending.call.result.safeParse(message.result);
    if (parsed.success) pending.resolve(parsed.data);
    else pending.reject(new Error(l10n.t('The answer could not be read. Reopen the panel.')));
  }

  #ignore(what: string): void {
    this.#options.log.warn(`Ignored a panel message: ${what}.`);
  }
}

/** Looks a name up that came from outside: inherited names such as `constructor` are not entries. */
function ownEntry<T extends object, N extends keyof T>(entries: T, name: N | string): T[N] | undefined {
  return Object.hasOwn(entries, name) ? entries[name as N] : undefined;
}

/** For calls without parameters or without a result. */
export const nothing = z.null();
