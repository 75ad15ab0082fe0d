import { Emitter } from '../../../src/base/disposable.ts';
import type { Port } from '../../../src/base/rpc.ts';

/** Two ends of a line that carries copies of messages, in order, after the sender went on. */
export function portPair(): [Port, Port] {
  const toFirst = new Emitter<unknown>();
  const toSecond = new Emitter<unknown>();
  const end = (incoming: Emitter<unknown>, outgoing: Emitter<unknown>): Port => ({
    post(message) {
      const copy: unknown = JSON.parse(JSON.stringify(message));
      queueMicrotask(() => outgoing.fire(copy));
    },
    onMessage: incoming.event,
  });
  return [end(toFirst, toSecond), end(toSecond, toFirst)];
}
