/** Something with an end. Structurally the editor's own `Disposable`, so either fits where the other is wanted. */
export interface Disposable {
  dispose(): void;
}

/** Collects what has a lifetime and ends it in reverse order. A thing added after the end is disposed at once. */
export class DisposableStore implements Disposable {
  #items: Disposable[] = [];
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    const items = this.#items.splice(0).reverse();
    for (const item of items) item.dispose();
  }
}

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
