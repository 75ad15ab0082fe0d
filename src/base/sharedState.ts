/**
 * Small values by name that several processes change in turn. `change` gets the stored value (undefined at first) and
 * returns the one to store: undefined leaves it, null removes it; no other process changes it meanwhile. It must be
 * quick and free of side effects, because it may be called again when the store had to be remade.
 */
export interface SharedState {
  update<T>(name: string, change: (stored: unknown) => { readonly store?: unknown; readonly result: T }): Promise<T>;
  /** False while the store can't be used: then values are this process's own. Read it inside or after `change`. */
  readonly isShared: boolean;
  dispose(): void;
}

/** State that only this process sees. */
export function memoryState(values = new Map<string, unknown>()): SharedState {
  return {
    isShared: true,
    async update(name, change) {
      const { store, result } = change(values.get(name));
      if (store === null) values.delete(name);
      else if (store !== undefined) values.set(name, store);
      return result;
    },
    dispose: () => values.clear(),
  };
}
