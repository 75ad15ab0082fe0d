/**
 * Named values that processes change in turn. `change` returns the value to store: undefined leaves it, null removes
 * it. It may be called again, so it must be quick and free of side effects.
 */
export interface SharedState {
  update<T>(name: string, change: (stored: unknown) => { readonly store?: unknown; readonly result: T }): Promise<T>;
  /** False while the store can't be used: then values are this process's own. Read it inside or after `change`. */
  readonly isShared: boolean;
  dispose(): void;
}

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
