import type { Dispatcher } from 'undici';
import type { HttpConnection, HttpRequest } from '../../src/api/transport/network.ts';

/** An origin to which no connection can be opened. */
export const nowhere = 'https://nowhere.example';

/** Connections that only know whether they are open. */
export class FakeConnections {
  readonly #open = new Set<HttpConnection>();

  /** How many were opened so far. */
  opened = 0;
  /** What opening one takes. */
  handshake = (): Promise<void> => Promise.resolve();

  get open(): number {
    return this.#open.size;
  }

  readonly make = (origin: string): HttpConnection => {
    const connection: HttpConnection = {
      send: async ({ signal }: HttpRequest, onStart) => {
        if (!this.#open.has(connection)) {
          this.#open.add(connection);
          this.opened++;
          await this.handshake();
          if (origin === nowhere) throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
        }
        if (signal instanceof AbortSignal) signal.throwIfAborted();
        onStart();
        return { statusCode: 200, headers: {}, body: { readableEnded: true } } as unknown as Dispatcher.ResponseData;
      },
      close: async () => void this.#open.delete(connection),
    };
    return connection;
  };
}
