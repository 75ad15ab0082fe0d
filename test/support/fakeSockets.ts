import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { OpenedSocket } from '../../src/api/transport/network.ts';
import { settled } from './fakeClock.ts';

/** An origin to which no socket can be opened. */
export const nowhere = 'https://nowhere.example';

/** Sockets that only know whether they are open, and what opens them. */
export class FakeSockets {
  readonly #open = new Set<FakeSocket>();

  get open(): number {
    return this.#open.size;
  }

  /** Closes all of them, as a server does. */
  closeAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  readonly opener = async (origin: string): Promise<OpenedSocket> => {
    await settled();
    if (origin === nowhere) throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    const socket = new FakeSocket(() => this.#open.delete(socket));
    this.#open.add(socket);
    const dispatcher = { destroy: async () => socket.destroy() } as Dispatcher;
    return { dispatcher, guarded: () => dispatcher, socket: socket as unknown as Socket };
  };
}

class FakeSocket extends EventEmitter {
  destroyed = false;
  readonly #onDestroy: () => void;

  constructor(onDestroy: () => void) {
    super();
    this.#onDestroy = onDestroy;
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#onDestroy();
    this.emit('close');
  }
}
