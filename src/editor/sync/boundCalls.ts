import type { Client } from '../../api/client.ts';
import type { Connection, Services } from '../../services.ts';

/** Calls of one connection: what it answers must never reach the library of another. */
export interface BoundCalls {
  /** @throws an AbortError when another connection has taken its place */
  call<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** The same for calls that answer page by page; checked before each page is handed on. */
  pages<T>(list: (client: Client) => AsyncIterable<T>): AsyncGenerator<T, void, void>;
}

/** The services' calls, for as long as `connection` is the one in use. */
export function boundCalls(services: Services, connection: Connection): BoundCalls {
  const requireInUse = () => {
    const { session } = services;
    if ('connection' in session && session.connection === connection) return;
    throw new DOMException('Another connection is in use now.', 'AbortError');
  };
  return {
    async call(work) {
      requireInUse();
      return services.call(work);
    },
    async *pages(list) {
      requireInUse();
      for await (const page of services.pages(list)) {
        requireInUse();
        yield page;
      }
    },
  };
}
