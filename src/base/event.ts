import type { Disposable } from './disposable.ts';

/** Subscribes a listener until the returned value is disposed. Has the shape of the editor's own events. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Something that tells its listeners. A listener that throws never keeps the others from being told. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    // Wrapped, so that subscribing one function twice gives two subscriptions.
    const entry = (value: T) => listener(value);
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  };

  /** Calls every listener; throws the first listener error after all have been called. */
  fire(value: T): void {
    const errors: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
