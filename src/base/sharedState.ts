/**
 * Small values by name that several holders change in turn. `change` gets the stored value (undefined at first) and
 * gives the one to store: undefined leaves it, null removes it; nobody else changes it meanwhile. It must be quick and
 * free of side effects, because it may be called again when the store had to be remade.
 */
export interface SharedState {
  update<T>(name: string, change: (stored: unknown) => { readonly store?: unknown; readonly result: T }): Promise<T>;
  /** Part of each limit that its holders may use, 0 to 1: less while others are unseen. Read it inside `change`. */
  readonly share: number;
  /** True while other holders are at work that this one does not see, and that do not see this one. May change. */
  readonly isBlind: boolean;
  /** A new name for a holder in what is stored, by which `isGone` may tell later that its process is no more. */
  holder(): string;
  isGone(holder: string): boolean;
  dispose(): void;
}

/** State that only this process sees. */
export function memoryState(share = 1, values = new Map<string, unknown>()): SharedState {
  return {
    share,
    isBlind: false,
    ...{ holder: () => crypto.randomUUID(), isGone: () => false },
    async update(name, change) {
      const { store, result } = change(values.get(name));
      if (store === null) values.delete(name);
      else if (store !== undefined) values.set(name, store);
      return result;
    },
    dispose: () => values.clear(),
  };
}
