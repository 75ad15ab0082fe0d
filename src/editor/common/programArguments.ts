/** True when a program called with ids, and not a menu with the node it was opened on and the selection. */
export function isListOfIds([first]: readonly unknown[]): boolean {
  return Array.isArray(first) && first.every((value) => typeof value === 'number');
}

/** True when a program called with `true` or an object of options, and not a menu with the node it was opened on. */
export function isOptions([first]: readonly unknown[]): boolean {
  return first === true || (typeof first === 'object' && first !== null && !Array.isArray(first) && !('kind' in first));
}
