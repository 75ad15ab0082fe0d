/** Something with an end. Structurally the editor's own `Disposable`, so either fits where the other is wanted. */
export interface Disposable {
  dispose(): void;
}

/** Collects what has a lifetime and ends it in reverse order. What is added after the end is ended at once. */
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
