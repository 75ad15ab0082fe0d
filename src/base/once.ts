/** Makes a value on first use and keeps it. A promise that rejects is forgotten, so that the next use tries again. */
export function once<T>(make: () => T): { get(): T; readonly made: boolean } {
  let box: { value: T } | undefined;
  return {
    get() {
      if (box) return box.value;
      const value = make();
      box = { value };
      if (value instanceof Promise) {
        const mine = box;
        value.catch(() => {
          if (box === mine) box = undefined;
        });
      }
      return value;
    },
    get made() {
      return box !== undefined;
    },
  };
}
