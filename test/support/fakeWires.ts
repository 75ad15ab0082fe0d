import type { Dispatcher } from 'undici';
import { TurnMissed, type Wire } from '../../src/api/transport/network.ts';
import { settled } from './fakeClock.ts';

/** An origin to which no connection can be opened. */
export const nowhere = 'https://nowhere.example';

/** An origin at which nobody answers, not even to refuse. */
export const silence = 'https://silence.example';

/** What is sent over such wires. */
export const get = { method: 'GET', path: '/' } as const;

/** Wires that only know whether their connection is open, and answer nothing. */
export class FakeWires {
  readonly #open = new Set<Wire>();
  /** Rejects when the connections to {@link silence} are given up. */
  readonly broken = Promise.withResolvers<never>();

  /** Connections that were asked for. */
  asked = 0;
  /** Whether no connection can be opened any more. */
  refusing = false;
  /** Requests that come too late for their turn. */
  misses = 0;
  /** Called before a request is sent; one that is aborted by then is not. */
  onRequest = (): void => {};

  get open(): number {
    return this.#open.size;
  }

  readonly make = (origin: string): Wire => {
    const wire: Wire = {
      open: async () => {
        if (this.#open.has(wire)) return;
        this.asked++;
        await settled();
        if (origin === silence) await this.broken.promise;
        if (origin === nowhere || this.refusing) throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
        this.#open.add(wire);
      },
      request: async ({ signal }, mayGo) => {
        this.onRequest();
        if (signal instanceof AbortSignal) signal.throwIfAborted();
        if (this.misses-- > 0 || !mayGo()) throw new TurnMissed();
        return {} as Dispatcher.ResponseData;
      },
      isOpen: false,
      close: async () => void this.#open.delete(wire),
    };
    Object.defineProperty(wire, 'isOpen', { get: () => this.#open.has(wire) });
    return wire;
  };
}
