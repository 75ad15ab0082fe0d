import type { Wire } from '../../src/api/transport/network.ts';
import { settled } from './fakeClock.ts';

/** An origin to which no connection can be opened. */
export const nowhere = 'https://nowhere.example';

/** Wires that only know whether their connection is open. */
export class FakeWires {
  readonly #open = new Set<Wire>();

  get open(): number {
    return this.#open.size;
  }

  readonly make = (origin: string): Wire => {
    const wire: Wire = {
      open: async () => {
        if (this.#open.has(wire)) return;
        await settled();
        if (origin === nowhere) throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
        this.#open.add(wire);
      },
      request: () => Promise.reject(new Error('Nothing is sent.')),
      isOpen: false,
      close: async () => void this.#open.delete(wire),
    };
    Object.defineProperty(wire, 'isOpen', { get: () => this.#open.has(wire) });
    return wire;
  };
}
