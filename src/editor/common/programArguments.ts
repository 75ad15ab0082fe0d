/** True when a program called with ids, and not a menu with the node it was opened on and the selection. */
export function isListOfIds([first]: readonly unknown[]): boolean {
  return Array.isArray(first) && first.every((value) => typeof value === 'number');
}

/** True when a program called with `true` or an object of options, and not a menu with the node it was opened on. */
export function isOptions([first]: readonly unknown[]): boolean {
  return first === true || (typeof first === 'object' && first !== null && !Array.isArray(first) && !('kind' in first));
}

/** True when a program called with texts: identifiers, report keys. */
export function isListOfTexts([first]: readonly unknown[]): boolean {
  return Array.isArray(first) && first.every((value) => typeof value === 'string');
}

/** True when a program called with a report's id. */
export function startsWithId([first]: readonly unknown[]): boolean {
  return typeof first === 'number';
}

/** True when a program called with a key, a name or a column. */
export function startsWithText([first]: readonly unknown[]): boolean {
  return typeof first === 'string';
}
